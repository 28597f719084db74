//! Jobs of the engine: calls of services, and events from other runs.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::{
    attempts,
    core::{
        event::{Attempt, Event, Failure},
        state::Unit,
    },
    data, drive, signal,
    store::{self, Lock},
};
use crate::{
    Job, JobCx, Result, SystemCx,
    blocking::catch_panic,
    hooks::Hooks,
    service::ServiceCall,
    trace::{self, Description, SpanKind},
};

/// A crash is not a failed attempt, so the number of executions has no limit that a run could reach.
const EXECUTIONS: u32 = 1_000_000;

/// A call of a service.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CallJob {
    pub run: Uuid,
    pub attempt: Attempt,
    /// The idempotency key.
    pub key: String,
    pub service: String,
    /// The name of the step.
    #[serde(default)]
    pub step: String,
    /// True for the intent of a language model.
    #[serde(default)]
    pub is_intent: bool,
    pub input: Json,
    /// The time after which the result is dropped.
    pub deadline: Option<DateTime<Utc>>,
}

impl Job for CallJob {
    const NAME: &'static str = "dz process call";
    const MAX_ATTEMPTS: u32 = EXECUTIONS;
}

/// An event for a run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MessageJob {
    pub run: Uuid,
    pub event: Event,
}

impl Job for MessageJob {
    const NAME: &'static str = "dz process message";
    const MAX_ATTEMPTS: u32 = EXECUTIONS;
}

/// A signal that a process sends.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SignalJob {
    pub id: Uuid,
    pub name: String,
    pub payload: Json,
}

impl Job for SignalJob {
    const NAME: &'static str = "dz process signal";
    const MAX_ATTEMPTS: u32 = EXECUTIONS;
}

/// Adds the handlers of these jobs.
pub(super) fn register(hooks: &mut Hooks) {
    hooks.jobs.add::<CallJob>(call);
    hooks.jobs.add::<MessageJob>(|cx, job: MessageJob| deliver(cx, job.run, &job.event));
    hooks.jobs.add::<SignalJob>(|cx, job: SignalJob| cx.run_last(|tx| signal::send(tx, &job.name, &job.payload, job.id).map(drop)));
}

/// Applies an event to a run, and ends the job in the same transaction; a run that was removed needs no event.
fn deliver(cx: &JobCx, run: Uuid, event: &Event) -> Result<()> {
    drive::repeat_refused(|refusals| {
        cx.run_last(|tx| match store::find(tx.conn, tx.app, run, Lock::Wait)? {
            Some(mut run) => drive::handle_with(tx, &mut run, event.clone(), drive::STEPS, refusals),
            None => Ok(()),
        })
    })
}

/// True if the run still waits for the result of an attempt.
fn is_awaited(cx: &SystemCx, job: &CallJob) -> Result<bool> {
    if let Unit::Step(_) = job.attempt.unit {
        return cx.read(|tx| attempts::is_running(tx.conn, job.run, &job.attempt));
    }
    let run = cx.read(|tx| store::find(tx.conn, tx.app, job.run, Lock::No))?;
    Ok(run.is_some_and(|run| run.saved.run.is_current(&job.attempt)))
}

/// Calls a service without a connection to the database, and stores its result if it is still awaited.
fn call(cx: &JobCx, job: CallJob) -> Result<()> {
    if !is_awaited(cx, &job)? {
        return cx.run_last(|_| Ok(()));
    }
    let work = || catch_panic(|| invoke(cx, &job));
    let result = trace::in_span(SpanKind::Internal, work, |result| describe(&job, result));
    // The other instance that has taken over the call stores its result.
    if cx.is_cancelled() {
        return Ok(());
    }
    let result: Result<Json, Failure> = result.map_err(|error| data::failure(&error));
    deliver(cx, job.run, &Event::Done { attempt: job.attempt, result })
}

fn describe(job: &CallJob, result: &Result<Json>) -> Description {
    let attributes = vec![
        ("dz.process.step", job.step.as_str().into()),
        ("dz.process.run", job.run.simple().to_string().as_str().into()),
        ("dz.service", job.service.as_str().into()),
        ("dz.process.attempt", trace::Attribute::Int(job.attempt.number.into())),
    ];
    let error = result.as_ref().err().map(|error| error.code.to_owned());
    Description { error, ..Description::new(format!("step {}", job.step), attributes) }
}

fn invoke(cx: &JobCx, job: &CallJob) -> Result<Json> {
    if job.is_intent {
        // The output of a step is an object.
        return Ok(match cx.ask_for(&job.service, job.input.clone(), Some((job.run, job.step.clone())))? {
            Json::String(text) => json!({ "text": text }),
            answer => answer,
        });
    }
    let remaining = job.deadline.map(|deadline| (deadline - cx.clock().now()).to_std().unwrap_or_default());
    let call = ServiceCall {
        service: &job.service,
        key: job.key.clone(),
        attempt: job.attempt.number,
        input: job.input.clone(),
        timeout: remaining,
    };
    cx.services().call(cx, call)
}
