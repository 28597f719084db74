//! The outbox: events with their rows, stored in the database until every subscriber has processed them.
//!
//! It contains one row for each event and subscriber, and none for an event without subscribers.

mod attempt;
mod payload;

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub(crate) use attempt::{NO_SUBSCRIBER, dead_letters, delete_delivered, record_failure, retry};

use crate::{
    Engine, Error, Hooks, Result, Tx, Value,
    db::{BindKind, Conn, Statement, Work},
    def::{AppDef, EntityDef},
    event::{
        Event, Occurrence,
        run::{RunEvent, RunHappened, RunPayload},
    },
    field,
    record::Row,
    value::storage,
};

/// A pending event for a subscriber.
pub(crate) struct PendingEvent {
    pub(crate) seq: i64,
    pub(crate) id: Uuid,
    pub(crate) subscriber: String,
    pub(crate) event: String,
    pub(crate) entity: String,
    pub(crate) row_id: String,
    pub(crate) payload: String,
    /// The number of failed attempts.
    pub(crate) attempts: u32,
    pub(crate) at: DateTime<Utc>,
    pub(crate) retry_at: DateTime<Utc>,
    /// The error of the last attempt.
    pub(crate) error: String,
}

const COLUMNS: &str = "o.seq, o.id, o.subscriber, o.event, o.entity, o.row_id, o.payload, o.attempts, o.created_at, o.retry_at, o.error";
const KINDS: [BindKind; 11] = [
    BindKind::Int,
    BindKind::Uuid,
    BindKind::Text,
    BindKind::Text,
    BindKind::Text,
    BindKind::Text,
    BindKind::Text,
    BindKind::Int,
    BindKind::DateTime,
    BindKind::DateTime,
    BindKind::Text,
];

/// Writes an event to the outbox, in the transaction of the write, once for each subscriber.
pub(crate) fn record(tx: &mut Tx<'_>, entity: &'static EntityDef, event: Event, before: Option<&Row>, row: &Row) -> Result<()> {
    let hooks = tx.hooks.clone();
    let mut names = hooks.subscribers(entity.ix, event).map(|subscriber| subscriber.name()).peekable();
    if names.peek().is_none() {
        return Ok(());
    }
    let account = tx.caller.account.as_ref().map(|account| &account.id);
    let payload = payload::write(tx.app, entity, before, row, account);
    insert(tx, names, [event.name(), entity.name, &row.value(entity.pk).to_stored_key(), &payload])
}

/// Writes an event of a run to the outbox, in the transaction that starts or ends it, once for each subscriber.
pub(crate) fn record_run(
    tx: &mut Tx<'_>,
    process: &str,
    event: RunEvent,
    run: Uuid,
    payload: impl FnOnce(&Tx<'_>) -> RunPayload,
) -> Result<()> {
    let hooks = tx.hooks.clone();
    let mut names = hooks.run_subscribers(process, event).map(|subscriber| subscriber.name.as_str()).peekable();
    if names.peek().is_none() {
        return Ok(());
    }
    let payload = storage::json_without_nul(&payload(tx)).map_err(Error::internal)?;
    insert(tx, names, [event.name(), process, &run.to_string(), &payload])
}

/// Stores an event, its entity or process, the key of its row or run, and its payload, for these subscribers.
fn insert<'n>(tx: &mut Tx<'_>, names: impl Iterator<Item = &'n str>, [event, entity, row, payload]: [&str; 4]) -> Result<()> {
    let id = Uuid::now_v7();
    let now = Value::DateTime(tx.caller.now);
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_outbox (id, subscriber, event, entity, row_id, payload, attempts, created_at, retry_at, error) VALUES ");
    for (at, name) in names.enumerate() {
        insert.push(if at == 0 { "(" } else { ", (" }).bind(Value::Uuid(id), BindKind::Uuid).push(", ");
        for text in [name, event, entity, row, payload] {
            insert.bind(Value::Text(text.to_owned()), BindKind::Text).push(", ");
        }
        insert.push("0, ").bind(now.clone(), BindKind::DateTime).push(", ").bind(now.clone(), BindKind::DateTime).push(", '')");
    }
    tx.conn.execute(&insert)?;
    tx.conn.request_wake(Work::Events);
    Ok(())
}

/// The first due event that does not follow a pending one of the same row and subscriber. On PostgreSQL it is locked, and events
/// that another process has locked are skipped.
pub(crate) fn next(conn: &mut Conn, now: DateTime<Utc>) -> Result<Option<PendingEvent>> {
    let mut select = Statement::new();
    select.push("SELECT ").push(COLUMNS).push(" FROM dz_outbox AS o WHERE o.retry_at <= ").bind(Value::DateTime(now), BindKind::DateTime);
    select.push(
        " AND NOT EXISTS (SELECT 1 FROM dz_outbox AS e WHERE e.subscriber = o.subscriber AND e.entity = o.entity \
         AND e.row_id = o.row_id AND e.seq < o.seq) ORDER BY o.seq LIMIT 1",
    );
    if conn.engine() == Engine::Postgres {
        select.push(" FOR UPDATE OF o SKIP LOCKED");
    }
    conn.rows(&select, &KINDS)?.into_iter().next().map(read_event).transpose()
}

