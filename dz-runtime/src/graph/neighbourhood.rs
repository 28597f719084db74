//! The neighbourhood of a node: a recursive statement finds the nodes, and two statements read the rows.

use std::collections::HashMap;

use super::{
    Budget, Graph, Subgraph, Vertex,
    subgraph::{load_edges_between, load_nodes},
    visible::{self, Rule},
};
use crate::{
    Engine, Error, Result, Tx, Value,
    access::{Action as _, Grant, Read},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit, NEVER, fill},
    },
    def::{EntityDef, FieldIx},
    rows::{Filter, ROW},
};

/// The nodes that at most `depth` edges separate from a node, and all edges between them.
///
/// # Errors
/// 404 if the node is not visible; 422 if the result is larger than the budget.
pub(crate) fn neighbourhood(
    tx: &mut Tx<'_>,
    graph: &Graph,
    grant: &Grant<Read>,
    key: &Value,
    depth: u8,
    filters: &[Filter],
    budget: Budget,
) -> Result<Subgraph> {
    let found = walk(tx, graph, grant.entity(), key, depth, filters, budget)?;
    let not_found = || Error::not_found().denied(grant.entity(), Read::NAME, Some(key));
    let start = found.first().cloned().ok_or_else(not_found)?;
    budget.check(found.len())?;
    let nodes = load_nodes::<Read>(tx, graph, &found)?;
    if nodes.first().and_then(|node| node.vertex()) != Some(start) {
        return Err(not_found());
    }
    let edges = load_edges_between(tx, graph, Rule::Read, filters, &nodes, budget)?;
    Ok(Subgraph { nodes, edges })
}

/// The name of the recursive table. Its columns are the key of the node (`k`, or `s` and `t` if the nodes at both ends belong to
/// different entities) and its distance `d`.
const WALK: &str = "walk";

/// The nodes by their distance, and for equal distances by their keys.
fn walk(
    tx: &mut Tx<'_>,
    graph: &Graph,
    start: &'static EntityDef,
    key: &Value,
    depth: u8,
    filters: &[Filter],
    budget: Budget,
) -> Result<Vec<Vertex>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let ends = if graph.is_heterogeneous() { vec![graph.source, graph.target] } else { vec![graph.source] };
    let kind = |entity: &'static EntityDef| {
        BindKind::from_kind(entity.key().kind, emit.app).ok_or_else(|| Error::internal("a node without a stored key"))
    };
    let Some(seed) = seed(&emit, &ends, start, key)? else { return Ok(Vec::new()) };
    let edges = visible::edge_condition(&emit, graph, Rule::Read, filters)?;
    let columns = if ends.len() == 1 { "\"k\"" } else { "\"s\", \"t\"" };
    let mut select = Statement::new();
    select.push(&format!("WITH RECURSIVE \"{WALK}\" ({columns}, \"d\") AS (")).append(seed);
    if let Some(step) = step(&emit, graph, edges.and(budget.in_time(&emit))) {
        // `UNION` keeps each node once for each distance, so that the work is bounded by the edges, and not by the paths.
        select.push(" UNION ").append(step).push(" AND \"w\".\"d\" < ").bind(Value::Int(depth.into()), BindKind::Int);
    }
    select.push(&format!(") SELECT {columns}, \"d\" FROM \"{WALK}\" LIMIT "));
    // Each node can occur once for each distance.
    let most = (budget.elements as i64 + 1).saturating_mul(i64::from(depth) + 1);
    select.bind(Value::Int(most), BindKind::Int);
    select.cache_within_limit();
    let mut kinds = ends.iter().map(|entity| kind(entity)).collect::<Result<Vec<_>>>()?;
    kinds.push(BindKind::Int);
    let mut found: HashMap<Vertex, i64> = HashMap::new();
    for row in tx.conn.rows(&select, &kinds)? {
        let Some((Value::Int(distance), keys)) = row.split_last() else { continue };
        for vertex in ends.iter().zip(keys).filter_map(|(entity, key)| Vertex::new(entity, key)) {
            found.entry(vertex).and_modify(|known| *known = *distance.min(known)).or_insert(*distance);
        }
    }
    let mut found: Vec<(i64, Vertex)> = found.into_iter().map(|(vertex, distance)| (distance, vertex)).collect();
    found.sort();
    Ok(found.into_iter().map(|(_, vertex)| vertex).collect())
}

/// A key in the recursive table. PostgreSQL requires one type in all its parts, and the keys of texts can have lengths.
fn walked(emit: &Emit<'_>, entity: &'static EntityDef, key: Statement) -> Statement {
    let is_text = BindKind::from_kind(entity.key().kind, emit.app) == Some(BindKind::Text);
    if is_text && emit.engine == Engine::Postgres { fill("CAST({} AS TEXT)", [key]) } else { key }
}

