//! What becomes of an event after an attempt: gone, later again, or given up.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{COLUMNS, KINDS, PendingEvent, read_event};
use crate::{
    Error, Result, Value,
    db::{BindKind, Conn, Statement},
};

/// After so many attempts, which take some seven hours, an event is given up.
pub(crate) const MAX_ATTEMPTS: u32 = 16;
/// The wait after the first failure; each further one doubles it,
const FIRST_DELAY: u64 = 5;
/// up to this many seconds.
const MAX_DELAY: u64 = 3_600;
/// The longest text of an error that is kept.
const MAX_ERROR_LENGTH: usize = 500;

/// It was heard.
pub(crate) fn delete_delivered(conn: &mut Conn, pending: &PendingEvent) -> Result<()> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_outbox WHERE seq = ").bind(Value::Int(pending.seq), BindKind::Int);
    conn.execute(&delete).map(drop)
}

/// It failed: it is tried again later, or given up. Gives the moment of the next attempt.
pub(crate) fn record_failure(conn: &mut Conn, pending: &PendingEvent, error: &Error, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>> {
    let attempts = pending.attempts.saturating_add(1);
    let message: String =
        error.internal.as_deref().unwrap_or(&error.detail).chars().filter(|letter| *letter != '\0').take(MAX_ERROR_LENGTH).collect();
    let text = |text: &str| Value::Text(text.to_owned());
    if attempts >= MAX_ATTEMPTS || error.code == NO_SUBSCRIBER {
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
        // A delivery that was lost on the way to the database is given up once.
        insert.push(") ON CONFLICT DO NOTHING");
        conn.execute(&insert)?;
        delete_delivered(conn, pending)?;
        return Ok(None);
    }
    let retry_at = now + retry_delay(attempts, jitter()?);
    let mut update = Statement::new();
    update.push("UPDATE dz_outbox SET attempts = ").bind(Value::Int(i64::from(attempts)), BindKind::Int);
    update.push(", retry_at = ").bind(Value::DateTime(retry_at), BindKind::DateTime);
    update.push(", error = ").bind(text(&message), BindKind::Text);
    update.push(" WHERE seq = ").bind(Value::Int(pending.seq), BindKind::Int);
    conn.execute(&update)?;
    Ok(Some(retry_at))
}

/// The code of what no further attempt could change.
pub(crate) const NO_SUBSCRIBER: &str = "SUBSCRIBER_GONE";

/// How long to wait after so many failures; `spread` is between 0 and 255 and adds up to a quarter, so that what failed
/// together does not come back together.
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

/// What was given up, the latest last, at most `limit`; `retry_at` is when.
pub(crate) fn dead_letters(conn: &mut Conn, limit: u32) -> Result<Vec<PendingEvent>> {
    let columns = COLUMNS.replace("o.seq", "CAST(0 AS bigint)").replace("o.retry_at", "o.died_at");
    let mut select = Statement::new();
    select.push("SELECT ").push(&columns).push(&format!(" FROM dz_dead_letters AS o ORDER BY o.died_at, o.id LIMIT {limit}"));
    conn.rows(&select, &KINDS)?.into_iter().map(read_event).collect()
}

/// Puts what was given up, or of it the event with this id, at the end of the outbox; gives how many.
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
    conn.request_wake();
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_an_hour_and_are_spread() {
        let seconds: Vec<i64> = [1, 2, 3, 10, 15, u32::MAX].map(|attempts| retry_delay(attempts, 0).num_seconds()).to_vec();
        assert_eq!(seconds, [5, 10, 20, 2_560, 3_600, 3_600]);
        assert_eq!(retry_delay(1, 255).num_milliseconds(), 6_250);
    }
}
