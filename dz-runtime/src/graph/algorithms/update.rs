//! A topology after writes of some edges and nodes, without reading the other edges again.

use super::{
    Topology,
    links::Links,
    topology::{Edge, Keys, Weights},
};
use crate::graph::{Key, Vertex};

/// Edges and nodes that were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Writes {
    pub edges: Vec<Key>,
    pub nodes: Vec<Vertex>,
}

/// The origin of an edge of the new topology: its position among the old edges, or among those that were read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin {
    Kept(usize),
    Read(usize),
}

impl Topology {
    /// The topology after writes. `current` are the written edges, and those at written nodes, as far as they are visible now.
    pub(super) fn updated(&self, written: &Writes, mut current: Vec<Edge>) -> Topology {
        let gone = self.replaced_edges(written, &current);
        let mut used = vec![false; self.vertices.len()];
        for (_, (source, target)) in self.links.all_ends().enumerate().filter(|(edge, _)| !gone[*edge]) {
            used[source] = true;
            used[target] = true;
        }
        let (vertices, numbers) = self.merge_vertices(&used, &current);
        let number = |vertex: &Vertex| vertices.binary_search(vertex).unwrap_or_default() as u32;
        current.sort_by(|left, right| (&left.source, &left.key).cmp(&(&right.source, &right.key)));
        let read: Vec<(u32, u32)> = current.iter().map(|edge| (number(&edge.source), number(&edge.target))).collect();
        let (mut order, mut ends) = (Vec::with_capacity(self.edge_count()), Vec::with_capacity(self.edge_count()));
        let mut rest = (0..current.len()).peekable();
        for (edge, (source, target)) in self.links.all_ends().enumerate().filter(|(edge, _)| !gone[*edge]) {
            let source = numbers[source];
            let is_before = |at: &usize| read[*at].0 < source || (read[*at].0 == source && current[*at].key < self.key(edge));
            while let Some(at) = rest.next_if(is_before) {
                order.push(Origin::Read(at));
                ends.push(read[at]);
            }
            order.push(Origin::Kept(edge));
            ends.push((source, numbers[target]));
        }
        order.extend(rest.clone().map(Origin::Read));
        ends.extend(rest.map(|at| read[at]));
        let weight = |origin: &Origin| match *origin {
            Origin::Kept(edge) => self.weight(edge),
            Origin::Read(at) => current[at].weight,
        };
        Topology {
            links: Links::new(self.links.directed, vertices.len(), &ends),
            weights: Weights::new(order.iter().map(weight).collect()),
            keys: self.keys.merge(&order, current.into_iter().map(|edge| edge.key).collect()),
            vertices,
        }
    }

    /// For each edge whether it was written, or starts or ends at a written node.
    fn replaced_edges(&self, written: &Writes, current: &[Edge]) -> Vec<bool> {
        let keys = written.edges.iter().chain(current.iter().map(|edge| &edge.key)).cloned().collect();
        let mut gone = self.keys.are_among(keys);
        let mut nodes = vec![false; self.vertices.len()];
        for place in written.nodes.iter().filter_map(|node| self.place(node)) {
            nodes[place.index()] = true;
        }
        if !written.nodes.is_empty() {
            for (edge, (source, target)) in self.links.all_ends().enumerate() {
                gone[edge] |= nodes[source] || nodes[target];
            }
        }
        gone
    }

    /// The nodes that still have an edge and those of new edges, in order; and the new number of each old node.
    fn merge_vertices(&self, used: &[bool], current: &[Edge]) -> (Vec<Vertex>, Vec<u32>) {
        let is_new = |vertex: &&Vertex| self.place(vertex).is_none_or(|place| !used[place.index()]);
        let mut added: Vec<Vertex> = current.iter().flat_map(|edge| [&edge.source, &edge.target]).filter(is_new).cloned().collect();
        added.sort_unstable();
        added.dedup();
        let mut added = added.into_iter().peekable();
        let (mut vertices, mut numbers) = (Vec::with_capacity(self.vertices.len()), vec![0; self.vertices.len()]);
        for (at, vertex) in self.vertices.iter().enumerate().filter(|(at, _)| used[*at]) {
            while let Some(new) = added.next_if(|new| new < vertex) {
                vertices.push(new);
            }
            numbers[at] = vertices.len() as u32;
            vertices.push(vertex.clone());
        }
        vertices.extend(added);
        vertices.shrink_to_fit();
        (vertices, numbers)
    }
}

