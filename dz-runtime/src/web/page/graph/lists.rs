//! The rows and edges of a graph as lists, which need no script.

use std::collections::HashMap;

use super::Choice;
use crate::{
    Result, Tx,
    def::{EntityDef, FieldIx, Mode},
    field,
    graph::{self, Graph, Node, Subgraph, Vertex},
    rows::Row,
    web::page::{columns, variant::Variant},
};

/// A row of the list of rows.
pub(super) struct NodeLine {
    pub id: String,
    pub label: String,
    /// The title of its entity.
    pub kind: &'static str,
    /// The address of its page, if the caller can open it.
    pub href: Option<String>,
    /// The address of its graph.
    pub graph: Option<String>,
    /// The number of its edges in this graph.
    pub degree: usize,
    /// True for the row of the page.
    pub is_seed: bool,
    /// True for the end of the path.
    pub is_end: bool,
}

/// A row of the list of edges.
pub(super) struct EdgeLine {
    pub from: String,
    pub to: String,
    /// The type of the edge, for users.
    pub kind: String,
    /// The weight of the edge, for users.
    pub weight: String,
}

/// The lists of a graph.
pub(super) fn build(
    tx: &mut Tx<'_>,
    graph: &Graph,
    variant: &Variant,
    found: &Subgraph,
    choice: &Choice,
) -> Result<(Vec<NodeLine>, Vec<EdgeLine>)> {
    let labels: HashMap<Vertex, String> = found.nodes.iter().filter_map(|node| Some((node.vertex()?, label(tx, variant, node)))).collect();
    let mut degrees: HashMap<Vertex, usize> = HashMap::new();
    let mut edges = Vec::with_capacity(found.edges.len());
    for edge in &found.edges {
        let Some((from, to)) = graph::ends(graph, edge) else { continue };
        let name = |vertex: &Vertex| labels.get(vertex).cloned().unwrap_or_default();
        edges.push(EdgeLine {
            from: name(&from),
            to: name(&to),
            kind: display(tx, graph.edges, edge, graph.edge.kind),
            weight: display(tx, graph.edges, edge, graph.edge.weight),
        });
        let is_loop = from == to;
        *degrees.entry(from).or_default() += 1;
        if !is_loop {
            *degrees.entry(to).or_default() += 1;
        }
    }
    let mut nodes = Vec::with_capacity(found.nodes.len());
    for (at, node) in found.nodes.iter().enumerate() {
        let Some(vertex) = node.vertex() else { continue };
        let view = columns::find_page(tx, node.entity, Mode::View);
        let href = view.map(|view| columns::row_address(view, node.row.value(node.entity.pk)));
        let has_graph = node.entity.node.is_some_and(|of| of.edges == graph.edges.ix);
        nodes.push(NodeLine {
            id: vertex.id(tx.app),
            label: labels.get(&vertex).cloned().unwrap_or_default(),
            kind: node.entity.title,
            graph: href.as_ref().filter(|_| has_graph).map(|href| format!("{href}/graph")),
            href,
            degree: degrees.get(&vertex).copied().unwrap_or_default(),
            is_seed: at == 0,
            is_end: choice.to.as_ref() == Some(&vertex),
        });
    }
    Ok((nodes, edges))
}

/// The label of a node on a surface.
pub(super) fn label(tx: &Tx<'_>, variant: &Variant, node: &Node) -> String {
    if variant.surface().entity == node.entity.ix && variant.row_name(tx.app).is_key() {
        return variant.own_label(tx.app, &node.row);
    }
    node.label(tx.app).unwrap_or_else(|| columns::row_label(tx.app, node.entity, &node.row))
}

fn display(tx: &Tx<'_>, entity: &'static EntityDef, row: &Row, at: Option<FieldIx>) -> String {
    let shown = |at: FieldIx| field::display(entity.field(at), row.value(at), field::zone(tx.app));
    at.map(shown).unwrap_or_default()
}
