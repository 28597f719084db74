//! Rows that come back: those of an entity whose deletions only mark.

use super::{
    Row,
    read::{key_condition, load_visible},
    select::{Columns, ROW, View, column},
    write::Write,
};
use crate::{
    Engine, Error, Result, Tx, Value,
    access::{self, Action as _, Grant, Restore},
    db::{DELETED_AT, Statement, emit::Emit},
    def::EntityDef,
};

/// Takes the mark from a deleted row; what went with it stays deleted. `version` is the `If-Match`. The answer is `None`
/// when the caller may not read the row as it is now.
///
/// The rule is asked of the marked row; then the row must fulfil what every stored row does: its invariants, its references,
/// what is unique. To everybody who hears of changes it is one: the hooks of an update run, and the event is `updated`.
///
/// # Errors
/// 404 when there is no such deleted row, or the rule does not cover it; 412; 422 for invariants and `REFERENCE`; 409 `UNIQUE`.
pub fn restore(tx: &mut Tx<'_>, grant: &Grant<Restore>, id: &Value, version: Option<i64>) -> Result<Option<Row>> {
    let row = restore_row(tx, grant, id, version)?;
    load_visible(tx, grant.entity, row)
}

/// As [`restore`], for the application's own Rust: always gives the row as it is then.
pub(crate) fn restore_row(tx: &mut Tx<'_>, grant: &Grant<Restore>, id: &Value, version: Option<i64>) -> Result<Row> {
    let entity = grant.entity;
    if !entity.soft_delete {
        return Err(Error::not_found());
    }
    let row = lock_deleted(tx, entity, id, version)?;
    Write::restore(entity, row).run(tx).map(|written| written.row)
}

/// A deleted row that may be restored, whole and locked.
fn lock_deleted(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value, version: Option<i64>) -> Result<Row> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let columns = Columns::all(&emit, entity, ROW, View::Whole);
    let mut select = Statement::new();
    select.push("SELECT ").append(columns.sql.clone()).push(" FROM ").ident(entity.table).push(" AS ").ident(ROW);
    select.push(" WHERE ").append(key_condition(&emit, entity, id)?).push(" AND ").push(&column(ROW, DELETED_AT)).push(" IS NOT NULL AND ");
    select.append(access::row_condition(&emit, entity, Restore::NAME, ROW).into_sql());
    if let Some(own) = emit.tenant_condition(entity, Some(ROW)) {
        select.push(" AND ").append(own);
    }
    if emit.engine == Engine::Postgres {
        select.push(" FOR UPDATE OF ").ident(ROW);
    }
    let answer = tx.conn.rows(&select, &columns.kinds)?.into_iter().next();
    let row = columns.row(answer.ok_or_else(|| Error::not_found().denied(entity, Restore::NAME, Some(id)))?);
    match version {
        Some(seen) if seen != row.version => Err(Error::new(412, "STALE", "This row has changed since you loaded it")),
        _ => Ok(row),
    }
}
