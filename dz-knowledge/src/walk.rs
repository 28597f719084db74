//! Searches in the graph: the neighbours of a node, its dependencies, and the paths between two nodes.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashMap, HashSet, VecDeque, hash_map::Entry},
    sync::Arc,
};

use petgraph::{
    Direction,
    stable_graph::{EdgeReference, NodeIndex},
    visit::EdgeRef,
};

use crate::{Graph, Node, Relation};

/// The maximum number of relations of a transitive closure and of a path.
pub(crate) const STEPS: usize = 5;

/// The maximum number of returned paths.
pub(crate) const PATHS: usize = 10;

/// A node with its distance from the start.
pub(crate) type Reached<'g> = (&'g Node, usize);

/// The nodes within a distance of a node, in both directions, nearest first; with no types every relation is followed.
pub(crate) fn neighbourhood<'g>(
    graph: &'g Graph,
    start: NodeIndex,
    depth: usize,
    types: &[String],
) -> (Vec<Reached<'g>>, Vec<&'g Relation>) {
    let wanted = |kind: &str| types.is_empty() || types.iter().any(|it| it == kind);
    let mut distances = HashMap::from([(start, 0)]);
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        let distance = distances[&at];
        if distance == depth {
            continue;
        }
        for direction in [Direction::Outgoing, Direction::Incoming] {
            for edge in graph.inner().edges_directed(at, direction).filter(|edge| wanted(&edge.weight().kind)) {
                let other = if direction == Direction::Outgoing { edge.target() } else { edge.source() };
                if let Entry::Vacant(entry) = distances.entry(other) {
                    entry.insert(distance + 1);
                    open.push_back(other);
                }
            }
        }
    }
    let inside = |edge: &EdgeReference<'_, Arc<Relation>>| distances.contains_key(&edge.target());
    let edges = distances.keys().flat_map(|at| graph.inner().edges(*at)).filter(inside).filter(|edge| wanted(&edge.weight().kind));
    let mut relations: Vec<&Relation> = edges.map(|edge| &**edge.weight()).collect();
    relations.sort_by(|a, b| (&a.source, &a.kind, &a.target).cmp(&(&b.source, &b.kind, &b.target)));
    (sorted(graph, distances), relations)
}

/// The nodes at the other ends of relations of one direction, nearest first. They contain the start only if it refers to itself.
pub(crate) fn closure(graph: &Graph, start: NodeIndex, direction: Direction, transitive: bool) -> Vec<&Node> {
    let mut distances: HashMap<NodeIndex, usize> = HashMap::new();
    let mut open = VecDeque::from([(start, 0)]);
    let limit = if transitive { STEPS } else { 1 };
    while let Some((at, distance)) = open.pop_front() {
        if distance == limit {
            continue;
        }
        for other in graph.inner().neighbors_directed(at, direction) {
            let direct_loop = other == start && at == start;
            if (other != start || direct_loop) && !distances.contains_key(&other) {
                distances.insert(other, distance + 1);
                if other != start {
                    open.push_back((other, distance + 1));
                }
            }
        }
    }
    sorted(graph, distances).into_iter().map(|(node, _)| node).collect()
}

fn sorted(graph: &Graph, distances: HashMap<NodeIndex, usize>) -> Vec<Reached<'_>> {
    let mut reached: Vec<Reached<'_>> = distances.into_iter().map(|(at, distance)| (&*graph.inner()[at], distance)).collect();
    reached.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.id.cmp(&b.0.id)));
    reached
}

/// The nodes of a path, in order.
pub(crate) type Way = Vec<NodeIndex>;

/// The shortest paths between two nodes, shortest first, then by their ids.
pub(crate) fn paths(graph: &Graph, source: NodeIndex, target: NodeIndex) -> Vec<Way> {
    if source == target {
        return vec![vec![source]];
    }
    let ahead = layers(graph, target);
    let mut found: Vec<Way> = Vec::new();
    for length in (1..=STEPS).filter(|length| ahead[*length].contains(&source)) {
        let mut search = Search { graph, target, ahead: &ahead, wanted: PATHS - found.len(), found: Vec::new() };
        search.extend(&mut vec![source], length);
        found.extend(search.found);
        if found.len() == PATHS {
            break;
        }
    }
    found
}

/// For each number of relations, the nodes at this distance from the target: only these can be on a path of a length.
fn layers(graph: &Graph, target: NodeIndex) -> Vec<HashSet<NodeIndex>> {
    let mut layers = vec![HashSet::from([target])];
    for _ in 0..STEPS {
        let last = layers.last().into_iter().flatten();
        layers.push(last.flat_map(|at| graph.inner().neighbors_directed(*at, Direction::Incoming)).collect());
    }
    layers
}

/// A search for paths of one length.
struct Search<'g> {
    graph: &'g Graph,
    target: NodeIndex,
    ahead: &'g [HashSet<NodeIndex>],
    wanted: usize,
    found: Vec<Way>,
}

impl Search<'_> {
    /// Extends a path by so many relations, to nodes in the order of their ids.
    fn extend(&mut self, path: &mut Way, left: usize) {
        let Some(&at) = path.last() else { return };
        if left == 0 {
            if at == self.target {
                self.found.push(path.clone());
            }
            return;
        }
        // A path contains no node twice, so it ends at the target.
        if at == self.target {
            return;
        }
        let mut next: Vec<NodeIndex> = self.graph.inner().neighbors(at).collect::<HashSet<_>>().into_iter().collect();
        next.retain(|it| self.ahead[left - 1].contains(it) && !path.contains(it));
        next.sort_by(|a, b| self.by_id(*a, *b));
        for it in next {
            if self.found.len() == self.wanted {
                return;
            }
            path.push(it);
            self.extend(path, left - 1);
            path.pop();
        }
    }

    fn by_id(&self, a: NodeIndex, b: NodeIndex) -> Ordering {
        self.graph.inner()[a].id.cmp(&self.graph.inner()[b].id)
    }
}

/// The types of the relations along a path; if several relations connect two nodes, the first by name.
pub(crate) fn types_along<'g>(graph: &'g Graph, path: &[NodeIndex]) -> Vec<&'g str> {
    let between = |a: NodeIndex, b: NodeIndex| graph.inner().edges_connecting(a, b).map(|edge| edge.weight().kind.as_str()).min();
    path.windows(2).filter_map(|pair| between(pair[0], pair[1])).collect()
}

/// The number of nodes of each type.
pub(crate) fn node_counts(graph: &Graph) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for node in graph.nodes() {
        *counts.entry(node.kind.as_str()).or_default() += 1;
    }
    counts
}
