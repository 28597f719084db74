//! `graph_edge:` and `graph_node:`, the entities of a property graph.

use super::{duplicate_key, key, no_children, unknown_key};
use crate::{
    Diagnostics, Span,
    cursor::{Cursor, Name},
    layout::Line,
};

/// `graph_edge:`
#[derive(Debug, Clone, PartialEq)]
pub struct GraphEdge {
    /// `source:` a ref field.
    pub source: Option<Name>,
    /// `target:` a ref field.
    pub target: Option<Name>,
    /// `type:` a field that distinguishes edges.
    pub kind: Option<Name>,
    /// `weight:` a number field.
    pub weight: Option<Name>,
    /// `directed:`
    pub directed: Option<Flag>,
    /// `acyclic:`
    pub acyclic: Option<Flag>,
    /// The keyword.
    pub span: Span,
}

/// `graph_node:`
#[derive(Debug, Clone, PartialEq)]
pub struct GraphNode {
    /// `edges:` an entity.
    pub edges: Option<Name>,
    /// `display:` the field that labels a node.
    pub display: Option<Name>,
    /// The keyword.
    pub span: Span,
}

/// `true` or `false`, with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// The value.
    pub on: bool,
    /// Its place.
    pub span: Span,
}

/// The keys of `graph_edge:`
pub(crate) const EDGE_KEYS: &[&str] = &["source", "target", "type", "weight", "directed", "acyclic"];
/// The keys of `graph_node:`
pub(crate) const NODE_KEYS: &[&str] = &["edges", "display"];

pub(super) fn edge(line: &Line, out: &mut Diagnostics) -> GraphEdge {
    super::block_head(line, "`source: field` and `target: field`", out);
    let span = line.tokens[0].span;
    let mut edge = GraphEdge { source: None, target: None, kind: None, weight: None, directed: None, acyclic: None, span };
    for child in &line.children {
        no_children(child, out);
        let Some((name, mut cursor)) = key(child, out) else { continue };
        match name.text.as_str() {
            "source" => field(&name, &mut edge.source, &mut cursor),
            "target" => field(&name, &mut edge.target, &mut cursor),
            "type" => field(&name, &mut edge.kind, &mut cursor),
            "weight" => field(&name, &mut edge.weight, &mut cursor),
            "directed" => flag(&name, &mut edge.directed, &mut cursor),
            "acyclic" => flag(&name, &mut edge.acyclic, &mut cursor),
            _ => unknown_key(&name, "graph_edge", EDGE_KEYS, out),
        }
    }
    edge
}

pub(super) fn node(line: &Line, out: &mut Diagnostics) -> GraphNode {
    super::block_head(line, "`edges: Entity`", out);
    let mut node = GraphNode { edges: None, display: None, span: line.tokens[0].span };
    for child in &line.children {
        no_children(child, out);
        let Some((name, mut cursor)) = key(child, out) else { continue };
        match name.text.as_str() {
            "edges" => field(&name, &mut node.edges, &mut cursor),
            "display" => field(&name, &mut node.display, &mut cursor),
            _ => unknown_key(&name, "graph_node", NODE_KEYS, out),
        }
    }
    node
}

/// Parses a name after a key; the first one counts.
pub(super) fn field(name: &Name, slot: &mut Option<Name>, cursor: &mut Cursor<'_>) {
    let Some(value) = cursor.expect_name("a name") else { return };
    cursor.finish();
    match slot {
        Some(first) => duplicate_key(name, first.span, cursor.out),
        None => *slot = Some(value),
    }
}

fn flag(name: &Name, slot: &mut Option<Flag>, cursor: &mut Cursor<'_>) {
    let span = cursor.here();
    let Some(on) = cursor.flag() else { return };
    cursor.finish();
    match slot {
        Some(first) => duplicate_key(name, first.span, cursor.out),
        None => *slot = Some(Flag { on, span }),
    }
}
