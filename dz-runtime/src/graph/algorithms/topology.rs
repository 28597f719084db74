//! The nodes and edges of a graph as numbers: keys, ends and weights, without other values of the rows.

use std::{collections::HashMap, sync::Arc};

use petgraph::{
    Directed, EdgeType, Undirected,
    graph::{Graph as Numbers, NodeIndex},
};
use rust_decimal::prelude::ToPrimitive as _;

use super::snapshots::{self, Place};
use crate::{
    Error, Result, Tx, Value,
    access::{self, Action as _, Update},
    caller::TenantScope,
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
        graph_version,
    },
    graph::{
        Budget, Graph, Key, TOO_LARGE, Vertex,
        visible::{self, Rule},
    },
    rows::{Filter, ROW},
};

/// An edge: its key, and its weight.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    /// The key of its row.
    pub key: Key,
    /// Its weight; 1 without a value.
    pub weight: f64,
}

/// The edges of a graph that are visible to a caller, with the nodes at their ends.
#[derive(Debug, Default)]
pub(crate) struct Topology {
    /// The nodes; their positions are those of the numbers.
    pub vertices: Vec<Vertex>,
    /// The positions of the nodes.
    pub places: HashMap<Vertex, u32>,
    /// The edges by their keys; their positions are those of the numbers.
    pub edges: Vec<Edge>,
    /// The ends of the edges.
    pub links: Links,
}

/// The ends of the edges, by whether they have a direction.
#[derive(Debug)]
pub(crate) enum Links {
    /// Edges are followed from source to target.
    Directed(Numbers<(), (), Directed, u32>),
    /// Edges are followed from either end.
    Undirected(Numbers<(), (), Undirected, u32>),
}

impl Default for Links {
    fn default() -> Self {
        Links::Directed(Numbers::default())
    }
}

/// Runs the same code for both kinds of links.
macro_rules! with_links {
    ($links:expr, $numbers:ident => $body:expr) => {
        match $links {
            $crate::graph::algorithms::topology::Links::Directed($numbers) => $body,
            $crate::graph::algorithms::topology::Links::Undirected($numbers) => $body,
        }
    };
}
pub(super) use with_links;

impl Topology {
    /// Loads the edges that are visible to the caller, fulfil the filters, and have two visible ends, in one statement.
    ///
    /// # Errors
    /// 400 for a field that cannot be filtered; 422 if there are more edges than the budget allows.
    pub fn load(tx: &mut Tx<'_>, graph: &Graph, rule: Rule, filters: &[Filter], budget: Budget) -> Result<Topology> {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let condition = visible::edge_condition(&emit, graph, rule, filters)?.and(visible::ends_condition(&emit, graph, rule));
        let covered = match condition {
            Condition::Never => return Ok(Topology::new(graph, Vec::new())),
            Condition::Always => None,
            Condition::Rows(sql) => Some(sql),
        };
        let mut select = Statement::new();
        let mut kinds = Vec::new();
        for at in [graph.edges.pk, graph.edge.source, graph.edge.target] {
            let field = graph.edges.field(at);
            select.push(if kinds.is_empty() { "SELECT " } else { ", " }).column(ROW, field.name);
            kinds.push(BindKind::from_kind(field.kind, emit.app).ok_or_else(|| Error::internal("an edge without a stored key"))?);
        }
        if let Some((weight, kind)) = select_weight(&emit, graph) {
            select.push(", ").append(weight);
            kinds.push(kind);
        }
        select.push(" FROM ").append(emit.visible_rows(graph.edges)).push(" AS ").ident(ROW);
        if let Some(covered) = covered {
            select.push(" WHERE ").append(covered);
        }
        let most = budget.edges_of_algorithm();
        select.push(" LIMIT ").bind(Value::Int(i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1)), BindKind::Int);
        select.cache_within_limit();
        let rows = tx.conn.rows(&select, &kinds)?;
        if rows.len() > most {
            let text = format!("This graph has more than {most} edges; filter them");
            return Err(Error::new(422, TOO_LARGE, text));
        }
        Ok(Topology::new(graph, rows.iter().filter_map(|row| read_edge(graph, row)).collect()))
    }

    /// As [`load`](Topology::load), or from memory if the rules of the caller show all edges, and no edge was written since.
    ///
    /// # Errors
    /// Those of [`load`](Topology::load).
    pub fn find(tx: &mut Tx<'_>, graph: &Graph, rule: Rule, filters: &[Filter], budget: Budget, database: &str) -> Result<Arc<Topology>> {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let Some(place) = shared_place(&emit, graph, rule, filters, database) else {
            return Topology::load(tx, graph, rule, filters, budget).map(Arc::new);
        };
        // The version is read first: if an edge is written in between, the topology is newer than its version, and the next request
        // loads it again.
        let (version, now) = (graph_version::read(tx.conn, graph.edges)?, tx.now());
        if let Some(topology) = snapshots::find(&place, &version, now) {
            return Ok(topology);
        }
        let topology = Arc::new(Topology::load(tx, graph, rule, filters, budget)?);
        snapshots::keep(place, version, topology.clone(), now);
        Ok(topology)
    }

    fn new(graph: &Graph, mut edges: Vec<(Edge, Vertex, Vertex)>) -> Topology {
        // The order of the engine has no meaning, and of paths with equal weights the first is found.
        edges.sort_by(|left, right| left.0.key.cmp(&right.0.key));
        let mut vertices: Vec<Vertex> = edges.iter().flat_map(|(_, from, to)| [from.clone(), to.clone()]).collect();
        vertices.sort();
        vertices.dedup();
        let places: HashMap<Vertex, u32> = vertices.iter().cloned().zip(0..).collect();
        let ends = edges.iter().filter_map(|(_, from, to)| Some((*places.get(from)?, *places.get(to)?)));
        let links = match graph.edge.directed {
            true => Links::Directed(number(vertices.len(), ends)),
            false => Links::Undirected(number(vertices.len(), ends)),
        };
        Topology { vertices, places, edges: edges.into_iter().map(|(edge, ..)| edge).collect(), links }
    }

    /// The position of a node; `None` if it has no edge.
    pub fn place(&self, vertex: &Vertex) -> Option<NodeIndex<u32>> {
        self.places.get(vertex).map(|at| NodeIndex::new(*at as usize))
    }
}

