//! The background work and the runs that the database stores, as numbers.

use chrono::{DateTime, Utc};

use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement, backup_time},
    def::AppDef,
    process::view::STATUSES,
};

/// The states of jobs that are counted; ended jobs expire.
const JOB_STATES: [&str; 3] = ["queued", "running", "dead"];

/// Numbers of stored work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StoredWork {
    /// Events that subscribers have not processed yet.
    pub(crate) pending_events: i64,
    /// Events that were rejected repeatedly.
    pub(crate) dead_events: i64,
    /// Jobs by state.
    pub(crate) jobs: Vec<(String, i64)>,
    /// Runs of processes by status; empty without processes.
    pub(crate) runs: Vec<(String, i64)>,
    /// The time of the last backup.
    pub(crate) last_backup: Option<DateTime<Utc>>,
    /// The time and the reason of the last backup, if it failed.
    pub(crate) failed_backup: Option<(DateTime<Utc>, String)>,
}

impl StoredWork {
    /// Counts the stored work.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn count(conn: &mut Conn, app: &'static AppDef) -> Result<StoredWork> {
        let mut select = Statement::new();
        select.push("SELECT (SELECT count(*) FROM dz_outbox), (SELECT count(*) FROM dz_dead_letters)");
        let (pending_events, dead_events) = match conn.rows(&select, &[BindKind::Int; 2])?.into_iter().next().as_deref() {
            Some([Value::Int(pending), Value::Int(dead)]) => (*pending, *dead),
            _ => (0, 0),
        };
        let mut jobs = groups(conn, "SELECT state, count(*) FROM dz_jobs GROUP BY state")?;
        let backups = backup_time::read(conn)?;
        jobs.retain(|(state, _)| JOB_STATES.contains(&state.as_str()));
        Ok(StoredWork {
            pending_events,
            dead_events,
            jobs: complete(jobs, &JOB_STATES),
            runs: match app.processes.is_empty() {
                true => Vec::new(),
                false => complete(groups(conn, "SELECT status, count(*) FROM dz_runs GROUP BY status")?, &STATUSES),
            },
            last_backup: backups.last,
            failed_backup: backups.failed,
        })
    }
}

/// Rows of a text and a number.
fn groups(conn: &mut Conn, sql: &str) -> Result<Vec<(String, i64)>> {
    let mut select = Statement::new();
    select.push(sql);
    let rows = conn.rows(&select, &[BindKind::Text, BindKind::Int])?;
    let pair = |row: Vec<Value>| match <[Value; 2]>::try_from(row) {
        Ok([Value::Text(name), Value::Int(count)]) => Some((name, count)),
        _ => None,
    };
    Ok(rows.into_iter().filter_map(pair).collect())
}

/// Adds the names without a row.
fn complete(found: Vec<(String, i64)>, names: &[&str]) -> Vec<(String, i64)> {
    let count = |name: &str| found.iter().find(|(known, _)| known == name).map_or(0, |(_, count)| *count);
    names.iter().map(|name| ((*name).to_owned(), count(name))).collect()
}
