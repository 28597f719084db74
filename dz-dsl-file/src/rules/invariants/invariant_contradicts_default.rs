//! An invariant that no row with its defaults meets.

use crate::{
    Diagnostics, Severity,
    facts::{
        decide::{Caller, Fact, Question, own_path},
        machine,
    },
    model::{Entity, Expr, FieldId, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "invariant-contradicts-default",
    severity: Severity::Warning,
    summary: "a row with its defaults violates the invariant with any other values",
    wrong: readable_task!("  a: int = 0\n  invariant: a > 0\n    message: \"At least one\"\n"),
    right: readable_task!("  a: int = 1\n  invariant: a > 0\n    message: \"At least one\"\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for (at, entity) in model.entities.iter().enumerate() {
        let initial = machine::in_initial_state(model, at, entity);
        let defaults = with_defaults(model, at, entity);
        for invariant in &entity.invariants {
            let condition = [&invariant.condition];
            // A contradiction with the initial state has a diagnostic of its own.
            let starts = initial.as_ref().is_none_or(|question| question.can_hold(&condition));
            if starts && !defaults.can_hold(&condition) {
                out.push(
                    RULE.diagnostic(invariant.span, "no row with its defaults can satisfy this invariant")
                        .help("change the default that contradicts it"),
                );
            }
        }
    }
}

fn with_defaults<'m>(model: &'m Model, at: usize, entity: &Entity) -> Question<'m> {
    let literal = |expr: &Expr| {
        matches!(expr, Expr::Int(_) | Expr::Decimal(_) | Expr::Float(_) | Expr::Text(_) | Expr::Bool(_) | Expr::EnumValue(..))
    };
    let mut question = Question::new(model, Caller::System);
    for (position, field) in entity.fields.iter().enumerate() {
        if let Some(default) = field.default.as_ref().filter(|default| literal(default)) {
            question = question.with_fact(own_path(at, FieldId(position)), Fact::Literal(default.clone()));
        }
    }
    question
}
