//! A step from which a run of a process never ends.

use crate::{
    Diagnostics, Severity,
    facts::flow::{self, Ways},
    model::{Flow, Model, Runs, StepAction, StepId, Target, TargetKind},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "never-completes",
    severity: Severity::Warning,
    summary: "from this step a run ends only by a failure",
    wrong: steps!("    - step a:\n        service: work\n    - step b:\n        wait: 1h\n        goto: a\n"),
    right: steps!("    - step a:\n        service: work\n    - step b:\n        wait: 1h\n        goto: complete\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
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
    let reached = flow::reachable_steps(flow, &[first], None);
    let ends = can_end(flow);
    let stuck = (0..flow.steps.len()).find(|at| reached[*at] && flow.steps[*at].parent.is_none() && !ends[*at]);
    if let Some(at) = stuck {
        let step = &flow.steps[at];
        let found = RULE.diagnostic(step.span, format!("from `{}` on, {what} `{name}` never ends", step.name));
        out.push(found.help("let a condition, an outcome or a `goto` lead to `complete` or `fail`"));
    }
}

/// For each step, whether a run can reach a declared end. A failure is not counted as one.
fn can_end(flow: &Flow) -> Vec<bool> {
    let meant = |target: &Target| match target.to {
        TargetKind::Complete => true,
        TargetKind::Fail => target.span.is_some(),
        TargetKind::Step(_) => false,
    };
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); flow.steps.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, step) in flow.steps.iter().enumerate() {
        for next in flow::next_steps(flow, StepId(at), Ways::All) {
            before[next.0].push(at);
        }
        let branch = step.parent.is_some();
        let fails_inside = match &step.action {
            StepAction::Parallel { branches, .. } => {
                branches.iter().any(|branch| flow.targets(*branch).iter().any(|it| it.to == TargetKind::Fail && it.span.is_some()))
            }
            StepAction::Service(_)
            | StepAction::Subprocess(_)
            | StepAction::LlmIntent(_)
            | StepAction::HumanTask(_)
            | StepAction::WaitFor(_)
            | StepAction::WaitSignal(_)
            | StepAction::Condition { .. }
            | StepAction::Effects => false,
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
