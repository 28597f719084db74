//! The nodes and edges of a graph as numbers: keys, ends and weights, without other values of the rows.

use std::collections::HashMap;

use petgraph::graph::NodeIndex;
use rust_decimal::prelude::ToPrimitive as _;
use uuid::Uuid;

use super::links::Links;
use crate::{
    Error, Result, Tx, Value,
    access::{self, Action as _, Update},
    db::{
        BindKind, Conn, Statement,
        emit::{Condition, Emit},
    },
    graph::{
        Budget, Graph, Key, Vertex,
        visible::{self, Rule},
    },
    rows::{Filter, ROW},
};

/// An edge that was read: its key, its weight (1 without a value) and its ends.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    pub key: Key,
    pub weight: f64,
    pub source: Vertex,
    pub target: Vertex,
}

/// The edges of a graph that are visible to a caller, with the nodes at their ends.
#[derive(Debug, Default)]
pub(crate) struct Topology {
    /// The nodes in order; their positions are those of the numbers.
    pub vertices: Vec<Vertex>,
    /// The ends of the edges.
    pub links: Links,
    pub(super) keys: Keys,
    pub(super) weights: Weights,
}

/// The keys of the edges, which all have one type.
#[derive(Debug)]
pub(super) enum Keys {
    Ints(Vec<i64>),
    Uuids(Vec<Uuid>),
    Texts(Vec<Box<str>>),
}

impl Default for Keys {
    fn default() -> Keys {
        Keys::Ints(Vec::new())
    }
}

impl Keys {
    pub(super) fn new(keys: Vec<Key>) -> Keys {
        let wrong = |key: &Key| matches!(key, Key::Text(_));
        if keys.iter().all(|key| matches!(key, Key::Uuid(_))) {
            return Keys::Uuids(keys.into_iter().filter_map(|key| if let Key::Uuid(id) = key { Some(id) } else { None }).collect());
        }
        if !keys.iter().any(wrong) {
            return Keys::Ints(keys.into_iter().filter_map(|key| if let Key::Int(number) = key { Some(number) } else { None }).collect());
        }
        Keys::Texts(keys.into_iter().filter_map(|key| if let Key::Text(text) = key { Some(text.into()) } else { None }).collect())
    }

    fn get(&self, at: usize) -> Key {
        match self {
            Keys::Ints(keys) => Key::Int(keys[at]),
            Keys::Uuids(keys) => Key::Uuid(keys[at]),
            Keys::Texts(keys) => Key::Text(keys[at].to_string()),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Keys::Ints(keys) => keys.len(),
            Keys::Uuids(keys) => keys.len(),
            Keys::Texts(keys) => keys.len(),
        }
    }
}

/// The weights of the edges, in the smallest form that contains each of them exactly.
#[derive(Debug, Default)]
pub(super) enum Weights {
    /// Each is 1.
    #[default]
    Ones,
    Singles(Vec<f32>),
    Doubles(Vec<f64>),
}

impl Weights {
    pub(super) fn new(weights: Vec<f64>) -> Weights {
        if weights.iter().all(|weight| *weight == 1.0) {
            return Weights::Ones;
        }
        match weights.iter().all(|weight| f64::from(*weight as f32) == *weight) {
            true => Weights::Singles(weights.into_iter().map(|weight| weight as f32).collect()),
            false => Weights::Doubles(weights),
        }
    }

    fn get(&self, at: usize) -> f64 {
        match self {
            Weights::Ones => 1.0,
            Weights::Singles(weights) => f64::from(weights[at]),
            Weights::Doubles(weights) => weights[at],
        }
    }
}

impl Topology {
    /// Loads the edges that are visible to the caller, fulfil the filters, and have two visible ends, in one statement.
    ///
    /// # Errors
    /// 400 for a field that cannot be filtered; 422 if there are more edges than the budget allows, or reading them takes longer.
    pub fn load(tx: &mut Tx<'_>, graph: &Graph, rule: Rule, filters: &[Filter], budget: Budget) -> Result<Topology> {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let condition = visible::edge_condition(&emit, graph, rule, filters)?.and(budget.in_time(&emit));
        let edges = Topology::read_edges(tx.conn, &emit, graph, rule, condition, budget.edges_of_algorithm())?;
        budget.check_edges(edges.len())?;
        Ok(Topology::new(graph.edge.directed, edges))
    }

