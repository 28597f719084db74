//! Metrics of nodes: what a node reaches, its degree, its centrality, and the cycles of a graph.

use std::collections::BTreeSet;

use petgraph::{
    algo::{bridges::bridges, tarjan_scc},
    graph::NodeIndex,
    unionfind::UnionFind,
    visit::{Bfs, EdgeRef as _, IntoEdgeReferences as _},
};

use super::{
    links::{Link, Links},
    topology::Topology,
};
use crate::graph::Vertex;

/// The number of edges at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Degree {
    /// Edges that end at the node; all edges if they have no direction.
    pub incoming: usize,
    /// Edges that start at the node; all edges if they have no direction.
    pub outgoing: usize,
}

/// The nodes that a node reaches over any number of edges, itself first, and then by distance.
pub(crate) fn reachable(topology: &Topology, from: &Vertex) -> Vec<Vertex> {
    let Some(start) = topology.place(from) else { return vec![from.clone()] };
    let mut walk = Bfs::new(&topology.links, start);
    let places = std::iter::from_fn(|| walk.next(&topology.links));
    places.map(|node| topology.vertices[node.index()].clone()).collect()
}

/// The degree of a node; a loop counts at both of its ends.
pub(crate) fn degree(topology: &Topology, of: &Vertex) -> Degree {
    let Some(node) = topology.place(of) else { return Degree::default() };
    let (outgoing, incoming) = topology.links.degree(node);
    match topology.links.directed {
        true => Degree { incoming, outgoing },
        false => Degree { incoming: incoming + outgoing, outgoing: incoming + outgoing },
    }
}

/// The probability that a visit continues along an edge; otherwise it starts anew at any node.
const DAMPING: f64 = 0.85;
/// The largest number of rounds.
const ROUNDS: usize = 100;
/// The change of all ranks together at which the computation ends.
const PRECISION: f64 = 1e-10;

/// The PageRank of each node, in their order; the sum is 1. Each parallel edge counts, and a node without outgoing edges passes its rank
/// to all nodes.
pub(crate) fn page_rank(topology: &Topology, vertices: &[Vertex]) -> Vec<f64> {
    let count = vertices.len() as f64;
    // Nodes without edges have no number in the topology.
    let place = |vertex: &Vertex| topology.place(vertex).map(NodeIndex::index);
    let places: Vec<Option<usize>> = vertices.iter().map(place).collect();
    let mut position = vec![None; topology.vertices.len()];
    for (at, place) in places.iter().enumerate() {
        if let Some(place) = place {
            position[*place] = Some(at);
        }
    }
    let mut next_of: Vec<Vec<usize>> = vec![Vec::new(); vertices.len()];
    for (from, to) in topology.links.all_ends() {
        let (Some(from), Some(to)) = (position[from], position[to]) else { continue };
        next_of[from].push(to);
        if !topology.links.directed && from != to {
            next_of[to].push(from);
        }
    }
    let mut ranks = vec![1.0 / count; vertices.len()];
    for _ in 0..ROUNDS {
        let idle: f64 = (0..ranks.len()).filter(|at| next_of[*at].is_empty()).map(|at| ranks[at]).sum();
        let base = (1.0 - DAMPING) / count + DAMPING * idle / count;
        let mut next = vec![base; ranks.len()];
        for (at, targets) in next_of.iter().enumerate() {
            let share = DAMPING * ranks[at] / targets.len() as f64;
            targets.iter().for_each(|target| next[*target] += share);
        }
        let change: f64 = ranks.iter().zip(&next).map(|(old, new)| (old - new).abs()).sum();
        ranks = next;
        if change < PRECISION {
            break;
        }
    }
    ranks
}

/// The groups of nodes of which each lies on a cycle with each other one, the largest first; a loop is a group of one node. For edges
/// without direction, a cycle uses no edge twice.
pub(crate) fn cycles(topology: &Topology) -> Vec<Vec<Vertex>> {
    let links = &topology.links;
    let loops: BTreeSet<usize> = links.all_ends().filter(|(from, to)| from == to).map(|(node, _)| node).collect();
    let groups: Vec<Vec<usize>> =
        if links.directed { tarjan_scc(links).into_iter().map(positions).collect() } else { groups_without_bridges(links) };
    let is_cycle = |group: &&Vec<usize>| group.len() > 1 || group.first().is_some_and(|at| loops.contains(at));
    let mut found: Vec<Vec<Vertex>> =
        groups.iter().filter(is_cycle).map(|group| group.iter().map(|at| topology.vertices[*at].clone()).collect()).collect();
    found.iter_mut().for_each(|group| group.sort());
    found.sort_by(|left, right| right.len().cmp(&left.len()).then_with(|| left.first().cmp(&right.first())));
    found
}

fn positions(nodes: Vec<NodeIndex<u32>>) -> Vec<usize> {
    nodes.into_iter().map(NodeIndex::index).collect()
}

/// The groups that remain connected without bridges, which are the edges on no cycle.
fn groups_without_bridges(links: &Links) -> Vec<Vec<usize>> {
    // petgraph compares nodes, so an edge with a parallel one counts as a bridge there.
    let is_single = |edge: &Link| links.between(edge.source(), edge.target()).take(2).count() == 1;
    let bridges: BTreeSet<usize> = bridges(links).filter(is_single).map(|edge| edge.id().index()).collect();
    let mut sets = UnionFind::<usize>::new(links.node_count());
    for edge in links.edge_references().filter(|edge| !bridges.contains(&edge.id().index())) {
        sets.union(edge.source().index(), edge.target().index());
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); links.node_count()];
    for node in 0..links.node_count() {
        groups[sets.find(node)].push(node);
    }
    groups.retain(|group| !group.is_empty());
    groups
}
