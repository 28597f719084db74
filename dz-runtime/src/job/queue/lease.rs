//! The lease under which an instance works on a job: its duration, its renewal and its release.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement},
};

/// The time after which another instance takes over a job.
pub(super) const LEASE: TimeDelta = TimeDelta::seconds(30);
/// The time between two renewals of a lease.
pub(crate) const RENEWAL: Duration = Duration::from_secs(10);

/// Appends the condition that the lease is held.
pub(super) fn push_held(statement: &mut Statement, (id, runner): (Uuid, Uuid)) {
    statement.push(" WHERE state = 'running' AND id = ").bind(Value::Uuid(id), BindKind::Uuid);
    statement.push(" AND runner = ").bind(Value::Uuid(runner), BindKind::Uuid);
}

/// Renews a lease; false if it is no longer held.
pub(crate) fn renew_lease(conn: &mut Conn, held: (Uuid, Uuid), machine: DateTime<Utc>) -> Result<bool> {
    let mut update = Statement::new();
    update.push("UPDATE dz_jobs SET leased_until = ").bind(Value::DateTime(machine + LEASE), BindKind::DateTime);
    push_held(&mut update, held);
    Ok(conn.execute(&update)? > 0)
}

/// Lets this instance claim at once what another one was working on, which has ended.
pub(crate) fn release_leases(conn: &mut Conn, machine: DateTime<Utc>) -> Result<usize> {
    let mut update = Statement::new();
    update.push("UPDATE dz_jobs SET leased_until = ").bind(Value::DateTime(machine), BindKind::DateTime);
    update.push(" WHERE state = 'running'");
    conn.execute(&update)
}
