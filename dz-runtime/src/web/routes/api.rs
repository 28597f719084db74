//! `/api/…`: the JSON API of an entity.

use rocket::http::Method::{self, Delete, Get, Patch, Post, Put};

use super::{Form, Route, Run};
use crate::{
    Result, Tx,
    access::BUILT_IN,
    def::{AppDef, EntityDef},
    field,
    state::State,
    web::{
        Call, Reply,
        api::{Operation, graph},
    },
};

type UnitHandler = fn(&State, &mut Tx<'_>, &Call) -> Result<Reply>;

pub(crate) fn routes(app: &'static AppDef, entity: &'static EntityDef) -> Vec<Route> {
    let all = format!("/api/{}", entity.table);
    let one = format!("{all}/{{id}}");
    let route = |method: Method, path: &str, about: &'static str, operation: Operation| Route {
        entity: Some(entity),
        form: Form::Json,
        ..Route::new(method, path, about, Run::Api(operation))
    };
    // A text key can equal one of these words, so other methods than `POST` address the row.
    let closes = !field::stored_kind(app, entity.key()).is_text();
    let mut routes = vec![
        route(Get, &all, "List rows", Operation::List),
        route(Post, &all, "Create a row", Operation::Create),
        Route { is_exclusive: closes, ..route(Post, &format!("{all}/bulk"), "Change, transition or delete many rows", Operation::Bulk) },
        Route { is_exclusive: closes, ..route(Post, &format!("{all}/import"), "Import rows from CSV", Operation::Import) },
        route(Get, &one, "Read a row", Operation::Read),
        route(Patch, &one, "Change a row", Operation::Update),
        route(Put, &one, "Replace a row", Operation::Replace),
        route(Delete, &one, "Delete a row", Operation::Delete),
    ];
    if entity.node.is_some() {
        routes.extend(graph_routes(entity, &all, &one));
    }
    if entity.states.is_some() {
        routes.push(route(Post, &format!("{one}/transitions/{{state}}"), "Transition a row to a state", Operation::Transition));
    }
    if entity.soft_delete {
        routes.push(route(Post, &format!("{one}/actions/restore"), "Restore a deleted row", Operation::Restore));
    }
    for rule in entity.rules.iter().filter(|rule| !BUILT_IN.contains(&rule.action)) {
        let path = format!("{one}/actions/{}", rule.action);
        routes.push(route(Post, &path, "Run an action of the application", Operation::Act(rule.action)));
    }
    routes
}

/// The addresses of the graph of a node entity.
fn graph_routes(entity: &'static EntityDef, all: &str, one: &str) -> Vec<Route> {
    let route = |path: String, about, answer| graph_route(entity, path, about, answer);
    vec![
        route(format!("{one}/graph"), "Show the graph around a row", graph::neighbourhood),
        route(format!("{one}/graph/shortest-path"), "Find the shortest path between two rows", graph::algorithms::shortest_path),
        route(format!("{one}/graph/reachable"), "Find the rows that a row reaches", graph::algorithms::reachable),
        route(format!("{one}/graph/degree"), "Count the edges at a row", graph::algorithms::degree),
        route(format!("{all}/graph/centrality"), "Rank rows by the edges to them", graph::algorithms::centrality),
        route(format!("{all}/graph/cycles"), "Find the groups of rows on cycles", graph::algorithms::cycles),
        route(format!("{all}/graph/components"), "Find the connected groups of rows", graph::algorithms::components),
    ]
}

/// A route about the graph of a node entity.
fn graph_route(entity: &'static EntityDef, path: String, about: &'static str, answer: UnitHandler) -> Route {
    Route { entity: Some(entity), form: Form::Json, is_graph: true, ..Route::new(Get, path, about, Run::Unit(answer)) }
}
