//! Concurrent steps: their end, and the treatment of a failure.

use serde_json::Value as Json;

use super::{
    Engine,
    event::Failure,
    flow::{Action, FailurePolicy},
    state::{Phase, Undo, Unit, UnitState},
};

impl Engine<'_> {
    fn branches(&self, parallel: usize) -> (Vec<usize>, FailurePolicy) {
        match self.flow.steps.get(parallel).map(|step| &step.action) {
            Some(Action::Parallel { branches, on_any_failure }) => (branches.clone(), *on_any_failure),
            _ => (Vec::new(), FailurePolicy::FailFast),
        }
    }

    fn branch(&self, at: usize) -> Option<&UnitState> {
        self.state.unit(Unit::Step(at))
    }

    /// Cancels the open branches of a step, if it has any.
    pub(super) fn cancel_branches(&mut self, parallel: usize) {
        for branch in self.branches(parallel).0 {
            self.cancel_unit(Unit::Step(branch));
        }
    }

    fn is_joining(&self, parallel: usize) -> bool {
        self.branch(parallel).is_some_and(|it| it.phase == Phase::Joining)
    }

    /// A branch has ended: the `parallel` ends with its last branch.
    pub(super) fn join(&mut self, parallel: usize) {
        let (branches, _) = self.branches(parallel);
        if !self.is_joining(parallel) || branches.iter().any(|at| self.branch(*at).is_none_or(|it| it.phase.is_open())) {
            return;
        }
        let failed = branches.iter().filter_map(|at| self.branch(*at)).find(|it| it.phase == Phase::Failed && !it.handled);
        match failed.and_then(|it| it.error.clone()) {
            Some(failure) => self.fail_parallel(parallel, failure),
            None => self.complete(Unit::Step(parallel), Json::Null, None),
        }
    }

    /// A branch has failed.
    pub(super) fn fail_branch(&mut self, branch: usize, failure: Failure) {
        let Some(parallel) = self.flow.steps.get(branch).and_then(|step| step.parent) else { return };
        if !self.is_joining(parallel) {
            return;
        }
        match self.branches(parallel).1 {
            FailurePolicy::WaitAll => self.join(parallel),
            FailurePolicy::FailFast => {
                self.cancel_branches(parallel);
                self.fail_parallel(parallel, failure);
            }
            FailurePolicy::Rollback => self.roll_back(parallel, failure),
        }
    }

    /// Cancels the other branches and reverts those with effects: the effect of a call that was under way is unknown. Branches of earlier
    /// rounds of a loop are parts of a `parallel` that has ended, and are reverted only if the run fails.
    fn roll_back(&mut self, parallel: usize, failure: Failure) {
        let branches = self.branches(parallel).0;
        let was_called = |engine: &Self, at: usize| {
            let called = engine.branch(at).is_some_and(|it| it.phase.is_open() && it.attempt > 0);
            called && matches!(engine.flow.steps[at].action, Action::Call | Action::Subprocess)
        };
        let mut undone: Vec<usize> = branches.iter().copied().filter(|at| was_called(self, *at)).collect();
        self.cancel_branches(parallel);
        let before = self.branch(parallel).map_or(0, |it| it.completed_before).min(self.state.completed.len());
        let (own, others): (Vec<usize>, Vec<usize>) =
            self.state.completed.split_off(before).into_iter().partition(|at| branches.contains(at));
        undone.extend(own.into_iter().rev());
        self.state.completed.extend(others);
        for step in undone {
            self.plan_undo(step, Some(parallel));
        }
        // The branches have ended, so the time of the `parallel` does not limit their compensations.
        self.change(Unit::Step(parallel), |it| (it.error, it.deadline) = (Some(failure), None));
        self.continue_undo();
    }

    /// Fails a `parallel` whose branches have ended.
    pub(super) fn fail_parallel(&mut self, parallel: usize, failure: Failure) {
        let now = self.now;
        self.change(Unit::Step(parallel), |it| {
            (it.phase, it.ended_at, it.deadline) = (Phase::Failed, Some(now), None);
            (it.failures, it.error) = (it.failures + 1, Some(failure.clone()));
        });
        self.fail_unit(Unit::Step(parallel), failure);
    }

    /// Adds the compensation of a step, if it has one.
    pub(super) fn plan_undo(&mut self, step: usize, parallel: Option<usize>) {
        let Some(compensation) = self.flow.steps.get(step).and_then(|step| step.compensate) else { return };
        // A step that was completed several times has as many compensations, each with an idempotency key of its own.
        let earlier = self.state.undo.iter().filter(|undo| undo.step == step).count();
        let visit = u32::try_from(earlier).unwrap_or(u32::MAX).saturating_add(1);
        self.state.order += 1;
        let unit = UnitState::new(visit, self.state.order);
        self.state.undo.push(Undo { step, compensation, parallel, unit });
    }
}
