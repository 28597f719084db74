//! Property graphs: the entities whose rows are edges or nodes.

use super::{EntityIx, FieldIx};

/// `graph_edge:` of an entity, whose rows are the edges of a graph.
#[derive(Debug, Clone, Copy)]
pub struct EdgeDef {
    /// The reference to the node at which an edge starts.
    pub source: FieldIx,
    /// The reference to the node at which it ends.
    pub target: FieldIx,
    /// The field with the type of an edge.
    pub kind: Option<FieldIx>,
    /// The number field with the weight of an edge.
    pub weight: Option<FieldIx>,
    /// False if an edge can be followed from either end.
    pub directed: bool,
    /// True if a write must not close a cycle.
    pub acyclic: bool,
}

/// `graph_node:` of an entity, whose rows are nodes of a graph.
#[derive(Debug, Clone, Copy)]
pub struct NodeDef {
    /// The entity of the edges.
    pub edges: EntityIx,
    /// The field that labels a node.
    pub display: Option<FieldIx>,
}
