//! Property graphs: the entities that are edges or nodes.

use super::{EntityId, FieldId};
use crate::Span;

/// `graph_edge:`
#[derive(Debug, Clone, PartialEq)]
pub struct GraphEdge {
    /// The ref to the node where the edge starts.
    pub source: FieldId,
    /// The ref to the node where it ends.
    pub target: FieldId,
    /// The field that distinguishes kinds of edges.
    pub kind: Option<FieldId>,
    /// The numeric field with the weight of an edge.
    pub weight: Option<FieldId>,
    /// False if an edge has no direction.
    pub directed: bool,
    /// The place of `acyclic: true`, which dz enforces and the database does not.
    pub acyclic: Option<Span>,
    /// The keyword.
    pub span: Span,
}

/// `graph_node:`
#[derive(Debug, Clone, PartialEq)]
pub struct GraphNode {
    /// The entity whose rows are the edges.
    pub edges: EntityId,
    /// The place where it is named.
    pub edges_span: Span,
    /// The field that labels a node.
    pub display: Option<FieldId>,
    /// The keyword.
    pub span: Span,
}
