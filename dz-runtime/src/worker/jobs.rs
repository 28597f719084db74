//! Runs the jobs of the application.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
};

use super::{Progress, Stop};
use crate::{
    Error, Result,
    blocking::catch_panic,
    job::{
        JobCx, default_delay,
        queue::{self, ClaimedJob, Failure},
    },
    output::log_event,
    state::State,
    trace::{self, Description, SpanKind},
};

/// Jobs of one run.
const BATCH: u64 = 200;

/// Runs due jobs.
pub(super) fn run(state: &Arc<State>, stop: &Stop) -> Result<Progress> {
    let mut done = Progress::default();
    while done.count + done.postponed < BATCH && !stop.is_requested() {
        match run_next(state)? {
            Some(true) => done.count += 1,
            Some(false) => done.postponed += 1,
            None => {
                let next = state.db.read(&mut queue::next_times)?;
                let machine = state.db.lease_time()?;
                let expires = next.expires.map(|at| state.clock.now() + (at - machine));
                done.next = [next.due, expires].into_iter().flatten().min();
                return Ok(done);
            }
        }
    }
    done.more = !stop.is_requested();
    Ok(done)
}

/// Runs the next job; `None` if none is due, `false` if the attempt failed.
fn run_next(state: &Arc<State>) -> Result<Option<bool>> {
    let (now, machine) = (state.clock.now(), state.db.lease_time()?);
    if !state.db.read(&mut |conn| queue::has_claimable(conn, now, machine))? {
        return Ok(None);
    }
    let Some(job) = state.db.write(&mut |conn| queue::claim(conn, state.app, now, machine))? else { return Ok(None) };
    let lost = Arc::new(AtomicBool::new(false));
    let cx = JobCx::new(state.system_cx().for_event(job.id.simple().to_string(), job.tenant.clone()), &job, lost.clone());
    let work = || hold_lease(state, &job, &lost, || catch_panic(|| state.hooks.jobs.find(&job.name)?.run(&cx, &job.payload)));
    let span = state.tracer.begin(job.trace.as_deref());
    let result = trace::run_span(span, SpanKind::Consumer, work, |result| describe(&job, result));
    match result {
        Ok(()) => {
            let held = state.db.write(&mut |conn| queue::complete(conn, &job, state.clock.now()))?;
            if !held {
                report_loss(&job);
            }
            Ok(Some(held))
        }
        Err(error) => record_failure(state, &job, &error).map(|()| Some(false)),
    }
}

fn describe(job: &ClaimedJob, result: &Result<()>) -> Description {
    let attributes = vec![
        ("dz.job.name", job.name.as_str().into()),
        ("dz.job.id", job.id.simple().to_string().as_str().into()),
        ("dz.job.attempt", trace::Attribute::Int(job.attempt.into())),
    ];
    let error = result.as_ref().err().map(|error| error.code.to_owned());
    Description { error, ..Description::new(format!("job {}", job.name), attributes) }
}

/// Runs `work` while a thread renews the lease; `lost` becomes true if the job was cancelled or taken over.
fn hold_lease(state: &State, job: &ClaimedJob, lost: &AtomicBool, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let (end, ended) = channel::<()>();
    thread::scope(|scope| {
        let renew = move || {
            while ended.recv_timeout(queue::RENEWAL) == Err(RecvTimeoutError::Timeout) {
                // If the database is unavailable, the next renewal can succeed in time.
                let Ok(machine) = state.db.lease_time() else { continue };
                if let Ok(false) = state.db.write(&mut |conn| queue::renew_lease(conn, (job.id, job.runner), machine)) {
                    lost.store(true, Ordering::Relaxed);
                    return;
                }
            }
        };
        let renewal = thread::Builder::new().name("dz job lease".to_owned()).spawn_scoped(scope, renew);
        let result = renewal.map_err(Error::internal).and_then(|_| work());
        drop(end);
        result
    })
}

/// Stores and logs a failed attempt.
fn record_failure(state: &State, job: &ClaimedJob, error: &Error) -> Result<()> {
    let delay = state.hooks.jobs.find(&job.name).map_or_else(|_| default_delay(job.attempt), |handler| (handler.delay)(job.attempt));
    let failure = state.db.write(&mut |conn| queue::fail(conn, job, delay, error, state.clock.now()))?;
    let (id, name, attempt) = (job.id.simple().to_string(), &job.name, job.attempt);
    let why = error.internal.as_deref().unwrap_or(&error.detail);
    match failure {
        Failure::Again(at) => log_event!(warn, target: "dz::worker", id, job = name, attempt, why, again = %at, "a job failed"),
        Failure::Dead => {
            log_event!(error, target: "dz::worker", id, job = name, attempt, why, "a job became a dead letter; see `jobs list`")
        }
        Failure::Lost => report_loss(job),
    }
    Ok(())
}

fn report_loss(job: &ClaimedJob) {
    let (id, name) = (job.id.simple().to_string(), &job.name);
    log_event!(warn, target: "dz::worker", id, job = name, "a job was cancelled or taken over while it ran; its result is ignored");
}
