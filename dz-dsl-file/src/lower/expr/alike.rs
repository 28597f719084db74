//! Values of which one is chosen: the branches of `if`, the arguments of `coalesce`, `min` and `max`. They have one type, in
//! whatever order they are written.

use super::Typer;
use crate::{
    model::{Expr, Type},
    syntax::expr::{self as written, ExprKind},
};

impl Typer<'_, '_> {
    /// Types the values, and returns their common type. A literal gets its type from the other values, also from later ones.
    pub(super) fn alike(&mut self, values: &[&written::Expr], expected: Option<&Type>) -> Option<(Vec<Expr>, Type)> {
        let (literals, others): (Vec<usize>, Vec<usize>) = (0..values.len()).partition(|at| self.is_literal(values[*at]));
        let mut typed: Vec<(usize, Expr)> = Vec::new();
        let mut ty = Type::Null;
        for at in others.into_iter().chain(literals) {
            let value = values[at];
            let known = Some(&ty).filter(|ty| **ty != Type::Null);
            // A whole number can still become a decimal, a float or an amount.
            let hint = if ty == Type::Int { expected.or(known) } else { known.or(expected) };
            let (lowered, found) = self.typed(value, hint.cloned().as_ref())?;
            match self.common(&ty, &found) {
                Some(common) => ty = common,
                None => return self.mismatch(value.span, &found, &ty),
            }
            typed.push((at, lowered));
        }
        typed.sort_by_key(|(at, _)| *at);
        Some((typed.into_iter().map(|(_, value)| value).collect(), ty))
    }

    /// The type that has the values of both types.
    fn common(&self, one: &Type, other: &Type) -> Option<Type> {
        match (one, other) {
            (ty, Type::Null) => Some(ty.clone()),
            // The identifier of a row of any entity.
            (Type::Ref(_), Type::Uuid) | (Type::Uuid, Type::Ref(_)) => Some(Type::Uuid),
            (from, to) if self.assignable(from, to) => Some(to.clone()),
            (to, from) if self.assignable(from, to) => Some(to.clone()),
            _ => None,
        }
    }

    /// True if the type of a value depends on its context.
    fn is_literal(&self, value: &written::Expr) -> bool {
        match &value.kind {
            ExprKind::Negate(inner) => self.is_literal(inner),
            ExprKind::If(branches, rest) => self.is_literal(rest) && branches.iter().all(|(_, value)| self.is_literal(value)),
            _ => self.is_open(value),
        }
    }
}
