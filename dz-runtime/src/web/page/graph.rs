//! The page of the graph around a row: lists of its rows and edges, and a drawing of them.

mod lists;
mod path;

use std::collections::BTreeMap;

use askama::Template;
use serde_json::json;
use url::form_urlencoded::byte_serialize;

use self::{
    lists::{EdgeLine, NodeLine},
    path::PathSteps,
};
use crate::{
    Error, Result, Tx, Value,
    access::{self, Read},
    def::{Comparison, FieldIx, Mode, Path, SurfaceDef},
    graph::{self, Budget, Graph, Node, Subgraph, Vertex},
    rows::{self, Filter, FilterOp},
    texts,
    web::{
        Call, Reply,
        page::{
            Answer, Document, Icon, Link, cell, columns, form,
            shell::{PageKind, Shell},
            variant::Variant,
        },
    },
};

/// The largest number of rows and edges on a page, which a browser draws without delay.
const PAGE: usize = 2_000;

#[derive(Template)]
#[template(path = "graph.html")]
struct GraphHtml<'a> {
    title: &'a str,
    purpose: &'a str,
    crumbs: &'a [Link],
    /// The maximum distance from the row of the page, in edges.
    depth: u8,
    kinds: Option<&'a Kinds>,
    /// True if the application can find paths.
    finds_paths: bool,
    problem: Option<&'a str>,
    path: Option<&'a PathSteps>,
    /// The id and the label of the end of the path, if it is not among the rows of the page.
    end: Option<(String, String)>,
    /// The names of the entities of nodes, each with its colour.
    tones: &'a [(&'static str, &'static str)],
    /// The addresses of the JSON API for the drawing.
    source: &'a str,
    path_source: &'a str,
    json: &'a str,
    /// The id of the row.
    seed: &'a str,
    directed: bool,
    /// The addresses of each entity, as JSON.
    entities: &'a str,
    /// The titles of the types of edges by their values, as JSON.
    kind_titles: &'a str,
    nodes: &'a [NodeLine],
    edges: &'a [EdgeLine],
    has_type: bool,
    has_weight: bool,
}

/// The choices of the type of edges.
struct Kinds {
    title: &'static str,
    /// The values with their titles; true for the chosen one.
    values: Vec<(&'static str, &'static str, bool)>,
}

/// The selection by the parameters of the page; invalid values count as absent.
struct Choice {
    depth: u8,
    /// The field of the type of edges, and the chosen value.
    kind: Option<(FieldIx, String)>,
    /// The node at the end of a path.
    to: Option<Vertex>,
}

impl Choice {
    fn read(tx: &Tx<'_>, graph: &Graph, start: &'static crate::def::EntityDef, call: &Call) -> Choice {
        let value = |wanted: &str| call.query.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
        let depth = value("depth").and_then(|depth| depth.parse().ok()).filter(|depth| (1..=3).contains(depth));
        let is_known = |(at, wanted): &(FieldIx, String)| {
            let of = graph.edges.field(*at).kind.enumeration();
            of.is_some_and(|of| of.values.iter().any(|value| value.name == wanted))
        };
        let kind = kind_field(graph).zip(value("kind").map(str::to_owned)).filter(is_known);
        let to = value("to").and_then(|to| graph.parse_id(tx.app, start, to).into_iter().next());
        Choice { depth: depth.unwrap_or(1), kind, to }
    }

    fn filters(&self, graph: &Graph) -> Vec<Filter> {
        let filter = |(at, value): &(FieldIx, String)| Filter {
            path: Path::to_field(graph.edges.ix, *at),
            op: FilterOp::Compare(Comparison::Eq, Value::Text(value.clone())),
        };
        self.kind.iter().map(filter).collect()
    }

    /// The filter as a parameter of the JSON API.
    fn parameter(&self, graph: &Graph) -> String {
        let text = |(at, value): &(FieldIx, String)| {
            format!("&edge.{}={}", graph.edges.field(*at).name, byte_serialize(value.as_bytes()).collect::<String>())
        };
        self.kind.as_ref().map(text).unwrap_or_default()
    }
}

/// The field with the type of edges, if it has declared values.
fn kind_field(graph: &Graph) -> Option<FieldIx> {
    graph.edge.kind.filter(|at| {
        let field = graph.edges.field(*at);
        field.kind.enumeration().is_some() && !field.sensitive && !field.secret
    })
}

/// `GET /app/{surface}/{id}/graph`
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<Reply> {
    let entity = tx.app.entity(surface.entity);
    let graph = Graph::from_node(tx.app, entity).ok_or_else(Error::not_found)?;
    let variant = Variant::resolve(tx, surface);
    let grant = access::ask::<Read>(tx.app, tx.engine(), tx.caller(), entity)?.narrow_to(variant.within());
    let key = form::parse_key(tx, entity, call.value(0))?;
    let row = rows::read(tx, &grant, &key, &[])?;
    let choice = Choice::read(tx, &graph, entity, call);
    let label = variant.load_label(tx, &row)?;
    let found = graph::neighbourhood(tx, &graph, &grant, &key, choice.depth, &choice.filters(&graph), Budget::new(PAGE, call.graph_time));
    let (found, problem) = match found {
        Ok(found) => (found, None),
        Err(error) if error.code == graph::TOO_LARGE => {
            (Subgraph { nodes: vec![Node { entity, row }], edges: Vec::new() }, Some(error.detail))
        }
        Err(error) => return Err(error),
    };
    let of_algorithms = Budget::new(usize::try_from(call.graph_limit).unwrap_or(usize::MAX), call.graph_time);
    let path = path::find(tx, &graph, &variant, (entity, &key), &choice, of_algorithms)?;
    let content = render(tx, &graph, &variant, &found, &Page { label: &label, key: &key, choice: &choice, problem, path })?;
    let mut shell =
        Shell::app(tx, call, say!("dz-connections-of", "Connections of {label}", label = label), PageKind::Graph, Some(surface));
    shell.scripts.push(shell.assets.graph_script.clone());
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(200, call.markup))
}

