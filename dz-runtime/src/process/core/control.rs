//! Signals, and what users do with a run: repeat it, or skip a step.

use serde_json::{Value as Json, json};

use super::{
    Engine,
    flow::{Action, Flow},
    state::{KeptSignal, Phase, RunState, RunStatus, Unit},
};

/// The largest number of signals that a run keeps.
const MAX_KEPT: usize = 1_000;

impl RunState {
    /// True if the run keeps no further signal.
    pub(in crate::process) fn keeps_all_signals(&self) -> bool {
        self.signals.len() >= MAX_KEPT
    }
}

impl Engine<'_> {
    /// Gives a signal to the first step that waits for it, or keeps it.
    pub(super) fn receive_signal(&mut self, name: String, payload: Json, keep: bool) {
        let awaits = |at: &usize| matches!(self.flow.steps.get(*at).map(|step| &step.action), Some(Action::WaitSignal(it)) if *it == name);
        let waiting = self.state.steps.iter().filter(|(at, it)| it.phase == Phase::Waiting && awaits(at));
        let waiting: Vec<usize> = waiting.map(|(at, _)| *at).collect();
        match (waiting.first(), keep) {
            // A kept signal satisfies one step.
            (Some(at), true) => self.complete(Unit::Step(*at), json!({ "payload": payload }), None),
            (Some(_), false) => {
                waiting.into_iter().for_each(|at| self.complete(Unit::Step(at), json!({ "payload": payload.clone() }), None));
            }
            (None, true) if self.state.signals.len() < MAX_KEPT => self.state.signals.push(KeptSignal { name, payload }),
            (None, _) => {}
        }
    }

    /// Repeats a failed run: at the first step that a compensation reverted, or else at the failed step.
    pub(super) fn retry_run(&mut self) {
        if self.state.status() != RunStatus::Failed {
            return;
        }
        let reverted = self.state.undo.iter().filter_map(|undo| self.outermost(undo.step));
        let first = reverted.min_by_key(|at| self.state.steps.get(at).map(|it| it.order));
        let failed = self.state.error.as_ref().and_then(|error| error.step).and_then(|at| self.outermost(at));
        self.reopen();
        let Some(start) = first.or(failed) else { return self.repeat_cancelled() };
        let order = self.state.steps.get(&start).map_or(0, |it| it.order);
        let branches = match self.flow.steps.get(start).map(|step| &step.action) {
            Some(Action::Parallel { branches, .. }) if first.is_none() => branches.clone(),
            _ => Vec::new(),
        };
        if branches.is_empty() {
            self.state.steps.values_mut().filter(|it| it.order >= order).for_each(|it| it.same_visit = true);
            return self.enter(start);
        }
        // Completed branches stay completed.
        self.change(Unit::Step(start), |it| {
            it.repeat();
            it.phase = Phase::Joining;
        });
        self.limit_parallel(start);
        self.repeat_ended(|at| branches.contains(&at));
        self.join(start);
    }

    /// The step itself, or the `parallel` that contains it.
    fn outermost(&self, at: usize) -> Option<usize> {
        self.flow.steps.get(at).map(|step| step.parent.unwrap_or(at))
    }

    /// Opens a run that has ended.
    fn reopen(&mut self) {
        self.state.ended = None;
        self.state.error = None;
        self.state.undo.clear();
        self.state.completed.retain(|at| self.state.steps.get(at).is_some_and(|it| it.phase == Phase::Completed));
        self.state.deadline = self.flow.timeout.map(|timeout| timeout.after(self.now));
    }

    /// Repeats the steps that were open when the run failed as a whole.
    fn repeat_cancelled(&mut self) {
        self.repeat_ended(|_| true);
        let parallel = |at: &usize| matches!(self.flow.steps.get(*at).map(|step| &step.action), Some(Action::Parallel { .. }));
        let parallels: Vec<usize> = self.state.steps.keys().copied().filter(parallel).collect();
        for at in parallels {
            if self.state.unit(Unit::Step(at)).is_some_and(|it| it.phase == Phase::Ready) {
                self.change(Unit::Step(at), |it| it.phase = Phase::Joining);
                self.limit_parallel(at);
            }
            self.join(at);
        }
        if self.state.steps.values().all(|it| !it.phase.is_open()) {
            self.enter(0);
        }
    }

    /// The timeout of a `parallel` that joins its branches again counts from now.
    fn limit_parallel(&mut self, at: usize) {
        let (timeout, now) = (self.limits(Unit::Step(at)).0, self.now);
        self.change(Unit::Step(at), |it| it.deadline = timeout.map(|timeout| timeout.after(now)));
    }

    fn repeat_ended(&mut self, is_chosen: impl Fn(usize) -> bool) {
        for (at, it) in &mut self.state.steps {
            let ended = it.phase == Phase::Cancelled || (it.phase == Phase::Failed && !it.handled);
            if is_chosen(*at) && ended {
                it.repeat();
            }
        }
    }

    /// Completes a step without its action: an open one, or the one at which the run has failed.
    pub(super) fn skip(&mut self, at: usize) {
        if !can_skip(self.flow, &self.state, at) {
            return;
        }
        let unit = Unit::Step(at);
        match self.state.status().is_ended() {
            true => self.reopen(),
            false => self.withdraw(unit),
        }
        let now = self.now;
        self.change(unit, |it| {
            (it.phase, it.ended_at, it.wake_at, it.deadline) = (Phase::Completed, Some(now), None, None);
            (it.output, it.goto) = (Json::Null, None);
        });
        let next = self.flow.steps[at].next;
        self.go(at, next);
    }
}

/// True if a step can be completed without its action.
pub(super) fn can_skip(flow: &Flow, state: &RunState, at: usize) -> bool {
    let Some((step, it)) = flow.steps.get(at).zip(state.unit(Unit::Step(at))) else { return false };
    if matches!(step.action, Action::Condition { .. } | Action::Parallel { .. }) {
        return false;
    }
    let status = state.status();
    let failed_here = status == RunStatus::Failed && state.error.as_ref().is_some_and(|error| error.step == Some(at));
    let is_open = it.phase.is_open() && !status.is_ended() && !state.is_undoing_run();
    is_open || (failed_here && state.undo.is_empty() && step.parent.is_none())
}
