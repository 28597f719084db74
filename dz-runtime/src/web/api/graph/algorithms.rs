//! The addresses of algorithms: shortest paths, components, reachable rows, degrees, centrality and cycles.

mod figures;

use std::sync::Arc;

use rust_decimal::Decimal;

pub(crate) use self::figures::{centrality, cycles, degree, reachable};

use super::{
    budget,
    format::{self, Format},
    graph_of,
    params::{GraphParams, Reserved},
};
use crate::{
    Error, Result, Tx, Value,
    access::{Action as _, List, Read},
    def::AppDef,
    graph::{
        self, Budget, Graph, Rule, Subgraph, Vertex,
        algorithms::{self, ShortestPath, Topology},
    },
    rows::{self, Filter, Row},
    state::State,
    web::{
        Call, Reply,
        api::{etag, parse_key},
    },
};

/// `GET /api/{table}/{id}/graph/shortest-path`: the path from a row to the row `to`.
pub(crate) fn shortest_path(_: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let (entity, graph) = graph_of(tx, call)?;
    let grant = tx.ask::<Read>(entity)?;
    let key = parse_key(tx, entity, call.value(0))?;
    let params = GraphParams::parse(tx.app, &graph, &[Reserved::To, Reserved::Weighted], &call.query)?;
    let to = params.to.as_deref().ok_or_else(|| Error::validation("to", "is required: the id of the row at the end of the path"))?;
    let ends = graph.parse_id(tx.app, entity, to);
    if ends.is_empty() {
        return Err(Error::validation("to", "is not the id of a row"));
    }
    if !rows::is_readable(tx, &grant, &key)? {
        return Err(Error::not_found().denied(entity, Read::NAME, Some(&key)));
    }
    let from = Vertex::new(entity, &key).ok_or_else(Error::not_found)?;
    let to = find_readable(tx, ends)?;
    let topology = load_topology(tx, call, &graph, Rule::Read, &params.filters)?;
    let found = algorithms::shortest_path(&graph, &topology, &from, &to, params.weighted)?;
    let path = load_path(tx, &graph, found, budget(call))?;
    let mut summary = Vec::new();
    write_summary(tx, &graph, path.as_ref(), params.weighted, &mut summary);
    if params.format == Format::Raw {
        return Ok(etag::reply(call, summary));
    }
    let (mut out, rows) = (Vec::new(), path.map(|(_, rows)| rows).unwrap_or_default());
    format::write(tx.app, &graph, &rows, params.format, &[("shortest_path", summary)], &mut out);
    Ok(etag::reply(call, out))
}

/// The edges that the caller sees, from memory if possible.
fn load_topology(tx: &mut Tx<'_>, call: &Call, graph: &Graph, rule: Rule, filters: &[Filter]) -> Result<Arc<Topology>> {
    Topology::find(tx, graph, rule, filters, budget(call))
}

/// Writes a member with the ids of nodes.
fn write_ids(app: &'static AppDef, name: &str, vertices: &[Vertex], out: &mut Vec<u8>) {
    format::write_list(name, vertices, out, |vertex, out| format::write_text(&vertex.id(app), out));
}

/// The first of some nodes that the caller may read.
fn find_readable(tx: &mut Tx<'_>, vertices: Vec<Vertex>) -> Result<Vertex> {
    for vertex in vertices {
        let grant = tx.ask::<Read>(tx.app.entity(vertex.entity));
        if let Ok(grant) = grant
            && rows::is_readable(tx, &grant, &vertex.key.to_value())?
        {
            return Ok(vertex);
        }
    }
    Err(Error::new(404, "NOT_FOUND", "The row `to` does not exist or is not visible to you"))
}

/// The rows of a path; `None` if one of them was deleted or hidden since the path was found.
fn load_path(tx: &mut Tx<'_>, graph: &Graph, found: Option<ShortestPath>, budget: Budget) -> Result<Option<(ShortestPath, Subgraph)>> {
    let Some(path) = found else { return Ok(None) };
    budget.check(path.vertices.len() + path.edges.len())?;
    let nodes = graph::load_nodes::<Read>(tx, graph, &path.vertices)?;
    let edges = graph::load_edges_by_key(tx, graph, &path.edges)?;
    let is_whole = nodes.len() == path.vertices.len() && edges.len() == path.edges.len();
    Ok(is_whole.then_some((path, Subgraph { nodes, edges })))
}

