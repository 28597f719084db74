//! The graph: nodes by id, and one relation for each source, target and type.

use std::collections::{BTreeMap, HashMap};

use petgraph::{
    Direction,
    graph::{DiGraph, EdgeIndex, NodeIndex},
    visit::EdgeRef,
};
use serde_json::{Map, Value};

use crate::{Node, Relation};

/// A relation without its ends, which are nodes of the graph.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// Its type.
    pub kind: String,
    /// Its metadata.
    pub metadata: Map<String, Value>,
}

/// Nodes and relations.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    inner: DiGraph<Node, Link>,
    ids: HashMap<String, NodeIndex>,
    links: HashMap<(NodeIndex, NodeIndex, String), EdgeIndex>,
}

impl Graph {
    /// Adds a node, or replaces name, type and metadata of the node with this id.
    pub fn put(&mut self, node: Node) {
        match self.ids.get(&node.id) {
            Some(at) => self.inner[*at] = node,
            None => {
                let id = node.id.clone();
                let at = self.inner.add_node(node);
                self.ids.insert(id, at);
            }
        }
    }

    /// Adds a relation, or replaces its metadata; ignores a relation with an unknown end.
    pub fn relate(&mut self, relation: Relation) {
        let (Some(source), Some(target)) = (self.at(&relation.source), self.at(&relation.target)) else { return };
        let key = (source, target, relation.kind.clone());
        match self.links.get(&key) {
            Some(at) => self.inner[*at].metadata = relation.metadata,
            None => {
                let at = self.inner.add_edge(source, target, Link { kind: relation.kind, metadata: relation.metadata });
                self.links.insert(key, at);
            }
        }
    }

    /// The node with this id.
    pub fn node(&self, id: &str) -> Option<&Node> {
        self.at(id).map(|at| &self.inner[at])
    }

    /// Every node, in the order in which they were added.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.inner.node_weights()
    }

    /// Every relation.
    pub fn relations(&self) -> impl Iterator<Item = Relation> {
        self.inner.edge_indices().map(|at| self.relation(at))
    }

    /// The number of relations of each type.
    pub fn relation_counts(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for link in self.inner.edge_weights() {
            *counts.entry(link.kind.as_str()).or_default() += 1;
        }
        counts
    }

    /// The targets of the relations of a type from a node, by id.
    pub fn targets<'g>(&'g self, id: &str, kind: &'g str) -> Vec<&'g Node> {
        self.neighbours(id, kind, Direction::Outgoing)
    }

    /// The sources of the relations of a type to a node, by id.
    pub fn sources<'g>(&'g self, id: &str, kind: &'g str) -> Vec<&'g Node> {
        self.neighbours(id, kind, Direction::Incoming)
    }

    fn neighbours<'g>(&'g self, id: &str, kind: &'g str, direction: Direction) -> Vec<&'g Node> {
        let Some(at) = self.at(id) else { return Vec::new() };
        let edges = self.inner.edges_directed(at, direction).filter(|edge| edge.weight().kind == kind);
        let other = |edge: petgraph::graph::EdgeReference<'g, Link>| match direction {
            Direction::Outgoing => edge.target(),
            Direction::Incoming => edge.source(),
        };
        let mut found: Vec<&Node> = edges.map(|edge| &self.inner[other(edge)]).collect();
        found.sort_by(|a, b| a.id.cmp(&b.id));
        found
    }

    pub(crate) fn at(&self, id: &str) -> Option<NodeIndex> {
        self.ids.get(id).copied()
    }

    pub(crate) fn inner(&self) -> &DiGraph<Node, Link> {
        &self.inner
    }

    pub(crate) fn relation(&self, at: EdgeIndex) -> Relation {
        let link = &self.inner[at];
        let (source, target) = self.inner.edge_endpoints(at).unwrap_or_default();
        Relation {
            source: self.inner[source].id.clone(),
            target: self.inner[target].id.clone(),
            kind: link.kind.clone(),
            metadata: link.metadata.clone(),
        }
    }
}
