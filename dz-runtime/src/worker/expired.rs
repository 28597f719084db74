//! Removes expired rows of the framework's own tables, and records of the audit log after their retention.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::{Progress, Stop};
use crate::{
    Result, Value, audit,
    db::{BindKind, Statement},
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
    // Dead letters do not expire.
    ExpiringTable { table: "dz_jobs", at: "expires_at", hours: 0 },
];

/// This table exists only in applications with tenants.
const INVITATIONS: ExpiringTable = ExpiringTable { table: "dz_invitations", at: "expires_at", hours: 0 };

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
    for table in TABLES.iter().chain(invitations).take_while(|_| !stop.is_requested()) {
        let mut delete = Statement::new();
        delete.push("DELETE FROM ").ident(table.table).push(" WHERE ").ident(table.at).push(" <= ");
        delete.bind(Value::DateTime(now - TimeDelta::hours(table.hours)), BindKind::DateTime);
        let removed = state.db.write(&mut |conn| conn.execute(&delete))?;
        done.count += u64::try_from(removed).unwrap_or_default();
    }
    if let Some(limits) = state.shared_limits.as_ref().filter(|_| !stop.is_requested()) {
        done.count += u64::try_from(limits.delete_unused()?).unwrap_or_default();
    }
    if !state.app.processes.is_empty() && !stop.is_requested() {
        done.count += expire_processes(state, stop, now)?;
    }
    if let Some(days) = state.config.audit_days().filter(|_| !stop.is_requested()) {
        let removed = state.db.write(&mut |conn| audit::delete_before(conn, now - TimeDelta::days(days.into())))?;
        done.count += u64::try_from(removed).unwrap_or_default();
    }
    state.cleaned.note(now);
    Ok(done)
}

/// Removes runs that have ended, and calls of language models, after their retention; the result is their number.
fn expire_processes(state: &Arc<State>, stop: &Stop, now: DateTime<Utc>) -> Result<u64> {
    let before = |days: u32| Some(days).filter(|days| *days > 0).map(|days| now - TimeDelta::days(days.into()));
    let mut count = 0;
    if let Some(before) = before(state.config.settings.run_days) {
        // Several short transactions, so that a large number of runs blocks no other writer.
        loop {
            let removed = state.db.write(&mut |conn| store::delete_ended(conn, before))?;
            count += u64::try_from(removed).unwrap_or_default();
            if removed == 0 || stop.is_requested() {
                break;
            }
        }
    }
    if let Some(before) = before(state.config.settings.call_days) {
        let removed = state.db.write(&mut |conn| calls::delete_before(conn, state.app, before, now))?;
        count += u64::try_from(removed).unwrap_or_default();
    }
    Ok(count)
}
