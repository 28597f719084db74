//! Timed transitions.

use std::{cell::RefCell, sync::Arc};

use crate::{
    Error, Result,
    blocking::catch_panic,
    output::log_event,
    rows::timed_transitions::{self, DueRow, Outcome, TimedTransition},
    state::State,
    worker::{Progress, Stop},
};

/// Rows of one run and transition.
const BATCH: u32 = 200;

/// Makes due transitions.
pub(super) fn run(state: &Arc<State>, stop: &Stop) -> Result<Progress> {
    let mut done = Progress::default();
    for timed in state.app.entities.iter().flat_map(|entity| timed_transitions::find_timed(entity)) {
        let (due, next) = state.db.read(&mut |conn| {
            let mut tx = state.system_tx(conn, "timed", None);
            Ok((timed.due(&mut tx, BATCH)?, timed.next(&mut tx)?))
        })?;
        done.more |= due.len() == BATCH as usize;
        done.next = [done.next, next].into_iter().flatten().min();
        for due in due {
            if stop.is_requested() {
                return Ok(done);
            }
            match apply(state, &timed, &due)? {
                Outcome::Done => done.count += 1,
                Outcome::Skipped => {}
                Outcome::Postponed(error, times) => {
                    done.postponed += 1;
                    report_failure(&timed, &due, &error, times);
                }
            }
        }
    }
    Ok(done)
}

/// Makes one transition in a transaction of its own; a panicking hook counts as a refusal.
fn apply(state: &Arc<State>, timed: &TimedTransition, due: &DueRow) -> Result<Outcome> {
    let request_id = uuid::Uuid::now_v7().simple().to_string();
    let panicked = RefCell::new(None);
    let taken = state.db.write(&mut |conn| {
        let taken = catch_panic(|| timed.execute(&mut state.system_tx(conn, &request_id, due.tenant.as_ref()), due));
        match taken {
            Err(error) if error.status == 500 => {
                *panicked.borrow_mut() = Some(error.clone());
                Err(error)
            }
            taken => taken,
        }
    });
    match (taken, panicked.into_inner()) {
        (Err(_), Some(error)) => {
            let times = state.db.write(&mut |conn| timed.postpone(&mut state.system_tx(conn, &request_id, due.tenant.as_ref()), due))?;
            Ok(Outcome::Postponed(error, times))
        }
        (taken, _) => taken,
    }
}

/// Logs a failure once for each row and stay in a state.
fn report_failure(timed: &TimedTransition, due: &DueRow, error: &Error, times: i64) {
    if times > 1 {
        return;
    }
    let (entity, row, from, to) = (timed.entity.name, due.key.to_stored_key(), timed.from, timed.to);
    let why = error.internal.as_deref().unwrap_or(&error.detail);
    log_event!(warn, target: "dz::worker", entity, row, from, to, code = error.code, why, "a timed transition failed; it is retried later");
}
