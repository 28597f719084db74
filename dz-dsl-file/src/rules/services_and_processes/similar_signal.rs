//! A process waits for a signal whose name resembles one that is sent.

use std::collections::HashSet;

use crate::{
    Diagnostics, Severity,
    diagnostic::nearest,
    facts::flow,
    model::{Effect, Model, NameUse, StepAction, Trigger},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "similar-signal",
    severity: Severity::Warning,
    summary: "a signal that no process sends resembles one that is sent",
    wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nprocess a:\n  emits: order_paid\n  steps:\n    - step s:\n        wait: 1h\nprocess b:\n  trigger: signal order_payd\n  steps:\n    - step s:\n        wait: 1h\n",
    right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nprocess a:\n  emits: order_paid\n  steps:\n    - step s:\n        wait: 1h\nprocess b:\n  trigger: signal order_paid\n  steps:\n    - step s:\n        wait: 1h\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let effects = flow::flows(model).flat_map(|flow| {
        let undoing = flow.compensations.iter().flat_map(|compensation| &compensation.effects);
        flow.steps.iter().flat_map(|step| &step.effects).chain(undoing)
    });
    let by_effect = effects.filter_map(|effect| match effect {
        Effect::Emit(signal) => Some(signal.name.as_str()),
        Effect::Create { .. } | Effect::Update { .. } | Effect::Delete { .. } => None,
    });
    let by_process = model.processes.iter().flat_map(|process| &process.emits).map(|emitted| emitted.signal.name.as_str());
    let sent: HashSet<&str> = by_effect.chain(by_process).collect();
    for signal in awaited(model).filter(|signal| !sent.contains(signal.name.as_str())) {
        // Other systems send signals too, so only a probable misspelling is reported.
        let Some(near) = nearest(&signal.name, sent.iter().copied()) else { continue };
        out.push(
            RULE.diagnostic(signal.span, format!("no process sends `{}`", signal.name))
                .help(format!("did you mean `{near}`?"))
                .replace(signal.span, near),
        );
    }
}

fn awaited(model: &Model) -> impl Iterator<Item = &NameUse> {
    let starts = model.processes.iter().filter_map(|process| match &process.trigger {
        Trigger::Signal(signal) => Some(signal),
        Trigger::Manual(_) | Trigger::Entity { .. } | Trigger::Change { .. } | Trigger::Completed(_) | Trigger::Cron(_) => None,
    });
    starts.chain(
        flow::flows(model)
            .flat_map(|flow| &flow.steps)
            .filter_map(|step| if let StepAction::WaitSignal(signal) = &step.action { Some(signal) } else { None }),
    )
}
