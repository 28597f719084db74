//! Steps that no run comes to, and steps from which no run comes to an end.

use super::flow::{self, Ways};
use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{Flow, Model, Runs, StepAction, StepId, Target, TargetKind},
};

macro_rules! steps {
    ($steps:literal) => {
        concat!("entity Task:\n  id: uuid pk\n  permit:\n    read: true\nservice work:\n  stub: rust\nprocess p:\n  steps:\n", $steps)
    };
}

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "unreachable-step",
        severity: Severity::Warning,
        summary: "no run of a process comes to this step",
        wrong: steps!(
            "    - step a:\n        service: work\n        goto: c\n    - step b:\n        service: work\n    - step c:\n        service: work\n"
        ),
        right: steps!("    - step a:\n        service: work\n    - step b:\n        service: work\n    - step c:\n        service: work\n"),
    },
    Rule {
        name: "never-completes",
        severity: Severity::Warning,
        summary: "from this step a run comes to no end unless something fails",
        wrong: steps!("    - step a:\n        service: work\n    - step b:\n        wait: 1h\n        goto: a\n"),
        right: steps!("    - step a:\n        service: work\n    - step b:\n        wait: 1h\n        goto: complete\n"),
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for process in &model.processes {
        check_flow(&process.flow, "process", &process.name, out);
    }
    for schedule in &model.schedules {
        if let Runs::Flow(flow) = &schedule.runs {
            check_flow(flow, "schedule", &schedule.name, out);
        }
    }
}

fn check_flow(flow: &Flow, what: &str, name: &str, out: &mut Diagnostics) {
    let Some(first) = flow.first else { return };
    let mut reached = flow::reach(flow, &[first], None);
    let ends = ends(flow);
    let stuck = (0..flow.steps.len()).find(|at| reached[*at] && flow.steps[*at].parent.is_none() && !ends[*at]);
    if let Some(at) = stuck {
        let step = &flow.steps[at];
        let found = Diagnostic::warning("never-completes", step.span, format!("from `{}` on, {what} `{name}` never ends", step.name));
        out.push(found.help("let a condition, an outcome or a `goto` lead to `complete` or `fail`"));
    }
    for at in 0..flow.steps.len() {
        if reached[at] {
            continue;
        }
        let step = &flow.steps[at];
        let found = Diagnostic::warning("unreachable-step", step.span, format!("no run of {what} `{name}` comes to `{}`", step.name));
        out.push(found.help("let another step go on here, or remove it"));
        // What only follows from it need not be told again.
        for (mark, new) in reached.iter_mut().zip(flow::reach(flow, &[StepId(at)], None)) {
            *mark |= new;
        }
    }
}

/// For each step: whether a run can come to an end that somebody meant. That a step may fail is no plan.
fn ends(flow: &Flow) -> Vec<bool> {
    let meant = |target: &Target| match target.to {
        TargetKind::Complete => true,
        TargetKind::Fail => target.span.is_some(),
        TargetKind::Step(_) => false,
    };
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); flow.steps.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, step) in flow.steps.iter().enumerate() {
        for next in flow::after(flow, StepId(at), Ways::All) {
            before[next.0].push(at);
        }
        let branch = step.parent.is_some();
        let fails_inside = match &step.action {
            StepAction::Parallel { branches, .. } => {
                branches.iter().any(|branch| flow.targets(*branch).iter().any(|it| it.to == TargetKind::Fail && it.span.is_some()))
            }
            _ => false,
        };
        if !branch && (flow.targets(StepId(at)).iter().any(meant) || (fails_inside && step.on_failure.to == TargetKind::Fail)) {
            open.push(at);
        }
    }
    let mut ends = vec![false; flow.steps.len()];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut ends[at], true) {
            open.extend(&before[at]);
        }
    }
    ends
}
