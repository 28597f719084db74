//! Graphs in a region: a drawing as SVG, and its rows and connections as lists.

mod layout;

use std::collections::HashMap;

use askama::Template;

use super::{
    content::{Content, SourceRequest, empty_text},
    rows::SourceRows,
};
use crate::{
    Error, Result, Tx,
    def::{EntityDef, FieldIx, Mode},
    field,
    graph::{self, Budget, Graph, Node, Subgraph, Vertex},
    record::Row,
    rows::{self, Counting},
    template::Icon,
    texts,
    web::page::{cell, columns},
};

/// The number of rows of the region that are drawn, unless it has a limit.
const ROWS: u64 = 60;
/// The number of nodes and edges of a drawing that people can read.
const MOST_ELEMENTS: usize = 600;
/// The number of nodes with a label in a drawing, and in a narrow one.
const LABELS: usize = 40;
const LABELS_OF_NARROW: usize = 12;
/// The number of letters of a label in the drawing; the lists have all of them.
const LETTERS: usize = 24;

/// A node of the drawing. Positions are percentages.
struct NodeMark {
    x: f64,
    y: f64,
    radius: f64,
    label: String,
    /// The label in the drawing.
    short: String,
    /// The importance of its label: `all`, `wide` or `none`.
    shown: &'static str,
    kind: &'static str,
    tone: &'static str,
    href: Option<String>,
    degree: usize,
}

/// An edge of the drawing, by the positions of its nodes.
struct EdgeMark {
    from: usize,
    to: usize,
    kind: String,
    weight: String,
}

#[derive(Template)]
#[template(path = "region_graph.html")]
struct GraphHtml<'a> {
    region: &'a str,
    title: &'a str,
    nodes: &'a [NodeMark],
    edges: &'a [EdgeMark],
    directed: bool,
    has_kind: bool,
    has_weight: bool,
    /// True if nodes are rows of two entities.
    mixed: bool,
    sentence: String,
    note: Option<String>,
    empty: Option<String>,
}

/// The part of the graph that a region shows.
struct Part {
    found: Subgraph,
    /// A sentence about omitted rows and connections.
    note: Option<String>,
}

/// Loads the rows of a region, and the edges and nodes that belong to them.
pub(super) fn load(tx: &mut Tx<'_>, asked: SourceRequest<'_>) -> Result<Content> {
    let mut source = SourceRows::resolve(tx, asked.region, asked.source, asked.read_only);
    let graph = Graph::from_node(tx.app, source.entity).or_else(|| Graph::from_edges(tx.app, source.entity));
    let graph = graph.ok_or_else(Error::not_found)?;
    let part =
        if source.entity.node.is_some() { load_nodes(tx, &asked, &mut source, &graph)? } else { load_edges(tx, &asked, &source, &graph)? };
    let (nodes, edges) = draw(tx, &graph, &source, &part.found);
    Content::block(&GraphHtml {
        region: asked.region.id,
        title: asked.region.title,
        directed: graph.edge.directed,
        has_kind: graph.edge.kind.is_some(),
        has_weight: graph.edge.weight.is_some(),
        mixed: graph.is_heterogeneous(),
        sentence: say!(
            "dz-graph-sentence",
            "{title}: {rows} and {connections}",
            title = asked.region.title,
            rows = texts::count_rows(nodes.len()),
            connections = texts::count_connections(edges.len())
        ),
        note: part.note,
        empty: nodes.is_empty().then(|| empty_text(tx, &asked)),
        nodes: &nodes,
        edges: &edges,
    })
}

/// The rows of the region as nodes, with their edges.
fn load_nodes(tx: &mut Tx<'_>, asked: &SourceRequest<'_>, source: &mut SourceRows, graph: &Graph) -> Result<Part> {
    let grant = source.grant(tx)?;
    let mut query = source.query(tx, asked);
    // The label of a node can be any field.
    query.only = None;
    (query.limit, query.count) = (asked.region.limit.unwrap_or(ROWS), Counting::Limited);
    let page = rows::list(tx, &grant, &query)?;
    source.find_links(tx, &page.rows)?;
    let nodes = || page.rows.iter().map(|row| Node { entity: source.entity, row: row.clone() }).collect::<Vec<_>>();
    let (found, problem) = match graph::nodes_with_edges(tx, graph, nodes(), Budget::new(MOST_ELEMENTS, asked.call.graph_time)) {
        Ok(found) => (found, None),
        Err(error) if error.code == graph::TOO_LARGE => (
            Subgraph { nodes: nodes(), edges: Vec::new() },
            Some(say!("dz-there-are-too-many-connections-to-draw", "There are too many connections to draw them.")),
        ),
        Err(error) => return Err(error),
    };
    let some = page
        .total
        .exceeds(query.limit)
        .then(|| say!("dz-showing-rows", "Showing {shown} of {total} rows.", shown = query.limit, total = page.total));
    let note = [some, problem.map(str::to_owned)].into_iter().flatten().reduce(|all, more| format!("{all} {more}"));
    Ok(Part { found, note })
}

