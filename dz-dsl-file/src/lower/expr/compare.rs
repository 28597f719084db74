//! Comparisons, `in`, `is null`.

use super::{Typed, Typer};
use crate::{
    Diagnostic, Span, dialect,
    lower::literal,
    model::{Comparison, EnumId, Expr, Type},
    syntax::{
        expr::{self as written, ExprKind},
        paths::text_of,
    },
};

impl Typer<'_, '_> {
    pub(super) fn comparison(&mut self, op: &str, left: &written::Expr, right: &written::Expr, span: Span) -> Typed {
        let (left_value, left_type, right_value, right_type) = self.pair(left, right)?;
        let op = match op {
            "=" => Comparison::Eq,
            "!=" => Comparison::Ne,
            "<" => Comparison::Lt,
            "<=" => Comparison::Le,
            ">" => Comparison::Gt,
            _ => Comparison::Ge,
        };
        if left_value == right_value && matches!(left_value, Expr::Path(_) | Expr::Data(_) | Expr::Context(..)) {
            self.it.out.push(
                Diagnostic::warning("comparison-with-self", span, "this compares a field with itself")
                    .help("compare it with something else"),
            );
        }
        let beside_zero = |ty: &Type, other: &Expr| *ty == Type::Money(None) && is_zero(other);
        let fits = match op {
            _ if beside_zero(&left_type, &right_value) || beside_zero(&right_type, &left_value) => true,
            Comparison::Eq | Comparison::Ne => self.comparable(&left_type, &right_type),
            Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge => self.ordered(&left_type, &right_type, span)?,
        };
        if !fits {
            return self.incomparable(op, (left, &left_type), (right, &right_type), span);
        }
        Some((Expr::Compare(op, Box::new(left_value), Box::new(right_value)), Type::Bool))
    }

    /// Reports two sides whose types do not match, at the constant side if there is one.
    fn incomparable(&mut self, op: Comparison, left: (&written::Expr, &Type), right: (&written::Expr, &Type), span: Span) -> Typed {
        let (left_shown, right_shown) = (self.describe_type(left.1), self.describe_type(right.1));
        if let (Type::Float, Type::Decimal) | (Type::Decimal, Type::Float) = (left.1, right.1) {
            let float = if *left.1 == Type::Float { left.0 } else { right.0 };
            let found = Diagnostic::error("mixed-float-decimal", span, "a float and a decimal cannot be compared");
            self.it.out.push(super::rounded(found, float));
            return None;
        }
        let message = format!("{left_shown} cannot be compared with {right_shown}");
        if let Some(found) = self.report_foreign_comparison(&message, op, left, right, span) {
            self.it.out.push(found);
            return None;
        }
        let constant = |expr: &written::Expr| {
            matches!(expr.kind, ExprKind::Text(_) | ExprKind::Number(_) | ExprKind::Duration(..)) || literal::unquoted_day(expr).is_some()
        };
        let report = match (constant(left.0), constant(right.0)) {
            (false, true) => {
                let report = Diagnostic::error("type-mismatch", right.0.span, message).label(left.0.span, left_shown);
                self.instead(report, right.0, left.1)
            }
            (true, false) => {
                let report = Diagnostic::error("type-mismatch", left.0.span, message).label(right.0.span, right_shown);
                self.instead(report, left.0, right.1)
            }
            _ => {
                let help = match (left.1, right.1) {
                    (Type::Money(None), _) | (_, Type::Money(None)) => super::ANY_CURRENCY,
                    (Type::Money(Some(_)), Type::Int | Type::Decimal) | (Type::Int | Type::Decimal, Type::Money(Some(_))) => super::RATE,
                    _ => "compare two values of one type",
                };
                Diagnostic::error("type-mismatch", span, message).label(left.0.span, left_shown).label(right.0.span, right_shown).help(help)
            }
        };
        self.it.out.push(report);
        None
    }

