//! The engine of processes: a deterministic function from the state of a run and an event to the next state and commands.
//!
//! It uses neither a database nor a clock, so that a test can drive it with any sequence of events. The modules around it store the
//! state and execute the commands in the same transaction.

mod control;
pub(crate) mod event;
pub(crate) mod flow;
mod parallel;
pub(crate) mod retry;
pub(crate) mod state;
mod step;
#[cfg(test)]
mod tests;
mod undo;

use chrono::{DateTime, Utc};

use event::{Command, Event};
use flow::Flow;
use state::{RunState, RunStatus, Unit};

/// The next state of a run after an event, and what must be done in the transaction that stores it.
///
/// An event that no longer concerns the run, such as the result of a cancelled step, changes nothing.
pub(crate) fn advance(flow: &Flow, state: RunState, event: Event, now: DateTime<Utc>) -> (RunState, Vec<Command>) {
    let mut engine = Engine { flow, state, now, commands: Vec::new() };
    engine.handle(event);
    (engine.state, engine.commands)
}

/// True if an administrator can complete a step without its action.
pub(crate) fn can_skip(flow: &Flow, state: &RunState, step: usize) -> bool {
    control::can_skip(flow, state, step)
}

/// One application of [`advance`].
struct Engine<'f> {
    flow: &'f Flow,
    state: RunState,
    now: DateTime<Utc>,
    commands: Vec<Command>,
}

impl Engine<'_> {
    fn handle(&mut self, event: Event) {
        if self.state.status().is_ended() && !matches!(event, Event::Retry | Event::Skip { .. }) {
            return;
        }
        match event {
            Event::Start => self.start_run(),
            Event::Tick => self.tick(),
            Event::Done { attempt, result } => self.receive_result(attempt, result),
            Event::Refused { attempt, failure } => {
                let is_open = self.state.unit(attempt.unit).is_some_and(|it| it.phase.is_open());
                if is_open && self.state.attempt(attempt.unit) == attempt {
                    self.fail_attempt(attempt.unit, failure);
                }
            }
            Event::Chosen { attempt, result } => {
                if self.state.is_current(&attempt) {
                    self.choose(attempt.unit, result);
                }
            }
            Event::Decided { step, visit, outcome, output } => self.decide(step, visit, outcome, output),
            Event::Signal { name, payload, keep } => self.receive_signal(name, payload, keep),
            Event::Cancel => self.cancel_run(),
            Event::Retry => self.retry_run(),
            Event::Skip { step } => self.skip(step),
        }
    }

    /// Receives the result of an attempt. A result after the timeout is dropped, also if no tick came between them.
    fn receive_result(&mut self, attempt: event::Attempt, result: Result<serde_json::Value, event::Failure>) {
        if !self.state.is_current(&attempt) {
            return;
        }
        let it = self.state.unit(attempt.unit);
        let is_late = it.is_some_and(|it| it.phase == state::Phase::Acting && it.deadline.is_some_and(|at| at <= self.now));
        match (self.state.deadline, is_late) {
            (Some(at), _) if at <= self.now && !self.state.is_undoing_run() => self.time_out_run(),
            (_, true) => self.fail_attempt(attempt.unit, event::Failure::timeout("The step did not end within its time")),
            (_, false) => self.receive(attempt.unit, result),
        }
    }

    fn time_out_run(&mut self) {
        self.fail_run(event::Failure::timeout("The process did not end within its time"), None);
    }

    fn start_run(&mut self) {
        if !self.state.is_new() {
            return;
        }
        self.state.deadline = self.flow.timeout.map(|timeout| timeout.after(self.now));
        match self.flow.steps.is_empty() {
            true => self.end(RunStatus::Completed),
            false => self.enter(0),
        }
    }

    /// A tick: handles timeouts and retries that are due, and then starts at most one unit, so that a transaction can stop between two
    /// steps.
    fn tick(&mut self) {
        if self.state.deadline.is_some_and(|at| at <= self.now) && !self.state.is_undoing_run() {
            self.time_out_run();
        }
        for unit in self.state.units() {
            self.tick_unit(unit);
        }
        if let Some(unit) = self.state.next_ready() {
            self.start(unit);
        }
    }

    fn tick_unit(&mut self, unit: Unit) {
        let Some(it) = self.state.unit(unit) else { return };
        if !it.phase.is_open() {
            return;
        }
        if it.deadline.is_some_and(|at| at <= self.now) {
            let failure = event::Failure::timeout("The step did not end within its time");
            return self.fail_attempt(unit, failure);
        }
        if it.wake_at.is_none_or(|at| at > self.now) {
            return;
        }
        if it.phase == state::Phase::Retrying {
            self.change(unit, |it| (it.phase, it.wake_at) = (state::Phase::Ready, None));
        } else if it.phase == state::Phase::Waiting {
            self.complete(unit, serde_json::Value::Null, None);
        }
    }

    /// Changes the state of a unit.
    fn change(&mut self, unit: Unit, change: impl FnOnce(&mut state::UnitState)) {
        if let Some(it) = self.state.unit_mut(unit) {
            change(it);
        }
    }

    /// Ends the run.
    fn end(&mut self, status: RunStatus) {
        self.state.set_ended(status);
        self.commands.push(Command::End(status));
    }
}