/// The rows of the region as edges, with their nodes.
fn load_edges(tx: &mut Tx<'_>, asked: &SourceRequest<'_>, source: &SourceRows, graph: &Graph) -> Result<Part> {
    let grant = source.grant(tx)?;
    let mut query = source.query(tx, asked);
    query.only = None;
    (query.limit, query.count) = (asked.region.limit.unwrap_or(ROWS), Counting::Limited);
    let (found, total) = graph::edges_with_nodes(tx, graph, &grant, &query)?;
    let note = total
        .exceeds(query.limit)
        .then(|| say!("dz-showing-connections", "Showing {shown} of {total} connections.", shown = query.limit, total = total));
    Ok(Part { found, note })
}

fn draw(tx: &Tx<'_>, graph: &Graph, source: &SourceRows, found: &Subgraph) -> (Vec<NodeMark>, Vec<EdgeMark>) {
    let places: HashMap<Vertex, usize> = found.nodes.iter().enumerate().filter_map(|(at, node)| Some((node.vertex()?, at))).collect();
    let edge = |row: &Row| {
        let (from, to) = graph::ends(graph, row)?;
        Some(EdgeMark {
            from: *places.get(&from)?,
            to: *places.get(&to)?,
            kind: text(tx, graph.edges, row, graph.edge.kind),
            weight: text(tx, graph.edges, row, graph.edge.weight),
        })
    };
    let edges: Vec<EdgeMark> = found.edges.iter().filter_map(edge).collect();
    let mut degrees = vec![0_usize; found.nodes.len()];
    for edge in &edges {
        degrees[edge.from] += 1;
        if edge.from != edge.to {
            degrees[edge.to] += 1;
        }
    }
    let mut order: Vec<usize> = (0..degrees.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(degrees[*at]));
    let mut ranks = vec![0_usize; order.len()];
    order.into_iter().enumerate().for_each(|(rank, at)| ranks[at] = rank);
    let pairs: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let positions = layout::place(found.nodes.len(), &pairs);
    let node = |(at, node): (usize, &Node)| {
        let label = label(tx, source, node);
        let (x, y) = positions.get(at).copied().unwrap_or((0.5, 0.5));
        let short: String = label.chars().take(LETTERS).collect();
        NodeMark {
            x: round(8.0 + 84.0 * x),
            y: round(6.0 + 84.0 * y),
            radius: round(5.0 + (degrees[at].min(9) as f64).sqrt() * 1.5),
            short: if short.len() < label.len() { format!("{}…", short.trim_end()) } else { short },
            shown: match ranks[at] {
                rank if rank < LABELS_OF_NARROW => "all",
                rank if rank < LABELS => "wide",
                _ => "none",
            },
            label,
            kind: node.entity.title,
            tone: cell::entity_tone(node.entity),
            href: href(tx, source, node),
            degree: degrees[at],
        }
    };
    (found.nodes.iter().enumerate().map(node).collect(), edges)
}

fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn label(tx: &Tx<'_>, source: &SourceRows, node: &Node) -> String {
    match node.entity.ix == source.entity.ix {
        true => source.title(tx, &node.row),
        false => node.label(tx.app).unwrap_or_else(|| columns::row_label(tx.app, node.entity, &node.row)),
    }
}

fn href(tx: &Tx<'_>, source: &SourceRows, node: &Node) -> Option<String> {
    if node.entity.ix == source.entity.ix {
        return source.href(&node.row);
    }
    columns::find_page(tx, node.entity, Mode::View).map(|view| columns::row_address(view, node.row.value(node.entity.pk)))
}

/// The text of a field of an edge.
fn text(tx: &Tx<'_>, edges: &'static EntityDef, row: &Row, at: Option<FieldIx>) -> String {
    at.map(|at| field::display(edges.field(at), row.value(at), field::zone(tx.app))).unwrap_or_default()
}
