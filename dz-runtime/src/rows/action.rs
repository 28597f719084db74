//! Custom actions, which `permit:` names and the application implements.

use serde_json::Value as Json;

use crate::{
    Error, Result, Tx, Value,
    def::EntityDef,
    rows::{Row, load_values, lock, mask, record_write},
};

/// Loads the row under its rule, runs the handler and writes the audit record; the role was checked for `action`.
///
/// # Errors
/// 404, 403 and 412 for the row; 501 if the action has no handler; errors of the handler.
pub(crate) fn run_action(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    key: &Value,
    action: &'static str,
    sent: Json,
    version: Option<i64>,
) -> Result<Json> {
    let row = lock(tx, entity, action, key, version)?;
    // The response can contain the row.
    let shown = mask(tx, entity, row.clone())?;
    let hooks = tx.hooks.clone();
    let unknown = || Error::new(501, "NOT_IMPLEMENTED", format!("`{action}` is declared but has no handler"));
    let answer = hooks.find_action(entity.ix, action).ok_or_else(unknown)?(tx, &shown, sent)?;
    let after = load_values(tx, entity, key)?;
    let after = after.map(|values| Row { values, version: row.version, extra: Vec::new() });
    record_write(tx, entity, action, Some(&row), after.as_ref().or(Some(&row)))?;
    Ok(answer)
}
