//! Reads of one row.

use super::{
    Extra, Row, audit, check,
    joins::Joins,
    list::{Extras, from_clause},
    select::{Columns, ROW, View, column},
};
use crate::{
    Engine, Error, Result, Tx, Value,
    access::{self, Action as _, Grant, Read, SurfaceScope, Update},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit, is_local},
    },
    def::EntityDef,
    texts,
};

/// Reads a row, in one statement.
///
/// # Errors
/// 404 if it does not exist or is not readable.
pub fn read(tx: &mut Tx<'_>, grant: &Grant<Read>, id: &Value, extra: &[Extra]) -> Result<Row> {
    let row = read_again(tx, grant, id, extra)?;
    audit::record_read(tx, grant.entity, &row)?;
    Ok(row)
}

/// As [`read`], for a row that the program has already: the audit log gets no further record.
pub(crate) fn read_again(tx: &mut Tx<'_>, grant: &Grant<Read>, id: &Value, extra: &[Extra]) -> Result<Row> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let condition = grant.condition(tx.app, emit.engine, &tx.caller, ROW);
    let (entity, key) = (grant.entity, key_condition(&emit, grant.entity, id)?);
    let mut joins = Joins::new(&emit, entity);
    let columns = Columns::all(&emit, entity, ROW, View::Masked);
    let extra = Extras::new(&emit, &mut joins, extra);
    let mut select = Statement::new();
    select
        .push("SELECT ")
        .append(columns.sql.clone())
        .append(extra.sql.clone())
        .append(from_clause(&emit, entity))
        .append(joins.sql(joins.len()));
    select.push(" WHERE ").append(key);
    match condition {
        Condition::Always => {}
        Condition::Never => return Err(Error::not_found().denied(entity, Read::NAME, Some(id))),
        Condition::Rows(readable) => {
            select.push(" AND ").append(readable);
        }
    }
    let kinds: Vec<_> = columns.kinds.iter().chain(&extra.kinds).copied().collect();
    let not_found = || Error::not_found().denied(entity, Read::NAME, Some(id));
    let answer = tx.conn.rows(&select, &kinds)?.into_iter().next().ok_or_else(not_found)?;
    Ok(extra.insert_nulls(columns.row(answer)))
}

/// All values of a row without a check of access rules; only for explanations, which do not show them.
pub(crate) fn load_values(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value) -> Result<Option<Vec<Value>>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let Ok(key) = key_condition(&emit, entity, id) else { return Ok(None) };
    let columns = Columns::all(&emit, entity, ROW, View::Whole);
    let mut select = Statement::new();
    select.push("SELECT ").append(columns.sql.clone()).append(from_clause(&emit, entity)).push(" WHERE ").append(key);
    let answer = tx.conn.rows(&select, &columns.kinds)?.into_iter().next();
    Ok(answer.map(|answer| columns.row(answer).values))
}

/// The `FROM` and `WHERE` clauses for the row with this key.
pub(crate) fn from_key(emit: &Emit<'_>, entity: &'static EntityDef, id: &Value) -> Result<Statement> {
    let mut sql = from_clause(emit, entity);
    sql.push(" WHERE ").append(key_condition(emit, entity, id)?);
    Ok(sql)
}

/// The condition that a row has this key; 404 for a value that cannot be a key.
pub(super) fn key_condition(emit: &Emit<'_>, entity: &'static EntityDef, id: &Value) -> Result<Statement> {
    let field = entity.key();
    let kind =
        BindKind::from_kind(field.kind, emit.app).filter(|_| check::is_of_kind(emit.app, field.kind, id)).ok_or_else(Error::not_found)?;
    let mut key = Statement::new();
    key.push(&column(ROW, field.name)).push(" = ").bind(id.clone(), kind);
    Ok(key)
}

/// Loads a complete row for a write and locks it.
///
/// # Errors
/// In this order: 404 if it does not exist or is not readable, 403 if `action` does not cover it, 412 if its version differs from
/// the one that the caller read.
pub(crate) fn lock(tx: &mut Tx<'_>, entity: &'static EntityDef, action: &'static str, id: &Value, version: Option<i64>) -> Result<Row> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let key = key_condition(&emit, entity, id)?;
    let columns = Columns::all(&emit, entity, ROW, View::Whole);
    let mut select = Statement::new();
    select.push("SELECT ").append(columns.sql.clone());
    for checked_action in [Read::NAME, action] {
        select.push(", ").append(access::row_condition(&emit, entity, checked_action, ROW).into_sql());
    }
    select.append(from_clause(&emit, entity)).push(" WHERE ").append(key);
    if emit.engine == Engine::Postgres {
        select.push(" FOR UPDATE OF ").ident(ROW);
    }
    let kinds: Vec<_> = columns.kinds.iter().copied().chain([BindKind::Bool, BindKind::Bool]).collect();
    let not_found = || Error::not_found().denied(entity, action, Some(id));
    let answer = tx.conn.rows(&select, &kinds)?.into_iter().next().ok_or_else(not_found)?;
    let mut row = columns.row(answer);
    let permissions = std::mem::take(&mut row.extra);
    match permissions.as_slice() {
        [Value::Bool(true), Value::Bool(true)] => {}
        [Value::Bool(true), _] => {
            let verb = match action {
                Update::NAME => "change",
                verb => verb,
            };
            let error = Error::forbidden(say!(
                "dz-may-see-but-not",
                "You may see this {thing} but not {verb} it",
                thing = texts::lower(entity.title),
                verb = verb
            ));
            return Err(error.denied(entity, action, Some(id)));
        }
        _ => return Err(not_found()),
    }
    match version {
        Some(seen) if seen != row.version => Err(Error::outdated()),
        _ => Ok(row),
    }
}

