//! Events of rows for the code of `subscribers`: each is delivered at least once, and those of a row in their order.
//!
//! The transaction of a write stores its event in `dz_outbox`, once for each subscriber. While the server runs, it delivers them after
//! the commit; `jobs run` does so once. A failed delivery is repeated later. After the last attempt the event is a dead letter, which
//! `events list` shows and `events retry` delivers again.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use chrono::TimeDelta;
use diesel::prelude::*;
use rocket::{fairing::AdHoc, tokio};
use serde_json::{Value as Json, json};

use crate::{
    caller::Caller,
    db::{Connection, Database},
    problem::{Problem, Result},
    serve::Server,
    sql::{Sql, Value, one_of},
    subscribers,
    types::{Id, RowKey, Timestamp},
};

diesel::table! {
    use diesel::sql_types::{BigInt, Text};
    use crate::types::sql::{Identifier, Instant};

    dz_outbox (seq) {
        seq -> BigInt,
        id -> Identifier,
        subscriber -> Text,
        event -> Text,
        entity -> Text,
        row_id -> Text,
        payload -> Text,
        attempts -> BigInt,
        created_at -> Instant,
        retry_at -> Instant,
        error -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Text};
    use crate::types::sql::{Identifier, Instant};

    dz_dead_letters (id, subscriber) {
        id -> Identifier,
        subscriber -> Text,
        event -> Text,
        entity -> Text,
        row_id -> Text,
        payload -> Text,
        attempts -> BigInt,
        created_at -> Instant,
        died_at -> Instant,
        error -> Text,
    }
}

/// The time between two looks.
const PAUSE: Duration = Duration::from_secs(1);
/// The events of one look.
const BATCH: usize = 200;
/// The attempts of a delivery, which take about seven hours.
const MOST_ATTEMPTS: i64 = 16;
/// The seconds until a failed delivery is repeated; they double with each failure,
const FIRST_DELAY: i64 = 5;
/// up to these.
const LONGEST_DELAY: i64 = 3_600;
/// The most characters of a stored error.
const LONGEST_ERROR: usize = 500;

/// What happened to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// It was created.
    Created,
    /// It was changed, by a user or by itself.
    Updated,
    /// It was deleted.
    Deleted,
}

