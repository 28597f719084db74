//! Positions in the write-ahead log that a read must see: that of the last write of a session or token, and that of the last write that
//! withdrew rows from a caller.
//!
//! They are stored on the primary, in the table of the limits that instances share: a request reads them with its session, at every
//! instance, and for API tokens as for sessions, which need no cookie. A keyed hash of the token selects the row. Another token with the
//! same row can only lead to a later position. A row without a write for an hour is removed, since no replica in use is so far behind.

use super::{
    BindKind, Conn, Statement,
    replicas::AS_NUMBER,
    shared_limits::{LimitRow, SharedLimits, where_row},
};
use crate::{Result, Value};

/// The row of the last write that withdrew rows.
const WITHDRAWAL: LimitRow = LimitRow { kind: "withdrawal", slot: 0 };

impl SharedLimits {
    fn position_row(&self, token: &str) -> LimitRow {
        self.row("position", token)
    }

    /// Stores the current position for a session or an API token that has just written.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn note_position(&self, token: &str) -> Result<()> {
        let note = note(self.position_row(token), self.now());
        self.db.read(&mut |conn| conn.execute(&note).map(drop))
    }

    /// The position that a read with this session or API token must see.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn find_position(&self, conn: &mut Conn, token: &str) -> Result<i64> {
        let mut select = Statement::new();
        select.push("SELECT COALESCE(max(free_at), 0) FROM (SELECT free_at FROM dz_limits").append(where_row(WITHDRAWAL));
        select.push(" UNION ALL SELECT free_at FROM dz_limits").append(where_row(self.position_row(token))).push(") AS positions");
        match conn.rows(&select, &[BindKind::Int])?.into_iter().flatten().next() {
            Some(Value::Int(position)) => Ok(position),
            _ => Ok(i64::MAX),
        }
    }
}

/// Stores the current position of a write that withdrew rows from a caller.
///
/// # Errors
/// 503 if the database is unavailable.
pub(super) fn note_withdrawal(conn: &mut Conn) -> Result<()> {
    let mut now = Statement::new();
    now.push("(extract(epoch FROM now()) * 1000000)::bigint");
    conn.execute(&note(WITHDRAWAL, now)).map(drop)
}

/// The statement that stores the current position in a row. Of two statements the second one waits for the row, and computes the position
/// afterwards. The position needs no flush of its own: a replica has only what the primary has flushed.
fn note(row: LimitRow, now: Statement) -> Statement {
    let mut insert = Statement::new();
    insert
        .push("INSERT INTO dz_limits (kind, slot, count, free_at, used_at) SELECT ")
        .bind(Value::Text(row.kind.to_owned()), BindKind::Text);
    insert.push("::text, ").bind(Value::Int(row.slot), BindKind::Int).push("::bigint, 0, (pg_current_wal_insert_lsn()").push(AS_NUMBER);
    insert
        .push(", ")
        .append(now)
        .push(" FROM (SELECT set_config('synchronous_commit', 'off', true) AS mode) AS quick WHERE quick.mode = 'off'");
    insert
        .push(" ON CONFLICT (kind, slot) DO UPDATE SET used_at = excluded.used_at, free_at = (pg_current_wal_insert_lsn()")
        .push(AS_NUMBER);
    insert
}
