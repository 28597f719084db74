//! The failure and the cancellation of a run, and its compensations.

use super::{
    Engine,
    event::Failure,
    state::{Phase, RunFailure, RunStatus, Unit},
};

impl Engine<'_> {
    /// Fails the run: its open steps are cancelled, and completed steps are compensated.
    pub(super) fn fail_run(&mut self, failure: Failure, step: Option<usize>) {
        if !self.state.is_undoing_run() {
            self.state.error = Some(RunFailure { failure, step });
            self.begin_ending(RunStatus::Failed);
        }
    }

    pub(super) fn cancel_run(&mut self) {
        if !self.state.is_undoing_run() {
            self.begin_ending(RunStatus::Cancelled);
        }
    }

    fn begin_ending(&mut self, status: RunStatus) {
        self.cancel_open_steps();
        self.state.ending = Some(status);
        self.state.deadline = None;
        for step in std::mem::take(&mut self.state.completed).into_iter().rev() {
            self.plan_undo(step, None);
        }
        self.continue_undo();
    }

    /// Continues after the last compensation: a `parallel` that was rolled back fails, or the run ends.
    pub(super) fn continue_undo(&mut self) {
        if self.state.undo.iter().any(|undo| undo.unit.phase.is_open()) {
            return;
        }
        let failed = self.state.undo.iter().any(|undo| undo.unit.phase == Phase::Failed);
        if let Some(status) = self.state.ending {
            if failed && status == RunStatus::Cancelled {
                let failure = Failure::new("COMPENSATION", "A compensation failed");
                self.state.error.get_or_insert(RunFailure { failure, step: None });
            }
            return self.end(if failed { RunStatus::Failed } else { status });
        }
        let rolled_back: Vec<usize> = self.state.steps.iter().filter(|(_, it)| it.phase == Phase::Joining).map(|(at, _)| *at).collect();
        for parallel in rolled_back {
            let error = self.state.unit(Unit::Step(parallel)).and_then(|it| it.error.clone());
            match error {
                // After a failed compensation the effects of the branches are unknown, so the run does not continue.
                Some(_) if failed => self.fail_run(Failure::new("COMPENSATION", "A compensation failed"), Some(parallel)),
                Some(failure) => self.fail_parallel(parallel, failure),
                None => {}
            }
        }
    }
}
