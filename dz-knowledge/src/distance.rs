//! Nodes in the order of their distance from a node, and the limit on distances.

use std::collections::HashMap;

use petgraph::stable_graph::NodeIndex;

use crate::{Graph, Node};

/// The maximum number of relations of a transitive closure and of a path.
pub(crate) const STEPS: usize = 5;

/// A node with its distance from the start.
pub(crate) type Reached<'g> = (&'g Node, usize);

/// The nodes, nearest first.
pub(crate) fn nearest_first(graph: &Graph, distances: HashMap<NodeIndex, usize>) -> Vec<Reached<'_>> {
    let mut reached: Vec<Reached<'_>> = distances.into_iter().map(|(at, distance)| (&*graph.inner()[at], distance)).collect();
    reached.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.id.cmp(&b.0.id)));
    reached
}