/// Selects the node at which the walk starts, if it is visible; `None` if no node of its entity is.
fn seed(emit: &Emit<'_>, ends: &[&'static EntityDef], start: &'static EntityDef, key: &Value) -> Result<Option<Statement>> {
    let kind = BindKind::from_kind(start.key().kind, emit.app).ok_or_else(Error::not_found)?;
    let covered = match crate::access::row_condition(emit, start, Read::NAME, ROW) {
        Condition::Never => return Ok(None),
        Condition::Always => None,
        Condition::Rows(sql) => Some(sql),
    };
    let mut select = Statement::new();
    select.push("SELECT ");
    for end in ends {
        let mut key = Statement::new();
        match end.ix == start.ix {
            true => key.column(ROW, start.key().name),
            false => key.append(no_key(end)),
        };
        select.append(walked(emit, end, key)).push(", ");
    }
    select.push("CAST(0 AS BIGINT) FROM ").append(emit.visible_rows(start)).push(" AS ").ident(ROW).push(" WHERE ");
    select.column(ROW, start.key().name).push(" = ").bind(key.clone(), kind);
    if let Some(covered) = covered {
        select.push(" AND ").append(covered);
    }
    Ok(Some(select))
}

/// A null of the type of the key.
fn no_key(entity: &'static EntityDef) -> Statement {
    let mut key = Statement::new();
    key.push("(SELECT ").ident(entity.key().name).push(" FROM ").ident(entity.table).push(" WHERE ").push(NEVER).push(")");
    key
}

/// Selects the nodes that one edge separates from those of the walk; `None` if no edge or no further node is visible.
fn step(emit: &Emit<'_>, graph: &Graph, edges: Condition) -> Option<Statement> {
    let column = |field: FieldIx| {
        let mut column = Statement::new();
        column.column(ROW, graph.edges.field(field).name);
        column
    };
    let (source, target) = (column(graph.edge.source), column(graph.edge.target));
    let (join, next, visible) =
        if graph.is_heterogeneous() { both_entities(emit, graph, &source, &target) } else { one_entity(emit, graph, &source, &target) };
    let condition = match edges.and(visible) {
        Condition::Never => return None,
        condition @ (Condition::Always | Condition::Rows(_)) => condition.into_sql(),
    };
    let mut select = Statement::new();
    // SQLite evaluates the left side of a cross join first, and then finds edges by the indexes of their ends. The condition of an
    // undirected step is a disjunction: a union of both directions has no index.
    let cross = if emit.engine == Engine::Sqlite { " CROSS JOIN " } else { " JOIN " };
    select.push("SELECT ").append(next).push(", \"w\".\"d\" + 1 FROM \"").push(WALK).push("\" AS \"w\"").push(cross);
    select.append(emit.visible_rows(graph.edges)).push(" AS ").ident(ROW).push(" ON ").append(join).push(" WHERE ").append(condition);
    Some(select)
}

/// The join condition, the selected columns and the condition on the next node, for nodes of one entity.
fn one_entity(emit: &Emit<'_>, graph: &Graph, source: &Statement, target: &Statement) -> (Statement, Statement, Condition) {
    let (mut join, mut next) = (Statement::new(), Statement::new());
    if graph.edge.directed {
        join.append(source.clone()).push(" = \"w\".\"k\"");
        next.append(target.clone());
    } else {
        join.push("(").append(source.clone()).push(" = \"w\".\"k\" OR ").append(target.clone()).push(" = \"w\".\"k\")");
        next.push("CASE WHEN ").append(source.clone()).push(" = \"w\".\"k\" THEN ").append(target.clone());
        next.push(" ELSE ").append(source.clone()).push(" END");
    }
    let visible = visible::node_condition(emit, graph.source, Rule::Read, next.clone());
    (join, walked(emit, graph.source, next), visible)
}

/// As [`one_entity`], for edges between nodes of two entities.
fn both_entities(emit: &Emit<'_>, graph: &Graph, source: &Statement, target: &Statement) -> (Statement, Statement, Condition) {
    let (mut join, mut next) = (Statement::new(), Statement::new());
    let forward = visible::node_condition(emit, graph.target, Rule::Read, target.clone());
    let mut from_source = Statement::new();
    from_source.push("\"w\".\"s\" IS NOT NULL");
    if graph.edge.directed {
        join.append(source.clone()).push(" = \"w\".\"s\"");
        next.append(walked(emit, graph.source, no_key(graph.source))).push(", ").append(walked(emit, graph.target, target.clone()));
        return (join, next, forward);
    }
    join.push("(").append(source.clone()).push(" = \"w\".\"s\" OR ").append(target.clone()).push(" = \"w\".\"t\")");
    let to_source = fill("CASE WHEN \"w\".\"s\" IS NULL THEN {} END", [source.clone()]);
    let to_target = fill("CASE WHEN \"w\".\"t\" IS NULL THEN {} END", [target.clone()]);
    next.append(walked(emit, graph.source, to_source)).push(", ").append(walked(emit, graph.target, to_target));
    let back = visible::node_condition(emit, graph.source, Rule::Read, source.clone());
    let starts_at_source = Condition::Rows(from_source);
    let visible = starts_at_source.clone().and(forward).or(starts_at_source.negate().and(back));
    (join, next, visible)
}
