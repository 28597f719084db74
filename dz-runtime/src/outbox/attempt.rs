//! The result of a delivery attempt: the event is deleted, is delivered again later, or becomes a dead letter.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{COLUMNS, KINDS, PendingEvent, read_event};
use crate::{
    Error, Result, Value,
    db::{BindKind, Conn, Statement, Work},
};

/// The maximum number of attempts, which take about seven hours; then the event becomes a dead letter.
pub(crate) const MAX_ATTEMPTS: u32 = 16;
/// The delay after the first failure, in seconds; it doubles with each further failure,
const FIRST_DELAY: u64 = 5;
/// up to this maximum.
const MAX_DELAY: u64 = 3_600;
/// The maximum length of a stored error.
const MAX_ERROR_LENGTH: usize = 500;

/// Deletes a delivered event; false if the outbox no longer contained it.
pub(crate) fn delete_delivered(conn: &mut Conn, pending: &PendingEvent) -> Result<bool> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_outbox");
    push_is(&mut delete, pending);
    Ok(conn.execute(&delete)? > 0)
}

/// Appends the condition for an event. SQLite gives the number of the last event, once deleted, to the next one, so the number alone
/// can name another event.
fn push_is(statement: &mut Statement, pending: &PendingEvent) {
    statement.push(" WHERE seq = ").bind(Value::Int(pending.seq), BindKind::Int);
    statement.push(" AND id = ").bind(Value::Uuid(pending.id), BindKind::Uuid);
    statement.push(" AND subscriber = ").bind(Value::Text(pending.subscriber.clone()), BindKind::Text);
}

/// Records a failed attempt and returns the time of the next one; `None` if the event became a dead letter.
pub(crate) fn record_failure(conn: &mut Conn, pending: &PendingEvent, error: &Error, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>> {
    let attempts = pending.attempts.saturating_add(1);
    let message: String =
        error.internal.as_deref().unwrap_or(&error.detail).chars().filter(|letter| *letter != '\0').take(MAX_ERROR_LENGTH).collect();
    let text = |text: &str| Value::Text(text.to_owned());
    if attempts >= MAX_ATTEMPTS || error.code == NO_SUBSCRIBER {
        if !delete_delivered(conn, pending)? {
            return Ok(None);
        }
        let mut insert = Statement::new();
        insert.push(
            "INSERT INTO dz_dead_letters (id, subscriber, event, entity, row_id, payload, attempts, created_at, died_at, error) VALUES (",
        );
        insert.bind(Value::Uuid(pending.id), BindKind::Uuid).push(", ");
        for part in [&pending.subscriber, &pending.event, &pending.entity, &pending.row_id, &pending.payload] {
            insert.bind(text(part), BindKind::Text).push(", ");
        }
        insert.bind(Value::Int(i64::from(attempts)), BindKind::Int).push(", ").bind(Value::DateTime(pending.at), BindKind::DateTime);
        insert.push(", ").bind(Value::DateTime(now), BindKind::DateTime).push(", ").bind(text(&message), BindKind::Text);
        // A repeated delivery must not create a second dead letter.
        insert.push(") ON CONFLICT DO NOTHING");
        conn.execute(&insert)?;
        return Ok(None);
    }
    let retry_at = now + retry_delay(attempts, jitter()?);
    let mut update = Statement::new();
    update.push("UPDATE dz_outbox SET attempts = ").bind(Value::Int(i64::from(attempts)), BindKind::Int);
    update.push(", retry_at = ").bind(Value::DateTime(retry_at), BindKind::DateTime);
    update.push(", error = ").bind(text(&message), BindKind::Text);
    push_is(&mut update, pending);
    conn.execute(&update)?;
    Ok(Some(retry_at))
}

/// The code of an error that no further attempt can change.
pub(crate) const NO_SUBSCRIBER: &str = "SUBSCRIBER_GONE";

/// The delay after a number of failures; `spread` (0 to 255) adds up to a quarter, so that events that failed together are not
/// repeated together.
fn retry_delay(attempts: u32, spread: u8) -> TimeDelta {
    let seconds = FIRST_DELAY.saturating_mul(1 << attempts.saturating_sub(1).min(20)).min(MAX_DELAY);
    let millis = seconds * 1_000 + seconds * 250 * u64::from(spread) / 255;
    TimeDelta::milliseconds(i64::try_from(millis).unwrap_or(i64::MAX))
}

fn jitter() -> Result<u8> {
    let mut byte = [0];
    getrandom::fill(&mut byte).map_err(Error::internal)?;
    Ok(byte[0])
}

/// At most `limit` dead letters, the latest last; their `retry_at` is the time at which they became one.
pub(crate) fn dead_letters(conn: &mut Conn, limit: u32) -> Result<Vec<PendingEvent>> {
    let columns = COLUMNS.replace("o.seq", "CAST(0 AS bigint)").replace("o.retry_at", "o.died_at");
    let mut select = Statement::new();
    select.push("SELECT ").push(&columns).push(&format!(" FROM dz_dead_letters AS o ORDER BY o.died_at, o.id LIMIT {limit}"));
    conn.rows(&select, &KINDS)?.into_iter().map(read_event).collect()
}

/// Returns all dead letters, or the one with this id, to the end of the outbox; the result is their number.
pub(crate) fn retry(conn: &mut Conn, id: Option<Uuid>, now: DateTime<Utc>) -> Result<usize> {
    let push_id = |statement: &mut Statement| {
        if let Some(id) = id {
            statement.push(" WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid);
        }
    };
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_outbox (id, subscriber, event, entity, row_id, payload, attempts, created_at, retry_at, error) ");
    insert.push("SELECT id, subscriber, event, entity, row_id, payload, 0, created_at, ").bind(Value::DateTime(now), BindKind::DateTime);
    insert.push(", error FROM dz_dead_letters");
    push_id(&mut insert);
    insert.push(" ORDER BY created_at, id");
    let count = conn.execute(&insert)?;
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_dead_letters");
    push_id(&mut delete);
    conn.execute(&delete)?;
    conn.request_wake(Work::Events);
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_an_hour_and_are_spread() {
        let seconds: Vec<i64> = [1, 2, 3, 10, 15, u32::MAX].map(|attempts| retry_delay(attempts, 0).num_seconds()).to_vec();
        assert_eq!(seconds, [5, 10, 20, 2_560, 3_600, 3_600]);
        assert_eq!(retry_delay(1, 255).num_milliseconds(), 6_250);
    }
}
