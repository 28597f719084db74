//! Stores the jobs of schedules.

use std::sync::Arc;

use super::{Progress, Stop};
use crate::{Result, state::State};

/// Evaluates every schedule.
pub(super) fn run(state: &Arc<State>, stop: &Stop) -> Result<Progress> {
    let mut done = Progress::default();
    let jobs = &state.hooks.jobs;
    for schedule in jobs.schedules() {
        if stop.is_requested() {
            return Ok(done);
        }
        let now = state.clock.now();
        if state.db.read(&mut |conn| schedule.is_due(conn, now))? {
            let handler = jobs.find(&schedule.name)?;
            done.count += u64::from(state.db.write(&mut |conn| schedule.evaluate(conn, state.app, handler, now))?);
        }
        done.next = [done.next, state.db.read(&mut |conn| schedule.next(conn))?].into_iter().flatten().min();
    }
    Ok(done)
}
