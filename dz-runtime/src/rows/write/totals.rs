//! Invariants over a total of a referenced row, such as `lot.balance >= 0` in an entry of the lot.
//!
//! The row that is written is part of the total, so they are checked after it is stored. On PostgreSQL two transactions do not see each
//! other's rows: the row with the total is locked first, and the second transaction waits for the end of the first.

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
            lock_rows_of(tx, write.entity, path, &write.values)?;
        }
    }
    Ok(Next::Go)
}

/// Checks the invariants that read totals.
pub(super) fn check_totals(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    if let Some(row) = write.after.as_ref().filter(|_| !paths(tx.app, write.entity).is_empty()) {
        WriteCondition::on_totals(tx, write.entity, &row.values, write.awaits_children).check(tx, write.entity, None)?;
    }
    Ok(Next::Go)
}

fn paths(app: &'static AppDef, entity: &'static EntityDef) -> Vec<Path> {
    entity.invariants.iter().flat_map(|invariant| total_paths(&invariant.condition, app)).collect()
}

/// Locks each row of a path, from the first reference to the row with the total.
fn lock_rows_of(tx: &mut Tx<'_>, entity: &'static EntityDef, path: Path, values: &[Value]) -> Result<()> {
    let steps = path.steps(tx.app);
    let first = path.first().position_in(entity);
    let mut key = first.and_then(|at| values.get(usize::from(at))).cloned().unwrap_or_default();
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
