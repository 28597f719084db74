//! The shortest path between two nodes, by the number of edges or by weight.

use std::{collections::HashSet, ops::Add};

use petgraph::{
    EdgeType,
    algo::astar,
    graph::{EdgeIndex, Graph as Numbers, NodeIndex},
    visit::{Dfs, EdgeRef as _},
};

use super::topology::{Topology, with_links};
use crate::{
    Error, Result,
    graph::{Graph, Key, Vertex, id_text},
};

/// A path: its nodes, and the edges between them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ShortestPath {
    /// The nodes in order.
    pub vertices: Vec<Vertex>,
    /// The keys of the edges in order.
    pub edges: Vec<Key>,
    /// The sum of the weights, to which rounding applies.
    pub weight: f64,
}

/// The cost of a path: its weight, and then the number of its edges.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
struct Cost {
    weight: f64,
    length: u32,
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost { weight: self.weight + other.weight, length: self.length + other.length }
    }
}

/// The shortest path between two visible nodes; `None` if there is none.
///
/// # Errors
/// 422 that names the edge, if a weighted search reaches an edge with a negative weight.
pub(crate) fn shortest_path(
    graph: &Graph,
    topology: &Topology,
    from: &Vertex,
    to: &Vertex,
    weighted: bool,
) -> Result<Option<ShortestPath>> {
    if from == to {
        return Ok(Some(ShortestPath { vertices: vec![from.clone()], edges: Vec::new(), weight: 0.0 }));
    }
    let (Some(start), Some(end)) = (topology.place(from), topology.place(to)) else { return Ok(None) };
    if weighted {
        check_weights(graph, topology, start)?;
    }
    let weight = |edge: EdgeIndex<u32>| if weighted { topology.edges[edge.index()].weight } else { 0.0 };
    let found = with_links!(&topology.links, numbers => search(numbers, start, end, weight));
    Ok(found.map(|(nodes, edges)| ShortestPath {
        vertices: nodes.iter().map(|node| topology.vertices[node.index()].clone()).collect(),
        weight: edges.iter().map(|edge| topology.edges[edge.index()].weight).sum(),
        edges: edges.iter().map(|edge| topology.edges[edge.index()].key.clone()).collect(),
    }))
}

type Found = (Vec<NodeIndex<u32>>, Vec<EdgeIndex<u32>>);

fn search<D: EdgeType>(
    numbers: &Numbers<(), (), D, u32>,
    start: NodeIndex<u32>,
    end: NodeIndex<u32>,
    weight: impl Fn(EdgeIndex<u32>) -> f64,
) -> Option<Found> {
    let cost = |edge: petgraph::graph::EdgeReference<'_, (), u32>| Cost { weight: weight(edge.id()), length: 1 };
    let (_, nodes) = astar(numbers, start, |node| node == end, cost, |_| Cost::default())?;
    // Of parallel edges the lightest is used, and of equal ones the first.
    let lightest = |pair: &[NodeIndex<u32>]| {
        let between = numbers.edges_connecting(*pair.first()?, *pair.last()?).map(|edge| edge.id());
        between.min_by(|left, right| weight(*left).total_cmp(&weight(*right)).then(left.cmp(right)))
    };
    let edges = nodes.windows(2).map(lightest).collect::<Option<Vec<_>>>()?;
    Some((nodes, edges))
}

/// Refuses negative weights on edges that a search from `start` can reach.
fn check_weights(graph: &Graph, topology: &Topology, start: NodeIndex<u32>) -> Result<()> {
    // NaN is not a weight; the database stores none.
    let Some(negative) = topology.edges.iter().position(|edge| edge.weight < 0.0) else { return Ok(()) };
    let reached = with_links!(&topology.links, numbers => {
        let mut walk = Dfs::new(numbers, start);
        let mut reached = HashSet::new();
        while let Some(node) = walk.next(numbers) {
            reached.insert(node);
        }
        reached
    });
    let is_reached = |at: usize| {
        let ends = with_links!(&topology.links, numbers => numbers.edge_endpoints(EdgeIndex::new(at)));
        ends.is_some_and(|(from, _)| reached.contains(&from))
    };
    let first = (negative..topology.edges.len()).find(|at| topology.edges[*at].weight < 0.0 && is_reached(*at));
    let Some(edge) = first.map(|at| &topology.edges[at]) else { return Ok(()) };
    let field = graph.edge.weight.map_or("weight", |at| graph.edges.field(at).name);
    let edge = id_text(graph.edges, &edge.key.to_value());
    Err(Error::validation("weighted", format!("the edge {edge} has a negative `{field}`")))
}
