//! `/health/live` and `/health/ready`, for process managers and load balancers.
//!
//! No sign-in is required, so a response only names the parts that are not ready; the log has the reason.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    blocking::catch_panic,
    db::{facts, migrate},
    output::log_event,
    state::State,
    web::{Reply, auth, server::Server},
    worker,
};

/// The process is running.
pub(crate) fn report_live() -> Reply {
    auth::json_ok(json!({ "status": "live" }))
}

/// The age up to which a result of the check is used again. The check needs no sign-in and has no rate, so that a flood from the
/// address of a balancer does not make it fail; the database is queried once in this time.
const LIFETIME: Duration = Duration::from_secs(1);

/// The time in which the parts must answer. A server that has stopped, or a disk that does not respond, ends no connection, so that the
/// check itself would wait.
const LIMIT: Duration = Duration::from_secs(5);

/// The last result of the check, and the running check.
#[derive(Default)]
pub(crate) struct Readiness(Arc<Checked>);

#[derive(Default)]
struct Checked {
    last: Mutex<Last>,
    /// Notified when a check ends.
    ended: Condvar,
}

#[derive(Default)]
struct Last {
    /// The result, with the time of the end of its check.
    result: Option<(Instant, Parts)>,
    /// The start of a check that has not ended.
    running_since: Option<Instant>,
}

/// The checked parts, by name, each with its result.
type Parts = Vec<(&'static str, Health)>;

/// The result of the check of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Health {
    Ok,
    /// The database answers and accepts no changes, for example after a failover to a replica. Requests that only read are served, so
    /// the instance is ready.
    ReadOnly,
    /// The object storage does not answer. Requests without files are served, and all instances have the same storage, so the instance is
    /// ready.
    Unavailable,
    Failed,
}

impl From<bool> for Health {
    fn from(is_well: bool) -> Health {
        if is_well { Health::Ok } else { Health::Failed }
    }
}

impl Health {
    fn as_str(self) -> &'static str {
        match self {
            Health::Ok => "ok",
            Health::ReadOnly => "read-only",
            Health::Unavailable => "unavailable",
            Health::Failed => "failed",
        }
    }
}

impl Checked {
    fn lock(&self) -> MutexGuard<'_, Last> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Readiness {
    /// The result of the check: the last one if it is recent enough or if a check is running, otherwise that of a new check.
    fn check(&self, state: &Arc<State>) -> Parts {
        let mut last = self.0.lock();
        let is_recent = last.result.as_ref().is_some_and(|(at, _)| at.elapsed() < LIFETIME);
        if last.running_since.is_none() && !is_recent {
            last.running_since = Some(Instant::now());
            if let Err(error) = self.start(state) {
                log_event!(warn, target: "dz::health", "the check cannot start: {error}");
                last.running_since = None;
                return failed(state);
            }
            last = self.wait(last);
        } else if last.result.is_none() {
            last = self.wait(last);
        }
        let is_late = last.running_since.is_some_and(|since| since.elapsed() >= LIMIT);
        last.result.as_ref().filter(|_| !is_late).map_or_else(|| failed(state), |(_, parts)| parts.clone())
    }

    /// Starts a check on a thread of its own, which can wait for the database longer than a request does.
    fn start(&self, state: &Arc<State>) -> std::io::Result<()> {
        let (checked, state) = (Arc::clone(&self.0), Arc::clone(state));
        thread::Builder::new().name("dz health".to_owned()).spawn(move || {
            // A panic would leave the check running.
            let parts = catch_panic(|| Ok(check(&state))).unwrap_or_else(|_| failed(&state));
            let mut last = checked.lock();
            (last.result, last.running_since) = (Some((Instant::now(), parts)), None);
            drop(last);
            checked.ended.notify_all();
        })?;
        Ok(())
    }

    /// Waits for the end of the running check, at most until its limit.
    fn wait<'l>(&'l self, last: MutexGuard<'l, Last>) -> MutexGuard<'l, Last> {
        let rest = last.running_since.map_or(Duration::ZERO, |since| LIMIT.saturating_sub(since.elapsed()));
        let ended = self.0.ended.wait_timeout_while(last, rest, |last| last.running_since.is_some());
        let (last, waited) = ended.unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            log_event!(warn, target: "dz::health", "the database does not answer within {} seconds", LIMIT.as_secs());
        }
        last
    }
}

/// The parts while the database does not answer.
fn failed(state: &State) -> Parts {
    vec![("database", Health::Failed), ("migrations", Health::Failed), ("worker", worker_health(state))]
}

fn worker_health(state: &State) -> Health {
    (!state.config.settings.worker || worker::are_all_running(state)).into()
}

/// Requests can be served: the database answers, it has every migration of this program, and the worker runs. 503 otherwise.
pub(crate) fn ready(server: &Server) -> Reply {
    let parts = server.readiness.check(&server.state);
    let is_ready = parts.iter().all(|(_, health)| *health != Health::Failed);
    let mut body = json!({ "status": if is_ready { "ready" } else { "not ready" } });
    for (part, health) in parts {
        body[part] = json!(health.as_str());
    }
    let replicas = server.state.db.replicas();
    if !replicas.is_empty() {
        // The primary serves the reads of a replica that is out of use, so that the instance is ready.
        let in_use = replicas.iter().filter(|replica| replica.in_use).count();
        body["replicas"] = json!({ "configured": replicas.len(), "in_use": in_use });
    }
    Reply { status: if is_ready { 200 } else { 503 }, ..auth::json_ok(body) }
}

fn check(state: &State) -> Parts {
    let mut migrations = true;
    let read_only = state.db.read(&mut |conn| {
        migrations = migrate::pending(conn, state.app)?.is_empty();
        let read_only = facts::is_read_only(conn)?;
        if read_only {
            // A new connection finds the new primary behind the same address.
            conn.discard();
        }
        Ok(read_only)
    });
    let database = match &read_only {
        Err(error) => {
            log_event!(warn, target: "dz::health", "the database does not answer: {}", error.internal.as_deref().unwrap_or(&error.detail));
            Health::Failed
        }
        Ok(true) => {
            log_event!(warn, target: "dz::health", "the database is read-only: requests that only read are served, and changes get 503");
            Health::ReadOnly
        }
        Ok(false) => Health::Ok,
    };
    let mut parts =
        vec![("database", database), ("migrations", (read_only.is_ok() && migrations).into()), ("worker", worker_health(state))];
    let files = state.storage.is_available().map(|is_available| if is_available { Health::Ok } else { Health::Unavailable });
    parts.extend(files.map(|health| ("files", health)));
    parts
}