/// The place of the topology in memory, if the rules of the caller show all edges and nodes; otherwise what the caller sees can differ
/// from what others see.
fn shared_place(emit: &Emit<'_>, graph: &Graph, rule: Rule, filters: &[Filter], database: &str) -> Option<Place> {
    let is_open = |entity| matches!(rule.condition(emit, entity, ROW), Condition::Always);
    let masked = [Some(graph.edge.source), Some(graph.edge.target), graph.edge.weight].into_iter().flatten();
    let is_masked = masked.into_iter().any(|at| graph.edges.field(at).sensitive);
    if !filters.is_empty() || is_masked || !is_open(graph.edges) || !graph.node_entities().all(is_open) {
        return None;
    }
    let scope = |entity| match emit.caller.tenant_scope_of(entity) {
        TenantScope::All => Some(None),
        TenantScope::One(tenant) => Some(tenant.to_key_text()),
        TenantScope::None => None,
    };
    let tenant = scope(graph.edges)?;
    let is_same = graph.node_entities().all(|entity| scope(entity) == Some(tenant.clone()));
    is_same.then(|| Place { database: database.to_owned(), edges: graph.edges.table, tenant })
}

fn number<D: EdgeType>(nodes: usize, ends: impl Iterator<Item = (u32, u32)>) -> Numbers<(), (), D, u32> {
    let mut numbers = Numbers::with_capacity(nodes, ends.size_hint().0);
    for _ in 0..nodes {
        numbers.add_node(());
    }
    for (from, to) in ends {
        numbers.add_edge(NodeIndex::new(from as usize), NodeIndex::new(to as usize), ());
    }
    numbers
}

/// The column of the weight, which is null if the caller may not see it.
fn select_weight(emit: &Emit<'_>, graph: &Graph) -> Option<(Statement, BindKind)> {
    let field = graph.edges.field(graph.edge.weight?);
    let kind = BindKind::from_kind(field.kind, emit.app)?;
    let mut column = Statement::new();
    match access::row_condition(emit, graph.edges, Update::NAME, ROW) {
        Condition::Rows(condition) if field.sensitive => {
            column.push("CASE WHEN ").append(condition).push(" THEN ").column(ROW, field.name).push(" END")
        }
        Condition::Never if field.sensitive => return None,
        Condition::Always | Condition::Never | Condition::Rows(_) => column.column(ROW, field.name),
    };
    Some((column, kind))
}

fn read_edge(graph: &Graph, row: &[Value]) -> Option<(Edge, Vertex, Vertex)> {
    let [key, source, target, rest @ ..] = row else { return None };
    let weight = match rest.first() {
        Some(Value::Int(number)) => *number as f64,
        Some(Value::Float(number)) => *number,
        Some(Value::Decimal(number)) => number.to_f64()?,
        _ => 1.0,
    };
    Some((Edge { key: Key::from_value(key)?, weight }, Vertex::new(graph.source, source)?, Vertex::new(graph.target, target)?))
}
