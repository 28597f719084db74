//! The addresses of graphs and of their algorithms: the parameters of their requests, and their answers.

#[cfg_attr(not(feature = "graph-algorithms"), path = "graph/without_algorithms.rs")]
pub(crate) mod algorithms;
mod format;
mod params;
#[cfg(all(test, feature = "graph-algorithms", feature = "sqlite", feature = "postgres"))]
#[path = "graph/without_algorithms.rs"]
mod without_algorithms;

use self::{
    format::Format,
    params::{GraphParams, Reserved},
};
use super::{csv, etag, parse_key};
use crate::{
    Error, Result, Tx,
    access::{Grant, List, Read},
    def::EntityDef,
    graph::{self, Budget, Graph},
    rows,
    state::State,
    web::{Call, Reply, api::params as list_params},
};

/// The graph of the node entity that the route names.
fn graph_of(tx: &Tx<'_>, call: &Call) -> Result<(&'static EntityDef, Graph)> {
    let entity = super::entity_of(call)?;
    Graph::from_node(tx.app, entity).map(|graph| (entity, graph)).ok_or_else(Error::not_found)
}

fn budget(call: &Call) -> Budget {
    Budget::new(most_elements(call), call.graph_time)
}

fn most_elements(call: &Call) -> usize {
    usize::try_from(call.graph_limit).unwrap_or(usize::MAX)
}

/// `GET /api/{table}/{id}/graph`: the neighbourhood of a row.
pub(crate) fn neighbourhood(_: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let (entity, graph) = graph_of(tx, call)?;
    let grant = tx.ask::<Read>(entity)?;
    let key = parse_key(tx, entity, call.value(0))?;
    let params = GraphParams::parse(tx.app, &graph, &[Reserved::Depth], &call.query)?;
    let found = graph::neighbourhood(tx, &graph, &grant, &key, params.depth, &params.filters, budget(call))?;
    let mut out = Vec::with_capacity(256 * (found.nodes.len() + found.edges.len() + 1));
    format::write(tx.app, &graph, &found, params.format, &[], &mut out);
    Ok(etag::reply(call, out))
}

/// True if the query of a list requests the graph of an edge entity.
pub(crate) fn is_requested(entity: &EntityDef, pairs: &[(String, String)]) -> bool {
    entity.edge.is_some() && pairs.iter().any(|(name, format)| name == "format" && !csv::is_list_format(format))
}

/// `GET /api/{table}?format=…` of an edge entity: the whole graph.
pub(super) fn list_edges(tx: &mut Tx<'_>, call: &Call, grant: &Grant<List>) -> Result<Reply> {
    let entity = grant.entity();
    let graph = Graph::from_edges(tx.app, entity).ok_or_else(Error::not_found)?;
    let wanted = call.query.iter().find(|(name, _)| name == "format").map_or("", |(_, format)| format.as_str());
    let format = Format::parse(wanted, &["json", "csv"])?;
    let query = edge_query(tx, entity, &call.query)?;
    let found = graph::edge_list(tx, &graph, grant, &query, budget(call))?;
    let mut out = Vec::with_capacity(256 * (found.nodes.len() + found.edges.len() + 1));
    format::write(tx.app, &graph, &found, format, &[], &mut out);
    Ok(etag::reply(call, out))
}

/// The parameters of a list, in which `edge.` can precede the name of a field.
fn edge_query(tx: &Tx<'_>, entity: &'static EntityDef, pairs: &[(String, String)]) -> Result<rows::Query> {
    if let Some((name, _)) = pairs.iter().find(|(name, _)| matches!(name.as_str(), "page" | "page_size" | "sort" | "expand")) {
        return Err(Error::bad_request(format!("`{name}` has no meaning for a graph, which contains all edges")));
    }
    params::parse_edge_list(tx.app, entity, list_params::list_surface(tx.app, entity), pairs)
}
