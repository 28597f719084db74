//! `/health/live` and `/health/ready`, for process managers and load balancers.
//!
//! No sign-in is required, so a response only names the parts that are not ready; the log has the reason.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
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

/// The last result of the check.
#[derive(Default)]
pub(crate) struct Readiness(Mutex<Option<(Instant, Parts)>>);

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

impl Readiness {
    /// The last result if it is recent enough. Otherwise `None`, and other requests use the last result until the caller stores a new
    /// one.
    fn claim(&self) -> Option<Parts> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, parts) = last.as_mut()?;
        if at.elapsed() < LIFETIME {
            return Some(parts.clone());
        }
        *at = Instant::now();
        None
    }

    fn store(&self, parts: Parts) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), parts));
    }
}

/// Requests can be served: the database answers, it has every migration of this program, and the worker runs. 503 otherwise.
pub(crate) fn ready(server: &Server) -> Reply {
    let parts = server.readiness.claim().unwrap_or_else(|| {
        let parts = check(&server.state);
        server.readiness.store(parts.clone());
        parts
    });
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
    let mut parts = vec![
        ("database", database),
        ("migrations", (read_only.is_ok() && migrations).into()),
        ("worker", (!state.config.settings.worker || worker::are_all_running(state)).into()),
    ];
    let files = state.storage.is_available().map(|is_available| if is_available { Health::Ok } else { Health::Unavailable });
    parts.extend(files.map(|health| ("files", health)));
    parts
}
