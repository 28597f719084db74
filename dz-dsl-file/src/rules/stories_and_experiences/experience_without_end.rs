//! An experience in which every step leads to another.

use crate::{
    Diagnostics, Severity,
    facts::journey,
    model::{ExperienceStep, Mode, Model, StepEvent, StepKind},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "experience-without-end",
    severity: Severity::Lint,
    summary: "every step of an experience leads to another",
    wrong: steps!("  step first:\n    surface add\n    on success -> step first\n"),
    right: steps!(
        "  step first:\n    surface add\n    on failure -> step first\n    on success -> step last\n  step last:\n    surface add\n"
    ),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for experience in &model.experiences {
        let reached = journey::reachable_steps(experience);
        if !experience.steps.iter().zip(&reached).any(|(step, reached)| *reached && can_end(model, step)) {
            out.push(
                RULE.diagnostic(experience.span, format!("the experience `{}` never ends", experience.name))
                    .help("leave the last step without `on` lines"),
            );
        }
    }
}

/// True for a step without a next one, and for a form whose saving leads to none.
fn can_end(model: &Model, step: &ExperienceStep) -> bool {
    let is_form = match step.kind {
        StepKind::Surface(surface) => matches!(model.surfaces[surface.it.0].mode, Mode::Create | Mode::Edit),
        StepKind::Process(_) => false,
    };
    step.transitions.is_empty() || (is_form && step.transitions.iter().all(|it| it.event != StepEvent::Success))
}
