//! Limits that the instances of an application share: counts in a table of PostgreSQL, by the clock of the server.
//!
//! A keyed hash of an account or an address selects its row, so the table has a maximum size, and no client can choose the row of
//! another. The key is a random value in the database, so that all instances find the same row. SQLite has no such table, because one
//! machine runs its instances: each process counts in memory.

use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::{
    Clock, Engine, Error, Result, Value,
    db::{BindKind, Database, Statement, facts},
};

/// The rows of each kind of limit.
const SLOTS: u64 = 1 << 18;
/// The key of the hash in `dz_meta`.
const HASH_KEY: &str = "limits_key";
/// Rows without a use for this time are removed; no limit lasts as long.
const KEPT: Duration = Duration::from_secs(3_600);

/// Access to the shared counts.
pub(crate) struct SharedLimits {
    pub(crate) db: Database,
    clock: Clock,
    key: String,
}

/// A row of the table: a kind of limit, and the slot of an account or an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LimitRow {
    pub(crate) kind: &'static str,
    pub(crate) slot: i64,
}

impl SharedLimits {
    /// The shared counts of a database; `None` on SQLite.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn open(db: &Database, clock: &Clock) -> Result<Option<SharedLimits>> {
        if db.engine() == Engine::Sqlite {
            return Ok(None);
        }
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(Error::internal)?;
        let new: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut insert = Statement::new();
        insert.push("INSERT INTO dz_meta (key, value) VALUES (").bind(text(HASH_KEY), BindKind::Text).push(", ");
        insert.bind(text(&new), BindKind::Text).push(") ON CONFLICT (key) DO NOTHING");
        let stored = db.write(&mut |conn| {
            conn.execute(&insert)?;
            facts::read(conn, HASH_KEY)
        })?;
        let key = stored.ok_or_else(|| Error::internal("the key of the shared limits is missing"))?;
        Ok(Some(SharedLimits { db: db.clone(), clock: clock.clone(), key }))
    }

    /// The row of an account or an address.
    pub(crate) fn row(&self, kind: &'static str, of: &str) -> LimitRow {
        let digest = Sha256::new().chain_update(&self.key).chain_update(kind).chain_update("\0").chain_update(of).finalize();
        let number = digest.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        LimitRow { kind, slot: i64::try_from(number % SLOTS).unwrap_or_default() }
    }

    /// The current time in microseconds, as SQL: that of the server, whose clock all instances share, or the time of a stopped clock.
    pub(crate) fn now(&self) -> Statement {
        let mut now = Statement::new();
        match self.clock.stopped_micros() {
            Some(at) => now.bind(Value::Int(at), BindKind::Int).push("::bigint"),
            None => now.push("(extract(epoch FROM now()) * 1000000)::bigint"),
        };
        now
    }

    /// `INSERT … ON CONFLICT DO UPDATE SET `, with the values of a new row. `free_after` is the time from now to `free_at`.
    pub(crate) fn upsert(&self, row: LimitRow, count: i64, free_after: i64) -> Statement {
        let mut insert = Statement::new();
        insert.push("INSERT INTO dz_limits AS it (kind, slot, count, free_at, used_at) SELECT ").bind(text(row.kind), BindKind::Text);
        insert.push("::text, ").bind(Value::Int(row.slot), BindKind::Int).push("::bigint, ").bind(Value::Int(count), BindKind::Int);
        insert.push("::bigint, now.at + ").bind(Value::Int(free_after), BindKind::Int).push("::bigint, now.at FROM (SELECT ");
        insert.append(self.now()).push(" AS at) AS now ON CONFLICT (kind, slot) DO UPDATE SET used_at = excluded.used_at, ");
        insert
    }

    /// Removes rows that were not used for an hour.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn delete_unused(&self) -> Result<usize> {
        let mut delete = Statement::new();
        delete.push("DELETE FROM dz_limits WHERE used_at < ").append(self.now()).push(" - ").bind(micros(KEPT), BindKind::Int);
        self.db.write(&mut |conn| conn.execute(&delete))
    }
}

/// ` WHERE` the row.
pub(crate) fn where_row(row: LimitRow) -> Statement {
    let mut condition = Statement::new();
    condition.push(" WHERE kind = ").bind(text(row.kind), BindKind::Text);
    condition.push(" AND slot = ").bind(Value::Int(row.slot), BindKind::Int);
    condition
}

/// A duration in microseconds.
pub(crate) fn micros(duration: Duration) -> Value {
    Value::Int(i64::try_from(duration.as_micros()).unwrap_or(i64::MAX))
}

/// Whole numbers of a result.
pub(crate) fn numbers(rows: Vec<Vec<Value>>) -> Vec<i64> {
    rows.into_iter().flatten().map(|value| if let Value::Int(number) = value { number } else { 0 }).collect()
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}
