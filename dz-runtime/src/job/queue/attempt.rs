//! An attempt: its progress and its result. Each statement has an effect only while the lease is held.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{ClaimedJob, ENDED_LIFETIME, lease::push_held, text};
use crate::{
    Error, Result, Value,
    db::{BindKind, Conn, Statement},
    job::handlers::{NO_HANDLER, PAYLOAD},
    value::storage,
};

/// The maximum length of a stored error.
const MAX_ERROR_LENGTH: usize = 500;

/// Stores the progress of a job; false if the lease is no longer held.
pub(crate) fn store_progress(conn: &mut Conn, held: (Uuid, Uuid), (done, total): (u32, u32), note: &str) -> Result<bool> {
    let mut update = Statement::new();
    update.push("UPDATE dz_jobs SET progress_done = ").bind(Value::Int(done.into()), BindKind::Int);
    update.push(", progress_total = ").bind(Value::Int(total.into()), BindKind::Int);
    update.push(", note = ").bind(text(note), BindKind::Text);
    push_held(&mut update, held);
    Ok(conn.execute(&update)? > 0)
}

/// Stores the success of a job; false if the lease is no longer held.
pub(crate) fn complete(conn: &mut Conn, job: &ClaimedJob, now: DateTime<Utc>) -> Result<bool> {
    let mut update = Statement::new();
    update.push("UPDATE dz_jobs SET state = 'done', unique_key = NULL, runner = NULL, leased_until = NULL, error = '', ended_at = ");
    update.bind(Value::DateTime(now), BindKind::DateTime).push(", expires_at = ");
    update.bind(Value::DateTime(now + ENDED_LIFETIME), BindKind::DateTime);
    push_held(&mut update, (job.id, job.runner));
    Ok(conn.execute(&update)? > 0)
}

/// Removes a job that has succeeded and of which nothing must be shown; false if the lease is no longer held.
pub(crate) fn remove(conn: &mut Conn, held: (Uuid, Uuid)) -> Result<bool> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_jobs");
    push_held(&mut delete, held);
    Ok(conn.execute(&delete)? > 0)
}

/// The result of a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The job is repeated at this time.
    Again(DateTime<Utc>),
    /// The job is a dead letter.
    Dead,
    /// The lease is no longer held, so the result has no effect.
    Lost,
}

/// Stores a failed attempt.
pub(crate) fn fail(conn: &mut Conn, job: &ClaimedJob, delay: TimeDelta, error: &Error, now: DateTime<Utc>) -> Result<Failure> {
    let is_last = job.attempt >= job.max_attempts || matches!(error.code, PAYLOAD | NO_HANDLER);
    let again = now.checked_add_signed(delay).map_or(now, storage::nearest_storable);
    let message: String = error.internal.as_deref().unwrap_or(&error.detail).chars().take(MAX_ERROR_LENGTH).collect();
    let mut update = Statement::new();
    if is_last {
        update.push("UPDATE dz_jobs SET state = 'dead', unique_key = NULL, ended_at = ").bind(Value::DateTime(now), BindKind::DateTime);
    } else {
        update.push("UPDATE dz_jobs SET state = 'queued', run_at = ").bind(Value::DateTime(again), BindKind::DateTime);
    }
    update.push(", runner = NULL, leased_until = NULL, error = ").bind(text(&message), BindKind::Text);
    push_held(&mut update, (job.id, job.runner));
    Ok(match conn.execute(&update)? {
        0 => Failure::Lost,
        _ if is_last => Failure::Dead,
        _ => Failure::Again(again),
    })
}
