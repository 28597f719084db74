//! Rows that fulfil a condition of a module above, within a grant.

use super::{
    Filter, Row, audit, filter,
    joins::Joins,
    list::from_clause,
    select::{Columns, ROW, View, where_rows},
};
use crate::{
    Error, Result, Tx, Value,
    access::{Action, Grant, List},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::EntityDef,
};

/// The rows of a grant that fulfil a condition on the alias [`ROW`], at most `limit`, in any order.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn read_where<A: Action>(tx: &mut Tx<'_>, grant: &Grant<A>, condition: Condition, limit: u64) -> Result<Vec<Row>> {
    let entity = grant.entity;
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let covered = grant.condition(tx.app, emit.engine, &tx.caller, ROW).and(condition);
    let Some(condition) = where_rows(covered) else { return Ok(Vec::new()) };
    let columns = Columns::all(&emit, entity, ROW, View::Masked);
    let mut select = Statement::new();
    select.push("SELECT ").append(columns.sql.clone()).append(from_clause(&emit, entity)).append(condition);
    select.push(" LIMIT ").bind(Value::Int(i64::try_from(limit).unwrap_or(i64::MAX)), BindKind::Int);
    select.cache_within_limit();
    let rows: Vec<Row> = tx.conn.rows(&select, &columns.kinds)?.into_iter().map(|row| columns.row(row)).collect();
    if A::NAME == List::NAME {
        audit::record_list(tx, entity, &rows)?;
    } else if audit::is_audited(entity, A::NAME, &tx.caller) {
        rows.iter().try_for_each(|row| audit::record_read(tx, entity, row))?;
    }
    Ok(rows)
}

/// The condition of filters on fields of the entity itself, for the alias [`ROW`].
///
/// # Errors
/// 400 for a field that cannot be filtered, 500 for a path over a reference.
pub(crate) fn filter_own_fields(emit: &Emit<'_>, entity: &'static EntityDef, filters: &[Filter]) -> Result<Condition> {
    let mut joins = Joins::new(emit, entity);
    let mut all = Condition::Always;
    for wanted in filters {
        all = all.and(filter::filter(emit, &mut joins, wanted)?);
    }
    match joins.len() {
        0 => Ok(all),
        _ => Err(Error::internal("a filter of edges follows a reference")),
    }
}
