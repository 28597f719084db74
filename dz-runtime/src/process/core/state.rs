//! The state of a run.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{
    event::{Attempt, Failure},
    flow::Target,
};

/// What a run executes: a step or a compensation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unit {
    /// The step at this position of the flow.
    Step(usize),
    /// The compensation at this position of [`RunState::undo`].
    Undo(usize),
}

/// The status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RunStatus {
    /// It works on a step.
    Running,
    /// It waits for a time, a signal, a human task or a retry.
    Waiting,
    /// It reverts completed steps.
    Compensating,
    /// It has completed.
    Completed,
    /// It has failed.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl RunStatus {
    /// True if the run has ended.
    pub fn is_ended(self) -> bool {
        matches!(self, RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            RunStatus::Running => "running",
            RunStatus::Waiting => "waiting",
            RunStatus::Compensating => "compensating",
            RunStatus::Completed => "completed",
            RunStatus::Failed => "failed",
            RunStatus::Cancelled => "cancelled",
        }
    }
}

/// The phase of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    /// It can start.
    Ready,
    /// Its action is under way.
    Acting,
    /// Its branches are under way.
    Joining,
    /// Its effects are under way.
    Applying,
    /// It waits for a time, a signal or a human task.
    Waiting,
    /// It waits for the time of its next attempt.
    Retrying,
    /// It has completed.
    Completed,
    /// Its last attempt has failed.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl Phase {
    /// True if the unit has not ended.
    pub fn is_open(self) -> bool {
        !matches!(self, Phase::Completed | Phase::Failed | Phase::Cancelled)
    }

    /// True if the unit waits.
    pub fn is_waiting(self) -> bool {
        matches!(self, Phase::Waiting | Phase::Retrying)
    }

    /// The status of a step in this phase.
    pub fn status(self) -> &'static str {
        match self {
            Phase::Ready | Phase::Acting | Phase::Joining | Phase::Applying => "running",
            Phase::Waiting | Phase::Retrying => "waiting",
            Phase::Completed => "completed",
            Phase::Failed => "failed",
            Phase::Cancelled => "cancelled",
        }
    }
}

/// The state of a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnitState {
    /// Its phase.
    pub phase: Phase,
    /// How often the run has entered it, from 1.
    pub visit: u32,
    /// The number of attempts of this visit.
    pub attempt: u32,
    /// The failed attempts since it was entered or repeated by hand.
    pub failures: u32,
    /// The position among the starts of the run.
    pub order: u64,
    /// The end of a wait, or the time of the next attempt.
    pub wake_at: Option<DateTime<Utc>>,
    /// The time at which the attempt fails.
    pub deadline: Option<DateTime<Utc>>,
    /// The start of the first attempt.
    pub started_at: Option<DateTime<Utc>>,
    /// The end.
    pub ended_at: Option<DateTime<Utc>>,
    /// Its output.
    pub output: Json,
    /// The error of the last failed attempt.
    pub error: Option<Failure>,
    /// The chosen next step.
    pub goto: Option<Target>,
    /// True if the failure of a branch was handled by the branch.
    pub handled: bool,
    /// True if a repeated run enters it again as the same visit.
    pub same_visit: bool,
    /// For a `parallel`: the number of completed steps with a compensation before it began, such as its branches of earlier rounds.
    #[serde(default)]
    pub completed_before: usize,
}

impl UnitState {
    pub(super) fn new(visit: u32, order: u64) -> UnitState {
        UnitState {
            phase: Phase::Ready,
            visit,
            attempt: 0,
            failures: 0,
            order,
            wake_at: None,
            deadline: None,
            started_at: None,
            ended_at: None,
            output: Json::Null,
            error: None,
            goto: None,
            handled: false,
            same_visit: false,
            completed_before: 0,
        }
    }

    /// Makes it ready for another attempt of the same visit.
    pub(super) fn repeat(&mut self) {
        self.phase = Phase::Ready;
        (self.failures, self.wake_at, self.deadline, self.ended_at, self.handled) = (0, None, None, None, false);
        // The run has failed, so all of them were compensated.
        self.completed_before = 0;
    }
}

/// The compensation of a completed step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Undo {
    /// The step that it reverts.
    pub step: usize,
    /// The compensation.
    pub compensation: usize,
    /// The `parallel` that is rolled back and then fails; `None` if the run ends.
    pub parallel: Option<usize>,
    /// Its state.
    pub unit: UnitState,
}

/// The reason for which a run failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunFailure {
    /// The failure.
    pub failure: Failure,
    /// The step; `None` for the run itself.
    pub step: Option<usize>,
}

/// A signal that a run keeps until it waits for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptSignal {
    /// Its name.
    pub name: String,
    /// Its payload.
    pub payload: Json,
}

