//! The table of jobs: storing, claiming, and the result of an attempt.
//!
//! An instance works on a job under a lease, which it renews; it takes over a job whose lease has expired. A lease is measured by the
//! clock of the database (`Database::lease_time`), also where a test sets the time of the application.

mod attempt;
mod lease;
mod listing;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

pub(crate) use attempt::{Failure, complete, fail, remove, store_progress};
pub(crate) use lease::{RENEWAL, release_leases, renew_lease};
pub(crate) use listing::{JobState, StoredJob, cancel, find, list, retry};

use self::lease::LEASE;
use super::SpawnedJob;
use crate::{
    Engine, Error, Result, Value,
    db::{BindKind, Conn, Statement, Work},
    def::AppDef,
    trace,
};

/// How long a job that has ended, or was cancelled, stays in the table.
const ENDED_LIFETIME: TimeDelta = TimeDelta::days(7);

/// A job to store.
pub(crate) struct NewJob<'j> {
    pub(crate) name: &'j str,
    pub(crate) payload: &'j str,
    pub(crate) priority: i32,
    pub(crate) unique_key: Option<String>,
    pub(crate) max_attempts: u32,
    pub(crate) run_at: DateTime<Utc>,
    pub(crate) tenant: Option<Value>,
}

/// Between the tenant and the unique key of a job, so that the keys of different tenants are independent.
const AFTER_TENANT: char = '\u{1f}';

impl NewJob<'_> {
    fn stored_key(&self) -> Option<String> {
        let key = self.unique_key.as_deref()?;
        let tenant = self.tenant.as_ref().and_then(Value::to_key_text);
        Some(tenant.map_or_else(|| key.to_owned(), |tenant| format!("{tenant}{AFTER_TENANT}{key}")))
    }
}

/// A job whose lease this instance holds.
pub(crate) struct ClaimedJob {
    pub(crate) id: Uuid,
    /// The holder of the lease.
    pub(crate) runner: Uuid,
    pub(crate) name: String,
    pub(crate) payload: String,
    /// The number of the attempt, from 1.
    pub(crate) attempt: u32,
    pub(crate) max_attempts: u32,
    pub(crate) tenant: Option<Value>,
    /// The trace that it continues.
    pub(crate) trace: Option<String>,
}

fn text(text: &str) -> Value {
    // PostgreSQL has no NUL in texts.
    Value::Text(text.replace('\0', ""))
}

/// The kind of the keys of tenants, in an application with tenants.
fn tenant_kind(app: &AppDef) -> Result<Option<BindKind>> {
    app.tenant().map(|_| BindKind::from_tenant_key(app)).transpose()
}

