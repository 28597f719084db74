//! A part of a graph: nodes, and edges between them.

use std::collections::{HashMap, HashSet};

use super::{
    Budget, Graph, Vertex,
    vertex::Key,
    visible::{self, Rule},
};
use crate::{
    Engine, Result, Tx, Value,
    access::{Action, Grant, List, Read},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit, fill},
    },
    def::{AppDef, EntityDef, FieldIx},
    field,
    rows::{self, Filter, ROW, Row},
};

/// A node with its row.
#[derive(Debug)]
pub(crate) struct Node {
    /// The entity of the row.
    pub entity: &'static EntityDef,
    /// The values that are visible to the caller.
    pub row: Row,
}

/// Nodes, and edges between them.
#[derive(Debug, Default)]
pub(crate) struct Subgraph {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The rows of the edges.
    pub edges: Vec<Row>,
}

impl Node {
    /// The identity of the node.
    pub fn vertex(&self) -> Option<Vertex> {
        Vertex::new(self.entity, self.row.value(self.entity.pk))
    }
}

impl Node {
    /// The label of the node: of its fields `display`, `title`, `name` and `label`, the first with a value that the caller sees.
    pub fn label(&self, app: &'static AppDef) -> Option<String> {
        let display = self.entity.node.as_ref().and_then(|node| node.display);
        let named = ["title", "name", "label"].into_iter().filter_map(|name| self.entity.find(name).map(|(at, _)| at));
        display.into_iter().chain(named).find_map(|at| {
            let field = self.entity.field(at);
            let value = self.row.value(at);
            let shown = !field.secret && field.has_value() && !value.is_null();
            shown.then(|| field::display(field, value, field::zone(app))).filter(|text| !text.is_empty())
        })
    }
}

/// Both ends of an edge.
pub(crate) fn ends(graph: &Graph, edge: &Row) -> Option<(Vertex, Vertex)> {
    let end = |entity, field| Vertex::new(entity, edge.value(field));
    end(graph.source, graph.edge.source).zip(end(graph.target, graph.edge.target))
}

/// Sorts edges by their keys, which is the same order on both engines.
pub(crate) fn sort_edges(graph: &Graph, edges: &mut [Row]) {
    edges.sort_by_cached_key(|edge| Key::from_value(edge.value(graph.edges.pk)));
}

/// The rows of nodes that are visible, in the order of `wanted`.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn load_nodes<A: Action>(tx: &mut Tx<'_>, graph: &Graph, wanted: &[Vertex]) -> Result<Vec<Node>> {
    let mut nodes = Vec::with_capacity(wanted.len());
    for entity in graph.node_entities() {
        let keys: Vec<Value> = wanted.iter().filter(|node| node.entity == entity.ix).map(|node| node.key.to_value()).collect();
        // A caller for whom the rule is closed sees no node of the entity.
        let Some(grant) = tx.ask::<A>(entity).ok().filter(|_| !keys.is_empty()) else { continue };
        let limit = keys.len() as u64;
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let is_wanted = is_one_of(&emit, entity, entity.pk, keys);
        nodes.extend(rows::read_where(tx, &grant, is_wanted, limit)?.into_iter().map(|row| Node { entity, row }));
    }
    let place: HashMap<&Vertex, usize> = wanted.iter().zip(0..).collect();
    nodes.sort_by_cached_key(|node| node.vertex().and_then(|vertex| place.get(&vertex).copied()));
    Ok(nodes)
}

/// The visible edges between nodes that are all visible, sorted.
///
/// # Errors
/// 400 for a field that cannot be filtered, 422 if there are more than the budget allows.
pub(crate) fn load_edges_between(
    tx: &mut Tx<'_>,
    graph: &Graph,
    rule: Rule,
    filters: &[Filter],
    nodes: &[Node],
    budget: Budget,
) -> Result<Vec<Row>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let (source, target) = end_conditions(&emit, graph, nodes);
    // With a unique index over both ends, SQLite would look up each pair of nodes.
    let target = if emit.engine == Engine::Sqlite { without_index(target) } else { target };
    let condition = visible::edge_condition(&emit, graph, rule, filters)?.and(source.and(target));
    load_known_edges(tx, graph, rule, condition, nodes, budget)
}

/// The condition that an end of the edge is one of these nodes.
pub(super) fn touching(emit: &Emit<'_>, graph: &Graph, nodes: &[Node]) -> Condition {
    let (source, target) = end_conditions(emit, graph, nodes);
    source.or(target)
}