/// The state of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct RunState {
    /// The steps that it has reached.
    pub steps: BTreeMap<usize, UnitState>,
    /// The compensations, in the order in which they run.
    pub undo: Vec<Undo>,
    /// The completed steps that have a compensation, in the order of their completion.
    pub completed: Vec<usize>,
    /// The failure of the run, or the one that it compensates.
    pub error: Option<RunFailure>,
    /// The time at which the run fails.
    pub deadline: Option<DateTime<Utc>>,
    /// The signals that it keeps.
    pub signals: Vec<KeptSignal>,
    /// The status with which it ends after the compensations.
    pub(super) ending: Option<RunStatus>,
    /// The final status.
    pub(super) ended: Option<RunStatus>,
    /// The number of starts so far.
    pub(super) order: u64,
}

impl RunState {
    /// The status.
    pub fn status(&self) -> RunStatus {
        if let Some(status) = self.ended {
            return status;
        }
        if self.ending.is_some() {
            return RunStatus::Compensating;
        }
        let mut waiting = false;
        for unit in self.units() {
            let Some(it) = self.unit(unit).filter(|it| it.phase.is_open()) else { continue };
            if it.phase.is_waiting() {
                waiting = true;
            } else if it.phase != Phase::Joining {
                return RunStatus::Running;
            }
            // The branches of a unit that joins them decide.
        }
        if waiting { RunStatus::Waiting } else { RunStatus::Running }
    }

    /// True before the start.
    pub fn is_new(&self) -> bool {
        self.order == 0 && self.steps.is_empty()
    }

    /// True if the run ends after its compensations.
    pub(super) fn is_undoing_run(&self) -> bool {
        self.ending.is_some()
    }

    pub(super) fn set_ended(&mut self, status: RunStatus) {
        self.ended = Some(status);
        (self.ending, self.deadline) = (None, None);
        self.signals.clear();
    }

    /// Ends the run as cancelled, without compensations.
    pub fn abandon(&mut self) {
        self.set_ended(RunStatus::Cancelled);
    }

    /// Removes the values of its steps, signals and errors.
    pub fn clear_values(&mut self) {
        let units = self.steps.values_mut().chain(self.undo.iter_mut().map(|undo| &mut undo.unit));
        for it in units {
            it.output = Json::Null;
            it.error.iter_mut().for_each(Failure::clear_texts);
        }
        self.error.iter_mut().for_each(|error| error.failure.clear_texts());
        self.signals.clear();
    }

    /// The units that the run has reached.
    pub fn units(&self) -> Vec<Unit> {
        let steps = self.steps.keys().copied().map(Unit::Step);
        steps.chain((0..self.undo.len()).map(Unit::Undo)).collect()
    }

    /// The state of a unit.
    pub fn unit(&self, unit: Unit) -> Option<&UnitState> {
        match unit {
            Unit::Step(at) => self.steps.get(&at),
            Unit::Undo(at) => self.undo.get(at).map(|undo| &undo.unit),
        }
    }

    pub(super) fn unit_mut(&mut self, unit: Unit) -> Option<&mut UnitState> {
        match unit {
            Unit::Step(at) => self.steps.get_mut(&at),
            Unit::Undo(at) => self.undo.get_mut(at).map(|undo| &mut undo.unit),
        }
    }

    /// The current attempt of a unit.
    pub(super) fn attempt(&self, unit: Unit) -> Attempt {
        let (visit, number) = self.unit(unit).map_or((0, 0), |it| (it.visit, it.attempt));
        Attempt { unit, visit, number }
    }

    /// True if the result of an attempt is still awaited.
    pub fn is_current(&self, attempt: &Attempt) -> bool {
        let awaits = |it: &UnitState| matches!(it.phase, Phase::Acting | Phase::Applying);
        self.ended.is_none() && self.attempt(attempt.unit) == *attempt && self.unit(attempt.unit).is_some_and(awaits)
    }

    /// The next unit that can start: compensations run one after the other.
    pub fn next_ready(&self) -> Option<Unit> {
        if self.ended.is_some() {
            return None;
        }
        let undo = self.undo.iter().position(|undo| undo.unit.phase.is_open());
        let undo = undo.filter(|at| self.undo[*at].unit.phase == Phase::Ready).map(Unit::Undo);
        let ready = self.steps.iter().filter(|(_, it)| it.phase == Phase::Ready);
        undo.or_else(|| ready.min_by_key(|(_, it)| it.order).map(|(at, _)| Unit::Step(*at)))
    }

    /// The next time at which something is due, apart from what is ready.
    pub fn next_time(&self) -> Option<DateTime<Utc>> {
        if self.ended.is_some() {
            return None;
        }
        let open = self.units().into_iter().filter_map(|unit| self.unit(unit)).filter(|it| it.phase.is_open());
        open.flat_map(|it| [it.wake_at, it.deadline]).chain([self.deadline]).flatten().min()
    }
}
