//! A unit (a step or a compensation): its attempts, its end, and the step that follows.

use serde_json::Value as Json;

use super::{
    Engine,
    event::{Attempt, Command, Failure},
    flow::{Action, Delay, Target},
    retry::Retry,
    state::{Phase, RunStatus, Unit, UnitState},
};

/// The codes of failures of language models that no further attempt can change: personal data that must not be sent, and a refusal by
/// the provider.
const FINAL: [&str; 2] = ["PII", "LLM_REFUSED"];

impl Engine<'_> {
    /// The action of a unit.
    fn action(&self, unit: Unit) -> Option<Action> {
        match unit {
            Unit::Step(at) => self.flow.steps.get(at).map(|step| step.action.clone()),
            Unit::Undo(at) => {
                let undo = self.state.undo.get(at)?;
                self.flow.compensations.get(undo.compensation).map(|it| it.action.clone())
            }
        }
    }

    pub(super) fn limits(&self, unit: Unit) -> (Option<Delay>, Option<Retry>, bool) {
        let step = |at: usize| self.flow.steps.get(at).map(|step| (step.timeout, step.retry, step.has_effects));
        let undo = |at: usize| {
            let undo = self.state.undo.get(at)?;
            self.flow.compensations.get(undo.compensation).map(|it| (it.timeout, it.retry, it.has_effects))
        };
        match unit {
            Unit::Step(at) => step(at),
            Unit::Undo(at) => undo(at),
        }
        .unwrap_or_default()
    }

    /// Enters a step, which a later tick starts.
    pub(super) fn enter(&mut self, at: usize) {
        self.state.order += 1;
        let order = self.state.order;
        let before = self.state.steps.get(&at);
        let unit = match before {
            Some(before) if before.same_visit => {
                let mut again = UnitState { order, same_visit: false, goto: None, error: None, output: Json::Null, ..before.clone() };
                again.repeat();
                again
            }
            before => UnitState::new(before.map_or(0, |it| it.visit) + 1, order),
        };
        self.state.steps.insert(at, unit);
    }

    /// Starts an attempt of a unit.
    pub(super) fn start(&mut self, unit: Unit) {
        let Some(action) = self.action(unit) else { return };
        let (now, (timeout, ..)) = (self.now, self.limits(unit));
        self.change(unit, |it| {
            it.attempt += 1;
            it.started_at = it.started_at.or(Some(now));
            it.deadline = timeout.map(|timeout| timeout.after(now));
            (it.phase, it.error) = (Phase::Acting, None);
        });
        let attempt = self.state.attempt(unit);
        match action {
            Action::Call => self.commands.push(Command::Call(attempt)),
            Action::Subprocess => self.commands.push(Command::StartChild(attempt)),
            Action::Condition { .. } => self.commands.push(Command::Choose(attempt)),
            Action::Effects => self.apply(attempt),
            Action::Task(_) => {
                self.change(unit, |it| it.phase = Phase::Waiting);
                self.commands.push(Command::OpenTask(attempt));
            }
            Action::WaitFor(time) => self.change(unit, |it| (it.phase, it.wake_at) = (Phase::Waiting, Some(time.after(now)))),
            Action::WaitSignal(name) => {
                self.change(unit, |it| it.phase = Phase::Waiting);
                if let Some(at) = self.state.signals.iter().position(|kept| kept.name == name) {
                    let payload = self.state.signals.remove(at).payload;
                    self.complete(unit, serde_json::json!({ "payload": payload }), None);
                }
            }
            Action::Parallel { branches, .. } => {
                let completed_before = self.state.completed.len();
                self.change(unit, |it| (it.phase, it.completed_before) = (Phase::Joining, completed_before));
                branches.into_iter().for_each(|branch| self.enter(branch));
            }
        }
    }

    fn apply(&mut self, attempt: Attempt) {
        self.change(attempt.unit, |it| it.phase = Phase::Applying);
        self.commands.push(Command::Apply(attempt));
    }

    /// Receives the result of a call, of another process, or of effects.
    pub(super) fn receive(&mut self, unit: Unit, result: Result<Json, Failure>) {
        let applied = self.state.unit(unit).is_some_and(|it| it.phase == Phase::Applying);
        match result {
            Err(failure) => self.fail_attempt(unit, failure),
            Ok(_) if applied => self.finish(unit),
            Ok(output) => self.complete(unit, output, None),
        }
    }

    pub(super) fn choose(&mut self, unit: Unit, result: Result<bool, Failure>) {
        let Some(Action::Condition { on_true, on_false }) = self.action(unit) else { return };
        match result {
            Ok(holds) => self.complete(unit, Json::Null, Some(if holds { on_true } else { on_false })),
            Err(failure) => self.fail_attempt(unit, failure),
        }
    }

    pub(super) fn decide(&mut self, step: usize, visit: u32, outcome: usize, output: Json) {
        let unit = Unit::Step(step);
        let waits = self.state.unit(unit).is_some_and(|it| it.phase == Phase::Waiting && it.visit == visit);
        let Some(Action::Task(outcomes)) = self.action(unit).filter(|_| waits) else { return };
        if let Some(goto) = outcomes.get(outcome) {
            self.complete(unit, output, Some(*goto));
        }
    }

    /// The action of a unit has succeeded: its effects follow, or it ends.
    pub(super) fn complete(&mut self, unit: Unit, output: Json, goto: Option<Target>) {
        self.change(unit, |it| (it.output, it.goto, it.wake_at) = (output, goto, None));
        match self.limits(unit).2 {
            true => self.apply(self.state.attempt(unit)),
            false => self.finish(unit),
        }
    }

    /// Ends a unit as completed, and continues.
    pub(super) fn finish(&mut self, unit: Unit) {
        let now = self.now;
        self.change(unit, |it| {
            (it.phase, it.ended_at, it.deadline, it.wake_at, it.error) = (Phase::Completed, Some(now), None, None, None);
        });
        let Unit::Step(at) = unit else { return self.continue_undo() };
        let Some(step) = self.flow.steps.get(at) else { return };
        if step.compensate.is_some() {
            self.state.completed.push(at);
        }
        let target = self.state.unit(unit).and_then(|it| it.goto).unwrap_or(step.next);
        self.go(at, target);
    }

    /// Continues after a step.
    pub(super) fn go(&mut self, from: usize, target: Target) {
        let parent = self.flow.steps.get(from).and_then(|step| step.parent);
        match (parent, target) {
            (Some(_), Target::Fail) => {
                let failure = Failure::new("FAILED", "The outcome of the step fails the branch");
                if let Some(last) = self.state.completed.iter().rposition(|at| *at == from) {
                    self.state.completed.remove(last);
                }
                self.change(Unit::Step(from), |it| (it.phase, it.error) = (Phase::Failed, Some(failure.clone())));
                self.fail_branch(from, failure);
            }
            (Some(parent), _) => self.join(parent),
            (None, Target::Step(next)) => self.enter(next),
            (None, Target::Complete) => self.complete_run(),
            (None, Target::Fail) => self.fail_run(Failure::new("FAILED", "The process was continued at `fail`"), Some(from)),
        }
    }

    fn complete_run(&mut self) {
        self.cancel_open_steps();
        self.end(RunStatus::Completed);
    }

    /// Records a failed attempt: it is repeated later, or the unit fails.
    pub(super) fn fail_attempt(&mut self, unit: Unit, failure: Failure) {
        self.withdraw(unit);
        let (now, (_, retry, _)) = (self.now, self.limits(unit));
        let failures = self.state.unit(unit).map_or(0, |it| it.failures) + 1;
        let can_repeat = |retry: &Retry| failures < retry.max_attempts && !FINAL.contains(&failure.code.as_str());
        let again = retry.filter(can_repeat).map(|retry| retry.next(failures, now));
        self.change(unit, |it| {
            (it.failures, it.deadline, it.wake_at, it.error) = (failures, None, again, Some(failure.clone()));
            match again {
                Some(_) => it.phase = Phase::Retrying,
                None => (it.phase, it.ended_at) = (Phase::Failed, Some(now)),
            }
        });
        if again.is_none() {
            self.fail_unit(unit, failure);
        }
    }

    /// Continues after the last failed attempt of a unit.
    pub(super) fn fail_unit(&mut self, unit: Unit, failure: Failure) {
        let Unit::Step(at) = unit else { return self.continue_undo() };
        let Some(step) = self.flow.steps.get(at) else { return };
        self.cancel_branches(at);
        match step.on_failure {
            Target::Fail if step.parent.is_some() => self.fail_branch(at, failure),
            Target::Fail => self.fail_run(failure, Some(at)),
            target @ (Target::Step(_) | Target::Complete) => {
                self.change(unit, |it| it.handled = true);
                self.go(at, target);
            }
        }
    }

    /// Withdraws what an open unit waits for outside of the run.
    pub(super) fn withdraw(&mut self, unit: Unit) {
        let attempt = self.state.attempt(unit);
        let phase = self.state.unit(unit).map(|it| it.phase);
        match (self.action(unit), phase) {
            (Some(Action::Task(_)), Some(Phase::Waiting)) => self.commands.push(Command::CloseTask(attempt)),
            (Some(Action::Subprocess), Some(Phase::Acting)) => self.commands.push(Command::CancelChild(attempt)),
            _ => {}
        }
    }

    /// Cancels a unit that has not ended.
    pub(super) fn cancel_unit(&mut self, unit: Unit) {
        if !self.state.unit(unit).is_some_and(|it| it.phase.is_open()) {
            return;
        }
        self.withdraw(unit);
        let now = self.now;
        self.change(unit, |it| {
            (it.phase, it.ended_at, it.wake_at, it.deadline) = (Phase::Cancelled, Some(now), None, None);
        });
    }

    pub(super) fn cancel_open_steps(&mut self) {
        let steps: Vec<usize> = self.state.steps.keys().copied().collect();
        steps.into_iter().for_each(|at| self.cancel_unit(Unit::Step(at)));
    }
}
