//! The end of a run: signals, the parent, the processes that follow, and runs that wait for it.

use serde_json::{Value as Json, json};

use super::{
    core::{
        event::{Event, Failure},
        state::RunStatus,
    },
    definition::{Definition, Processes},
    drive, signal,
    start::{self, NewRun},
    store::Run,
    stored::{EmitEvent, Trigger},
};
use crate::{Result, RunError, RunEvent, Tx, event::run::RunPayload, field, outbox, output::log_event};

/// Does what follows the end of a run.
pub(super) fn end(tx: &mut Tx<'_>, run: &Run, process: &Definition, status: RunStatus) -> Result<()> {
    let event = if status == RunStatus::Completed { EmitEvent::Complete } else { EmitEvent::Failure };
    if status != RunStatus::Cancelled {
        send_signals(tx, process, event)?;
    }
    report(run, status);
    let happened = match status {
        RunStatus::Failed => RunEvent::Failed,
        RunStatus::Cancelled => RunEvent::Cancelled,
        RunStatus::Running | RunStatus::Waiting | RunStatus::Compensating | RunStatus::Completed => RunEvent::Completed,
    };
    record(tx, run, process, happened)?;
    if let (Some(parent), Some(attempt)) = (run.parent, run.parent_attempt) {
        let result = if status == RunStatus::Completed { Ok(json!(run.saved.output)) } else { Err(failure(run, status)) };
        drive::send(tx, parent, Event::Done { attempt, result })?;
    }
    if status == RunStatus::Completed {
        start_followers(tx, run)?;
    }
    start::release(tx, run, process.overlap)
}

/// Stores an event of a run for the subscribers of the application.
pub(super) fn record(tx: &mut Tx<'_>, run: &Run, process: &Definition, event: RunEvent) -> Result<()> {
    outbox::record_run(tx, &run.process, event, run.id, |tx| {
        let error = run.saved.run.error.as_ref().map(|error| RunError {
            code: error.failure.code.clone(),
            detail: error.failure.detail.clone(),
            step: error.step.and_then(|at| process.steps.get(at)).map(|step| step.name.clone()),
        });
        let tenant = tx.app.tenant().zip(run.tenant.as_ref()).map_or(Json::Null, |(entity, key)| {
            let mut out = Vec::new();
            field::write_json(entity.key(), key, &mut out);
            serde_json::from_slice(&out).unwrap_or_default()
        });
        RunPayload { input: run.saved.input.clone(), output: run.saved.output.clone(), error, tenant }
    })
}

/// Sends the signals of a process at an event.
pub(super) fn send_signals(tx: &mut Tx<'_>, process: &Definition, event: EmitEvent) -> Result<()> {
    process.emits.iter().filter(|emitted| emitted.event == event).try_for_each(|emitted| signal::send_later(tx, &emitted.signal))
}

fn failure(run: &Run, status: RunStatus) -> Failure {
    let own = run.saved.run.error.as_ref().map(|error| error.failure.clone());
    let (code, detail) =
        if status == RunStatus::Cancelled { ("CANCELLED", "The process was cancelled") } else { ("FAILED", "The process failed") };
    own.unwrap_or_else(|| Failure::new(code, detail))
}

/// Starts the processes that the completion of this one triggers.
fn start_followers(tx: &mut Tx<'_>, run: &Run) -> Result<()> {
    let processes = tx.state::<Processes>()?;
    for process in &processes.declared {
        if process.trigger != (Trigger::Completed { process: run.process.clone() }) {
            continue;
        }
        let payload = json!(run.saved.output);
        let started = drive::attempt_in(tx, |tx| start::start(tx, process, &Json::Null, NewRun::after(run, payload.clone())))?;
        if let Err(failure) = started {
            start::report_failure(process, &failure);
        }
    }
    Ok(())
}

fn report(run: &Run, status: RunStatus) {
    let (id, process) = (run.id.simple().to_string(), &run.process);
    match status {
        RunStatus::Failed => {
            let error = run.saved.run.error.as_ref().map(|error| &error.failure);
            let (code, why) = error.map_or(("", ""), |failure| (failure.code.as_str(), failure.detail.as_str()));
            log_event!(warn, target: "dz::process", event = "process.failed", id, process, code, why, "a process failed");
        }
        RunStatus::Cancelled => {
            log_event!(info, target: "dz::process", event = "process.cancelled", id, process, "a process was cancelled")
        }
        RunStatus::Running | RunStatus::Waiting | RunStatus::Compensating | RunStatus::Completed => {
            log_event!(info, target: "dz::process", event = "process.completed", id, process, "a process completed")
        }
    }
}
