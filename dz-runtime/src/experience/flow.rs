//! What happens without a click: steps are skipped, and processes are started and followed.

use serde_json::{Map, Value as Json};

use super::{Position, values};
use crate::{
    Error, Result, Tx,
    access::check_audience,
    def::{ExperienceDef, StepDef, StepEvent, StepScreen},
    process::{start, view},
};

/// The direction in which a user goes through skipped steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Back,
}

/// Goes on until a step waits for the user or for a process, or the experience has ended.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn settle(tx: &mut Tx<'_>, def: &'static ExperienceDef, position: &mut Position, direction: Direction) -> Result<()> {
    let mut direction = direction;
    // Steps that lead to each other are left after one round in each direction.
    for _ in 0..=2 * def.steps.len() {
        let Some(step) = def.steps.get(position.step).filter(|_| !position.is_ended) else { return Ok(()) };
        let is_past = direction == Direction::Back && matches!(step.screen, StepScreen::Process(_));
        let applies = values::is_applicable(tx, def, position, step)?;
        if applies && !is_past {
            if let StepScreen::Process(name) = step.screen
                && follow(tx, def, position, step, name)?
            {
                direction = Direction::Forward;
                continue;
            }
            return Ok(());
        }
        let back = step.after(StepEvent::Back).filter(|_| direction == Direction::Back);
        if back.is_none() {
            direction = Direction::Forward;
        }
        position.go(back.or_else(|| step.forward()));
    }
    position.go(None);
    Ok(())
}

/// Starts the process of a step, or reads its run; true if the step was left.
fn follow(
    tx: &mut Tx<'_>,
    def: &'static ExperienceDef,
    position: &mut Position,
    step: &'static StepDef,
    name: &'static str,
) -> Result<bool> {
    if position.failure.is_some() || check_audience(tx.caller(), step.audience).is_err() {
        return Ok(false);
    }
    let Some(id) = position.run else { return begin(tx, def, position, step, name) };
    let run = match view::find(tx, id) {
        Ok(run) => Some(run),
        Err(error) if error.status == 404 => None,
        Err(error) => return Err(error),
    };
    match run.as_ref().map(|run| run.status.as_str()) {
        Some("queued" | "running" | "waiting" | "compensating") => Ok(false),
        Some("completed") => {
            let output = run.and_then(|run| run.saved.output).unwrap_or_default();
            if let Some(value) = step.saves_to.and_then(|at| def.context.get(usize::from(at))) {
                position.save(value.name, find_output(value.name, &output));
            }
            position.go(step.after(StepEvent::Success));
            Ok(true)
        }
        Some("cancelled") => Ok(fail(position, step, say!("dz-the-process-was-cancelled", "The process was cancelled.").to_owned())),
        Some(_) => {
            let error = run.and_then(|run| run.saved.run.error.map(|error| error.failure.detail));
            Ok(fail(position, step, error.unwrap_or_else(|| say!("dz-the-process-has-failed", "The process has failed.").to_owned())))
        }
        // Old runs are removed.
        None => Ok(fail(position, step, say!("dz-the-result-is-no-longer-stored", "Its result is no longer stored.").to_owned())),
    }
}

/// The output with the name of a value, or the only output.
fn find_output(name: &str, output: &Map<String, Json>) -> Json {
    let only = if output.len() == 1 { output.values().next() } else { None };
    output.get(name).or(only).cloned().unwrap_or_default()
}

/// Starts the process of a step; its inputs are the values of the context with the same names.
fn begin(
    tx: &mut Tx<'_>,
    def: &'static ExperienceDef,
    position: &mut Position,
    step: &'static StepDef,
    name: &'static str,
) -> Result<bool> {
    let context: Map<String, Json> = position.context.iter().cloned().collect();
    let last = |tx: &Tx<'_>, entity: &'static crate::def::EntityDef| position.last_row(tx, def, entity.ix);
    match tx.savepoint(|tx| start::start_for_user(tx, name, &context, last)) {
        Ok(Some(run)) => {
            position.run = Some(run.id);
            Ok(false)
        }
        Ok(None) => Ok(fail(
            position,
            step,
            say!("dz-the-process-runs-already", "The process is already running, and cannot run twice at a time.").to_owned(),
        )),
        Err(error) if error.status < 500 => Ok(fail(position, step, explain(&error))),
        Err(error) => Err(error),
    }
}

/// The text of a refused start, with the invalid inputs.
fn explain(error: &Error) -> String {
    let inputs = error.field_errors.iter().map(|(name, messages)| format!("`{name}` {}.", messages.join(", ")));
    std::iter::once(format!("{}.", error.detail.trim_end_matches('.'))).chain(inputs).collect::<Vec<_>>().join(" ")
}

/// Follows `failure`; without such a line the step shows the reason. True if the step was left.
fn fail(position: &mut Position, step: &'static StepDef, why: String) -> bool {
    match step.after(StepEvent::Failure) {
        Some(next) => {
            position.go(Some(next));
            true
        }
        None => {
            position.failure = Some(why);
            false
        }
    }
}