/// The parts of a page that do not follow from its rows.
struct Page<'a> {
    label: &'a str,
    key: &'a Value,
    choice: &'a Choice,
    problem: Option<String>,
    path: Option<PathSteps>,
}

fn render(tx: &mut Tx<'_>, graph: &Graph, variant: &Variant, found: &Subgraph, page: &Page<'_>) -> Result<String> {
    let Page { label, key, choice, problem, path } = page;
    let entity = tx.app.entity(variant.surface().entity);
    let segment = key.to_path_segment();
    let api = format!("/api/{}/{segment}/graph", entity.table);
    let source = format!("{api}?depth={}{}", choice.depth, choice.parameter(graph));
    let to = choice.to.as_ref().filter(|_| path.as_ref().is_some_and(|path| !path.steps.is_empty())).map(|to| to.id(tx.app));
    let to = to.map(|to| byte_serialize(to.as_bytes()).collect::<String>());
    let path_source = to.map(|to| format!("{api}/shortest-path?to={to}{}", choice.parameter(graph))).unwrap_or_default();
    let (nodes, edges) = lists::build(tx, graph, variant, found, choice)?;
    let list = columns::find_page(tx, entity, Mode::List).map(|list| Link::new(list.address(), list.title));
    let view = columns::find_page(tx, entity, Mode::View).map(|view| Link::new(columns::row_address(view, key), *label));
    GraphHtml {
        title: &say!("dz-connections-of", "Connections of {label}", label = label),
        purpose: &say!(
            "dz-graph-purpose",
            "Distance {distance}: {rows}, {connections}.",
            distance = choice.depth,
            rows = texts::count_rows(nodes.len()),
            connections = texts::count_connections(edges.len())
        ),
        crumbs: &list.into_iter().chain(view).collect::<Vec<_>>(),
        depth: choice.depth,
        kinds: kinds(graph, choice).as_ref(),
        finds_paths: cfg!(feature = "graph-algorithms"),
        problem: problem.as_deref(),
        path: path.as_ref(),
        end: path_end(tx, page, &nodes),
        tones: &graph.node_entities().map(|entity| (entity.name, cell::entity_tone(entity))).collect::<Vec<_>>(),
        source: if problem.is_some() { "" } else { &source },
        path_source: &path_source,
        json: &source,
        seed: &graph::id_text(entity, key),
        directed: graph.edge.directed,
        entities: &entity_addresses(tx, graph),
        kind_titles: &kind_titles(graph),
        nodes: &nodes,
        edges: &edges,
        has_type: graph.edge.kind.is_some(),
        has_weight: graph.edge.weight.is_some(),
    }
    .render()
    .map_err(Error::internal)
}

/// The end of the path, if it is not among the rows of the page.
fn path_end(tx: &Tx<'_>, page: &Page<'_>, nodes: &[NodeLine]) -> Option<(String, String)> {
    let (label, _) = page.path.as_ref()?.steps.last()?;
    let id = page.choice.to.as_ref()?.id(tx.app);
    let is_listed = nodes.iter().any(|node| node.id == id);
    (!is_listed).then(|| (id, label.clone()))
}

fn kinds(graph: &Graph, choice: &Choice) -> Option<Kinds> {
    let field = graph.edges.field(kind_field(graph)?);
    let chosen = choice.kind.as_ref().map(|(_, value)| value.as_str());
    let values = field.kind.enumeration()?.values.iter();
    Some(Kinds { title: field.title, values: values.map(|it| (it.name, it.title, chosen == Some(it.name))).collect() })
}

fn kind_titles(graph: &Graph) -> String {
    let values = kind_field(graph).and_then(|at| graph.edges.field(at).kind.enumeration()).map_or(&[][..], |of| of.values);
    json!(values.iter().map(|value| (value.name, value.title)).collect::<BTreeMap<_, _>>()).to_string()
}

/// For each entity of nodes its title, the address of its rows in the JSON API if they have a graph, and that of their pages.
fn entity_addresses(tx: &Tx<'_>, graph: &Graph) -> String {
    let of_entity = |entity: &'static crate::def::EntityDef| {
        let has_graph = entity.node.is_some_and(|node| node.edges == graph.edges.ix);
        let api = has_graph.then(|| format!("/api/{}", entity.table));
        let open = columns::find_page(tx, entity, Mode::View).map(SurfaceDef::address);
        (entity.name, json!({ "title": entity.title, "api": api, "open": open }))
    };
    json!(graph.node_entities().map(of_entity).collect::<BTreeMap<_, _>>()).to_string()
}
