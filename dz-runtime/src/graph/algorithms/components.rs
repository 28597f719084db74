//! The connected components of a graph, without regard to directions.

use std::collections::HashMap;

use petgraph::{graph::EdgeIndex, unionfind::UnionFind};

use super::topology::{Topology, with_links};
use crate::{def::AppDef, graph::Vertex};

/// The components, the largest first, and of equal sizes that with the smallest id; each a list of ids in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Components(pub Vec<Vec<String>>);

/// Partitions nodes; a node without edges is a component of its own.
pub(crate) fn components(app: &'static AppDef, topology: &Topology, vertices: &[Vertex]) -> Components {
    let count = topology.vertices.len();
    let mut sets = UnionFind::<u32>::new(count);
    for at in 0..topology.edges.len() {
        let ends = with_links!(&topology.links, numbers => numbers.edge_endpoints(EdgeIndex::new(at)));
        if let Some((from, to)) = ends {
            sets.union(from.index() as u32, to.index() as u32);
        }
    }
    let mut groups: HashMap<u32, Vec<String>> = HashMap::new();
    let mut all: Vec<Vec<String>> = Vec::new();
    for vertex in vertices {
        match topology.places.get(vertex) {
            Some(at) => groups.entry(sets.find(*at)).or_default().push(vertex.id(app)),
            None => all.push(vec![vertex.id(app)]),
        }
    }
    all.extend(groups.into_values());
    all.iter_mut().for_each(|group| group.sort());
    all.sort_by(|left, right| right.len().cmp(&left.len()).then_with(|| left.first().cmp(&right.first())));
    Components(all)
}
