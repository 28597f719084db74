//! An invariant that makes an optional field required.

use crate::{
    Diagnostics, Severity,
    facts::decide::{Caller, Question},
    model::{Comparison, Entity, Expr, FieldId, Model, Path},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "invariant-refuses-null",
    severity: Severity::Lint,
    summary: "an invariant refuses every row without an optional field",
    wrong: readable_task!("  a: int\n  invariant: a > 0\n    message: \"At least one\"\n"),
    right: readable_task!("  a: int\n  invariant: a = null or a > 0\n    message: \"At least one\"\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        for invariant in &entity.invariants {
            let mut reported: Vec<FieldId> = Vec::new();
            for path in invariant.condition.own_paths() {
                let first = path.hops.first().copied().unwrap_or(path.field);
                if reported.contains(&first) || !is_optional(entity, first) || admits_null(model, &invariant.condition, path) {
                    continue;
                }
                reported.push(first);
                let name = &entity.fields[first.0].name;
                let message = format!("this refuses every row without `{name}`: a comparison with null is false");
                let found = RULE.diagnostic(invariant.span, message).label(entity.fields[first.0].span, "optional");
                out.push(found.help(format!("begin it with `{name} = null or`, or make `{name}` required")));
            }
        }
    }
}

fn is_optional(entity: &Entity, field: FieldId) -> bool {
    let field = &entity.fields[field.0];
    field.is_stored() && !field.required && field.default.is_none()
}

fn admits_null(model: &Model, condition: &Expr, path: &Path) -> bool {
    if orders(condition, path) {
        return false;
    }
    let null = Expr::Compare(Comparison::Eq, Box::new(Expr::Path(path.clone())), Box::new(Expr::Null));
    Question::new(model, Caller::System).can_hold(&[condition, &null])
}

/// True if the condition requires an order of this field and another value, which the search does not analyse for two fields.
fn orders(condition: &Expr, path: &Path) -> bool {
    match condition {
        Expr::And(parts) => parts.iter().any(|part| orders(part, path)),
        Expr::Compare(Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge, left, right) => {
            [left, right].into_iter().any(|side| computes_with(side, path))
        }
        _ => false,
    }
}

/// True for the field, and for a number that is computed with it.
fn computes_with(expr: &Expr, path: &Path) -> bool {
    match expr {
        Expr::Path(own) => own == path,
        Expr::Negate(inner) => computes_with(inner, path),
        Expr::Arithmetic(_, left, right, _) => computes_with(left, path) || computes_with(right, path),
        _ => false,
    }
}
