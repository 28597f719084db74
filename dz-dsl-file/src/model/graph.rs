//! Property graphs: which entities are edges, which are nodes.

use super::{EntityId, FieldId};
use crate::Span;

/// `graph_edge:`
#[derive(Debug, Clone, PartialEq)]
pub struct GraphEdge {
    /// The ref to the node where the edge starts.
    pub source: FieldId,
    /// The ref to the node where it ends.
    pub target: FieldId,
    /// The field that tells kinds of edges apart.
    pub kind: Option<FieldId>,
    /// The number by which paths are weighed.
    pub weight: Option<FieldId>,
    /// False when an edge leads both ways.
    pub directed: bool,
    /// `acyclic: true`, which nothing enforces; its place.
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
