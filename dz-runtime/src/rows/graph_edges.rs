//! The stages of a write that concern graphs: the version of the edges, and `acyclic`.

use super::{
    Row,
    select::{ROW, column},
};
use crate::{
    Engine, Error, Result, Tx, Value,
    db::{BindKind, DELETED_AT, Statement, graph_version},
    def::{EdgeDef, EntityDef},
    texts,
};

/// Changes the versions of the graphs to which a row of the entity belongs: that of its edges, and those of graphs of which it is a node if
/// the write can hide or show it.
pub(super) fn change_version(tx: &mut Tx<'_>, entity: &'static EntityDef, row: &Row, hides_or_shows: bool) -> Result<()> {
    if entity.edge.is_none() && !hides_or_shows {
        return Ok(());
    }
    let is_end = |edges: &EntityDef, edge: &EdgeDef| {
        [edge.source, edge.target].iter().any(|end| edges.fields[usize::from(*end)].kind.target() == Some(entity.ix))
    };
    for edges in tx.app.entities {
        if let Some(edge) = &edges.edge
            && (edges.ix == entity.ix || (hides_or_shows && is_end(edges, edge)))
        {
            // Both ends of an edge belong to its tenant.
            let tenant = entity.tenancy.tenant.filter(|_| edges.tenancy.tenant.is_some()).and_then(|at| row.value(at).to_key_text());
            graph_version::change(tx.conn, edges, tenant.as_deref(), Some((entity, row.value(entity.pk))), tx.caller.now)?;
        }
    }
    Ok(())
}

/// Refuses an edge that closes a cycle in a graph that declares `acyclic: true`. The version of the edges was changed before, so that two
/// transactions cannot close a cycle together: the second one waits for the first.
///
/// # Errors
/// 422 `GRAPH_CYCLE`.
pub(super) fn check_acyclic(tx: &mut Tx<'_>, edges: &'static EntityDef, row: &Row) -> Result<()> {
    let Some(edge) = edges.edge.as_ref().filter(|edge| edge.acyclic) else { return Ok(()) };
    let (source, target) = (edges.field(edge.source), edges.field(edge.target));
    // Directed edges from one entity to another close no cycle.
    let (from, to) = (row.value(edge.source), row.value(edge.target));
    if source.kind.target() != target.kind.target() || from.is_null() || to.is_null() {
        return Ok(());
    }
    let refuse = || {
        let text = say!("dz-would-close-a-cycle", "This {thing} would close a cycle", thing = texts::lower(edges.title));
        Err(Error::new(422, "GRAPH_CYCLE", text).at(target.name, say!("dz-leads-back-to-its-own-start", "closes a cycle")))
    };
    if from == to {
        return refuse();
    }
    let kind = BindKind::from_kind(source.kind, tx.app).ok_or_else(|| Error::internal("an edge without a stored end"))?;
    let select = path_back(tx.engine(), edges, edge, row.value(edges.pk), from, kind, tx.app)?;
    if tx.conn.rows(&select, &[BindKind::Int])?.is_empty() { Ok(()) } else { refuse() }
}

/// Selects a row if other edges lead from the target of the edge to `end`.
fn path_back(
    engine: Engine,
    edges: &'static EntityDef,
    edge: &EdgeDef,
    own: &Value,
    end: &Value,
    kind: BindKind,
    app: &'static crate::def::AppDef,
) -> Result<Statement> {
    let name = |at| column(ROW, edges.field(at).name);
    let (source, target) = (name(edge.source), name(edge.target));
    let cast = |sql: &str| match (engine, kind) {
        (Engine::Postgres, BindKind::Text) => format!("CAST({sql} AS TEXT)"),
        _ => sql.to_owned(),
    };
    let cross = if engine == Engine::Sqlite { "CROSS JOIN" } else { "JOIN" };
    let (next, join) = match edge.directed {
        true => (cast(&target), format!("{source} = \"w\".\"k\"")),
        false => {
            let next = format!("CASE WHEN {source} = \"w\".\"k\" THEN {target} ELSE {source} END");
            (cast(&next), format!("({source} = \"w\".\"k\" OR {target} = \"w\".\"k\")"))
        }
    };
    let mut select = Statement::new();
    select
        .push("WITH RECURSIVE \"walk\" (\"k\") AS (SELECT ")
        .push(&cast(&target))
        .push(" FROM ")
        .ident(edges.table)
        .push(" AS ")
        .ident(ROW);
    let key = BindKind::from_kind(edges.key().kind, app).ok_or_else(|| Error::internal("an edge without a stored key"))?;
    // The stored edge itself gives the first node, with its type and collation.
    select.push(" WHERE ").push(&name(edges.pk)).push(" = ").bind(own.clone(), key);
    select.push(&format!(" UNION SELECT {next} FROM \"walk\" AS \"w\" {cross} ")).ident(edges.table).push(" AS ").ident(ROW);
    select.push(&format!(" ON {join} WHERE ")).push(&name(edges.pk)).push(" <> ").bind(own.clone(), key);
    if edges.soft_delete {
        select.push(" AND ").push(&column(ROW, DELETED_AT)).push(" IS NULL");
    }
    select.push(&format!(" AND {target} IS NOT NULL AND {source} IS NOT NULL) SELECT CAST(1 AS BIGINT) FROM \"walk\" WHERE \"k\" = "));
    select.bind(end.clone(), kind).push(" LIMIT 1");
    Ok(select)
}