/// Writes `{"path":[…],"length":…,"weight":…}`.
fn write_summary(tx: &Tx<'_>, graph: &Graph, path: Option<&(ShortestPath, Subgraph)>, weighted: bool, out: &mut Vec<u8>) {
    let Some((path, rows)) = path else { return out.extend_from_slice(b"{\"path\":[],\"length\":null}") };
    out.push(b'{');
    write_ids(tx.app, "path", &path.vertices, out);
    out.extend_from_slice(format!(",\"length\":{}", path.edges.len()).as_bytes());
    if weighted {
        out.extend_from_slice(b",\"weight\":");
        format::write_number(&sum_weights(graph, &rows.edges, path.weight), out);
    }
    out.push(b'}');
}

/// The sum of the weights: exact for whole and decimal numbers. A null weight counts as 1.
fn sum_weights(graph: &Graph, edges: &[Row], rounded: f64) -> Value {
    let number = |edge: &Row| match graph.edge.weight.map(|at| edge.value(at)) {
        Some(Value::Int(number)) => Some(Decimal::from(*number)),
        Some(Value::Decimal(number)) => Some(*number),
        Some(Value::Float(_)) => None,
        _ => Some(Decimal::ONE),
    };
    let exact = edges.iter().try_fold(Decimal::ZERO, |sum, edge| sum.checked_add(number(edge)?));
    exact.map_or_else(|| Value::Float(round(rounded)), Value::Decimal)
}

/// Rounds a sum of floats to 12 significant digits, as aggregates do.
fn round(sum: f64) -> f64 {
    format!("{sum:.11e}").parse().unwrap_or(sum)
}

/// `GET /api/{table}/graph/components`: all rows in connected groups.
pub(crate) fn components(_: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let (entity, graph) = graph_of(tx, call)?;
    tx.ask::<List>(entity)?;
    let params = GraphParams::parse(tx.app, &graph, &[], &call.query)?;
    let vertices = all_vertices(tx, &graph, budget(call))?;
    let topology = load_topology(tx, call, &graph, Rule::List, &params.filters)?;
    let found = algorithms::components(tx.app, &topology, &vertices);
    let count = found.0.len().to_string().into_bytes();
    let mut groups = vec![b'['];
    for (at, group) in found.0.iter().enumerate() {
        groups.extend_from_slice(if at > 0 { b"," } else { b"" });
        // Writing to memory cannot fail.
        let _ = serde_json::to_writer(&mut groups, group);
    }
    groups.push(b']');
    let mut out = Vec::new();
    if params.format == Format::Raw {
        out.extend_from_slice(b"{\"count\":");
        out.extend([count, b",\"components\":".to_vec(), groups, b"}".to_vec()].concat());
        return Ok(etag::reply(call, out));
    }
    let nodes = graph::load_nodes::<List>(tx, &graph, &vertices)?;
    let edges = graph::load_all_edges(tx, &graph, Rule::List, &params.filters, &nodes, budget(call))?;
    format::write(tx.app, &graph, &Subgraph { nodes, edges }, params.format, &[("count", count), ("components", groups)], &mut out);
    Ok(etag::reply(call, out))
}

/// All nodes that the caller may list.
fn all_vertices(tx: &mut Tx<'_>, graph: &Graph, budget: Budget) -> Result<Vec<Vertex>> {
    let mut all = Vec::new();
    for entity in graph.node_entities() {
        let Ok(grant) = tx.ask::<List>(entity) else { continue };
        let limit = budget.elements as u64 + 1;
        let keys = rows::keys(tx, &grant, &rows::Query { limit, ..rows::Query::default() })?;
        all.extend(keys.iter().filter_map(|key| Vertex::new(entity, key)));
        budget.check(all.len())?;
    }
    Ok(all)
}
