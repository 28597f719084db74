//! All visible edges of a graph that fulfil a query, with the nodes at their ends.

use std::collections::BTreeSet;

use super::{
    Budget, Graph, Subgraph, Vertex,
    subgraph::{ends, load_nodes, sort_edges},
    visible::{self, Rule},
};
use crate::{
    Result, Tx,
    access::{Grant, List},
    db::emit::Emit,
    rows::{self, Counting, Query},
};

/// The edges of a list without its pages, and the nodes at their ends.
///
/// # Errors
/// Those of the list; 422 if the result is larger than the budget.
pub(crate) fn edge_list(tx: &mut Tx<'_>, graph: &Graph, grant: &Grant<List>, query: &Query, budget: Budget) -> Result<Subgraph> {
    let most = budget.elements as u64 + 1;
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let visible = visible::edge_condition(&emit, graph, Rule::List, &[])?.and(visible::ends_condition(&emit, graph, Rule::List));
    let visible = visible.and(budget.in_time(&emit));
    let query =
        Query { offset: 0, limit: most, count: Counting::Off, sort: Vec::new(), narrower: Some(visible), dynamic: true, ..query.clone() };
    let mut edges = rows::list(tx, grant, &query)?.rows;
    budget.check(edges.len())?;
    sort_edges(graph, &mut edges);
    let wanted: BTreeSet<Vertex> = edges.iter().filter_map(|edge| ends(graph, edge)).flat_map(|(from, to)| [from, to]).collect();
    budget.check(edges.len() + wanted.len())?;
    let nodes = load_nodes::<List>(tx, graph, &wanted.into_iter().collect::<Vec<_>>())?;
    let known: BTreeSet<Vertex> = nodes.iter().filter_map(super::Node::vertex).collect();
    // Another transaction can have deleted or hidden a node between the statements.
    edges.retain(|edge| ends(graph, edge).is_some_and(|(from, to)| known.contains(&from) && known.contains(&to)));
    Ok(Subgraph { nodes, edges })
}
