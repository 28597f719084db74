//! Whether a caller may refer to rows, for keys that are not stored in a row.

use super::{
    check::is_of_kind,
    list::from_clause,
    select::{ROW, column},
};
use crate::{
    Result, Tx, Value, access,
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::{EntityDef, Expr, reads_behind},
};

/// True if the caller may refer to all rows with these keys: each exists and is readable, or is an account that may be named.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn are_referable(tx: &mut Tx<'_>, entity: &'static EntityDef, keys: &[Value]) -> Result<bool> {
    let Some(kind) = BindKind::from_kind(entity.key().kind, tx.app) else { return Ok(false) };
    if keys.iter().any(|key| key.is_null() || !is_of_kind(tx.app, entity.key().kind, key)) {
        return Ok(false);
    }
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let mut select = Statement::new();
    select.push("SELECT ").push(&column(ROW, entity.key().name)).append(from_clause(&emit, entity)).push(" WHERE ");
    match access::reference_condition(&emit, entity, ROW) {
        Condition::Never => return Ok(keys.is_empty()),
        Condition::Always => {}
        Condition::Rows(visible) => {
            select.append(visible).push(" AND ");
        }
    }
    select.push(&column(ROW, entity.key().name)).in_list(emit.engine, keys.iter().cloned(), kind);
    let found = tx.conn.rows(&select, &[kind])?;
    let found: std::collections::HashSet<String> = found.into_iter().flatten().filter_map(|key| key.to_key_text()).collect();
    Ok(keys.iter().all(|key| key.to_key_text().is_some_and(|key| found.contains(&key))))
}

/// Sets references to null if the caller may not refer to their rows and one of the conditions reads values of these rows: a client that
/// chooses the reference would learn the values.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn hide_unseen(tx: &mut Tx<'_>, entity: &'static EntityDef, values: &mut [Value], conditions: &[&'static Expr]) -> Result<()> {
    for (at, value) in (0..).zip(values.iter_mut()).filter(|(_, value)| !value.is_null()) {
        let Some(target) = entity.field(at).kind.target() else { continue };
        if conditions.iter().any(|condition| reads_behind(entity, condition, &[at]))
            && !are_referable(tx, tx.app.entity(target), std::slice::from_ref(value))?
        {
            *value = Value::Null;
        }
    }
    Ok(())
}
