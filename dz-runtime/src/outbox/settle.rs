//! What becomes of an event after an attempt: gone, later again, or given up.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{COLUMNS, KINDS, Waiting, waiting};
use crate::{
    Error, Result, Value,
    db::{BindKind, Conn, Statement},
};

/// After so many attempts, which take some seven hours, an event is given up.
pub(crate) const ATTEMPTS: u32 = 16;
/// The wait after the first failure; each further one doubles it,
const FIRST: u64 = 5;
/// up to this many seconds.
const LONGEST: u64 = 3_600;
/// The longest text of an error that is kept.
const TOLD: usize = 500;

/// It was heard.
pub(crate) fn delivered(conn: &mut Conn, of: &Waiting) -> Result<()> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_outbox WHERE seq = ").bind(Value::Int(of.seq), BindKind::Int);
    conn.execute(&delete).map(drop)
}

/// It failed: it is tried again later, or given up. Gives the moment of the next attempt.
pub(crate) fn failed(conn: &mut Conn, of: &Waiting, error: &Error, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>> {
    let attempts = of.attempts.saturating_add(1);
    let told: String = error.internal.as_deref().unwrap_or(&error.detail).chars().filter(|letter| *letter != '\0').take(TOLD).collect();
    let text = |text: &str| Value::Text(text.to_owned());
    if attempts >= ATTEMPTS || error.code == GONE {
        let mut bury = Statement::new();
        bury.push(
            "INSERT INTO dz_dead_letters (id, subscriber, event, entity, row_id, payload, attempts, created_at, died_at, error) VALUES (",
        );
        bury.bind(Value::Uuid(of.id), BindKind::Uuid).push(", ");
        for part in [&of.subscriber, &of.event, &of.entity, &of.row_id, &of.payload] {
            bury.bind(text(part), BindKind::Text).push(", ");
        }
        bury.bind(Value::Int(i64::from(attempts)), BindKind::Int).push(", ").bind(Value::DateTime(of.at), BindKind::DateTime);
        bury.push(", ").bind(Value::DateTime(now), BindKind::DateTime).push(", ").bind(text(&told), BindKind::Text);
        // A delivery that was lost on the way to the database is given up once.
        bury.push(") ON CONFLICT DO NOTHING");
        conn.execute(&bury)?;
        delivered(conn, of)?;
        return Ok(None);
    }
    let retry_at = now + wait(attempts, jitter()?);
    let mut update = Statement::new();
    update.push("UPDATE dz_outbox SET attempts = ").bind(Value::Int(i64::from(attempts)), BindKind::Int);
    update.push(", retry_at = ").bind(Value::DateTime(retry_at), BindKind::DateTime);
    update.push(", error = ").bind(text(&told), BindKind::Text);
    update.push(" WHERE seq = ").bind(Value::Int(of.seq), BindKind::Int);
    conn.execute(&update)?;
    Ok(Some(retry_at))
}

/// The code of what no further attempt could change.
pub(crate) const GONE: &str = "SUBSCRIBER_GONE";

/// How long to wait after so many failures; `spread` is between 0 and 255 and adds up to a quarter, so that what failed
/// together does not come back together.
fn wait(attempts: u32, spread: u8) -> TimeDelta {
    let seconds = FIRST.saturating_mul(1 << attempts.saturating_sub(1).min(20)).min(LONGEST);
    let millis = seconds * 1_000 + seconds * 250 * u64::from(spread) / 255;
    TimeDelta::milliseconds(i64::try_from(millis).unwrap_or(i64::MAX))
}

fn jitter() -> Result<u8> {
    let mut byte = [0];
    getrandom::fill(&mut byte).map_err(Error::internal)?;
    Ok(byte[0])
}

/// What was given up, the latest last, at most `limit`; `retry_at` is when.
pub(crate) fn dead(conn: &mut Conn, limit: u32) -> Result<Vec<Waiting>> {
    let columns = COLUMNS.replace("o.seq", "CAST(0 AS bigint)").replace("o.retry_at", "o.died_at");
    let mut select = Statement::new();
    select.push("SELECT ").push(&columns).push(&format!(" FROM dz_dead_letters AS o ORDER BY o.died_at, o.id LIMIT {limit}"));
    conn.rows(&select, &KINDS)?.into_iter().map(waiting).collect()
}

/// Puts what was given up, or of it the event with this id, at the end of the outbox; gives how many.
pub(crate) fn retry(conn: &mut Conn, id: Option<Uuid>, now: DateTime<Utc>) -> Result<usize> {
    let named = |statement: &mut Statement| {
        if let Some(id) = id {
            statement.push(" WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid);
        }
    };
    let mut back = Statement::new();
    back.push("INSERT INTO dz_outbox (id, subscriber, event, entity, row_id, payload, attempts, created_at, retry_at, error) ");
    back.push("SELECT id, subscriber, event, entity, row_id, payload, 0, created_at, ").bind(Value::DateTime(now), BindKind::DateTime);
    back.push(", error FROM dz_dead_letters");
    named(&mut back);
    back.push(" ORDER BY created_at, id");
    let moved = conn.execute(&back)?;
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_dead_letters");
    named(&mut delete);
    conn.execute(&delete)?;
    conn.announce();
    Ok(moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_an_hour_and_are_spread() {
        let seconds: Vec<i64> = [1, 2, 3, 10, 15, u32::MAX].map(|attempts| wait(attempts, 0).num_seconds()).to_vec();
        assert_eq!(seconds, [5, 10, 20, 2_560, 3_600, 3_600]);
        assert_eq!(wait(1, 255).num_milliseconds(), 6_250);
    }
}
