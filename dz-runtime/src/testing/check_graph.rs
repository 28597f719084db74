//! Requests to graphs, and the checks of their responses: the oracle follows edges row by row.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::{
    check_reads::{Verdict, check_closed, check_row, check_status, compare_rows, parse_json},
    oracle::Oracle,
    server::Answer,
    world::{Stored, key_text},
};
use crate::{
    Value,
    def::{AppDef, EntityDef},
    graph::Graph,
};

type Entity = &'static EntityDef;

/// A request to a graph.
#[derive(Debug, Clone)]
pub(super) enum GraphQuery {
    /// The neighbourhood of a node, with a depth.
    Around(Value, u8),
    /// The shortest path from a node to another one of its entity.
    #[cfg_attr(not(feature = "graph-algorithms"), expect(dead_code, reason = "paths need algorithms"))]
    Path(Value, Value),
    /// The components.
    #[cfg_attr(not(feature = "graph-algorithms"), expect(dead_code, reason = "components need algorithms"))]
    Components,
    /// All edges.
    Edges,
}

/// A row of the world, with its entity.
type Place = (u16, String);

/// The graph as the oracle sees it.
struct Seen<'w> {
    graph: Graph,
    nodes: BTreeMap<Place, (Entity, &'w Stored)>,
    /// The edges with both ends.
    edges: Vec<(&'w Stored, Place, Place)>,
}

impl<'w> Seen<'w> {
    fn new(oracle: &'w Oracle<'_>, graph: Graph, sees: impl Fn(Entity, &Stored) -> bool) -> Seen<'w> {
        let place = |entity: Entity, row: &Stored| (entity.ix, key_text(row.value(entity.pk)));
        let mut nodes = BTreeMap::new();
        for entity in graph.node_entities() {
            let rows = oracle.world.stored_rows(entity.ix).filter(|row| sees(entity, row));
            nodes.extend(rows.map(|row| (place(entity, row), (entity, row))));
        }
        let is_masked = |row: &Stored| {
            let ends = [graph.edge.source, graph.edge.target];
            ends.iter().any(|end| graph.edges.field(*end).sensitive) && !oracle.covers(graph.edges, "update", &row.values)
        };
        let end = |row: &'w Stored, at| oracle.world.target(graph.edges, at, &row.values).map(|(entity, row)| place(entity, row));
        let mut edges = Vec::new();
        for row in oracle.world.stored_rows(graph.edges.ix).filter(|row| sees(graph.edges, row) && !is_masked(row)) {
            if let (Some(from), Some(to)) = (end(row, graph.edge.source), end(row, graph.edge.target))
                && nodes.contains_key(&from)
                && nodes.contains_key(&to)
            {
                edges.push((row, from, to));
            }
        }
        Seen { graph, nodes, edges }
    }

    /// The number of edges to each node that a node reaches.
    fn distances(&self, start: &Place, directed: bool) -> BTreeMap<Place, usize> {
        let mut found = BTreeMap::from([(start.clone(), 0)]);
        let mut last = vec![start.clone()];
        for distance in 1.. {
            let mut next = Vec::new();
            for (_, from, to) in &self.edges {
                let forward = last.contains(from).then_some(to);
                let back = (!directed && last.contains(to)).then_some(from);
                next.extend(forward.into_iter().chain(back).filter(|place| !found.contains_key(*place)).cloned());
            }
            if next.is_empty() {
                break;
            }
            found.extend(next.iter().map(|place| (place.clone(), distance)));
            last = next;
        }
        found
    }

    fn edge_keys(&self, both: impl Fn(&Place, &Place) -> bool) -> Vec<String> {
        let chosen = self.edges.iter().filter(|(_, from, to)| both(from, to));
        chosen.map(|(row, ..)| key_text(row.value(self.graph.edges.pk))).collect()
    }
}

/// The address of a request. Expired edges are followed, because the world has no time.
pub(super) fn address(app: &'static AppDef, entity: Entity, query: &GraphQuery) -> String {
    let (table, segment) = (entity.table, |key: &Value| key.to_path_segment());
    let path = match query {
        GraphQuery::Around(key, depth) => format!("/{}/graph?depth={depth}&", segment(key)),
        GraphQuery::Path(from, to) => format!("/{}/graph/shortest-path?to={}&", segment(from), segment(to)),
        GraphQuery::Components => "/graph/components?".to_owned(),
        GraphQuery::Edges => "?".to_owned(),
    };
    let edges = entity.node.as_ref().map_or(entity, |node| app.entity(node.edges));
    let closed = if edges.temporal.is_some() { "&include_closed=true" } else { "" };
    format!("/api/{table}{path}format=raw{closed}")
}

pub(super) fn check(oracle: &Oracle<'_>, entity: Entity, query: &GraphQuery, answer: &Answer) -> Verdict {
    let app = oracle.app();
    let by_list = matches!(query, GraphQuery::Components | GraphQuery::Edges);
    if oracle.is_closed(entity, if by_list { "list" } else { "read" }) {
        return check_closed(oracle, answer);
    }
    let graph = if matches!(query, GraphQuery::Edges) { Graph::from_edges(app, entity) } else { Graph::from_node(app, entity) };
    let Some(graph) = graph else { return Err(format!("{} has no graph", entity.name)) };
    let open = |of: Entity| !oracle.is_closed(of, if by_list { "list" } else { "read" });
    let seen =
        Seen::new(oracle, graph, |of, row| open(of) && if by_list { oracle.lists(of, &row.values) } else { oracle.reads(of, &row.values) });
    let place = |key: &Value| (entity.ix, key_text(key));
    let hidden = |key: &Value| !seen.nodes.contains_key(&place(key));
    let is_hidden = match query {
        GraphQuery::Around(key, _) => hidden(key),
        GraphQuery::Path(from, to) => hidden(from) || hidden(to),
        GraphQuery::Components | GraphQuery::Edges => false,
    };
    if is_hidden {
        return check_status(answer, &[404], "a row of the request may not be read");
    }
    check_status(answer, &[200], "it may be read")?;
    let body = parse_json(answer)?;
    match query {
        GraphQuery::Around(key, depth) => {
            let near = seen.distances(&place(key), graph.edge.directed);
            let is_near = |at: &Place| near.get(at).is_some_and(|distance| *distance <= usize::from(*depth));
            check_rows(oracle, &seen, &body, &is_near)
        }
        GraphQuery::Edges => {
            let touched: BTreeSet<&Place> = seen.edges.iter().flat_map(|(_, from, to)| [from, to]).collect();
            check_rows(oracle, &seen, &body, &|at| touched.contains(at))
        }
        GraphQuery::Path(from, to) => check_path(&seen, &place(from), &place(to), &body),
        GraphQuery::Components => check_components(&seen, &body),
    }
}

