//! Continues the runs of processes that are due.

use std::sync::Arc;

use super::{Progress, Stop};
use crate::{
    Result,
    process::{drive::repeat_refused, store, view},
    state::State,
};

/// Runs of one pass.
const BATCH: u64 = 200;

/// Continues due runs, each in a transaction of its own.
pub(super) fn run(state: &Arc<State>, stop: &Stop) -> Result<Progress> {
    let mut done = Progress::default();
    if state.app.processes.is_empty() {
        return Ok(done);
    }
    while done.count < BATCH && !stop.is_requested() {
        let now = state.clock.now();
        let due = state.db.read(&mut store::next_due)?;
        if due.is_none_or(|at| at > now) {
            done.next = due;
            return Ok(done);
        }
        let request_id = uuid::Uuid::now_v7().simple().to_string();
        let continued = repeat_refused(|refusals| {
            let tracer = &state.tracer;
            state.db.write(&mut |conn| view::continue_next(&mut state.system_tx(conn, &request_id, None), tracer, refusals))
        })?;
        if continued.is_none() {
            // Another instance works on what is due.
            return Ok(done);
        }
        done.count += 1;
    }
    done.more = !stop.is_requested();
    Ok(done)
}
