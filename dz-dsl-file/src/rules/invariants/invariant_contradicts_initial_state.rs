//! An invariant that no row in the initial state meets.

use crate::{
    Diagnostics, Severity,
    facts::machine,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "invariant-contradicts-initial-state",
    severity: Severity::Warning,
    summary: "a row in its initial state violates the invariant with any other values",
    wrong: readable_task!(
        "  status: enum[open, done]\n  transitions:\n    open -> done\n  invariant: status = done\n    message: \"Done\"\n"
    ),
    right: readable_task!(
        "  status: enum[open, done]\n  n: int\n  transitions:\n    open -> done\n  invariant: status = open or n > 0\n    message: \"Count\"\n"
    ),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for (at, entity) in model.entities.iter().enumerate() {
        let Some(question) = machine::in_initial_state(model, at, entity) else { continue };
        for invariant in entity.invariants.iter().filter(|invariant| !question.can_hold(&[&invariant.condition])) {
            out.push(
                RULE.diagnostic(invariant.span, "no row in its initial state can satisfy this invariant")
                    .help("make the condition true in the initial state, for example `status = open or …`"),
            );
        }
    }
}
