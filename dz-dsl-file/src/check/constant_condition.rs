//! Conditions that do not depend on anything.

use super::walk;
use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{Comparison, Expr, Model},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "always-false",
        severity: Severity::Warning,
        summary: "a condition can never hold",
        wrong: "entity Task:\n  id: uuid pk\n  state: enum[open, done]\n  permit:\n    read: state = open and state = done\n",
        right: "entity Task:\n  id: uuid pk\n  state: enum[open, done]\n  permit:\n    read: state = open\n",
    },
    Rule {
        name: "always-true",
        severity: Severity::Warning,
        summary: "a condition always holds",
        wrong: "entity Task:\n  id: uuid pk\n  state: enum[open, done]\n  permit:\n    read: state != open or state != done\n",
        right: "entity Task:\n  id: uuid pk\n  state: enum[open, done]\n  permit:\n    read: state != done\n",
    },
    Rule {
        name: "redundant-condition",
        severity: Severity::Warning,
        summary: "a condition stands twice in one `and` or `or`",
        wrong: "entity Task:\n  id: uuid pk\n  open: bool\n  permit:\n    read: open = true or open = true\n",
        right: "entity Task:\n  id: uuid pk\n  open: bool\n  permit:\n    read: open = true\n",
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        for permission in &entity.access.permissions {
            for rule in permission.permit.iter().chain(&permission.forbid) {
                let mut found: Vec<(&'static str, &'static str)> = Vec::new();
                walk(rule, &mut |expr| judge(expr, &mut found));
                for (rule, message) in found {
                    out.push(
                        Diagnostic::warning(rule, entity.span, format!("an access rule of `{}` {message}", entity.name))
                            .help("say what is meant, or remove it"),
                    );
                }
            }
        }
    }
}

fn judge(expr: &Expr, found: &mut Vec<(&'static str, &'static str)>) {
    let (Expr::And(parts) | Expr::Or(parts)) = expr else { return };
    for (at, part) in parts.iter().enumerate() {
        for other in &parts[..at] {
            if part == other {
                found.push(("redundant-condition", "says the same condition twice"));
            } else if exclude(part, other, Comparison::Eq) && matches!(expr, Expr::And(_)) {
                found.push(("always-false", "can never hold: one field cannot equal two values"));
            } else if exclude(part, other, Comparison::Ne) && matches!(expr, Expr::Or(_)) {
                found.push(("always-true", "always holds: every value differs from one of the two"));
            }
        }
    }
}

/// True when both compare one field with different constants by `op`.
fn exclude(left: &Expr, right: &Expr, op: Comparison) -> bool {
    let constant = |expr: &Expr| matches!(expr, Expr::EnumValue(..) | Expr::Int(_) | Expr::Text(_) | Expr::Bool(_) | Expr::Typed(..));
    match (left, right) {
        (Expr::Compare(a, field, value), Expr::Compare(b, other_field, other)) => {
            *a == op
                && *b == op
                && matches!(**field, Expr::Path(_))
                && field == other_field
                && value != other
                && constant(value)
                && constant(other)
        }
        _ => false,
    }
}
