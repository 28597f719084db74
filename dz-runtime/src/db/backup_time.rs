//! The time of the last backup, a fact about the database in `dz_meta`.

use chrono::{DateTime, SecondsFormat, Utc};

use super::{BindKind, Conn, Statement};
use crate::{Result, Value};

/// The key in `dz_meta`.
const KEY: &str = "last_backup";

/// Records a backup.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn record(conn: &mut Conn, at: DateTime<Utc>) -> Result<()> {
    let text = |text: &str| Value::Text(text.to_owned());
    let mut upsert = Statement::new();
    upsert.push("INSERT INTO dz_meta (key, value) VALUES (").bind(text(KEY), BindKind::Text).push(", ");
    upsert.bind(text(&at.to_rfc3339_opts(SecondsFormat::Secs, true)), BindKind::Text);
    upsert.push(") ON CONFLICT (key) DO UPDATE SET value = excluded.value");
    conn.execute(&upsert).map(drop)
}

/// The time of the last backup.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn read(conn: &mut Conn) -> Result<Option<DateTime<Utc>>> {
    let mut select = Statement::new();
    select.push("SELECT value FROM dz_meta WHERE key = ").bind(Value::Text(KEY.to_owned()), BindKind::Text);
    match conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(at)) => Ok(at.parse().ok()),
        _ => Ok(None),
    }
}
