//! A condition that is false for every row and caller.

use crate::{
    Diagnostics, Severity,
    facts::conditions::{self, Constant},
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "always-false",
    severity: Severity::Warning,
    summary: "a condition is never true",
    wrong: "entity Task:\n  id: uuid pk\n  state: enum[open, done]\n  permit:\n    read: state = open and state = done\n",
    right: "entity Task:\n  id: uuid pk\n  state: enum[open, done]\n  permit:\n    read: state = open\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    conditions::visit_all(model, &mut |condition| {
        if let Some((Constant::False, part)) = conditions::constant_part(model, &condition) {
            let what = if part == condition.expr { condition.what } else { format!("a part of {}", condition.what) };
            out.push(RULE.diagnostic(condition.span, format!("{what} can never hold")).help("write the intended condition, or remove it"));
        }
    });
}
