//! What the known comparisons of a field with literals imply for a further one: `year > 3` excludes `year < 2`.

use std::cmp::Ordering;

use super::{Assigned, Choice, Variable, compare_literals};
use crate::model::{Comparison, Expr};

/// The value of a comparison of a field with a literal, if the comparisons that were assigned before decide it. The field is not null:
/// that is assigned before every such comparison.
pub(super) fn compare_with_assigned(expr: &Expr, assigned: &Assigned) -> Option<bool> {
    let Expr::Compare(op, field, literal) = expr else { return None };
    assigned.iter().find_map(|(var, is)| match var {
        Variable::Free(Expr::Compare(known, other, bound)) if other == field => {
            let known = if *is == Choice::Yes { *known } else { negate(*known) };
            implied(known, order(bound, literal)?, *op)
        }
        Variable::Value(_) | Variable::Null(_) | Variable::Role(_) | Variable::Free(_) => None,
    })
}

/// The value of `field op literal` if `field known bound` holds, by the order of the bound and the literal.
fn implied(known: Comparison, bound: Ordering, op: Comparison) -> Option<bool> {
    use Comparison::{Eq, Ge, Gt, Le, Lt, Ne};
    // The possible orders of the field and the literal: less, equal, greater.
    let possible = match known {
        Eq => [bound.is_lt(), bound.is_eq(), bound.is_gt()],
        Ne => [true, !bound.is_eq(), true],
        Lt => [true, bound.is_gt(), bound.is_gt()],
        Le => [true, bound.is_ge(), bound.is_gt()],
        Gt => [bound.is_lt(), bound.is_lt(), true],
        Ge => [bound.is_lt(), bound.is_le(), true],
    };
    let wanted = match op {
        Eq => [false, true, false],
        Ne => [true, false, true],
        Lt => [true, false, false],
        Le => [true, true, false],
        Gt => [false, false, true],
        Ge => [false, true, true],
    };
    let both = |value: bool| possible.iter().zip(wanted).any(|(possible, wanted)| *possible && wanted == value);
    match (both(true), both(false)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        (true, true) | (false, false) => None,
    }
}

fn order(left: &Expr, right: &Expr) -> Option<Ordering> {
    if compare_literals(Comparison::Eq, left, right)? {
        return Some(Ordering::Equal);
    }
    Some(if compare_literals(Comparison::Lt, left, right)? { Ordering::Less } else { Ordering::Greater })
}

fn negate(op: Comparison) -> Comparison {
    match op {
        Comparison::Eq => Comparison::Ne,
        Comparison::Ne => Comparison::Eq,
        Comparison::Lt => Comparison::Ge,
        Comparison::Le => Comparison::Gt,
        Comparison::Gt => Comparison::Le,
        Comparison::Ge => Comparison::Lt,
    }
}
