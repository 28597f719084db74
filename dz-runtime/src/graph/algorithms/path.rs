//! The shortest path between two nodes, by the number of edges or by weight.

use std::{collections::HashSet, ops::Add};

use petgraph::{graph::NodeIndex, visit::Dfs};

use super::{bidirectional, topology::Topology};
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
pub(super) struct Cost {
    pub weight: f64,
    pub length: u32,
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
    let weight = |edge: usize| if weighted { topology.weight(edge) } else { 0.0 };
    let found = search(topology, start, end, weight);
    Ok(found.map(|(nodes, edges)| ShortestPath {
        vertices: nodes.iter().map(|node| topology.vertices[node.index()].clone()).collect(),
        weight: edges.iter().map(|edge| topology.weight(*edge)).sum(),
        edges: edges.iter().map(|edge| topology.key(*edge)).collect(),
    }))
}

type Found = (Vec<NodeIndex<u32>>, Vec<usize>);

fn search(topology: &Topology, start: NodeIndex<u32>, end: NodeIndex<u32>, weight: impl Fn(usize) -> f64) -> Option<Found> {
    let links = &topology.links;
    let nodes = bidirectional::search(links, start, end, |edge| Cost { weight: weight(edge), length: 1 })?;
    // Of parallel edges the lightest is used, and of equal ones the first.
    let lightest = |pair: &[NodeIndex<u32>]| {
        let between = links.between(*pair.first()?, *pair.last()?);
        between.min_by(|left, right| weight(*left).total_cmp(&weight(*right)).then_with(|| topology.key(*left).cmp(&topology.key(*right))))
    };
    let edges = nodes.windows(2).map(lightest).collect::<Option<Vec<_>>>()?;
    Some((nodes, edges))
}

/// Refuses negative weights on edges that a search from `start` can reach.
fn check_weights(graph: &Graph, topology: &Topology, start: NodeIndex<u32>) -> Result<()> {
    // NaN is not a weight; the database stores none.
    let negative: Vec<usize> = (0..topology.edge_count()).filter(|edge| topology.weight(*edge) < 0.0).collect();
    if negative.is_empty() {
        return Ok(());
    }
    let mut walk = Dfs::new(&topology.links, start);
    let reached: HashSet<NodeIndex<u32>> = std::iter::from_fn(|| walk.next(&topology.links)).collect();
    let reachable = negative.into_iter().filter(|edge| reached.contains(&topology.links.source(*edge)));
    let Some(key) = reachable.map(|edge| topology.key(edge)).min() else { return Ok(()) };
    let field = graph.edge.weight.map_or("weight", |at| graph.edges.field(at).name);
    let edge = id_text(graph.edges, &key.to_value());
    Err(Error::validation("weighted", format!("the edge {edge} has a negative `{field}`")))
}
