//! The last backup and the last failed one, facts about the database in `dz_meta`.

use chrono::{DateTime, SecondsFormat, Utc};

use super::{BindKind, Conn, Statement, facts};
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

/// Records a backup.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn record(conn: &mut Conn, at: DateTime<Utc>) -> Result<()> {
    facts::write(conn, KEY, &time_text(at))?;
    facts::remove(conn, FAILURE)
}

/// Records a failed attempt, until a backup succeeds.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn record_failure(conn: &mut Conn, at: DateTime<Utc>, reason: &str) -> Result<()> {
    let reason: String = reason.chars().filter(|letter| *letter != '\0').take(MAX_REASON_LENGTH).collect();
    facts::write(conn, FAILURE, &format!("{} {reason}", time_text(at)))
}

/// The last backup, and the time and the reason of the last attempt if it failed.
#[derive(Debug, Default)]
pub(crate) struct Backups {
    pub last: Option<DateTime<Utc>>,
    pub failed: Option<(DateTime<Utc>, String)>,
}

/// Reads both.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn read(conn: &mut Conn) -> Result<Backups> {
    let mut select = Statement::new();
    select.push("SELECT key, value FROM dz_meta WHERE key IN (").bind(text(KEY), BindKind::Text).push(", ");
    select.bind(text(FAILURE), BindKind::Text).push(")");
    let mut found = Backups::default();
    for row in conn.rows(&select, &[BindKind::Text; 2])? {
        let Ok([Value::Text(key), Value::Text(value)]) = <[Value; 2]>::try_from(row) else { continue };
        if key == KEY {
            found.last = value.parse().ok();
        } else {
            found.failed = value.split_once(' ').and_then(|(at, reason)| Some((at.parse().ok()?, reason.to_owned())));
        }
    }
    Ok(found)
}
