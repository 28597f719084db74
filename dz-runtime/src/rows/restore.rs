//! Restoring soft-deleted rows.

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

/// Restores a soft-deleted row; rows that were deleted with it stay deleted. `version` is the value of `If-Match`. The result is
/// `None` if the caller may not read the row afterwards.
///
/// The rule is checked for the deleted row. The row must then fulfil the conditions of every stored row: invariants, references and
/// unique fields. For hooks and subscribers a restore is an update: the update hooks run, and the event is `updated`.
///
/// # Errors
/// 404 if there is no such deleted row or the rule does not cover it; 412; 422 for invariants and `REFERENCE`; 409 `UNIQUE`.
pub fn restore(tx: &mut Tx<'_>, grant: &Grant<Restore>, id: &Value, version: Option<i64>) -> Result<Option<Row>> {
    let row = restore_row(tx, grant, id, version)?;
    load_visible(tx, grant.entity, row)
}

/// As [`restore`], for Rust code of the application: always returns the row.
pub(crate) fn restore_row(tx: &mut Tx<'_>, grant: &Grant<Restore>, id: &Value, version: Option<i64>) -> Result<Row> {
    let entity = grant.entity;
    if !entity.soft_delete {
        return Err(Error::not_found());
    }
    let row = lock_deleted(tx, entity, id, version)?;
    Write::restore(entity, row).run(tx).map(|written| written.row)
}

/// Loads and locks a deleted row that may be restored.
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
        Some(seen) if seen != row.version => Err(Error::outdated()),
        _ => Ok(row),
    }
}
