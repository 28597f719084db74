//! A process that triggers itself.

use crate::{
    Diagnostics, Severity,
    facts::cycles,
    model::{Effect, EntityEvent, Model, Step, StepAction, Trigger, Word},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "endless-trigger",
    severity: Severity::Warning,
    summary: "a process starts itself again, directly or through others",
    wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nprocess a:\n  trigger: process a completed\n  steps:\n    - step s:\n        wait: 1h\n",
    right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nprocess b:\n  steps:\n    - step s:\n        wait: 1h\nprocess a:\n  trigger: process b completed\n  steps:\n    - step s:\n        wait: 1h\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let starts: cycles::Edges = model
        .processes
        .iter()
        .map(|process| match &process.trigger {
            Trigger::Completed(before) => vec![(before.it.0, before.span)],
            Trigger::Manual(_) | Trigger::Entity { .. } | Trigger::Change { .. } | Trigger::Signal(_) | Trigger::Cron(_) => Vec::new(),
        })
        .collect();
    for (span, cycle) in cycles::find_cycles(&starts) {
        let found = RULE.diagnostic(span, cycles::describe(model, &cycle, "starts itself again"));
        out.push(found.help("let something else start it, such as a `cron`"));
    }
    report_own_effects(model, out);
}

/// Reports processes whose own effects trigger them again, without a condition in between.
fn report_own_effects(model: &Model, out: &mut Diagnostics) {
    let help = "add a condition in between, or start it by the change of a field: `entity E status -> done`";
    for process in &model.processes {
        let Trigger::Entity { entity, event } = &process.trigger else { continue };
        let decides = |step: &Step| matches!(step.action, StepAction::Condition { .. } | StepAction::HumanTask(_));
        if process.flow.steps.iter().any(decides) {
            continue;
        }
        let again = |effect: &&Effect| match (effect, event) {
            (Effect::Create { entity: of, .. }, EntityEvent::Created) => of.it == entity.it,
            (Effect::Update { rows, .. }, EntityEvent::Updated) => rows.entity.it == entity.it,
            _ => false,
        };
        if process.flow.steps.iter().flat_map(|step| &step.effects).any(|effect| again(&effect)) {
            let message = format!(
                "`{}` starts itself again: it starts after a row is {}, and its effects also cause this",
                process.name,
                event.word()
            );
            out.push(RULE.diagnostic(entity.span, message).help(help));
        }
    }
}
