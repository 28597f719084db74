//! A compensation that no step uses.

use std::collections::HashSet;

use crate::{
    Diagnostics, Severity,
    facts::flow,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "unused-compensation",
    severity: Severity::Lint,
    summary: "no step uses this compensation",
    wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nservice work:\n  stub: rust\nprocess p:\n  steps:\n    - step a:\n        service: work\n  compensations:\n    - compensate undo:\n        service: work\n",
    right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nservice work:\n  stub: rust\nprocess p:\n  steps:\n    - step a:\n        service: work\n        compensate: undo\n  compensations:\n    - compensate undo:\n        service: work\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for flow in flow::flows(model) {
        let used: HashSet<usize> = flow.steps.iter().filter_map(|step| step.compensate).map(|compensation| compensation.it.0).collect();
        for (_, compensation) in flow.compensations.iter().enumerate().filter(|(at, _)| !used.contains(at)) {
            let found = format!("no step is undone by `{}`", compensation.name);
            out.push(
                RULE.diagnostic(compensation.span, found)
                    .help(format!("write `compensate: {}` on a step, or remove it", compensation.name)),
            );
        }
    }
}
