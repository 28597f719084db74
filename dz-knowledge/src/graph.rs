//! The graph: nodes by id, and one relation for each source, target and type.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use petgraph::{
    Direction,
    stable_graph::{EdgeIndex, EdgeReference, NodeIndex, StableDiGraph},
    visit::{EdgeRef, IntoEdgeReferences},
};

use crate::{Node, Relation};

/// The nodes of the graph by their relations.
pub(crate) type Inner = StableDiGraph<Arc<Node>, Arc<Relation>>;

/// Nodes and relations, which other graphs can share.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    inner: Inner,
    ids: HashMap<String, NodeIndex>,
    /// The types of relations, as numbers.
    kinds: HashMap<String, usize>,
    links: HashMap<(NodeIndex, NodeIndex, usize), EdgeIndex>,
}

impl Graph {
    /// Adds a node, or replaces name, type and metadata of the node with this id.
    pub fn put(&mut self, node: impl Into<Arc<Node>>) {
        let node = node.into();
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
    pub fn relate(&mut self, relation: impl Into<Arc<Relation>>) {
        let relation = relation.into();
        let (Some(source), Some(target)) = (self.at(&relation.source), self.at(&relation.target)) else { return };
        let kind = self.kind_of(&relation.kind);
        match self.links.get(&(source, target, kind)) {
            Some(at) => self.inner[*at] = relation,
            None => {
                let at = self.inner.add_edge(source, target, relation);
                self.links.insert((source, target, kind), at);
            }
        }
    }

    /// Removes a node with its relations.
    pub(crate) fn remove(&mut self, id: &str) {
        let Some(at) = self.ids.remove(id) else { return };
        for direction in [Direction::Outgoing, Direction::Incoming] {
            let edges: Vec<EdgeIndex> = self.inner.edges_directed(at, direction).map(|edge| edge.id()).collect();
            edges.into_iter().for_each(|edge| self.unlink(edge));
        }
        self.inner.remove_node(at);
    }

    /// Removes the relations from a node.
    pub(crate) fn remove_relations_from(&mut self, id: &str) {
        let Some(at) = self.at(id) else { return };
        let edges: Vec<EdgeIndex> = self.inner.edges(at).map(|edge| edge.id()).collect();
        edges.into_iter().for_each(|edge| self.unlink(edge));
    }

    fn unlink(&mut self, edge: EdgeIndex) {
        if let (Some((source, target)), Some(relation)) = (self.inner.edge_endpoints(edge), self.inner.remove_edge(edge)) {
            let kind = self.kind_of(&relation.kind);
            self.links.remove(&(source, target, kind));
        }
    }

    fn kind_of(&mut self, kind: &str) -> usize {
        if let Some(number) = self.kinds.get(kind) {
            return *number;
        }
        let number = self.kinds.len();
        self.kinds.insert(kind.to_owned(), number);
        number
    }

    /// The node with this id.
    pub fn node(&self, id: &str) -> Option<&Node> {
        self.at(id).map(|at| &*self.inner[at])
    }

    /// Every node, in no certain order.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.inner.node_weights().map(|it| &**it)
    }

    /// Every relation, in no certain order.
    pub fn relations(&self) -> impl Iterator<Item = &Relation> {
        self.inner.edge_weights().map(|it| &**it)
    }

    /// The number of nodes of each type.
    pub fn node_counts(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for node in self.nodes() {
            *counts.entry(node.kind.as_str()).or_default() += 1;
        }
        counts
    }

    /// The number of relations of each type.
    pub fn relation_counts(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for edge in self.inner.edge_references() {
            *counts.entry(edge.weight().kind.as_str()).or_default() += 1;
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
        let other = |edge: EdgeReference<'g, Arc<Relation>>| match direction {
            Direction::Outgoing => edge.target(),
            Direction::Incoming => edge.source(),
        };
        let mut found: Vec<&Node> = edges.map(|edge| &*self.inner[other(edge)]).collect();
        found.sort_by(|a, b| a.id.cmp(&b.id));
        found
    }

    pub(crate) fn at(&self, id: &str) -> Option<NodeIndex> {
        self.ids.get(id).copied()
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.inner
    }
}
