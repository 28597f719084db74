//! Signals that somebody waits for under a name that is nearly the one that is sent.

use std::collections::HashSet;

use super::flow;
use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity, nearest},
    model::{Effect, Model, NameUse, StepAction, Trigger},
};

pub(super) const RULES: &[Rule] = &[Rule {
    name: "similar-signal",
    severity: Severity::Warning,
    summary: "a signal that no process sends is one letter beside one that is sent",
    wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nprocess a:\n  emits: order_paid\n  steps:\n    - step s:\n        wait: 1h\nprocess b:\n  trigger: signal order_payd\n  steps:\n    - step s:\n        wait: 1h\n",
    right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nprocess a:\n  emits: order_paid\n  steps:\n    - step s:\n        wait: 1h\nprocess b:\n  trigger: signal order_paid\n  steps:\n    - step s:\n        wait: 1h\n",
}];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    let effects = flow::all(model).flat_map(|flow| {
        let undoing = flow.compensations.iter().flat_map(|compensation| &compensation.effects);
        flow.steps.iter().flat_map(|step| &step.effects).chain(undoing)
    });
    let by_effect = effects.filter_map(|effect| match effect {
        Effect::Emit(signal) => Some(signal.name.as_str()),
        _ => None,
    });
    let by_process = model.processes.iter().flat_map(|process| &process.emits).map(|emitted| emitted.signal.name.as_str());
    let sent: HashSet<&str> = by_effect.chain(by_process).collect();
    for signal in awaited(model).filter(|signal| !sent.contains(signal.name.as_str())) {
        // Other systems send signals too: only one that looks like a slip is told.
        let Some(near) = nearest(&signal.name, sent.iter().copied()) else { continue };
        out.push(
            Diagnostic::warning("similar-signal", signal.span, format!("no process sends `{}`", signal.name))
                .help(format!("did you mean `{near}`?"))
                .replace(signal.span, near),
        );
    }
}

fn awaited(model: &Model) -> impl Iterator<Item = &NameUse> {
    let starts = model.processes.iter().filter_map(|process| match &process.trigger {
        Trigger::Signal(signal) => Some(signal),
        _ => None,
    });
    starts.chain(flow::all(model).flat_map(|flow| &flow.steps).filter_map(|step| match &step.action {
        StepAction::WaitSignal(signal) => Some(signal),
        _ => None,
    }))
}