/// Refuses a row that the surface does not show, and locks it until the end of the transaction. A missing row is refused by the
/// following operation.
///
/// # Errors
/// 404.
pub(crate) fn check_surface_scope(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value, surface_scope: &SurfaceScope) -> Result<()> {
    if surface_scope.is_all() {
        return Ok(());
    }
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let mut select = Statement::new();
    select.push("SELECT ").append(surface_scope.condition(&emit, entity, ROW).into_sql()).append(from_key(&emit, entity, id)?);
    if emit.engine == Engine::Postgres {
        select.push(" FOR UPDATE OF ").ident(ROW);
    }
    match tx.conn.rows(&select, &[BindKind::Bool])?.into_iter().flatten().next() {
        None | Some(Value::Bool(true)) => Ok(()),
        Some(_) => Err(Error::not_found()),
    }
}

/// Adds the computed fields that depend on other rows to a row that was just written: one more statement if there is such a field.
pub(super) fn load_computed(tx: &mut Tx<'_>, entity: &'static EntityDef, row: Row) -> Result<Row> {
    if entity.fields.iter().all(|field| field.computed.is_none_or(|expr| is_local(expr, tx.app))) {
        return Ok(row);
    }
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let columns = Columns::all(&emit, entity, ROW, View::Whole);
    let mut select = Statement::new();
    // Includes soft-deleted rows.
    select.push("SELECT ").append(columns.sql.clone()).push(" FROM ").ident(entity.table).push(" AS ").ident(ROW);
    select.push(" WHERE ").append(key_condition(&emit, entity, row.value(entity.pk))?);
    let answer = tx.conn.rows(&select, &columns.kinds)?.into_iter().next();
    answer.map(|answer| columns.row(answer)).ok_or_else(|| Error::internal("a row was written and is not there"))
}

/// The row as it is visible to its writer, or `None`; a row that is visible completely is not read again.
pub(super) fn load_visible(tx: &mut Tx<'_>, entity: &'static EntityDef, row: Row) -> Result<Option<Row>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let mut select = Statement::new();
    let columns = Columns::all(&emit, entity, ROW, View::Masked);
    let readable = match access::row_condition(&emit, entity, Read::NAME, ROW) {
        Condition::Never => return Ok(None),
        Condition::Always if !entity.fields.iter().any(|field| field.sensitive) => return Ok(Some(row)),
        readable @ (Condition::Always | Condition::Rows(_)) => readable.into_sql(),
    };
    let id = row.values.get(usize::from(entity.pk)).cloned().unwrap_or_default();
    select.push("SELECT ").append(columns.sql.clone()).append(from_clause(&emit, entity));
    select.push(" WHERE ").append(key_condition(&emit, entity, &id)?).push(" AND ").append(readable);
    Ok(tx.conn.rows(&select, &columns.kinds)?.into_iter().next().map(|answer| columns.row(answer)))
}

/// The row as Rust code of the application gets it: `sensitive` fields are null if the caller may not update the row. One statement
/// if the row decides this.
pub(crate) fn mask(tx: &mut Tx<'_>, entity: &'static EntityDef, mut row: Row) -> Result<Row> {
    if !entity.fields.iter().any(|field| field.sensitive) {
        return Ok(row);
    }
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let is_shown = match access::row_condition(&emit, entity, Update::NAME, ROW) {
        Condition::Always => true,
        Condition::Never => false,
        Condition::Rows(updatable) => {
            let mut select = Statement::new();
            select.push("SELECT ").append(updatable).append(from_key(&emit, entity, row.value(entity.pk))?);
            tx.conn.rows(&select, &[BindKind::Bool])?.concat() == [Value::Bool(true)]
        }
    };
    if !is_shown {
        let values = row.values.iter_mut().zip(entity.fields);
        values.filter(|(_, field)| field.sensitive).for_each(|(value, _)| *value = Value::Null);
    }
    Ok(row)
}
