//! Jobs for administrators and operators: lists and actions.

use chrono::{DateTime, Utc};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::{AFTER_TENANT, ENDED_LIFETIME};
use crate::{
    Error, Result, Value,
    db::{BindKind, Conn, Statement, Work},
    field::datetime_text,
};

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobState {
    Queued,
    Running,
    Done,
    Dead,
    Cancelled,
}

impl JobState {
    pub(crate) const ALL: [JobState; 5] = [JobState::Queued, JobState::Running, JobState::Done, JobState::Dead, JobState::Cancelled];

    /// The name in the table, in addresses and in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            JobState::Queued => "queued",
            JobState::Running => "running",
            JobState::Done => "done",
            JobState::Dead => "dead",
            JobState::Cancelled => "cancelled",
        }
    }

    /// The state with a name.
    pub(crate) fn from_name(name: &str) -> Option<JobState> {
        JobState::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// A job in the table.
#[derive(Debug, Clone)]
pub(crate) struct StoredJob {
    pub(crate) id: Uuid,
    pub(crate) name: String,
    pub(crate) state: JobState,
    pub(crate) payload: String,
    pub(crate) priority: i64,
    pub(crate) unique_key: Option<String>,
    pub(crate) attempts: i64,
    pub(crate) max_attempts: i64,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) run_at: DateTime<Utc>,
    pub(crate) ended_at: Option<DateTime<Utc>>,
    pub(crate) done: i64,
    pub(crate) total: i64,
    pub(crate) note: String,
    pub(crate) error: String,
}

const COLUMNS: &str = "id, name, state, payload, priority, unique_key, attempts, max_attempts, created_at, run_at, ended_at, \
                       progress_done, progress_total, note, error";
const KINDS: [BindKind; 15] = [
    BindKind::Uuid,
    BindKind::Text,
    BindKind::Text,
    BindKind::Text,
    BindKind::Int,
    BindKind::Text,
    BindKind::Int,
    BindKind::Int,
    BindKind::DateTime,
    BindKind::DateTime,
    BindKind::DateTime,
    BindKind::Int,
    BindKind::Int,
    BindKind::Text,
    BindKind::Text,
];

/// At most `limit` jobs, the latest first; with a state, those in it.
pub(crate) fn list(conn: &mut Conn, state: Option<JobState>, limit: u32) -> Result<Vec<StoredJob>> {
    let mut select = Statement::new();
    select.push("SELECT ").push(COLUMNS).push(" FROM dz_jobs");
    if let Some(state) = state {
        select.push(" WHERE state = ").bind(Value::Text(state.name().to_owned()), BindKind::Text);
    }
    select.push(" ORDER BY id DESC LIMIT ").bind(Value::Int(limit.into()), BindKind::Int);
    conn.rows(&select, &KINDS)?.into_iter().map(read).collect()
}

/// The job with an id.
pub(crate) fn find(conn: &mut Conn, id: Uuid) -> Result<Option<StoredJob>> {
    let mut select = Statement::new();
    select.push("SELECT ").push(COLUMNS).push(" FROM dz_jobs WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid);
    conn.rows(&select, &KINDS)?.into_iter().next().map(read).transpose()
}

/// Queues dead letters and cancelled jobs again, with all their attempts: the job with this id, or all dead letters. Returns their
/// number.
pub(crate) fn retry(conn: &mut Conn, id: Option<Uuid>, now: DateTime<Utc>) -> Result<usize> {
    let mut update = Statement::new();
    update.push("UPDATE dz_jobs SET state = 'queued', attempts = 0, ended_at = NULL, expires_at = NULL, run_at = ");
    update.bind(Value::DateTime(now), BindKind::DateTime);
    match id {
        Some(id) => update.push(" WHERE state IN ('dead', 'cancelled') AND id = ").bind(Value::Uuid(id), BindKind::Uuid),
        None => update.push(" WHERE state = 'dead'"),
    };
    let count = conn.execute(&update)?;
    conn.request_wake(Work::Jobs);
    Ok(count)
}

/// Cancels a queued or running job; false for another one. The handler of a running job continues until it asks for its progress, and
/// its result has no effect.
pub(crate) fn cancel(conn: &mut Conn, id: Uuid, now: DateTime<Utc>) -> Result<bool> {
    let mut update = Statement::new();
    update.push("UPDATE dz_jobs SET state = 'cancelled', unique_key = NULL, runner = NULL, leased_until = NULL, ended_at = ");
    update.bind(Value::DateTime(now), BindKind::DateTime).push(", expires_at = ");
    update.bind(Value::DateTime(now + ENDED_LIFETIME), BindKind::DateTime);
    update.push(" WHERE state IN ('queued', 'running') AND id = ").bind(Value::Uuid(id), BindKind::Uuid);
    Ok(conn.execute(&update)? > 0)
}

fn read(row: Vec<Value>) -> Result<StoredJob> {
    let incomplete = || Error::internal("a job without a value");
    let mut row = row.into_iter();
    let mut take = || row.next().unwrap_or_default();
    let text = |value| if let Value::Text(text) = value { Ok(text) } else { Err(incomplete()) };
    let int = |value| if let Value::Int(number) = value { Ok(number) } else { Err(incomplete()) };
    let time = |value| if let Value::DateTime(at) = value { Ok(at) } else { Err(incomplete()) };
    let id = if let Value::Uuid(id) = take() { id } else { return Err(incomplete()) };
    Ok(StoredJob {
        id,
        name: text(take())?,
        state: JobState::from_name(&text(take())?).ok_or_else(incomplete)?,
        payload: text(take())?,
        priority: int(take())?,
        unique_key: text(take()).ok().map(|key| key.split_once(AFTER_TENANT).map_or(key.clone(), |(_, own)| own.to_owned())),
        attempts: int(take())?,
        max_attempts: int(take())?,
        created_at: time(take())?,
        run_at: time(take())?,
        ended_at: time(take()).ok(),
        done: int(take())?,
        total: int(take())?,
        note: text(take())?,
        error: text(take())?,
    })
}

impl StoredJob {
    /// The job as JSON, for the command line and the page.
    pub(crate) fn to_json(&self) -> Json {
        let error = Some(&self.error).filter(|error| !error.is_empty());
        let progress =
            (self.total > 0 || !self.note.is_empty()).then(|| json!({ "done": self.done, "total": self.total, "note": self.note }));
        json!({
            "id": self.id, "name": self.name, "status": self.state.name(), "priority": self.priority, "unique_key": self.unique_key,
            "attempts": self.attempts, "max_attempts": self.max_attempts, "created_at": datetime_text(&self.created_at),
            "run_at": datetime_text(&self.run_at), "ended_at": self.ended_at.as_ref().map(datetime_text), "progress": progress,
            "payload": serde_json::from_str::<Json>(&self.payload).unwrap_or_else(|_| Json::String(self.payload.clone())), "error": error,
        })
    }
}