impl Keys {
    /// For each key whether it is one of `others`.
    fn are_among(&self, others: Vec<Key>) -> Vec<bool> {
        fn search<K, O: Ord + ?Sized>(keys: &[K], mut others: Vec<&O>, own: impl Fn(&K) -> &O) -> Vec<bool> {
            others.sort_unstable();
            keys.iter().map(|key| others.binary_search(&own(key)).is_ok()).collect()
        }
        match self {
            Keys::Ints(keys) => {
                search(keys, others.iter().filter_map(|key| if let Key::Int(id) = key { Some(id) } else { None }).collect(), |key| key)
            }
            Keys::Uuids(keys) => {
                search(keys, others.iter().filter_map(|key| if let Key::Uuid(id) = key { Some(id) } else { None }).collect(), |key| key)
            }
            Keys::Texts(keys) => search(
                keys,
                others.iter().filter_map(|key| if let Key::Text(id) = key { Some(id.as_str()) } else { None }).collect(),
                |key| &**key,
            ),
        }
    }

    /// The keys in a new order.
    pub(super) fn merge(&self, order: &[Origin], read: Vec<Key>) -> Keys {
        fn pick<K: Clone>(kept: &[K], order: &[Origin], read: &[K]) -> Vec<K> {
            let key = |origin: &Origin| match *origin {
                Origin::Kept(at) => kept[at].clone(),
                Origin::Read(at) => read[at].clone(),
            };
            order.iter().map(key).collect()
        }
        match (self, Keys::new(read)) {
            (Keys::Ints(kept), Keys::Ints(read)) => Keys::Ints(pick(kept, order, &read)),
            (Keys::Uuids(kept), Keys::Uuids(read)) => Keys::Uuids(pick(kept, order, &read)),
            (Keys::Texts(kept), Keys::Texts(read)) => Keys::Texts(pick(kept, order, &read)),
            // The keys of one entity have one type, so one of both lists is empty here.
            (_, read) if read.len() > 0 => read,
            (Keys::Ints(kept), _) => Keys::Ints(pick(kept, order, &[])),
            (Keys::Uuids(kept), _) => Keys::Uuids(pick(kept, order, &[])),
            (Keys::Texts(kept), _) => Keys::Texts(pick(kept, order, &[])),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use uuid::Uuid;

    use super::*;

    /// A pseudo-random number generator.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self, sides: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % sides
        }
    }

    fn key(kind: u64, number: u64) -> Key {
        match kind {
            0 => Key::Int(number as i64 - 20),
            1 => Key::Uuid(Uuid::from_u128(u128::from(number) << 64)),
            _ => Key::Text(format!("edge {number}")),
        }
    }

    fn random_edge(dice: &mut Dice, kind: u64, number: u64) -> Edge {
        let weight = [1.0, 2.5, 0.1][dice.roll(3) as usize];
        let vertex = |number: u64| Vertex { entity: (number % 2) as u16, key: Key::Int(number as i64) };
        Edge { key: key(kind, number), weight, source: vertex(dice.roll(9)), target: vertex(dice.roll(9)) }
    }

    fn describe(topology: &Topology) -> impl PartialEq + std::fmt::Debug + use<> {
        let edges = 0..topology.edge_count();
        (
            topology.vertices.clone(),
            topology.links.all_ends().collect::<Vec<_>>(),
            edges.clone().map(|edge| topology.key(edge)).collect::<Vec<_>>(),
            edges.map(|edge| topology.weight(edge)).collect::<Vec<_>>(),
            format!("{:?}", topology.links),
        )
    }

    #[test]
    fn a_topology_that_follows_writes_equals_one_that_is_read_again() {
        for seed in 0..600 {
            let mut dice = Dice(seed);
            let (directed, kind) = (dice.roll(2) == 0, seed % 3);
            let mut stored: BTreeMap<u64, Edge> = (0..dice.roll(25)).map(|number| (number, random_edge(&mut dice, kind, number))).collect();
            let mut topology = Topology::new(directed, stored.values().cloned().collect());
            for _ in 0..4 {
                let mut written = Writes::default();
                for _ in 0..dice.roll(5) {
                    let number = dice.roll(40);
                    written.edges.push(key(kind, number));
                    match dice.roll(3) {
                        0 => drop(stored.remove(&number)),
                        _ => drop(stored.insert(number, random_edge(&mut dice, kind, number))),
                    }
                }
                if dice.roll(3) == 0 {
                    // A node was removed with its edges.
                    let node = Vertex { entity: 0, key: Key::Int(2 * dice.roll(5) as i64) };
                    stored.retain(|_, edge| edge.source != node && edge.target != node);
                    written.nodes.push(node);
                }
                let is_current = |edge: &&Edge| {
                    written.edges.contains(&edge.key) || written.nodes.iter().any(|node| [&edge.source, &edge.target].contains(&node))
                };
                let current = stored.values().filter(is_current).cloned().collect();
                topology = topology.updated(&written, current);
                let again = Topology::new(directed, stored.values().cloned().collect());
                assert_eq!(describe(&topology), describe(&again), "seed {seed}");
            }
        }
    }
}
