//! The graph of the steps of a process, for the rules that traverse it.

use crate::model::{Expr, Flow, Model, Runs, StepAction, StepId, TargetKind};

/// The steps of every process, and of every schedule with steps of its own.
pub(crate) fn flows(model: &Model) -> impl Iterator<Item = &Flow> {
    let scheduled = model.schedules.iter().filter_map(|schedule| match &schedule.runs {
        Runs::Flow(flow) => Some(flow),
        Runs::Process(_) => None,
    });
    model.processes.iter().map(|process| &process.flow).chain(scheduled)
}

/// The transitions of a step that are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ways {
    /// All of them.
    All,
    /// Those after a success.
    Success,
    /// The one after a failure.
    Failure,
}

/// The possible next steps of a step. The branches of a `parallel` follow it directly; a step after them follows the
/// `parallel`, not each branch.
pub(crate) fn next_steps(flow: &Flow, id: StepId, ways: Ways) -> Vec<StepId> {
    let step = flow.step(id);
    let targets = match ways {
        Ways::All => flow.targets(id),
        Ways::Success => flow.success_targets(id),
        Ways::Failure => vec![step.on_failure],
    };
    let mut steps: Vec<StepId> = targets
        .iter()
        .filter_map(|target| match target.to {
            TargetKind::Step(step) => Some(step),
            TargetKind::Complete | TargetKind::Fail => None,
        })
        .collect();
    if let StepAction::Parallel { branches, .. } = &step.action {
        steps.extend(branches);
    }
    steps
}

/// Returns for each step whether a run can reach it from `start`, which is included; at `special` only some transitions are followed.
pub(crate) fn reachable_steps(flow: &Flow, start: &[StepId], special: Option<(StepId, Ways)>) -> Vec<bool> {
    let mut reached = vec![false; flow.steps.len()];
    let mut open: Vec<StepId> = start.to_vec();
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut reached[id.0], true) {
            continue;
        }
        let ways = special.filter(|(step, _)| *step == id).map_or(Ways::All, |(_, ways)| ways);
        open.extend(next_steps(flow, id, ways));
    }
    reached
}

/// Calls `see` with every value and condition of a step; the flag states whether the step's own result is known there.
pub(crate) fn expressions<'m>(flow: &'m Flow, id: StepId, see: &mut dyn FnMut(&'m Expr, bool)) {
    let step = flow.step(id);
    step.inputs.iter().for_each(|argument| see(&argument.value, false));
    match &step.action {
        StepAction::Condition { condition, .. } => see(&condition.it, false),
        StepAction::HumanTask(task) => {
            task.assignee.iter().for_each(|value| see(value, false));
            task.outcomes.iter().flat_map(|outcome| &outcome.sets).for_each(|(_, value)| see(value, true));
        }
        StepAction::Service(_)
        | StepAction::Subprocess(_)
        | StepAction::LlmIntent(_)
        | StepAction::WaitFor(_)
        | StepAction::WaitSignal(_)
        | StepAction::Parallel { .. }
        | StepAction::Effects => {}
    }
    for effect in &step.effects {
        effect.values().for_each(|value| see(value, true));
    }
}
