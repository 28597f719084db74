//! `+ - * / %`: their operands and their results.

use super::{Typed, Typer};
use crate::{
    Diagnostic, Span,
    model::{Arithmetic, Expr, Type},
    syntax::expr::{self as written, ExprKind},
};

impl Typer<'_, '_> {
    pub(super) fn arithmetic(
        &mut self,
        op: &str,
        left: &written::Expr,
        right: &written::Expr,
        span: Span,
        expected: Option<&Type>,
    ) -> Typed {
        use Type::*;
        let hint = expected.filter(|ty| **ty == Float);
        let sum = matches!(op, "+" | "-");
        let passed_on = |ty: &&Type| **ty == Float || sum && matches!(ty, Money(Some(_)));
        let ((left_value, left_type), (right_value, right_type)) = if self.is_open(left) && !self.is_open(right) {
            let right = self.typed(right, hint)?;
            (self.typed(left, Some(&right.1).filter(passed_on).or(hint))?, right)
        } else {
            let left = self.typed(left, hint)?;
            let right = self.typed(right, Some(&left.1).filter(passed_on).or(hint))?;
            (left, right)
        };
        let kind = match op {
            "+" => Arithmetic::Add,
            "-" => Arithmetic::Sub,
            "*" => Arithmetic::Mul,
            "/" => Arithmetic::Div,
            _ => Arithmetic::Rem,
        };
        let ty = match (kind, &left_type, &right_type) {
            (_, Decimal, Float) | (_, Float, Decimal) => {
                let float = if left_type == Float { left } else { right };
                let found = Diagnostic::error("mixed-float-decimal", span, "a float and a decimal cannot be combined");
                self.it.out.push(rounded(found, float));
                return None;
            }
            (Arithmetic::Div, Int | Decimal, Int | Decimal) => Decimal,
            (Arithmetic::Rem, Int, Int) => Int,
            (Arithmetic::Rem, ..) => return self.operator(op, span, &left_type, &right_type),
            (_, Int, Int) => Int,
            (_, Int | Decimal, Int | Decimal) => Decimal,
            (_, Float | Int, Float | Int) => Float,
            (Arithmetic::Add | Arithmetic::Sub, Date, Duration) => Date,
            (Arithmetic::Add | Arithmetic::Sub, DateTime, Duration) => DateTime,
            (Arithmetic::Sub, Date, Date) => Int,
            (Arithmetic::Sub, DateTime, DateTime) => Duration,
            (Arithmetic::Add, Text, Text) => Text,
            (Arithmetic::Add | Arithmetic::Sub, Money(Some(left)), Money(Some(right))) if left == right => Money(Some(*left)),
            (Arithmetic::Mul | Arithmetic::Div, Money(currency), Int | Decimal) => Money(*currency),
            (Arithmetic::Mul, Int | Decimal, Money(currency)) => Money(*currency),
            _ => return self.operator(op, span, &left_type, &right_type),
        };
        Some((Expr::Arithmetic(kind, Box::new(left_value), Box::new(right_value), ty.clone()), ty))
    }

    fn operator(&mut self, op: &str, span: Span, left_type: &Type, right_type: &Type) -> Typed {
        let (left, right) = (self.describe_type(left_type), self.describe_type(right_type));
        let found = Diagnostic::error("type-mismatch", span, format!("`{op}` does not work between {left} and {right}"));
        self.it.out.push(found.help(match (op, is_time(left_type), is_time(right_type)) {
            _ if [left_type, right_type].contains(&&Type::Money(None)) => super::ANY_CURRENCY,
            ("+" | "-", ..) if matches!((left_type, right_type), (Type::Money(_), Type::Money(_))) => {
                "both amounts must have one currency: no function converts an amount"
            }
            ("+" | "-", true, _) | ("+", _, true) => "dates and datetimes take durations: `today + 7d`, `now - 2 hours`",
            ("+", ..) if *left_type == Type::Text || *right_type == Type::Text => super::NO_TEXT,
            ("%", ..) => "`%` takes whole numbers",
            _ => "both sides must be numbers",
        }));
        None
    }
}

/// Adds the conversion of a float to a decimal.
pub(super) fn rounded(found: Diagnostic, float: &written::Expr) -> Diagnostic {
    match &float.kind {
        ExprKind::Path(path) => {
            let names: Vec<&str> = path.iter().map(|name| name.text.as_str()).collect();
            let call = format!("round({}, 4)", names.join("."));
            found.help(format!("turn the float into a decimal: `{call}`")).replace(float.span, call)
        }
        _ => found.help("turn the float into a decimal: `round(x, 4)`"),
    }
}

fn is_time(ty: &Type) -> bool {
    matches!(ty, Type::Date | Type::DateTime)
}
