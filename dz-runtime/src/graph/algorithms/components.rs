//! The connected components of a graph, without regard to directions.

use std::collections::HashMap;

use petgraph::unionfind::UnionFind;

use super::topology::Topology;
use crate::{def::AppDef, graph::Vertex};

/// The components, the largest first, and of equal sizes that with the smallest id; each a list of ids in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Components(pub Vec<Vec<String>>);

/// Partitions nodes; a node without edges is a component of its own.
pub(crate) fn components(app: &'static AppDef, topology: &Topology, vertices: &[Vertex]) -> Components {
    let count = topology.vertices.len();
    let mut sets = UnionFind::<u32>::new(count);
    for (from, to) in topology.links.all_ends() {
        sets.union(from as u32, to as u32);
    }
    let mut groups: HashMap<u32, Vec<String>> = HashMap::new();
    let mut all: Vec<Vec<String>> = Vec::new();
    for vertex in vertices {
        match topology.place(vertex) {
            Some(at) => groups.entry(sets.find(at.index() as u32)).or_default().push(vertex.id(app)),
            None => all.push(vec![vertex.id(app)]),
        }
    }
    all.extend(groups.into_values());
    all.iter_mut().for_each(|group| group.sort());
    all.sort_by(|left, right| right.len().cmp(&left.len()).then_with(|| left.first().cmp(&right.first())));
    Components(all)
}