impl Event {
    const ALL: [(&'static str, Event); 3] = [("created", Event::Created), ("updated", Event::Updated), ("deleted", Event::Deleted)];

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        Event::ALL.iter().find(|(_, event)| *event == self).map_or("", |(name, _)| name)
    }
}

/// An event of a row.
#[derive(Debug, Clone)]
pub struct Happened {
    /// The same for each attempt and each subscriber: a repetition is recognised by it.
    pub id: Id,
    /// What happened.
    pub event: Event,
    /// The time of the write.
    pub at: Timestamp,
    /// The row as it was written; the last version of a deleted one.
    pub row: Json,
    /// The row before a change.
    pub before: Option<Json>,
    /// The key of the account that made the write, if it was a person.
    pub account: Option<Json>,
    /// The number of the attempt, from 1.
    pub attempt: i64,
}

/// Code that runs after an event.
#[derive(Debug, Clone, Copy)]
pub struct Subscriber {
    /// Its name, by which stored events find it.
    pub name: &'static str,
    /// The entity of the rows.
    pub entity: &'static str,
    /// The event.
    pub event: Event,
    /// The code. It holds no connection, so that it can wait for other systems.
    pub deliver: fn(&Database, &Happened) -> Result<(), String>,
}

/// A stored event.
#[derive(Debug, Clone, QueryableByName)]
#[diesel(table_name = dz_outbox)]
struct Stored {
    seq: i64,
    id: Id,
    subscriber: String,
    event: String,
    entity: String,
    row_id: String,
    payload: String,
    attempts: i64,
    created_at: Timestamp,
}

/// Stores an event of a row for its subscribers, in the transaction of the write. `rows` are the row before a change and the row.
pub fn record(
    connection: &mut Connection,
    caller: &Caller,
    (entity, event): (&str, Event),
    key: &impl RowKey,
    rows: impl FnOnce() -> (Option<Json>, Json),
) -> Result<()> {
    record_for(subscribers::ALL, connection, caller, (entity, event, &key.stored()), rows)
}

/// As [`record`], for these subscribers.
pub fn record_for(
    subscribers: &[Subscriber],
    connection: &mut Connection,
    caller: &Caller,
    (entity, event, row): (&str, Event, &str),
    rows: impl FnOnce() -> (Option<Json>, Json),
) -> Result<()> {
    let heard: Vec<&Subscriber> = subscribers.iter().filter(|it| it.entity == entity && it.event == event).collect();
    if heard.is_empty() {
        return Ok(());
    }
    let (before, after) = rows();
    let mut payload = json!({ "row": after });
    for (name, value) in [("before", before), ("account", caller.id().map(|id| json!(id)))] {
        if let Some(value) = value {
            payload[name] = value;
        }
    }
    let id = Id::generate();
    for subscriber in heard {
        let values = (
            dz_outbox::id.eq(id),
            dz_outbox::subscriber.eq(subscriber.name),
            dz_outbox::event.eq(event.name()),
            dz_outbox::entity.eq(entity),
            dz_outbox::row_id.eq(row),
            dz_outbox::payload.eq(payload.to_string()),
            dz_outbox::attempts.eq(0_i64),
            dz_outbox::created_at.eq(caller.now),
            dz_outbox::retry_at.eq(caller.now),
            dz_outbox::error.eq(""),
        );
        diesel::insert_into(dz_outbox::table).values(values).execute(connection)?;
    }
    Ok(())
}

/// True if the deletion of rows of an entity has a subscriber.
pub fn is_deletion_heard(entity: &str) -> bool {
    subscribers::ALL.iter().any(|it| it.entity == entity && it.event == Event::Deleted)
}

/// Delivers the events that are due, and returns the number of deliveries, also of failed ones.
pub fn deliver_due(database: &Database, subscribers: &[Subscriber], now: Timestamp) -> usize {
    let mut count = 0;
    while count < BATCH {
        match deliver_next(database, subscribers, now) {
            Ok(true) => count += 1,
            Ok(false) => break,
            Err(problem) => {
                eprintln!("events were not delivered: {}", problem.log_text());
                break;
            }
        }
    }
    count
}

/// Delivers the next event; false if none is due. The event is locked until the result is stored, so that no other instance of the
/// program delivers it too.
#[cfg(feature = "postgres")]
fn deliver_next(database: &Database, subscribers: &[Subscriber], now: Timestamp) -> Result<bool> {
    database.write(|connection| {
        let Some(stored) = next(connection, subscribers, now)? else { return Ok(false) };
        let delivered = deliver(database, subscribers, &stored);
        settle(connection, &stored, delivered, now).map(|()| true)
    })
}

/// Delivers the next event; false if none is due. The writer is free during the delivery.
#[cfg(not(feature = "postgres"))]
fn deliver_next(database: &Database, subscribers: &[Subscriber], now: Timestamp) -> Result<bool> {
    let Some(stored) = database.read(|connection| next(connection, subscribers, now))? else { return Ok(false) };
    let delivered = deliver(database, subscribers, &stored);
    database.write(|connection| settle(connection, &stored, delivered, now)).map(|()| true)
}

/// The first due event that follows no other one of its row and subscriber. Events without a subscriber wait.
fn next(connection: &mut Connection, subscribers: &[Subscriber], now: Timestamp) -> Result<Option<Stored>> {
    let names = subscribers.iter().map(|it| Value::Text(Some(it.name.to_owned()))).collect();
    let due = Sql::new(
        "SELECT o.seq, o.id, o.subscriber, o.event, o.entity, o.row_id, o.payload, o.attempts, o.created_at FROM dz_outbox AS o \
         WHERE o.retry_at <= ? AND NOT EXISTS (SELECT 1 FROM dz_outbox AS e WHERE e.subscriber = o.subscriber \
         AND e.entity = o.entity AND e.row_id = o.row_id AND e.seq < o.seq) AND ",
        [Value::Timestamp(Some(now))],
    );
    let due = due.then(one_of("o.subscriber", names)).then(Sql::text(" ORDER BY o.seq LIMIT 1"));
    let due = if cfg!(feature = "postgres") { due.then(Sql::text(" FOR UPDATE OF o SKIP LOCKED")) } else { due };
    Ok(due.get_result(connection).optional()?)
}

fn deliver(database: &Database, subscribers: &[Subscriber], stored: &Stored) -> Result<(), String> {
    let is_meant = |it: &&Subscriber| (it.name, it.entity, it.event.name()) == (&stored.subscriber, &stored.entity, &stored.event);
    let subscriber = subscribers.iter().find(is_meant).ok_or("the subscriber no longer asks for this event")?;
    let mut payload: Json = serde_json::from_str(&stored.payload).map_err(|error| error.to_string())?;
    let mut take = |name: &str| payload.get_mut(name).map(Json::take);
    let happened = Happened {
        id: stored.id,
        event: subscriber.event,
        at: stored.created_at,
        row: take("row").unwrap_or_default(),
        before: take("before"),
        account: take("account"),
        attempt: stored.attempts + 1,
    };
    let delivered = catch_unwind(AssertUnwindSafe(|| (subscriber.deliver)(database, &happened)));
    delivered.unwrap_or_else(|_| Err("the subscriber panicked".to_owned()))
}

/// Stores the result of a delivery: the event is gone, is delivered again, or is a dead letter.
fn settle(connection: &mut Connection, stored: &Stored, delivered: Result<(), String>, now: Timestamp) -> Result<()> {
    let row = || dz_outbox::table.filter(dz_outbox::seq.eq(stored.seq)).filter(dz_outbox::id.eq(stored.id));
    let Err(error) = delivered else {
        diesel::delete(row()).execute(connection)?;
        return Ok(());
    };
    let (subscriber, attempts) = (&stored.subscriber, stored.attempts + 1);
    eprintln!("attempt {attempts} of `{subscriber}` at {} {} {} failed: {error}", stored.entity, stored.row_id, stored.event);
    let text: String = error.chars().filter(|c| *c != '\0').take(LONGEST_ERROR).collect();
    if attempts < MOST_ATTEMPTS {
        let delay = (FIRST_DELAY << (attempts - 1).min(16)).min(LONGEST_DELAY);
        let retry_at = Timestamp(now.0 + TimeDelta::seconds(delay));
        let values = (dz_outbox::attempts.eq(attempts), dz_outbox::retry_at.eq(retry_at), dz_outbox::error.eq(text));
        diesel::update(row()).set(values).execute(connection)?;
        return Ok(());
    }
    diesel::delete(row()).execute(connection)?;
    let values = (
        dz_dead_letters::id.eq(stored.id),
        dz_dead_letters::subscriber.eq(subscriber),
        dz_dead_letters::event.eq(&stored.event),
        dz_dead_letters::entity.eq(&stored.entity),
        dz_dead_letters::row_id.eq(&stored.row_id),
        dz_dead_letters::payload.eq(&stored.payload),
        dz_dead_letters::attempts.eq(attempts),
        dz_dead_letters::created_at.eq(stored.created_at),
        dz_dead_letters::died_at.eq(now),
        dz_dead_letters::error.eq(text),
    );
    diesel::insert_into(dz_dead_letters::table).values(values).on_conflict_do_nothing().execute(connection)?;
    Ok(())
}

/// Lines about the pending events and the dead letters.
pub fn describe(database: &Database) -> Result<Vec<String>> {
    type Line = (Id, String, String, i64, Timestamp, String);
    database.read(|connection| {
        let waiting = (
            dz_outbox::id,
            dz_outbox::subscriber,
            dz_outbox::row_id,
            dz_outbox::attempts,
            dz_outbox::created_at,
            dz_outbox::error,
        );
        let waiting: Vec<Line> = dz_outbox::table.order(dz_outbox::seq).select(waiting).load(connection)?;
        let dead = (
            dz_dead_letters::id,
            dz_dead_letters::subscriber,
            dz_dead_letters::row_id,
            dz_dead_letters::attempts,
            dz_dead_letters::created_at,
            dz_dead_letters::error,
        );
        let dead: Vec<Line> = dz_dead_letters::table.order(dz_dead_letters::died_at).select(dead).load(connection)?;
        let line = |how: &str, (id, subscriber, row, attempts, at, error): &Line| {
            format!("{how}  {id}  {}  {subscriber}  row {row}  {attempts} attempts  {error}", json!(at).as_str().unwrap_or_default())
        };
        let lines = waiting.iter().map(|it| line("waits", it)).chain(dead.iter().map(|it| line("dead ", it)));
        Ok(lines.chain([format!("{} pending, {} dead", waiting.len(), dead.len())]).collect())
    })
}

/// Delivers a dead letter again, or all of them; returns their number.
pub fn retry(database: &Database, which: &str, now: Timestamp) -> Result<usize> {
    let id = match which {
        "all" => None,
        id => Some(Id::parse(id).ok_or_else(|| Problem::bad_request(format!("`{id}` is not an event; `events list` shows them")))?),
    };
    database.write(|connection| {
        let mut dead = dz_dead_letters::table.into_boxed();
        if let Some(id) = id {
            dead = dead.filter(dz_dead_letters::id.eq(id));
        }
        type Letter = (Id, String, String, String, String, String, Timestamp, String);
        let columns = (
            dz_dead_letters::id,
            dz_dead_letters::subscriber,
            dz_dead_letters::event,
            dz_dead_letters::entity,
            dz_dead_letters::row_id,
            dz_dead_letters::payload,
            dz_dead_letters::created_at,
            dz_dead_letters::error,
        );
        let letters: Vec<Letter> = dead.order((dz_dead_letters::created_at, dz_dead_letters::id)).select(columns).load(connection)?;
        for (id, subscriber, event, entity, row, payload, created_at, error) in &letters {
            let values = (
                dz_outbox::id.eq(id),
                dz_outbox::subscriber.eq(subscriber),
                dz_outbox::event.eq(event),
                dz_outbox::entity.eq(entity),
                dz_outbox::row_id.eq(row),
                dz_outbox::payload.eq(payload),
                dz_outbox::attempts.eq(0_i64),
                dz_outbox::created_at.eq(created_at),
                dz_outbox::retry_at.eq(now),
                dz_outbox::error.eq(error),
            );
            diesel::insert_into(dz_outbox::table).values(values).execute(connection)?;
            let letter = dz_dead_letters::table.filter(dz_dead_letters::id.eq(id)).filter(dz_dead_letters::subscriber.eq(subscriber));
            diesel::delete(letter).execute(connection)?;
        }
        Ok(letters.len())
    })
}

/// Delivers events while the server runs.
pub fn fairing() -> AdHoc {
    AdHoc::on_liftoff("events", |rocket| {
        Box::pin(async move {
            let Some(server) = rocket.state::<Server>().cloned() else { return };
            let stop = rocket.shutdown();
            tokio::spawn(async move {
                loop {
                    let server = server.clone();
                    let run = move || deliver_due(&server.database, subscribers::ALL, server.now());
                    let Ok(count) = tokio::task::spawn_blocking(run).await else { return };
                    let pause = if count == BATCH { Duration::ZERO } else { PAUSE };
                    if tokio::time::timeout(pause, stop.clone()).await.is_ok() {
                        return;
                    }
                }
            });
        })
    })
}