/// Stores a job, unless a queued or running one of the same tenant has its key.
pub(crate) fn insert(conn: &mut Conn, app: &'static AppDef, new: &NewJob<'_>, now: DateTime<Utc>) -> Result<SpawnedJob> {
    let id = Uuid::now_v7();
    let tenant = tenant_kind(app)?;
    let unique_key = new.stored_key().as_deref().map_or(Value::Null, text);
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_jobs (");
    if tenant.is_some() {
        insert.push("tenant, ");
    }
    insert.push(
        "id, name, payload, priority, unique_key, max_attempts, created_at, run_at, state, attempts, progress_done, progress_total, note, \
         error, trace) VALUES (",
    );
    if let Some(kind) = tenant {
        insert.bind(new.tenant.clone().unwrap_or_default(), kind).push(", ");
    }
    insert.bind(Value::Uuid(id), BindKind::Uuid).push(", ").bind(text(new.name), BindKind::Text).push(", ");
    insert.bind(text(new.payload), BindKind::Text).push(", ").bind(Value::Int(new.priority.into()), BindKind::Int).push(", ");
    insert.bind(unique_key.clone(), BindKind::Text).push(", ");
    insert.bind(Value::Int(new.max_attempts.into()), BindKind::Int).push(", ").bind(Value::DateTime(now), BindKind::DateTime);
    insert.push(", ").bind(Value::DateTime(new.run_at), BindKind::DateTime);
    insert.push(", 'queued', 0, 0, 0, '', '', ").bind(trace::traceparent().as_deref().map_or(Value::Null, text), BindKind::Text);
    insert.push(") ON CONFLICT DO NOTHING");
    if conn.execute(&insert)? > 0 {
        conn.request_wake(Work::Jobs);
        return Ok(SpawnedJob { id, is_new: true });
    }
    let mut select = Statement::new();
    select.push("SELECT id FROM dz_jobs WHERE name = ").bind(text(new.name), BindKind::Text).push(" AND unique_key = ");
    select.bind(unique_key, BindKind::Text);
    match conn.rows(&select, &[BindKind::Uuid])?.into_iter().flatten().next() {
        Some(Value::Uuid(id)) => Ok(SpawnedJob { id, is_new: false }),
        // The other job ended meanwhile.
        _ => Err(Error::new(409, "CONFLICT", "The job with the same key has just ended; try again")),
    }
}

/// Appends the condition for jobs that can be claimed.
fn push_claimable(statement: &mut Statement, now: DateTime<Utc>, machine: DateTime<Utc>) {
    statement.push(" WHERE (state = 'queued' AND run_at <= ").bind(Value::DateTime(now), BindKind::DateTime);
    statement.push(") OR (state = 'running' AND leased_until <= ").bind(Value::DateTime(machine), BindKind::DateTime).push(")");
}

/// True if a job can be claimed.
pub(crate) fn has_claimable(conn: &mut Conn, now: DateTime<Utc>, machine: DateTime<Utc>) -> Result<bool> {
    let mut select = Statement::new();
    select.push("SELECT id FROM dz_jobs");
    push_claimable(&mut select, now, machine);
    select.push(" LIMIT 1");
    Ok(!conn.rows(&select, &[BindKind::Uuid])?.is_empty())
}

/// The jobs from which one is claimed.
#[derive(Debug, Clone, Copy)]
enum Candidates {
    /// Due jobs of the highest priority of all queued jobs.
    First,
    /// Due jobs of a priority.
    Priority(i64),
    /// Jobs whose lease has expired.
    Expired,
}

/// Claims the first job that is due or whose lease has expired; `expired_first` says which of them has precedence. On PostgreSQL, jobs that
/// another instance claims at the same time are skipped; SQLite has one writer.
///
/// Each statement is complete in itself. An attempt counts when it starts, so that a job that ends its process becomes a dead letter like
/// one that fails.
pub(crate) fn claim(
    conn: &mut Conn,
    app: &'static AppDef,
    now: DateTime<Utc>,
    machine: DateTime<Utc>,
    expired_first: bool,
) -> Result<Option<ClaimedJob>> {
    use Candidates::{Expired, First};
    let order = if expired_first { [Expired, First] } else { [First, Expired] };
    for candidates in order {
        if let Some(job) = claim_from(conn, app, candidates, now, machine)? {
            return Ok(Some(job));
        }
    }
    // The jobs of the highest priority can all have a later time.
    let mut priority = next_priority(conn, None)?;
    while let Some(above) = priority {
        priority = next_priority(conn, Some(above))?;
        let Some(priority) = priority else { break };
        if let Some(job) = claim_from(conn, app, Candidates::Priority(priority), now, machine)? {
            return Ok(Some(job));
        }
    }
    Ok(None)
}

/// The highest priority of queued jobs, below another one.
fn next_priority(conn: &mut Conn, below: Option<i64>) -> Result<Option<i64>> {
    let mut select = Statement::new();
    select.push("SELECT priority FROM dz_jobs WHERE state = 'queued'");
    if let Some(below) = below {
        select.push(" AND priority < ").bind(Value::Int(below), BindKind::Int);
    }
    select.push(" ORDER BY priority DESC LIMIT 1");
    Ok(match conn.rows(&select, &[BindKind::Int])?.into_iter().flatten().next() {
        Some(Value::Int(priority)) => Some(priority),
        _ => None,
    })
}

/// Claims the first of some jobs. A job without a further attempt becomes a dead letter, and the next one is claimed.
fn claim_from(
    conn: &mut Conn,
    app: &'static AppDef,
    candidates: Candidates,
    now: DateTime<Utc>,
    machine: DateTime<Utc>,
) -> Result<Option<ClaimedJob>> {
    let tenant = tenant_kind(app)?;
    let mut kinds = vec![BindKind::Text, BindKind::Uuid, BindKind::Text, BindKind::Text, BindKind::Int, BindKind::Int, BindKind::Text];
    kinds.extend(tenant);
    loop {
        let runner = Uuid::now_v7();
        let mut update = Statement::new();
        let attempt = " = CASE WHEN attempts < max_attempts THEN ";
        update
            .push("UPDATE dz_jobs SET state")
            .push(attempt)
            .push("'running' ELSE 'dead' END, progress_done = 0, progress_total = 0, note = ''");
        update.push(", runner").push(attempt).bind(Value::Uuid(runner), BindKind::Uuid).push(" END, leased_until").push(attempt);
        update.bind(Value::DateTime(machine + LEASE), BindKind::DateTime).push(" END, unique_key").push(attempt).push("unique_key END");
        update.push(", error").push(attempt).push("error ELSE ");
        update
            .bind(text("the process ended during the last attempt"), BindKind::Text)
            .push(" END, ended_at")
            .push(attempt)
            .push("ended_at ELSE ");
        update.bind(Value::DateTime(now), BindKind::DateTime).push(" END, attempts").push(attempt).push("attempts + 1 ELSE attempts END");
        update.push(" WHERE id = (SELECT id FROM dz_jobs WHERE state = ");
        match candidates {
            Candidates::First => {
                update.push("'queued' AND priority = (SELECT max(priority) FROM dz_jobs WHERE state = 'queued') AND run_at <= ");
                update.bind(Value::DateTime(now), BindKind::DateTime)
            }
            Candidates::Priority(priority) => {
                update.push("'queued' AND priority = ").bind(Value::Int(priority), BindKind::Int).push(" AND run_at <= ");
                update.bind(Value::DateTime(now), BindKind::DateTime)
            }
            Candidates::Expired => update.push("'running' AND leased_until <= ").bind(Value::DateTime(machine), BindKind::DateTime),
        };
        update.push(" ORDER BY priority DESC, run_at, id LIMIT 1");
        update.push(if conn.engine() == Engine::Postgres { " FOR UPDATE SKIP LOCKED)" } else { ")" });
        update.push(" RETURNING state, id, name, payload, attempts, max_attempts, trace").push(if tenant.is_some() {
            ", tenant"
        } else {
            ""
        });
        let Some(row) = conn.rows(&update, &kinds)?.into_iter().next() else { return Ok(None) };
        if row.first() == Some(&text("running")) {
            return read_claimed(row, runner).map(Some);
        }
    }
}

fn read_claimed(row: Vec<Value>, runner: Uuid) -> Result<ClaimedJob> {
    let mut row = row.into_iter().skip(1);
    match (row.next(), row.next(), row.next(), row.next(), row.next()) {
        (
            Some(Value::Uuid(id)),
            Some(Value::Text(name)),
            Some(Value::Text(payload)),
            Some(Value::Int(attempt)),
            Some(Value::Int(max_attempts)),
        ) => {
            let count = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
            let trace = if let Some(Value::Text(trace)) = row.next() { Some(trace) } else { None };
            let tenant = row.next().filter(|tenant| !tenant.is_null());
            Ok(ClaimedJob { id, runner, name, payload, attempt: count(attempt), max_attempts: count(max_attempts), tenant, trace })
        }
        _ => Err(Error::internal("a job without a name")),
    }
}

/// The next times at which a job can be claimed.
pub(crate) struct NextTimes {
    /// A queued job is due.
    pub(crate) due: Option<DateTime<Utc>>,
    /// A lease expires, by the clock of the machine.
    pub(crate) expires: Option<DateTime<Utc>>,
}

/// The first time of queued jobs: the first of each priority, which an index finds, and of these the earliest.
const FIRST_TIME: &str = "WITH RECURSIVE p (n) AS (SELECT max(priority) FROM dz_jobs WHERE state = 'queued' UNION ALL \
    SELECT (SELECT max(priority) FROM dz_jobs WHERE state = 'queued' AND priority < p.n) FROM p WHERE p.n IS NOT NULL) \
    SELECT min((SELECT min(run_at) FROM dz_jobs WHERE state = 'queued' AND priority = p.n)) FROM p";

/// The next times at which a job can be claimed.
pub(crate) fn next_times(conn: &mut Conn) -> Result<NextTimes> {
    let mut first = |sql: &str| -> Result<Option<DateTime<Utc>>> {
        let mut select = Statement::new();
        select.push(sql);
        Ok(match conn.rows(&select, &[BindKind::DateTime])?.into_iter().flatten().next() {
            Some(Value::DateTime(at)) => Some(at),
            _ => None,
        })
    };
    Ok(NextTimes { due: first(FIRST_TIME)?, expires: first("SELECT min(leased_until) FROM dz_jobs WHERE state = 'running'")? })
}
