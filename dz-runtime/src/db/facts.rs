//! Facts about the database, by their keys in `dz_meta`.

use super::{BindKind, Conn, Statement};
use crate::{Engine, Result, Value};

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// True if the server accepts no changes, as a replica or by its configuration. The file of SQLite shows this only to a change.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn is_read_only(conn: &mut Conn) -> Result<bool> {
    if conn.engine() == Engine::Sqlite {
        return Ok(false);
    }
    let mut select = Statement::new();
    select.push("SELECT current_setting('transaction_read_only') = 'on'");
    Ok(conn.rows(&select, &[BindKind::Bool])?.into_iter().flatten().next() == Some(Value::Bool(true)))
}

/// Stores a fact in place of an earlier one.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn write(conn: &mut Conn, key: &str, value: &str) -> Result<()> {
    let mut upsert = Statement::new();
    upsert.push("INSERT INTO dz_meta (key, value) VALUES (").bind(text(key), BindKind::Text).push(", ");
    upsert.bind(text(value), BindKind::Text).push(") ON CONFLICT (key) DO UPDATE SET value = excluded.value");
    conn.execute(&upsert).map(drop)
}

/// A fact, if it is stored.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn read(conn: &mut Conn, key: &str) -> Result<Option<String>> {
    let mut select = Statement::new();
    select.push("SELECT value FROM dz_meta WHERE key = ").bind(text(key), BindKind::Text);
    match conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(value)) => Ok(Some(value)),
        _ => Ok(None),
    }
}

/// The facts whose keys begin with `prefix`, which has no wildcards of `LIKE`.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn read_all(conn: &mut Conn, prefix: &str) -> Result<Vec<(String, String)>> {
    let mut select = Statement::new();
    select.push("SELECT key, value FROM dz_meta WHERE key LIKE ").bind(text(&format!("{prefix}%")), BindKind::Text);
    let rows = conn.rows(&select, &[BindKind::Text; 2])?.into_iter();
    Ok(rows
        .filter_map(|row| match <[Value; 2]>::try_from(row) {
            Ok([Value::Text(key), Value::Text(value)]) => Some((key, value)),
            _ => None,
        })
        .collect())
}

/// Replaces a fact, if it has the expected value; without one, if it is not stored. `None` as the new value removes it. False if another
/// transaction has changed it.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn replace(conn: &mut Conn, key: &str, expected: Option<&str>, value: Option<&str>) -> Result<bool> {
    let mut change = Statement::new();
    match (expected, value) {
        (None, None) => return read(conn, key).map(|stored| stored.is_none()),
        (None, Some(value)) => {
            change.push("INSERT INTO dz_meta (key, value) VALUES (").bind(text(key), BindKind::Text).push(", ");
            change.bind(text(value), BindKind::Text).push(") ON CONFLICT (key) DO NOTHING");
        }
        (Some(expected), value) => {
            match value {
                Some(value) => change.push("UPDATE dz_meta SET value = ").bind(text(value), BindKind::Text),
                None => change.push("DELETE FROM dz_meta"),
            };
            change.push(" WHERE key = ").bind(text(key), BindKind::Text).push(" AND value = ").bind(text(expected), BindKind::Text);
        }
    }
    conn.execute(&change).map(|changed| changed > 0)
}

/// Removes a fact.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn remove(conn: &mut Conn, key: &str) -> Result<()> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_meta WHERE key = ").bind(text(key), BindKind::Text);
    conn.execute(&delete).map(drop)
}
