//! Delivers events at least once, and in order for each row and subscriber.

use std::{sync::Arc, thread, time::Duration};

use super::{Progress, Stop};
use crate::{
    Engine, Error, Result, RunEvent,
    blocking::catch_panic,
    db::Conn,
    outbox::{self, NO_SUBSCRIBER, PendingEvent},
    output::log_event,
    state::State,
    tenancy,
    trace::{self, Description, SpanKind},
};

/// Events of one run.
const BATCH: u64 = 200;
/// The time between two attempts while another process delivers.
const CONTENTION: Duration = Duration::from_millis(50);

/// Delivers due events.
pub(super) fn run(state: &Arc<State>, stop: &Stop) -> Result<Progress> {
    let mut done = Progress::default();
    // On SQLite one process delivers at a time, so that no event is delivered twice at the same time.
    let Some(_lock) = state.db.lock_delivery()? else {
        thread::sleep(CONTENTION);
        done.more = !stop.is_requested();
        return Ok(done);
    };
    while done.count + done.postponed < BATCH && !stop.is_requested() {
        match deliver_next(state)? {
            Some(true) => done.count += 1,
            Some(false) => done.postponed += 1,
            None => {
                done.next = state.db.read(&mut outbox::due)?;
                return Ok(done);
            }
        }
    }
    done.more = !stop.is_requested();
    Ok(done)
}

/// Delivers the next event; `None` if none is due, `false` if the delivery failed.
///
/// On PostgreSQL a separate connection locks the event until the result is stored, so that no other instance takes it; the lock of a
/// crashed instance is released. On SQLite the process holds the lock for deliveries, and the writer is not held during a delivery.
fn deliver_next(state: &Arc<State>) -> Result<Option<bool>> {
    match state.db.engine() {
        Engine::Sqlite => {
            let Some(waiting) = state.db.read(&mut |conn| outbox::next(conn, state.clock.now()))? else { return Ok(None) };
            let heard = deliver(state, &waiting);
            state.db.write(&mut |conn| record_result(state, conn, &waiting, heard.as_ref().err())).map(Some)
        }
        Engine::Postgres => state.db.write_reserved(&mut |conn| {
            let Some(waiting) = outbox::next(conn, state.clock.now())? else { return Ok(None) };
            let heard = deliver(state, &waiting);
            record_result(state, conn, &waiting, heard.as_ref().err()).map(Some)
        }),
    }
}

fn deliver(state: &Arc<State>, waiting: &PendingEvent) -> Result<()> {
    catch_panic(|| {
        if let Some(event) = waiting.run_event() {
            return deliver_of_run(state, waiting, event);
        }
        let entity = state.app.entities.iter().find(|entity| entity.name == waiting.entity);
        let found = entity.and_then(|entity| state.hooks.find_subscriber(&waiting.subscriber, entity.ix, &waiting.event));
        let subscriber = found.ok_or_else(|| gone(waiting))?;
        let occurrence = waiting.occurrence(state.app)?;
        let tenant = state.app.entities.get(usize::from(subscriber.entity)).and_then(|entity| tenancy::row_tenant(entity, &occurrence.row));
        let cx = state.system_cx().for_event(waiting.id.simple().to_string(), tenant);
        let span = state.tracer.begin(occurrence.trace.as_deref());
        trace::run_span(span, SpanKind::Consumer, || (subscriber.deliver)(&cx, &occurrence), |result| describe(waiting, result))
    })
}

fn describe(waiting: &PendingEvent, result: &Result<()>) -> Description {
    let attributes = vec![
        ("dz.event.entity", waiting.entity.as_str().into()),
        ("dz.event.name", waiting.event.as_str().into()),
        ("dz.event.subscriber", waiting.subscriber.as_str().into()),
    ];
    let error = result.as_ref().err().map(|error| error.code.to_owned());
    Description { error, ..Description::new(format!("event {} {}", waiting.entity, waiting.event), attributes) }
}

fn gone(waiting: &PendingEvent) -> Error {
    let internal = format!("the subscriber `{}` no longer exists", waiting.subscriber);
    Error { internal: Some(internal.into()), ..Error::new(410, NO_SUBSCRIBER, "This subscriber no longer exists") }
}

fn deliver_of_run(state: &Arc<State>, waiting: &PendingEvent, event: RunEvent) -> Result<()> {
    let subscriber = state.hooks.find_run_subscriber(&waiting.subscriber, &waiting.entity, event).ok_or_else(|| gone(waiting))?;
    let (happened, tenant) = waiting.run_happened(state.app, event)?;
    let cx = state.system_cx().for_event(waiting.id.simple().to_string(), tenant);
    (subscriber.deliver)(&cx, &happened)
}

/// Stores the result of a delivery; returns true for a success.
fn record_result(state: &State, conn: &mut Conn, waiting: &PendingEvent, error: Option<&Error>) -> Result<bool> {
    let Some(error) = error else { return outbox::delete_delivered(conn, waiting).map(|_| true) };
    let again = outbox::record_failure(conn, waiting, error, state.clock.now())?;
    let (subscriber, row, attempt) = (&waiting.subscriber, &waiting.row_id, waiting.attempts + 1);
    let why = error.internal.as_deref().unwrap_or(&error.detail);
    let id = waiting.id.simple().to_string();
    match again {
        Some(at) => {
            log_event!(warn, target: "dz::worker", id, subscriber, row, attempt, why, again = %at, "a subscriber failed on an event")
        }
        None => {
            log_event!(error, target: "dz::worker", id, subscriber, row, attempt, why, "an event became a dead letter; see `events list`")
        }
    }
    Ok(false)
}
