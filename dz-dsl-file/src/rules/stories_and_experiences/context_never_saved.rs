//! A value of a context that no step saves.

use crate::{
    Diagnostics, Severity,
    model::{Archetype, Experience, ExperienceStep, Mode, Model, StepKind, Type},
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
        report_unsaved_rows(model, experience, out);
    }
}

/// Reports steps that show a row which no other step can have saved.
fn report_unsaved_rows(model: &Model, experience: &Experience, out: &mut Diagnostics) {
    for (at, step) in experience.steps.iter().enumerate() {
        let StepKind::Surface(shown) = step.kind else { continue };
        let surface = &model.surfaces[shown.it.0];
        let entity = surface.entity;
        let needs_row = matches!(surface.mode, Mode::View | Mode::Edit) && !model.entity(entity).kind.is_some_and(Archetype::is_singleton);
        let saves = |(other, it): (usize, &ExperienceStep)| {
            other != at && it.saves_to.is_some_and(|value| experience.context[value.it].ty == Type::Ref(entity))
        };
        let is_first = experience.start.0 == at && step.when.is_none();
        if needs_row && (is_first || !experience.steps.iter().enumerate().any(saves)) {
            let name = &model.entity(entity).name;
            let when = if is_first { "before the first step, no step has saved" } else { "no other step saves" };
            out.push(
                RULE.diagnostic(shown.span, format!("{when} a row of `{name}` that `{}` can show", surface.name))
                    .help(format!("begin with a surface of mode `create` for `{name}` and `saves_to: context.NAME`, or show a list")),
            );
        }
    }
}
