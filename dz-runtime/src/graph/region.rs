//! The graph of listed rows: listed nodes with the edges between them, or listed edges with the nodes at their ends.

use std::collections::{BTreeSet, HashSet};

use super::{
    Budget, Graph, Subgraph, Vertex,
    subgraph::{Node, ends, load_edges, load_edges_between, load_nodes, sort_edges, touching},
    visible::{self, Rule},
};
use crate::{
    Result, Tx,
    access::{Grant, List},
    db::emit::Emit,
    rows::{self, Query, Total},
};

/// The nodes of a list with the visible edges between them. In a graph between two entities, these are the edges of the nodes, with the
/// nodes at their other ends.
///
/// # Errors
/// 422 if there are more edges than the budget allows.
pub(crate) fn nodes_with_edges(tx: &mut Tx<'_>, graph: &Graph, nodes: Vec<Node>, budget: Budget) -> Result<Subgraph> {
    if !graph.is_heterogeneous() {
        let edges = load_edges_between(tx, graph, Rule::List, &[], &nodes, budget)?;
        return Ok(Subgraph { nodes, edges });
    }
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let condition = visible::edge_condition(&emit, graph, Rule::List, &[])?;
    let condition = condition.and(visible::ends_condition(&emit, graph, Rule::List)).and(touching(&emit, graph, &nodes));
    let condition = condition.and(budget.in_time(&emit));
    let mut edges = load_edges(tx, graph, Rule::List, condition, budget.elements as u64 + 1)?;
    budget.check(nodes.len() + edges.len())?;
    sort_edges(graph, &mut edges);
    let known: HashSet<Vertex> = nodes.iter().filter_map(Node::vertex).collect();
    let all: BTreeSet<Vertex> = edges.iter().filter_map(|edge| ends(graph, edge)).flat_map(|(from, to)| [from, to]).collect();
    let others: Vec<Vertex> = all.into_iter().filter(|vertex| !known.contains(vertex)).collect();
    let mut nodes = nodes;
    nodes.extend(load_nodes::<List>(tx, graph, &others)?);
    Ok(keep_known(graph, Subgraph { nodes, edges }))
}

/// A page of a list of edges with the visible nodes at their ends, and the total number of edges.
///
/// # Errors
/// Those of the list.
pub(crate) fn edges_with_nodes(tx: &mut Tx<'_>, graph: &Graph, grant: &Grant<List>, query: &Query) -> Result<(Subgraph, Total)> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let visible = visible::edge_condition(&emit, graph, Rule::List, &[])?.and(visible::ends_condition(&emit, graph, Rule::List));
    let page = rows::list(tx, grant, &Query { narrower: Some(visible), dynamic: true, ..query.clone() })?;
    let wanted: BTreeSet<Vertex> = page.rows.iter().filter_map(|edge| ends(graph, edge)).flat_map(|(from, to)| [from, to]).collect();
    let nodes = load_nodes::<List>(tx, graph, &wanted.into_iter().collect::<Vec<_>>())?;
    Ok((keep_known(graph, Subgraph { nodes, edges: page.rows }), page.total))
}

/// Removes edges whose nodes another transaction has deleted or hidden between the statements.
fn keep_known(graph: &Graph, mut part: Subgraph) -> Subgraph {
    let known: HashSet<Vertex> = part.nodes.iter().filter_map(Node::vertex).collect();
    part.edges.retain(|edge| ends(graph, edge).is_some_and(|(from, to)| known.contains(&from) && known.contains(&to)));
    part
}
