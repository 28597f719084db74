//! Removes expired rows of the framework's own tables, and records, dead letters, runs and calls after their retention.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::{Progress, Stop, partitions};
use crate::{
    Result, Value, audit,
    db::{
        BindKind, Conn, Statement, batch,
        partitions::{Divided, month_of},
    },
    process::{calls, store},
    state::State,
};

/// A table whose rows expire.
struct ExpiringTable {
    table: &'static str,
    /// The column with the time of expiry.
    at: &'static str,
    /// Rows are kept this many hours longer.
    hours: i64,
}

/// The tables.
const TABLES: [ExpiringTable; 9] = [
    ExpiringTable { table: "dz_sessions", at: "expires_at", hours: 0 },
    ExpiringTable { table: "dz_tokens", at: "expires_at", hours: 0 },
    ExpiringTable { table: "dz_spent", at: "expires_at", hours: 0 },
    ExpiringTable { table: "dz_second_steps", at: "expires_at", hours: 0 },
    // A device that was not seen for a year counts as new.
    ExpiringTable { table: "dz_devices", at: "seen_at", hours: 365 * 24 },
    ExpiringTable { table: "dz_idempotency", at: "expires_at", hours: 0 },
    // A row that still fails is retried, and recorded again, every hour.
    ExpiringTable { table: "dz_held", at: "retry_at", hours: 48 },
    // Instances that ended without a shutdown.
    ExpiringTable { table: "dz_instances", at: "seen_at", hours: 1 },
    // Dead letters have a retention of their own.
    ExpiringTable { table: "dz_jobs", at: "expires_at", hours: 0 },
];

/// This table exists only in applications with tenants. A withdrawn invitation counts for the limits of mails for an hour.
const INVITATIONS: ExpiringTable = ExpiringTable { table: "dz_invitations", at: "expires_at", hours: 1 };

/// This table exists only in applications with graphs. Copies of edges are read again after a minute, and follow no older changes.
const EDGE_CHANGES: ExpiringTable = ExpiringTable { table: "dz_edge_changes", at: "at", hours: 1 };

const AUDIT_LOG: &str = "dz_audit_log";
const CALLS: &str = "dz_calls";

/// The time between two clean-ups.
const INTERVAL: TimeDelta = TimeDelta::minutes(10);

/// Removes expired rows.
pub(super) fn run(state: &Arc<State>, stop: &Stop) -> Result<Progress> {
    let now = state.clock.now();
    let mut done = Progress { next: Some(now + INTERVAL), ..Progress::default() };
    if !state.cleaned.is_due(now, INTERVAL) {
        return Ok(done);
    }
    let invitations = state.app.tenant().map(|_| &INVITATIONS);
    let changes = state.app.entities.iter().any(|entity| entity.edge.is_some()).then_some(&EDGE_CHANGES);
    for table in TABLES.iter().chain(invitations).chain(changes) {
        let before = Value::DateTime(now - TimeDelta::hours(table.hours));
        done.count += remove(state, stop, &mut |conn| batch::delete_some(conn, table.table, column_until(table.at, before.clone())))?;
    }
    if let Some(limits) = state.shared_limits.as_ref().filter(|_| !stop.is_requested()) {
        done.count += u64::try_from(limits.delete_unused()?).unwrap_or_default();
    }
    done.count += remove_retained(state, stop, now)?;
    state.cleaned.note(now);
    Ok(done)
}

/// Repeats a deletion until no row is left, or the worker stops.
fn remove(state: &State, stop: &Stop, some: &mut dyn FnMut(&mut Conn) -> Result<usize>) -> Result<u64> {
    batch::repeat(&state.db, || stop.is_requested(), some)
}

/// ` WHERE column <= time`.
fn column_until(column: &str, time: Value) -> Statement {
    let mut condition = Statement::new();
    condition.push(" WHERE ").ident(column).push(" <= ").bind(time, BindKind::DateTime);
    condition
}

/// Removes what is kept for a configured number of days: records of the audit log, dead letters, runs that have ended, and calls of
/// language models. A table with partitions loses whole months, after the retention of their last row. The result is the number of rows
/// and partitions.
fn remove_retained(state: &Arc<State>, stop: &Stop, now: DateTime<Utc>) -> Result<u64> {
    let settings = &state.config.settings;
    let before = |days: u32| Some(days).filter(|days| *days > 0).map(|days| now - TimeDelta::days(days.into()));
    partitions::prepare(state);
    let divided = partitions::divided(state);
    let of = |table: &str| divided.iter().find(|it| it.table == table);
    let mut count = of("dz_outbox").map_or(0, |table| partitions::drop_delivered(state, table, now));
    if let Some(before) = before(settings.audit_days) {
        count += of(AUDIT_LOG).map_or(0, |table| partitions::drop_before(state, table, before));
        let table = rows_of(AUDIT_LOG, of(AUDIT_LOG));
        count += remove(state, stop, &mut |conn| audit::delete_before(conn, &table, before))?;
    }
    if let Some(before) = before(settings.dead_letter_days) {
        count +=
            remove(state, stop, &mut |conn| batch::delete_some(conn, "dz_dead_letters", column_until("died_at", Value::DateTime(before))))?;
        count += remove(state, stop, &mut |conn| {
            let mut condition = column_until("ended_at", Value::DateTime(before));
            condition.push(" AND state = 'dead'");
            batch::delete_some(conn, "dz_jobs", condition)
        })?;
    }
    // Processes and LLM intents both use the tables of runs and of calls; without either, the tables do not exist.
    if state.app.processes.is_empty() && state.app.llm.intents.is_empty() {
        return Ok(count);
    }
    if let Some(before) = before(settings.run_days) {
        let steps = of("dz_run_steps");
        // The steps of a run are in partitions, so runs are removed by month as well.
        let before = steps.map_or(before, |_| month_of(before));
        count += steps.map_or(0, |table| partitions::drop_steps(state, table, before));
        count += remove(state, stop, &mut |conn| store::delete_ended(conn, before))?;
    }
    if let Some(before) = before(settings.call_days) {
        let before = calls::removed_before(state.app, before, now);
        count += of(CALLS).map_or(0, |table| partitions::drop_before(state, table, before));
        let table = rows_of(CALLS, of(CALLS));
        count += remove(state, stop, &mut |conn| calls::delete_before(conn, &table, before))?;
    }
    Ok(count)
}

/// The table whose rows are deleted one by one: the table, or its partition for the rest.
fn rows_of(table: &str, divided: Option<&Divided>) -> String {
    divided.map_or_else(|| table.to_owned(), Divided::rest)
}
