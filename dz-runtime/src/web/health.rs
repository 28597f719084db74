//! `/health/live` and `/health/ready`: what a process manager and a load balancer ask.
//!
//! Nobody signs in for these, so they name no more than which part is not ready; the log says why.

use std::sync::Arc;

use serde_json::json;

use crate::{
    Result,
    db::migrate,
    output::log_event,
    state::State,
    web::{Reply, auth},
    worker,
};

/// The process answers.
pub(crate) fn live() -> Reply {
    auth::ok(json!({ "status": "live" }))
}

/// Requests can be served: the database answers, it has every migration of this program, and the worker runs. 503 otherwise.
pub(crate) fn ready(state: &Arc<State>) -> Result<Reply> {
    let mut migrations = true;
    let database = state.db.read(&mut |conn| {
        migrations = migrate::pending(conn, state.app)?.is_empty();
        Ok(())
    });
    if let Err(error) = &database {
        log_event!(warn, target: "dz::health", "the database does not answer: {}", error.internal.as_deref().unwrap_or(&error.detail));
    }
    let parts = [
        ("database", database.is_ok()),
        ("migrations", database.is_ok() && migrations),
        ("worker", !state.config.worker || worker::all_run(state)),
    ];
    let is_ready = parts.iter().all(|(_, is_well)| *is_well);
    let mut body = json!({ "status": if is_ready { "ready" } else { "not ready" } });
    for (part, is_well) in parts {
        body[part] = json!(if is_well { "ok" } else { "failed" });
    }
    Ok(Reply { status: if is_ready { 200 } else { 503 }, ..auth::ok(body) })
}
