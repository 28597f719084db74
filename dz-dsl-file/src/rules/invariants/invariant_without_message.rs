//! An invariant without a message.

use crate::{
    Diagnostics, Severity,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "invariant-without-message",
    severity: Severity::Lint,
    summary: "an invariant has no message for users",
    wrong: readable_task!("  a: int = 1\n  invariant: a > 0\n"),
    right: readable_task!("  a: int = 1\n  invariant: a > 0\n    message: \"At least one\"\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for invariant in model.entities.iter().flat_map(|entity| &entity.invariants).filter(|invariant| invariant.message.is_none()) {
        out.push(
            RULE.diagnostic(invariant.span, "this invariant has no message for the user who breaks it")
                .help("add an indented line `message: \"…\"` under it"),
        );
    }
}
