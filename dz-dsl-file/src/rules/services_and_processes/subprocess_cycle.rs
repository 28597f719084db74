//! A process that calls itself.

use crate::{
    Diagnostics, Severity,
    facts::cycles,
    model::{Model, StepAction},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "subprocess-cycle",
    severity: Severity::Warning,
    summary: "a process calls itself, directly or through others",
    wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nprocess a:\n  steps:\n    - step s:\n        subprocess: b\nprocess b:\n  steps:\n    - step s:\n        subprocess: a\n",
    right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nprocess a:\n  steps:\n    - step s:\n        subprocess: b\nprocess b:\n  steps:\n    - step s:\n        wait: 1h\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let calls: cycles::Edges = model
        .processes
        .iter()
        .map(|process| {
            let steps = process.flow.steps.iter().map(|step| &step.action);
            let actions = steps.chain(process.flow.compensations.iter().map(|compensation| &compensation.action));
            actions
                .filter_map(|action| if let StepAction::Subprocess(called) = action { Some((called.it.0, called.span)) } else { None })
                .collect()
        })
        .collect();
    for (span, cycle) in cycles::find_cycles(&calls) {
        let found = RULE.diagnostic(span, format!("{} by this call", cycles::describe(model, &cycle, "calls itself")));
        out.push(found.help("start the next round by a `trigger` or a `schedule`, or repeat steps with `goto`"));
    }
}
