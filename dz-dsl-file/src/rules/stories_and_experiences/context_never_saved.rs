//! A value of a context that no step saves.

use crate::{
    Diagnostics, Severity,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "context-never-saved",
    severity: Severity::Warning,
    summary: "no step saves the value of a context, so it is always null",
    wrong: steps!("  context:\n    task: ref Task\n  step first:\n    surface add\n"),
    right: steps!("  context:\n    task: ref Task\n  step first:\n    surface add\n    saves_to: context.task\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for experience in &model.experiences {
        let mut saved = vec![false; experience.context.len()];
        for value in experience.steps.iter().filter_map(|step| step.saves_to) {
            saved[value.it] = true;
        }
        for (value, _) in experience.context.iter().zip(&saved).filter(|(_, saved)| !**saved) {
            out.push(
                RULE.diagnostic(value.span, format!("no step saves `{}`, so it is always null", value.name))
                    .help(format!("add `saves_to: context.{}` to the step that gives it, or remove it", value.name)),
            );
        }
    }
}
