//! The last backup and the last failed one, facts about the database in `dz_meta`.

use chrono::{DateTime, SecondsFormat, Utc};

use super::{BindKind, Conn, Statement};
use crate::{Result, Value};

/// The key in `dz_meta` of the last backup.
const KEY: &str = "last_backup";
/// The key of the last attempt, if it failed.
const FAILURE: &str = "last_backup_failure";
/// The maximum length of a stored reason.
const MAX_REASON_LENGTH: usize = 500;

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn time_text(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn write(conn: &mut Conn, key: &str, value: &str) -> Result<()> {
    let mut upsert = Statement::new();
    upsert.push("INSERT INTO dz_meta (key, value) VALUES (").bind(text(key), BindKind::Text).push(", ");
    upsert.bind(text(value), BindKind::Text).push(") ON CONFLICT (key) DO UPDATE SET value = excluded.value");
    conn.execute(&upsert).map(drop)
}

fn find(conn: &mut Conn, key: &str) -> Result<Option<String>> {
    let mut select = Statement::new();
    select.push("SELECT value FROM dz_meta WHERE key = ").bind(text(key), BindKind::Text);
    match conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(value)) => Ok(Some(value)),
        _ => Ok(None),
    }
}

/// Records a backup.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn record(conn: &mut Conn, at: DateTime<Utc>) -> Result<()> {
    write(conn, KEY, &time_text(at))?;
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_meta WHERE key = ").bind(text(FAILURE), BindKind::Text);
    conn.execute(&delete).map(drop)
}

/// Records a failed attempt, until a backup succeeds.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn record_failure(conn: &mut Conn, at: DateTime<Utc>, reason: &str) -> Result<()> {
    let reason: String = reason.chars().filter(|letter| *letter != '\0').take(MAX_REASON_LENGTH).collect();
    write(conn, FAILURE, &format!("{} {reason}", time_text(at)))
}

/// The time of the last backup.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn read(conn: &mut Conn) -> Result<Option<DateTime<Utc>>> {
    Ok(find(conn, KEY)?.and_then(|at| at.parse().ok()))
}

/// The time and the reason of the last attempt, if it failed.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn read_failure(conn: &mut Conn) -> Result<Option<(DateTime<Utc>, String)>> {
    let Some(value) = find(conn, FAILURE)? else { return Ok(None) };
    let Some((at, reason)) = value.split_once(' ') else { return Ok(None) };
    Ok(at.parse().ok().map(|at| (at, reason.to_owned())))
}
