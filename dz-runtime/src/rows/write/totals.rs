//! Invariants over a total of a referenced row, such as `lot.balance >= 0` in an entry of the lot.
//!
//! The row that is written is part of the total, so they are checked after it is stored. If its reference changes, the former total is
//! checked too, because the row leaves it. On PostgreSQL two transactions do not see each other's rows: the row with the total is
//! locked first, and the second transaction waits for the end of the first.

use super::{Next, Write};
use crate::{
    Engine, Error, Result, Tx, Value,
    db::{BindKind, Statement, emit::total_paths},
    def::{AppDef, EntityDef, FieldAt, Path},
    rows::write_condition::WriteCondition,
};

/// Locks the rows with totals that the invariants read.
pub(super) fn lock_totals(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    if tx.engine() == Engine::Postgres {
        for path in paths(tx.app, write.entity) {
            let first = path.first().position_in(write.entity).map(usize::from);
            let key = |values: &[Value]| first.and_then(|at| values.get(at)).cloned().unwrap_or_default();
            let mut keys = vec![key(&write.values)];
            keys.extend(write.before.as_ref().map(|row| key(&row.values)));
            // Two rows that exchange their references lock in the same order.
            keys.sort_by_key(Value::to_key_text);
            keys.dedup();
            for key in keys {
                lock_rows_of(tx, path, key)?;
            }
        }
    }
    write.leaves_total = leaves_total(tx, write) && {
        let before = write.before.as_ref().map_or(&[][..], |row| &row.values);
        hold(tx, write, before)?
    };
    Ok(Next::Go)
}

/// True if a reference through which the invariants read totals changes from one row to another.
fn leaves_total(tx: &Tx<'_>, write: &Write) -> bool {
    let Some(before) = &write.before else { return false };
    let references = paths(tx.app, write.entity).into_iter().filter_map(|path| path.first().position_in(write.entity));
    let mut leaves = references.map(|at| (before.value(at), write.values.get(usize::from(at))));
    leaves.any(|(old, new)| !old.is_null() && new != Some(old))
}

/// True if the invariants that read totals hold for values of the row.
///
/// # Errors
/// 503 if the database is unavailable.
fn hold(tx: &mut Tx<'_>, write: &Write, values: &[Value]) -> Result<bool> {
    match check(tx, write, values) {
        Ok(()) => Ok(true),
        Err(error) if error.status == 422 => Ok(false),
        Err(error) => Err(error),
    }
}

fn check(tx: &mut Tx<'_>, write: &Write, values: &[Value]) -> Result<()> {
    WriteCondition::on_totals(tx, write.entity, values, write.awaits_children).check(tx, write.entity, None)
}

/// Checks the invariants that read totals.
pub(super) fn check_totals(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    if let Some(row) = write.after.as_ref().filter(|_| !paths(tx.app, write.entity).is_empty()) {
        check(tx, write, &row.values)?;
    }
    if let Some(before) = write.before.as_ref().filter(|_| write.leaves_total) {
        check(tx, write, &before.values)?;
    }
    Ok(Next::Go)
}

fn paths(app: &'static AppDef, entity: &'static EntityDef) -> Vec<Path> {
    entity.invariants.iter().flat_map(|invariant| total_paths(&invariant.condition, app)).collect()
}

/// Locks each row of a path, from the row to which the first reference leads to the row with the total.
fn lock_rows_of(tx: &mut Tx<'_>, path: Path, mut key: Value) -> Result<()> {
    let steps = path.steps(tx.app);
    for step in steps.iter().skip(1) {
        if key.is_null() {
            break;
        }
        key = lock_row(tx, *step, key)?;
    }
    Ok(())
}

/// Locks the row with this key. The result is the value of its field, if the field is stored.
fn lock_row(tx: &mut Tx<'_>, field: FieldAt, key: Value) -> Result<Value> {
    let (entity, field) = (field.entity(tx.app), field.field(tx.app));
    let kind = |of| BindKind::from_kind(of, tx.app).ok_or_else(|| Error::internal("a field without a column"));
    let read = if field.computed.is_some() { entity.key() } else { field };
    let mut select = Statement::new();
    select.push("SELECT ").ident(read.name).push(" FROM ").ident(entity.table).push(" WHERE ").ident(entity.key().name);
    select.push(" = ").bind(key, kind(entity.key().kind)?).push(" FOR NO KEY UPDATE");
    let kinds = [kind(read.kind)?];
    Ok(tx.conn.rows(&select, &kinds)?.into_iter().flatten().next().unwrap_or_default())
}