    /// Reports comparisons from another dialect: a timestamp with a date, and two lists of the same values.
    fn report_foreign_comparison(
        &self,
        message: &str,
        op: Comparison,
        (left, left_type): (&written::Expr, &Type),
        (right, right_type): (&written::Expr, &Type),
        span: Span,
    ) -> Option<Diagnostic> {
        let found = || {
            let report = Diagnostic::error("type-mismatch", span, message);
            report.label(left.span, self.describe_type(left_type)).label(right.span, self.describe_type(right_type))
        };
        match (left_type, right_type) {
            (Type::DateTime, Type::Date) | (Type::Date, Type::DateTime) => {
                let (moment, first) = if *left_type == Type::DateTime { (left, true) } else { (right, false) };
                let ExprKind::Path(path) = &moment.kind else { return None };
                let day = format!("date({})", text_of(path));
                let phrase = dialect::phrase("day-of-a-moment");
                // `>` and `<=` differ between a day and its first instant.
                let from_midnight = match op {
                    Comparison::Eq | Comparison::Ne => true,
                    Comparison::Ge | Comparison::Lt => first,
                    Comparison::Gt | Comparison::Le => !first,
                };
                let sure = from_midnight && path[0].text != "now";
                Some(found().help(format!("{}, `{day}`", phrase.help)).replace(moment.span, phrase.replacement(day, sure)))
            }
            (Type::Enum(one), Type::Enum(other)) => {
                let values = |id: &EnumId| self.it.enums[id.0].values.iter().map(|value| value.name.as_str()).collect::<Vec<_>>();
                let inside = |one: &[&str], other: &[&str]| one.iter().all(|value| other.contains(value));
                let (one, other) = (values(one), values(other));
                let equal = inside(&one, &other) || inside(&other, &one);
                let phrase = dialect::phrase("equal-inline-enums");
                let report = equal.then(|| found().help(phrase.help))?;
                let sign = match op {
                    Comparison::Eq => "=",
                    Comparison::Ne => "!=",
                    Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge => return Some(report),
                };
                let (ExprKind::Path(one), ExprKind::Path(other)) = (&left.kind, &right.kind) else { return Some(report) };
                let text = format!("trim({}) {sign} trim({})", text_of(one), text_of(other));
                Some(report.replace(span, phrase.replacement(text, true)))
            }
            _ => None,
        }
    }

    /// Types both sides; a bare word or a text gets its type from the other side.
    fn pair(&mut self, left: &written::Expr, right: &written::Expr) -> Option<(Expr, Type, Expr, Type)> {
        if self.is_open(left) && !self.is_open(right) {
            let (right_value, right_type) = self.typed(right, None)?;
            let (left_value, left_type) = self.typed(left, Some(&right_type))?;
            return Some((left_value, left_type, right_value, right_type));
        }
        let left_typed = self.typed(left, None);
        let Some((left_value, left_type)) = left_typed else {
            // The other side is checked too, if it does not depend on this one.
            if !self.is_open(right) {
                self.typed(right, None);
            }
            return None;
        };
        let (right_value, right_type) = self.typed(right, Some(&left_type))?;
        Some((left_value, left_type, right_value, right_type))
    }

    /// True for a literal whose type depends on the other side: text, a number, a word that is not a field.
    pub(super) fn is_open(&self, expr: &written::Expr) -> bool {
        match &expr.kind {
            ExprKind::Text(_) | ExprKind::Number(_) | ExprKind::Null => true,
            ExprKind::Path(path) => {
                let special = ["true", "false", "today", "now", "this", "current_user", "authenticated", "anonymous"];
                let field = self.scope.is_some_and(|scope| self.it.field_names[scope.0].contains_key(&path[0].text));
                path.len() == 1 && !field && !special.contains(&path[0].text.as_str())
            }
            _ => false,
        }
    }