/// Checks the nodes and the edges between them, with the values of their rows.
fn check_rows(oracle: &Oracle<'_>, seen: &Seen<'_>, body: &Json, is_chosen: &dyn Fn(&Place) -> bool) -> Verdict {
    let rows = |name: &str| body[name].as_array().cloned().unwrap_or_default();
    let wanted: Vec<String> = seen.nodes.keys().filter(|place| is_chosen(place)).map(|(_, key)| key.clone()).collect();
    let mut found = Vec::new();
    for item in rows("nodes") {
        let of = |entity: &Entity| key_of(entity, &item);
        let node = seen.graph.node_entities().find_map(|entity| seen.nodes.get(&(entity.ix, of(&entity))));
        let Some((entity, row)) = node else { return Err(format!("{item} is shown, and no rule shows it")) };
        found.push(of(entity));
        check_row(oracle, entity, row, &item)?;
    }
    compare_rows(&found, &wanted, false).map_err(|wrong| format!("nodes: {wrong}"))?;
    let edges = seen.graph.edges;
    let found: Vec<String> = rows("edges").iter().map(|item| key_of(edges, item)).collect();
    compare_rows(&found, &seen.edge_keys(|from, to| is_chosen(from) && is_chosen(to)), false).map_err(|wrong| format!("edges: {wrong}"))?;
    for item in rows("edges") {
        let edge = seen.edges.iter().find(|(row, ..)| key_text(row.value(edges.pk)) == key_of(edges, &item));
        edge.map_or(Ok(()), |(row, ..)| check_row(oracle, edges, row, &item))?;
    }
    Ok(())
}

/// The key in the JSON of a row.
pub(super) fn key_of(entity: Entity, item: &Json) -> String {
    let key = &item[entity.key().name];
    key.as_str().map_or_else(|| key.to_string(), str::to_owned)
}

/// The id of a place in a response.
fn id(seen: &Seen<'_>, place: &Place) -> String {
    let entity = seen.nodes.get(place).map(|(entity, _)| *entity);
    match entity {
        Some(entity) if !entity.key().kind.is_uuid() => format!("{}:{}", entity.name, place.1),
        _ => place.1.clone(),
    }
}

fn check_path(seen: &Seen<'_>, from: &Place, to: &Place, body: &Json) -> Verdict {
    let length = seen.distances(from, seen.graph.edge.directed).get(to).copied();
    if body["length"].as_u64() != length.map(|length| length as u64) {
        return Err(format!("the path has the length {} where {length:?} edges lead there", body["length"]));
    }
    let steps: Vec<&str> = body["path"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let joined = |pair: &[&str]| {
        seen.edges.iter().any(|(_, a, b)| {
            let (a, b) = (id(seen, a), id(seen, b));
            (a == pair[0] && b == pair[1]) || (!seen.graph.edge.directed && b == pair[0] && a == pair[1])
        })
    };
    let is_path = steps.windows(2).all(joined) && steps.len() == length.map_or(0, |length| length + 1);
    if is_path { Ok(()) } else { Err(format!("{steps:?} is not a path")) }
}

fn check_components(seen: &Seen<'_>, body: &Json) -> Verdict {
    let wanted: BTreeSet<BTreeSet<String>> =
        seen.nodes.keys().map(|place| seen.distances(place, false).keys().map(|place| id(seen, place)).collect()).collect();
    let group = |ids: &Json| ids.as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect();
    let found: BTreeSet<BTreeSet<String>> = body["components"].as_array().into_iter().flatten().map(group).collect();
    if found == wanted { Ok(()) } else { Err(format!("the components are {found:?} where the rules give {wanted:?}")) }
}

/// The rows that a response shows completely, with their entities, for the audit log.
pub(super) fn shown_rows<'w>(oracle: &Oracle<'w>, entity: Entity, query: &GraphQuery, body: &Json) -> Option<Vec<(Entity, &'w Stored)>> {
    let app = oracle.app();
    let graph = match query {
        GraphQuery::Around(..) => Graph::from_node(app, entity)?,
        GraphQuery::Edges => Graph::from_edges(app, entity)?,
        // These responses contain ids only.
        GraphQuery::Path(..) | GraphQuery::Components => return None,
    };
    let find = |of: Entity, item: &Json| {
        oracle.world.stored_rows(of.ix).find(|row| key_text(row.value(of.pk)) == key_of(of, item)).map(|row| (of, row))
    };
    let items = |name: &str| body[name].as_array().cloned().unwrap_or_default();
    let mut all: Vec<(Entity, &Stored)> = items("edges").iter().filter_map(|item| find(graph.edges, item)).collect();
    for item in items("nodes") {
        all.extend(graph.node_entities().find_map(|of| find(of, &item)));
    }
    Some(all)
}
