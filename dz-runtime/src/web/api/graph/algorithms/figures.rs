//! The addresses of metrics of nodes: what a row reaches, its degree, the centrality of all rows, and cycles.

use super::{all_vertices, load_topology, write_ids};
use crate::{
    Error, Result, Tx, Value,
    access::{Action as _, List, Read},
    graph::{self, Graph, Rule, Subgraph, Vertex, algorithms},
    rows,
    state::State,
    web::{
        Call, Reply,
        api::{
            etag,
            graph::{
                budget,
                format::{self, Format},
                graph_of,
                params::{GraphParams, Reserved},
            },
            parse_key,
        },
    },
};

/// The row of an address, if the caller may read it, and the parameters.
fn read_start(tx: &mut Tx<'_>, call: &Call, accepted: &[Reserved]) -> Result<(Graph, Vertex, GraphParams)> {
    let (entity, graph) = graph_of(tx, call)?;
    let grant = tx.ask::<Read>(entity)?;
    let key: Value = parse_key(tx, entity, call.value(0))?;
    let params = GraphParams::parse(tx.app, &graph, accepted, &call.query)?;
    let vertex = Vertex::new(entity, &key).ok_or_else(Error::not_found)?;
    match rows::is_readable(tx, &grant, &key)? {
        true => Ok((graph, vertex, params)),
        false => Err(Error::not_found().denied(entity, Read::NAME, Some(&key))),
    }
}

/// `GET /api/{table}/{id}/graph/reachable`: all rows that a row reaches over any number of edges.
pub(crate) fn reachable(_: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let (graph, start, params) = read_start(tx, call, &[])?;
    let topology = load_topology(tx, call, &graph, Rule::Read, &params.filters)?;
    let found = algorithms::reachable(&topology, &start);
    budget(call).check(found.len())?;
    let mut out = Vec::new();
    if params.format == Format::Raw {
        out.extend_from_slice(format!("{{\"count\":{},", found.len()).as_bytes());
        write_ids(tx.app, "nodes", &found, &mut out);
        out.push(b'}');
        return Ok(etag::reply(call, out));
    }
    let nodes = graph::load_nodes::<Read>(tx, &graph, &found)?;
    let edges = graph::load_edges_between(tx, &graph, Rule::Read, &params.filters, &nodes, budget(call))?;
    format::write(tx.app, &graph, &Subgraph { nodes, edges }, params.format, &[], &mut out);
    Ok(etag::reply(call, out))
}

/// `GET /api/{table}/{id}/graph/degree`: the number of edges at a row.
pub(crate) fn degree(_: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let (graph, start, params) = read_start(tx, call, &[])?;
    let topology = load_topology(tx, call, &graph, Rule::Read, &params.filters)?;
    let algorithms::Degree { incoming, outgoing } = algorithms::degree(&topology, &start);
    let total = if graph.edge.directed { incoming + outgoing } else { outgoing };
    let mut out = b"{\"id\":".to_vec();
    format::write_text(&start.id(tx.app), &mut out);
    out.extend_from_slice(format!(",\"in\":{incoming},\"out\":{outgoing},\"total\":{total}}}").as_bytes());
    Ok(etag::reply(call, out))
}

/// `GET /api/{table}/graph/centrality`: the PageRank of all rows, the highest first.
pub(crate) fn centrality(_: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let (entity, graph) = graph_of(tx, call)?;
    tx.ask::<List>(entity)?;
    let params = GraphParams::parse(tx.app, &graph, &[], &call.query)?;
    let vertices = all_vertices(tx, &graph, budget(call))?;
    let topology = load_topology(tx, call, &graph, Rule::List, &params.filters)?;
    let ranks = algorithms::page_rank(&topology, &vertices);
    // Equal nodes can differ in the last digits, which depend on the order of the sums.
    let rounded = ranks.iter().map(|rank| format!("{rank:.8}"));
    let mut all: Vec<(String, String)> = rounded.zip(vertices.iter().map(|vertex| vertex.id(tx.app))).collect();
    all.sort_by(|left, right| right.0.cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
    let mut out = format!("{{\"count\":{},", all.len()).into_bytes();
    format::write_list("nodes", &all, &mut out, |(rank, id), out| {
        out.extend_from_slice(b"{\"id\":");
        format::write_text(id, out);
        out.extend_from_slice(format!(",\"score\":{rank}}}").as_bytes());
    });
    out.push(b'}');
    Ok(etag::reply(call, out))
}

/// `GET /api/{table}/graph/cycles`: the groups of rows that lie on common cycles.
pub(crate) fn cycles(_: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let (entity, graph) = graph_of(tx, call)?;
    tx.ask::<List>(entity)?;
    let params = GraphParams::parse(tx.app, &graph, &[], &call.query)?;
    let topology = load_topology(tx, call, &graph, Rule::List, &params.filters)?;
    let found = algorithms::cycles(&topology);
    budget(call).check(found.iter().map(Vec::len).sum())?;
    let mut out = format!("{{\"acyclic\":{},\"count\":{},", found.is_empty(), found.len()).into_bytes();
    format::write_list("cycles", &found, &mut out, |group, out| {
        let ids: Vec<String> = group.iter().map(|vertex| vertex.id(tx.app)).collect();
        // Writing to memory cannot fail.
        let _ = serde_json::to_writer(out, &ids);
    });
    out.push(b'}');
    Ok(etag::reply(call, out))
}