    fn comparable(&self, left: &Type, right: &Type) -> bool {
        use Type::*;
        match (left, right) {
            (Null, _) | (_, Null) => true,
            // The two can have different currencies.
            (Money(None), _) | (_, Money(None)) => false,
            (Int | Decimal, Int | Decimal) | (Int | Float, Int | Float) => true,
            (Ref(left), Ref(right)) => left == right,
            (Ref(_), Uuid) | (Uuid, Ref(_)) => true,
            (Json | List(_) | Duration, _) => false,
            (left, right) => left == right,
        }
    }

    fn ordered(&mut self, left: &Type, right: &Type, span: Span) -> Option<bool> {
        use Type::*;
        if let (Enum(left), Enum(right)) = (left, right) {
            if left == right && !self.it.enums[left.0].ordered {
                let name = self.it.enums[left.0].name.clone();
                self.it.out.push(
                    Diagnostic::error("type-mismatch", span, format!("the values of `{name}` have no order"))
                        .help("declare it as a named enum with the word `ordered`"),
                );
                return None;
            }
            return Some(left == right);
        }
        if matches!((left, right), (Null, _) | (_, Null)) {
            self.it.out.push(Diagnostic::error("type-mismatch", span, "null has no order").help("compare with `= null` or `!= null`"));
            return None;
        }
        Some(
            matches!(
                (left, right),
                (Int | Decimal, Int | Decimal)
                    | (Int | Float, Int | Float)
                    | (Date, Date)
                    | (DateTime, DateTime)
                    | (Text, Text)
                    | (Duration, Duration)
            ) || matches!((left, right), (Money(Some(left)), Money(Some(right))) if left == right),
        )
    }

    pub(super) fn membership(&mut self, value: &written::Expr, list: &written::Expr, negated: bool) -> Typed {
        let (value_expr, value_type) = self.typed(value, None)?;
        if value_type == Type::Money(None) {
            let found = Diagnostic::error("type-mismatch", value.span, "an amount of any currency cannot be compared with a list");
            self.it.out.push(found.help(super::ANY_CURRENCY));
            return None;
        }
        let wanted = Type::List(Box::new(value_type.clone()));
        let (list_expr, list_type) = self.typed(list, Some(&wanted))?;
        let fits = match &list_type {
            Type::List(inner) => {
                **inner == Type::Null
                    || self.comparable(&value_type, inner)
                    || matches!((&value_type, &**inner), (Type::Enum(_), Type::Text))
            }
            Type::Json => matches!(value_type, Type::Text | Type::Enum(_) | Type::Ref(_) | Type::Uuid | Type::Int),
            Type::Bool
            | Type::Int
            | Type::Float
            | Type::Decimal
            | Type::Text
            | Type::Date
            | Type::DateTime
            | Type::Duration
            | Type::Money(_)
            | Type::Uuid
            | Type::Enum(_)
            | Type::Ref(_)
            | Type::Null => false,
        };
        if !fits {
            let (list_shown, value_shown) = (self.describe_type(&list_type), self.describe_type(&value_type));
            self.it.out.push(
                Diagnostic::error(
                    "type-mismatch",
                    list.span,
                    format!("`in` needs a list of {}, but this is {list_shown}", value_shown.trim_start_matches("a ")),
                )
                .help("write `in [a, b]`"),
            );
            return None;
        }
        let member = Expr::In(Box::new(value_expr), Box::new(list_expr));
        Some((if negated { Expr::Not(Box::new(member)) } else { member }, Type::Bool))
    }

    pub(super) fn is_null(&mut self, value: &written::Expr, negated: bool) -> Typed {
        let (value, _) = self.typed(value, None)?;
        let op = if negated { Comparison::Ne } else { Comparison::Eq };
        Some((Expr::Compare(op, Box::new(value), Box::new(Expr::Null)), Type::Bool))
    }
}

/// True for a zero, which is the same amount of every currency.
fn is_zero(value: &Expr) -> bool {
    match value {
        Expr::Int(number) => *number == 0,
        Expr::Decimal(digits) => digits.bytes().all(|digit| matches!(digit, b'0' | b'.')),
        _ => false,
    }
}
