//! Steps that nobody reaches, ways without an end, values that nothing saves.

use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{Experience, ExperienceStepId, Model},
};

macro_rules! steps {
    ($($text:literal),*) => {
        concat!(
            "entity Task:\n  id: uuid pk\n  name: str(80)\n  permit:\n    create: true\n",
            "surface add:\n  uses entity Task\n  mode: create\nexperience way:\n",
            $($text),*
        )
    };
}

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "experience-without-end",
        severity: Severity::Lint,
        summary: "every step of an experience leads to another",
        wrong: steps!("  step first:\n    surface add\n    on success -> step first\n"),
        right: steps!(
            "  step first:\n    surface add\n    on failure -> step first\n    on success -> step last\n  step last:\n    surface add\n"
        ),
    },
    Rule {
        name: "context-never-saved",
        severity: Severity::Warning,
        summary: "no step saves the value of a context, so that it is always null",
        wrong: steps!("  context:\n    task: ref Task\n  step first:\n    surface add\n"),
        right: steps!("  context:\n    task: ref Task\n  step first:\n    surface add\n    saves_to: context.task\n"),
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for experience in &model.experiences {
        let mut reached = vec![false; experience.steps.len()];
        walk(experience, experience.start, &mut reached);
        unreachable(experience, reached.clone(), out);
        if !experience.steps.iter().zip(&reached).any(|(step, reached)| *reached && step.moves.is_empty()) {
            out.push(
                Diagnostic::lint("experience-without-end", experience.span, format!("the experience `{}` never ends", experience.name))
                    .help("leave the last step without `on` lines"),
            );
        }
        let mut saved = vec![false; experience.context.len()];
        for value in experience.steps.iter().filter_map(|step| step.saves_to) {
            saved[value.it] = true;
        }
        for (value, _) in experience.context.iter().zip(&saved).filter(|(_, saved)| !**saved) {
            out.push(
                Diagnostic::warning("context-never-saved", value.span, format!("no step saves `{}`, so it is always null", value.name))
                    .help(format!("add `saves_to: context.{}` to the step that gives it, or remove it", value.name)),
            );
        }
    }
}

/// Reports the steps that no way leads to, but not those that only such a step leads to.
fn unreachable(experience: &Experience, mut reached: Vec<bool>, out: &mut Diagnostics) {
    let mut follows = vec![false; experience.steps.len()];
    for (at, step) in experience.steps.iter().enumerate() {
        step.moves.iter().filter(|it| it.target.0 != at).for_each(|it| follows[it.target.0] = true);
    }
    // Those left after the first round follow each other in a circle.
    for first_round in [true, false] {
        for (at, step) in experience.steps.iter().enumerate() {
            if reached[at] || (first_round && follows[at]) {
                continue;
            }
            walk(experience, ExperienceStepId(at), &mut reached);
            out.push(
                Diagnostic::warning("unreachable-step", step.span, format!("no way leads to the step `{}`", step.name))
                    .help(format!("add `on EVENT -> step {}` to a step before it, or remove it", step.name)),
            );
        }
    }
}

/// Marks every step that a way from `start` leads to.
fn walk(experience: &Experience, start: ExperienceStepId, reached: &mut [bool]) {
    let mut open = vec![start];
    while let Some(step) = open.pop() {
        if !std::mem::replace(&mut reached[step.0], true) {
            open.extend(experience.steps[step.0].moves.iter().map(|step| step.target));
        }
    }
}
