//! Runs the jobs of the application.

use std::{
    sync::{Arc, Weak, atomic::AtomicBool},
    thread,
    time::Instant,
};

use chrono::TimeDelta;

use super::{Progress, Stop};
use crate::{
    Engine, Error, Result,
    blocking::catch_panic,
    job::{
        JobCx, default_delay,
        leases::NextRenewal,
        queue::{self, ClaimedJob, Failure},
    },
    output::log_event,
    state::State,
    trace::{self, Description, SpanKind},
};

/// Jobs of one run.
const BATCH: u64 = 200;
/// The longest time in which due jobs have precedence over those whose lease has expired.
const LEASE_CHECK: TimeDelta = TimeDelta::seconds(1);

/// Runs due jobs.
pub(super) fn run(state: &Arc<State>, stop: &Stop) -> Result<Progress> {
    let mut done = Progress::default();
    // After a job the next one is probably due too.
    let mut is_likely = false;
    while done.count + done.postponed < BATCH && !stop.is_requested() {
        let ended = run_next(state, is_likely)?;
        is_likely = true;
        match ended {
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
fn run_next(state: &Arc<State>, is_likely: bool) -> Result<Option<bool>> {
    let (now, machine) = (state.clock.now(), state.db.lease_time()?);
    // On SQLite, an attempt to claim takes the place of the only writer.
    if state.db.engine() == Engine::Sqlite && !is_likely && !state.db.read(&mut |conn| queue::has_claimable(conn, now, machine))? {
        return Ok(None);
    }
    let expired_first = state.leases_checked.is_due(machine, LEASE_CHECK);
    if expired_first {
        state.leases_checked.note(machine);
    }
    let claimed = state.db.write_statements(&mut |conn| queue::claim(conn, state.app, now, machine, expired_first))?;
    let Some(job) = claimed else { return Ok(None) };
    let lost = Arc::new(AtomicBool::new(false));
    let cx = JobCx::new(state.system_cx().for_event(job.id.simple().to_string(), job.tenant.clone()), &job, lost.clone());
    let work = || hold_lease(state, &job, &lost, || catch_panic(|| state.hooks.jobs.find(&job.name)?.run(&cx, &job.payload)));
    let span = state.tracer.begin(job.trace.as_deref());
    let result = trace::run_span(span, SpanKind::Consumer, work, |result| describe(&job, result));
    match result {
        Ok(()) if cx.is_removed() => Ok(Some(true)),
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
fn hold_lease(state: &Arc<State>, job: &ClaimedJob, lost: &Arc<AtomicBool>, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let (_lease, must_start) = state.leases.hold((job.id, job.runner), lost.clone());
    if must_start {
        let weak = Arc::downgrade(state);
        let renewal = thread::Builder::new().name("dz job leases".to_owned()).spawn(move || renew_leases(&weak));
        if let Err(error) = renewal {
            state.leases.note_no_thread();
            return Err(Error::internal(error));
        }
    }
    work()
}

/// Renews the leases of all jobs until there was none for some time.
fn renew_leases(state: &Weak<State>) {
    while let Some(shared) = state.upgrade() {
        match shared.leases.next(Instant::now()) {
            NextRenewal::End => return,
            NextRenewal::Wait(wait) => {
                drop(shared);
                thread::sleep(wait);
            }
            NextRenewal::Renew(leases) => {
                for held in leases {
                    let renew = |machine| shared.db.write(&mut |conn| queue::renew_lease(conn, held, machine));
                    // A panic must not end the only thread that renews.
                    let renewed = catch_panic(|| shared.db.lease_time().and_then(renew));
                    shared.leases.note(held, renewed.ok(), Instant::now());
                }
            }
        }
    }
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