/// The time of the next attempt.
pub(crate) fn due(conn: &mut Conn) -> Result<Option<DateTime<Utc>>> {
    let mut select = Statement::new();
    select.push("SELECT min(retry_at) FROM dz_outbox");
    match conn.rows(&select, &[BindKind::DateTime])?.into_iter().flatten().next() {
        Some(Value::DateTime(at)) => Ok(Some(at)),
        _ => Ok(None),
    }
}

/// At most `limit` pending events, in order.
pub(crate) fn list(conn: &mut Conn, limit: u32) -> Result<Vec<PendingEvent>> {
    let mut select = Statement::new();
    select.push("SELECT ").push(COLUMNS).push(&format!(" FROM dz_outbox AS o ORDER BY o.seq LIMIT {limit}"));
    conn.rows(&select, &KINDS)?.into_iter().map(read_event).collect()
}

/// Gives pending events and dead letters for a former name of a subscriber its current name, so that their order with new events stays.
pub(crate) fn rename_subscribers(conn: &mut Conn, app: &'static AppDef, hooks: &Hooks) -> Result<()> {
    for (subscriber, former) in hooks.former_names() {
        for table in ["dz_outbox", "dz_dead_letters"] {
            let mut update = Statement::new();
            update.push("UPDATE ").push(table).push(" SET subscriber = ");
            for (condition, text) in [
                ("", subscriber.name()),
                (" WHERE subscriber = ", former),
                (" AND entity = ", app.entity(subscriber.entity).name),
                (" AND event = ", subscriber.event.name()),
            ] {
                update.push(condition).bind(Value::Text(text.to_owned()), BindKind::Text);
            }
            conn.execute(&update)?;
        }
    }
    Ok(())
}

fn read_event(row: Vec<Value>) -> Result<PendingEvent> {
    let mut row = row.into_iter();
    let mut take = || row.next().unwrap_or_default();
    let text = |value: Value| match value {
        Value::Text(text) => text,
        _ => String::new(),
    };
    let (Value::Int(seq), Value::Uuid(id)) = (take(), take()) else { return Err(Error::internal("an event without a number")) };
    let (subscriber, event, entity, row_id, payload) = (text(take()), text(take()), text(take()), text(take()), text(take()));
    let (Value::Int(attempts), Value::DateTime(at), Value::DateTime(retry_at)) = (take(), take(), take()) else {
        return Err(Error::internal("an event without a time"));
    };
    let attempts = u32::try_from(attempts).unwrap_or(u32::MAX);
    Ok(PendingEvent { seq, id, subscriber, event, entity, row_id, payload, attempts, at, retry_at, error: text(take()) })
}

impl PendingEvent {
    /// The kind of an event of a run; `None` for an event of a row.
    pub(crate) fn run_event(&self) -> Option<RunEvent> {
        RunEvent::from_name(&self.event)
    }

    /// The event of a run for its subscriber, and the tenant of the run.
    pub(crate) fn run_happened(&self, app: &'static AppDef, event: RunEvent) -> Result<(RunHappened, Option<Value>)> {
        let RunPayload { input, output, error, tenant } = serde_json::from_str(&self.payload).map_err(Error::internal)?;
        let run = self.row_id.parse().map_err(Error::internal)?;
        let tenant = match app.tenant().filter(|_| !tenant.is_null()) {
            Some(entity) => Some(
                field::from_json(app, entity.key(), &tenant)
                    .map_err(|wrong| Error::internal(format_args!("the tenant of an event {wrong}")))?,
            ),
            None => None,
        };
        let attempt = self.attempts.saturating_add(1);
        let process = self.entity.clone();
        Ok((RunHappened { id: self.id, event, at: self.at, process, run, input, output, error, attempt }, tenant))
    }

    /// The event for its subscriber.
    pub(crate) fn occurrence(&self, app: &'static AppDef) -> Result<Occurrence> {
        let entity = app.entities.iter().copied().find(|entity| entity.name == self.entity);
        let entity = entity.ok_or_else(|| Error::internal(format_args!("the entity `{}` no longer exists", self.entity)))?;
        let payload::Payload { row, before, account, trace } = payload::read(app, entity, &self.payload)?;
        let attempt = self.attempts.saturating_add(1);
        Ok(Occurrence { id: self.id, event: self.event.parse()?, at: self.at, row, before, account, trace, attempt })
    }
}