/// The conditions that the source of the edge is one of these nodes, and that its target is one.
fn end_conditions(emit: &Emit<'_>, graph: &Graph, nodes: &[Node]) -> (Condition, Condition) {
    let keys = |entity: &'static EntityDef| {
        nodes.iter().filter(|node| node.entity.ix == entity.ix).map(|node| node.row.value(entity.pk).clone()).collect()
    };
    let source = is_one_of(emit, graph.edges, graph.edge.source, keys(graph.source));
    (source, is_one_of(emit, graph.edges, graph.edge.target, keys(graph.target)))
}

/// A condition for which SQLite uses no index: a unary plus has no effect on the value.
fn without_index(condition: Condition) -> Condition {
    match condition {
        Condition::Rows(test) => Condition::Rows(fill("+{}", [test])),
        Condition::Always | Condition::Never => condition,
    }
}

/// The edges that fulfil a condition and have two of these nodes as ends.
fn load_known_edges(tx: &mut Tx<'_>, graph: &Graph, rule: Rule, condition: Condition, nodes: &[Node], budget: Budget) -> Result<Vec<Row>> {
    let limit = budget.elements.saturating_sub(nodes.len());
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let condition = condition.and(budget.in_time(&emit));
    let mut edges = load_edges(tx, graph, rule, condition, limit as u64 + 1)?;
    budget.check(nodes.len() + edges.len())?;
    // Another transaction can have deleted or hidden a node between the statements.
    let known: HashSet<Vertex> = nodes.iter().filter_map(Node::vertex).collect();
    edges.retain(|edge| ends(graph, edge).is_some_and(|(from, to)| known.contains(&from) && known.contains(&to)));
    sort_edges(graph, &mut edges);
    Ok(edges)
}

/// As [`load_edges_between`], for nodes that are all nodes of the graph.
#[cfg(feature = "graph-algorithms")]
pub(crate) fn load_all_edges(
    tx: &mut Tx<'_>,
    graph: &Graph,
    rule: Rule,
    filters: &[Filter],
    nodes: &[Node],
    budget: Budget,
) -> Result<Vec<Row>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let condition = visible::edge_condition(&emit, graph, rule, filters)?.and(visible::ends_condition(&emit, graph, rule));
    load_known_edges(tx, graph, rule, condition, nodes, budget)
}

/// The edges with these keys that the caller may read, in the order of the keys.
///
/// # Errors
/// 503 if the database is unavailable.
#[cfg(feature = "graph-algorithms")]
pub(crate) fn load_edges_by_key(tx: &mut Tx<'_>, graph: &Graph, keys: &[Key]) -> Result<Vec<Row>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let wanted = is_one_of(&emit, graph.edges, graph.edges.pk, keys.iter().map(Key::to_value).collect());
    let condition = visible::edge_condition(&emit, graph, Rule::Read, &[])?.and(wanted);
    let mut edges = load_edges(tx, graph, Rule::Read, condition, keys.len() as u64)?;
    let place: HashMap<&Key, usize> = keys.iter().zip(0..).collect();
    edges.sort_by_cached_key(|edge| Key::from_value(edge.value(graph.edges.pk)).and_then(|key| place.get(&key).copied()));
    Ok(edges)
}

/// The edges that fulfil a condition; none if the rule is closed for the caller.
pub(super) fn load_edges(tx: &mut Tx<'_>, graph: &Graph, rule: Rule, condition: Condition, limit: u64) -> Result<Vec<Row>> {
    fn load<A: Action>(tx: &mut Tx<'_>, grant: Option<Grant<A>>, condition: Condition, limit: u64) -> Result<Vec<Row>> {
        grant.map_or(Ok(Vec::new()), |grant| rows::read_where(tx, &grant, condition, limit))
    }
    match rule {
        Rule::Read => load(tx, tx.ask::<Read>(graph.edges).ok(), condition, limit),
        Rule::List => load(tx, tx.ask::<List>(graph.edges).ok(), condition, limit),
    }
}

/// The condition that a field of the alias [`ROW`] is one of some keys.
fn is_one_of(emit: &Emit<'_>, entity: &'static EntityDef, field: FieldIx, keys: Vec<Value>) -> Condition {
    let field = entity.field(field);
    let Some(kind) = BindKind::from_kind(field.kind, emit.app).filter(|_| !keys.is_empty()) else { return Condition::Never };
    let mut test = Statement::new();
    test.column(ROW, field.name).in_list(emit.engine, keys, kind);
    Condition::Rows(test)
}
