//! The table of states: one row for each account, experience and tenant.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use uuid::Uuid;

use super::Position;
use crate::{
    Engine, Error, Result, Tx, Value,
    db::{BindKind, Statement},
    def::ExperienceDef,
    value::storage,
};

/// The column `state`.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Stored {
    context: Vec<(String, Json)>,
    run: Option<Uuid>,
    failure: Option<String>,
    ended: bool,
}

/// The columns of the key, with the values of the caller.
fn key_columns(tx: &Tx<'_>, def: &ExperienceDef) -> Result<Vec<(&'static str, Value, BindKind)>> {
    let account = tx.caller().account.as_ref().ok_or_else(Error::unauthenticated)?.id.clone();
    let kind = BindKind::from_kind(tx.app.account().key().kind, tx.app).ok_or_else(|| Error::internal("a key without a column"))?;
    let scope = tx.tenant().and_then(Value::to_key_text).unwrap_or_default();
    Ok(vec![
        ("account", account, kind),
        ("experience", Value::Text(def.name.to_owned()), BindKind::Text),
        ("scope", Value::Text(scope), BindKind::Text),
    ])
}

/// `WHERE` the columns of the key have the values of the caller.
fn push_key(tx: &Tx<'_>, def: &ExperienceDef, sql: &mut Statement) -> Result<()> {
    for (at, (name, value, kind)) in key_columns(tx, def)?.into_iter().enumerate() {
        sql.push(if at == 0 { " WHERE " } else { " AND " }).push(name).push(" = ").bind(value, kind);
    }
    Ok(())
}

/// The position of the caller: the stored one, or the first step.
///
/// # Errors
/// 401 for an anonymous caller, 503 if the database is unavailable.
pub(crate) fn load(tx: &mut Tx<'_>, def: &'static ExperienceDef) -> Result<Position> {
    let mut select = Statement::new();
    select.push("SELECT step, version, state FROM dz_experiences");
    push_key(tx, def, &mut select)?;
    if tx.conn.engine() == Engine::Postgres {
        select.push(" FOR UPDATE");
    }
    let row = tx.conn.rows(&select, &[BindKind::Text, BindKind::Int, BindKind::Text])?.into_iter().next();
    let Some([Value::Text(step), Value::Int(version), Value::Text(state)]) = row.as_deref() else { return Ok(Position::start(def)) };
    let stored: Stored = serde_json::from_str(state).unwrap_or_default();
    // The values that this version of the application still declares.
    let is_declared = |(name, _): &(String, Json)| def.context.iter().any(|value| value.name == name);
    let context: Vec<(String, Json)> = stored.context.into_iter().filter(is_declared).collect();
    Ok(match def.steps.iter().position(|known| known.name == step) {
        Some(step) => Position { step, version: *version, context, run: stored.run, failure: stored.failure, is_ended: stored.ended },
        None => Position { version: *version, context, ..Position::start(def) },
    })
}

/// Stores a changed position, and counts the change.
///
/// # Errors
/// 409 if another request changed it in the meantime; 503 if the database is unavailable.
pub(crate) fn save(tx: &mut Tx<'_>, def: &'static ExperienceDef, position: &mut Position) -> Result<()> {
    let stored =
        Stored { context: position.context.clone(), run: position.run, failure: position.failure.clone(), ended: position.is_ended };
    let text = storage::json_without_nul(&stored).map_err(Error::internal)?;
    let step = def.steps.get(position.step).map_or("", |step| step.name);
    let columns = [
        ("step", Value::Text(step.to_owned()), BindKind::Text),
        ("version", Value::Int(position.version + 1), BindKind::Int),
        ("state", Value::Text(text), BindKind::Text),
        ("changed_at", Value::DateTime(tx.now()), BindKind::DateTime),
    ];
    let sql = if position.version == 0 { insert(tx, def, &columns)? } else { update(tx, def, position.version, &columns)? };
    if tx.conn.execute(&sql)? == 0 {
        return Err(Error::new(409, "CONFLICT", "You continued on another page; open this one again"));
    }
    position.version += 1;
    Ok(())
}

fn insert(tx: &Tx<'_>, def: &ExperienceDef, columns: &[(&'static str, Value, BindKind)]) -> Result<Statement> {
    let mut all = key_columns(tx, def)?;
    all.extend(columns.iter().cloned());
    if tx.app.tenant().is_some() {
        all.push(("tenant", tx.tenant().cloned().unwrap_or_default(), BindKind::from_tenant_key(tx.app)?));
    }
    let mut sql = Statement::new();
    sql.push("INSERT INTO dz_experiences (");
    for (at, (name, ..)) in all.iter().enumerate() {
        sql.push(if at == 0 { "" } else { ", " }).push(name);
    }
    sql.push(") VALUES (");
    for (at, (_, value, kind)) in all.into_iter().enumerate() {
        sql.push(if at == 0 { "" } else { ", " }).bind(value, kind);
    }
    sql.push(") ON CONFLICT DO NOTHING");
    Ok(sql)
}

fn update(tx: &Tx<'_>, def: &ExperienceDef, version: i64, columns: &[(&'static str, Value, BindKind)]) -> Result<Statement> {
    let mut sql = Statement::new();
    sql.push("UPDATE dz_experiences");
    for (at, (name, value, kind)) in columns.iter().enumerate() {
        sql.push(if at == 0 { " SET " } else { ", " }).push(name).push(" = ").bind(value.clone(), *kind);
    }
    push_key(tx, def, &mut sql)?;
    sql.push(" AND version = ").bind(Value::Int(version), BindKind::Int);
    Ok(sql)
}