    /// Reads the edges that fulfil a condition and have two visible ends; at most one more than `most`.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(super) fn read_edges(
        conn: &mut Conn,
        emit: &Emit<'_>,
        graph: &Graph,
        rule: Rule,
        condition: Condition,
        most: usize,
    ) -> Result<Vec<Edge>> {
        let covered = match condition.and(visible::ends_condition(emit, graph, rule)) {
            Condition::Never => return Ok(Vec::new()),
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
        if let Some((weight, kind)) = select_weight(emit, graph) {
            select.push(", ").append(weight);
            kinds.push(kind);
        }
        select.push(" FROM ").append(emit.visible_rows(graph.edges)).push(" AS ").ident(ROW);
        if let Some(covered) = covered {
            select.push(" WHERE ").append(covered);
        }
        select.push(" LIMIT ").bind(Value::Int(i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1)), BindKind::Int);
        select.cache_within_limit();
        // Each row is freed after it was read, so that the edges are not in memory twice.
        Ok(conn.rows(&select, &kinds)?.into_iter().filter_map(|row| read_edge(graph, &row)).collect())
    }

    /// Numbers nodes and edges. The order of the engine has no meaning: nodes are in the order of their keys, and edges in that of their
    /// sources and keys.
    pub(super) fn new(directed: bool, edges: Vec<Edge>) -> Topology {
        let mut vertices: Vec<Vertex> = edges.iter().flat_map(|edge| [edge.source.clone(), edge.target.clone()]).collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices.shrink_to_fit();
        let places: HashMap<&Vertex, u32> = vertices.iter().zip(0..).collect();
        let place = |vertex: &Vertex| places.get(vertex).copied().unwrap_or_default();
        let mut numbered: Vec<(u32, Key, u32, f64)> =
            edges.into_iter().map(|edge| (place(&edge.source), edge.key, place(&edge.target), edge.weight)).collect();
        numbered.sort_unstable_by(|left, right| (left.0, &left.1).cmp(&(right.0, &right.1)));
        let ends: Vec<(u32, u32)> = numbered.iter().map(|(source, _, target, _)| (*source, *target)).collect();
        let weights = Weights::new(numbered.iter().map(|(.., weight)| *weight).collect());
        let keys = Keys::new(numbered.into_iter().map(|(_, key, ..)| key).collect());
        Topology { links: Links::new(directed, vertices.len(), &ends), vertices, keys, weights }
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.keys.len()
    }

    /// The key of an edge.
    pub fn key(&self, edge: usize) -> Key {
        self.keys.get(edge)
    }

    /// The weight of an edge.
    pub fn weight(&self, edge: usize) -> f64 {
        self.weights.get(edge)
    }

    /// The position of a node; `None` if it has no edge.
    pub fn place(&self, vertex: &Vertex) -> Option<NodeIndex<u32>> {
        self.vertices.binary_search(vertex).ok().map(NodeIndex::new)
    }
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

fn read_edge(graph: &Graph, row: &[Value]) -> Option<Edge> {
    let [key, source, target, rest @ ..] = row else { return None };
    let weight = match rest.first() {
        Some(Value::Int(number)) => *number as f64,
        Some(Value::Float(number)) => *number,
        Some(Value::Decimal(number)) => number.to_f64()?,
        _ => 1.0,
    };
    let (source, target) = (Vertex::new(graph.source, source)?, Vertex::new(graph.target, target)?);
    Some(Edge { key: Key::from_value(key)?, weight, source, target })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(key: Key, weight: f64) -> Edge {
        let vertex = |number| Vertex { entity: 0, key: Key::Int(number) };
        Edge { key, weight, source: vertex(2), target: vertex(1) }
    }

    #[test]
    fn keys_and_weights_are_kept_exactly() {
        let id = Uuid::from_u128(7);
        for key in [Key::Int(-3), Key::Uuid(id), Key::Text("a road".to_owned())] {
            assert_eq!(Topology::new(true, vec![edge(key.clone(), 1.0)]).key(0), key);
        }
        for weights in [[1.0, 1.0], [0.5, 3.0], [0.1, 9_007_199_254_740_993.0]] {
            let [first, second] = weights;
            let topology = Topology::new(true, vec![edge(Key::Int(2), second), edge(Key::Int(1), first)]);
            assert_eq!([topology.weight(0), topology.weight(1)], weights, "edges are in the order of their keys");
            assert_eq!((topology.edge_count(), topology.vertices.len()), (2, 2));
        }
    }
}
