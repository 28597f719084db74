//! Resolves every name and checks every type in expressions. `None` means that an error was reported, so that each
//! mistake is reported once.

mod alike;
mod arithmetic;
mod call;
mod compare;
mod default;
mod metric;
mod path;
mod position;

use arithmetic::rounded;
pub(crate) use call::{aggregates, functions};
pub(crate) use default::{default, entry, misfit, prefilled, unstored};
pub(crate) use metric::{MetricName, Metrics, is_number, metric};
pub(crate) use position::Position;

use super::{Lowering, literal};
use crate::{
    Diagnostic, Span,
    diagnostic::near_word,
    model::{Duration, EntityId, EnumId, Expr, FieldType, Path, RoleId, Type},
    names,
    syntax::expr::{self as written, ExprKind},
};

/// Types expressions in one position.
pub(crate) struct Typer<'l, 'a> {
    pub it: &'l mut Lowering<'a>,
    pub position: Position,
    /// The entity of the row in scope; `None` in defaults.
    pub scope: Option<EntityId>,
    /// The entity of the outer row (`this`).
    pub outer: Option<EntityId>,
    /// True after `anonymous` was named.
    pub names_anonymous: bool,
    /// The other metrics, in a metric.
    pub metrics: Metrics<'l>,
    /// The entities that a metric counts, once for each time that it names them.
    pub counted: Vec<EntityId>,
    /// The entity of the field of which this is the default.
    pub default_of: Option<EntityId>,
}

pub(crate) type Typed = Option<(Expr, Type)>;

/// Types a condition.
pub(crate) fn condition(
    it: &mut Lowering<'_>,
    position: Position,
    scope: EntityId,
    outer: Option<EntityId>,
    expr: &written::Expr,
) -> Option<(Expr, bool)> {
    let mut typer = Typer::new(it, position, Some(scope));
    typer.outer = outer;
    let lowered = typer.condition(expr)?;
    Some((lowered, typer.names_anonymous))
}

/// Types a value over a row of an entity.
pub(crate) fn value(it: &mut Lowering<'_>, position: Position, scope: EntityId, expr: &written::Expr) -> Typed {
    Typer::new(it, position, Some(scope)).typed(expr, None)
}

/// Resolves a role, or reports its name.
pub(crate) fn role(it: &mut Lowering<'_>, name: &crate::cursor::Name) -> Option<RoleId> {
    it.role(name)
}

/// A duration, or a report that it is too long.
pub(crate) fn duration(it: &mut Lowering<'_>, amount: i64, unit: &str, span: Span) -> Option<Duration> {
    let mut typer = Typer::new(it, Position::Default, None);
    match typer.duration(amount, unit, span)?.0 {
        Expr::Duration(duration) => Some(duration),
        _ => None,
    }
}

fn is_numeral(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, fraction].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The operations on an amount of which each row has its own currency.
const ANY_CURRENCY: &str = "each row has its own currency: compare the amount with 0 or null and ask for `NAME_currency = \"EUR\"`, or give all \
rows one currency: `money(EUR)`";

/// The way from a number to an amount.
const RATE: &str =
    "numbers alone make no amount: declare the rate as a field in the currency of the amount, `rate: money(EUR)`, and write `hours * rate`";

/// The alternative to a text with a value in it.
const NO_TEXT: &str = "only a value of an enum becomes a text, in `lower(…)` and `upper(…)`: join the texts only and show another value as a field \
of its own, or store it as a text, such as `number: str(20)`";

/// The reason why such amounts cannot be added or compared across rows.
pub(crate) const SEVERAL_CURRENCIES: &str =
    "amounts of several currencies have no sum and no maximum: give all rows one currency, `money(EUR)`, or count the rows";

/// The type of an expression that reads a field.
pub(crate) fn type_of(ty: FieldType) -> Type {
    match ty {
        FieldType::Uuid => Type::Uuid,
        FieldType::Int { .. } => Type::Int,
        FieldType::Float => Type::Float,
        FieldType::Decimal { .. } => Type::Decimal,
        FieldType::Bool => Type::Bool,
        FieldType::Date => Type::Date,
        FieldType::DateTime => Type::DateTime,
        FieldType::Enum(id) => Type::Enum(id),
        FieldType::Json => Type::Json,
        FieldType::Ref(entity) => Type::Ref(entity),
        FieldType::Money(currency) => Type::Money(currency),
        FieldType::File { .. } => Type::Json,
        FieldType::HasMany { entity, .. } | FieldType::HasOne { entity, .. } | FieldType::ManyToMany { entity, .. } => {
            Type::List(Box::new(Type::Ref(entity)))
        }
        FieldType::Str(_)
        | FieldType::Text
        | FieldType::Email
        | FieldType::Url
        | FieldType::Timezone
        | FieldType::Slug
        | FieldType::Currency { .. } => Type::Text,
    }
}

impl<'l, 'a> Typer<'l, 'a> {
    /// A typer without an outer row.
    pub fn new(it: &'l mut Lowering<'a>, position: Position, scope: Option<EntityId>) -> Self {
        let (metrics, counted) = (Metrics::default(), Vec::new());
        Typer { it, position, scope, outer: None, names_anonymous: false, metrics, counted, default_of: None }
    }
}

impl Typer<'_, '_> {
    /// Types an expression that must be true or false.
    pub fn condition(&mut self, expr: &written::Expr) -> Option<Expr> {
        let (lowered, ty) = self.typed(expr, Some(&Type::Bool))?;
        if ty == Type::Bool {
            return Some(lowered);
        }
        let found = self.describe_type(&ty);
        self.it.out.push(
            Diagnostic::error("not-a-condition", expr.span, format!("a condition is needed here, but this is {found}"))
                .help("compare it with something, for example `= …` or `!= null`"),
        );
        None
    }

    /// Types an expression; `expected` resolves bare words to values of an enum and text to dates.
    pub fn typed(&mut self, expr: &written::Expr, expected: Option<&Type>) -> Typed {
        match &expr.kind {
            ExprKind::Null => Some((Expr::Null, Type::Null)),
            ExprKind::Number(digits) => self.number(digits, expected),
            ExprKind::Duration(amount, unit) => self.duration(*amount, unit, expr.span),
            ExprKind::Text(text) => self.text(text, expr.span, expected),
            ExprKind::Path(path) => self.path(path, expr.span, expected),
            ExprKind::Call(name, args) => self.call(name, args, expected),
            ExprKind::List(items) => self.list(items, expected),
            ExprKind::EmptyObject => Some((Expr::Typed(Type::Json, "{}".to_owned()), Type::Json)),
            ExprKind::Object(_) => match default::json_literal(expr) {
                Some(json) => Some((Expr::Typed(Type::Json, json), Type::Json)),
                None => self.not_allowed(expr.span, "an object with anything but literals"),
            },
            ExprKind::Not(inner) => Some((Expr::Not(Box::new(self.condition(inner)?)), Type::Bool)),
            ExprKind::Negate(inner) => self.negate(inner, expected),
            ExprKind::Binary("and", left, right) => self.junction(left, right, "and"),
            ExprKind::Binary("or", left, right) => self.junction(left, right, "or"),
            ExprKind::Binary(op @ ("=" | "!=" | "<" | "<=" | ">" | ">="), left, right) => self.comparison(op, left, right, expr.span),
            ExprKind::Binary(op, left, right) => self.arithmetic(op, left, right, expr.span, expected),
            ExprKind::In(value, list, negated) => self.membership(value, list, *negated),
            ExprKind::IsNull(value, negated) => self.is_null(value, *negated),
            ExprKind::If(branches, rest) => self.branches(branches, rest, expected),
        }
    }

    fn number(&mut self, digits: &str, expected: Option<&Type>) -> Typed {
        // A number beside an amount has its currency.
        if let Some(money @ Type::Money(Some(_))) = expected {
            return self.number(digits, None).map(|(value, _)| (value, money.clone()));
        }
        if expected == Some(&Type::Float) {
            return Some((Expr::Float(digits.parse().ok()?), Type::Float));
        }
        match digits.parse::<i64>() {
            Ok(number) => Some((Expr::Int(number), Type::Int)),
            Err(_) if digits.contains('.') => Some((Expr::Decimal(digits.to_owned()), Type::Decimal)),
            // The lexer has reported a number beyond the range.
            Err(_) => None,
        }
    }

    fn duration(&mut self, amount: i64, unit: &str, span: Span) -> Typed {
        let (months, seconds) = match unit {
            "KB" | "MB" | "GB" => {
                self.it.out.push(
                    Diagnostic::error("bad-duration", span, "a size in bytes is not a duration")
                        .help("write a duration, such as `7d` or `2 hours`"),
                );
                return None;
            }
            "y" => (amount.checked_mul(12), Some(0)),
            "m" => (Some(amount), Some(0)),
            "w" => (Some(0), amount.checked_mul(604_800)),
            "d" => (Some(0), amount.checked_mul(86_400)),
            "h" => (Some(0), amount.checked_mul(3_600)),
            "min" => (Some(0), amount.checked_mul(60)),
            _ => (Some(0), Some(amount)),
        };
        let within = |value: Option<i64>, limit: i64| value.filter(|value| *value <= limit);
        match (within(months, 120_000), within(seconds, 10_000 * 366 * 86_400)) {
            (Some(months), Some(seconds)) => Some((Expr::Duration(Duration { months, seconds }), Type::Duration)),
            _ => {
                self.it
                    .out
                    .push(Diagnostic::error("number-out-of-range", span, "a duration reaches to 10000 years").help("write a shorter one"));
                None
            }
        }
    }

    fn text(&mut self, text: &str, span: Span, expected: Option<&Type>) -> Typed {
        match expected {
            Some(Type::Enum(id)) => self.enum_value(*id, text, span).map(|value| (value, Type::Enum(*id))),
            Some(ty @ (Type::Date | Type::DateTime | Type::Uuid)) => self.text_as(ty, text, span),
            Some(ty @ Type::Ref(_)) if literal::misfit(&Type::Uuid, text).is_none() => {
                Some((Expr::Typed(Type::Uuid, text.to_owned()), ty.clone()))
            }
            Some(ty @ Type::Ref(_)) => {
                let found = Diagnostic::error("type-mismatch", span, format!("\"{text}\" is not {}", self.describe_type(ty)));
                let help = self.to_write(ty);
                self.it.out.push(found.help(help));
                None
            }
            _ => Some((Expr::Text(text.to_owned()), Type::Text)),
        }
    }

    fn text_as(&mut self, ty: &Type, text: &str, span: Span) -> Typed {
        if let Some(help) = literal::misfit(ty, text) {
            let shown = self.describe_type(ty);
            self.it.out.push(Diagnostic::error("type-mismatch", span, format!("\"{text}\" is not {shown}")).help(help));
            return None;
        }
        Some((Expr::Typed(ty.clone(), text.to_owned()), ty.clone()))
    }

    fn enum_value(&mut self, id: EnumId, word: &str, span: Span) -> Option<Expr> {
        let values = &self.it.enums[id.0].values;
        if let Some(at) = values.iter().position(|value| value.name == word) {
            self.it.value_used(span, id, at);
            return Some(Expr::EnumValue(id, at));
        }
        let all: Vec<String> = values.iter().map(|value| names::as_value(&value.name)).collect();
        let quoted: Vec<String> = all.iter().map(|value| format!("`{value}`")).collect();
        let near = near_word(word, values.iter().map(|value| value.name.as_str())).map(|it| it.spelled_as(names::as_value));
        // A value in another letter case can be a title, and the value itself another one.
        let near = near.map(|it| if it.eq_ignore_ascii_case(word) { it.as_proposal() } else { it });
        let found = Diagnostic::error("unknown-value", span, format!("`{word}` is not a value of this enum"));
        let found = match near {
            Some(near) => found.help(format!("did you mean `{near}`? The values are {}", quoted.join(", "))).replace(span, near),
            None => found.help(format!("the values are {}", quoted.join(", "))),
        };
        // If the values could not be parsed, none of them is suggested.
        if !all.is_empty() {
            self.it.out.push(found);
        }
        None
    }

    fn list(&mut self, items: &[written::Expr], expected: Option<&Type>) -> Typed {
        let inner = match expected {
            Some(Type::List(inner)) => Some((**inner).clone()),
            _ => None,
        };
        let mut lowered = Vec::new();
        let mut ty = inner.clone().unwrap_or(Type::Null);
        for item in items {
            let (value, found) = self.typed(item, inner.as_ref().or(Some(&ty).filter(|ty| **ty != Type::Null)))?;
            if ty == Type::Null {
                ty = found;
            } else if !self.assignable(&found, &ty) {
                return self.mismatch(item.span, &found, &ty);
            }
            lowered.push(value);
        }
        Some((Expr::List(lowered), Type::List(Box::new(ty))))
    }

    fn negate(&mut self, inner: &written::Expr, expected: Option<&Type>) -> Typed {
        let (value, ty) = self.typed(inner, expected)?;
        let folded = match value {
            Expr::Int(number) => Expr::Int(number.checked_neg()?),
            Expr::Float(number) => Expr::Float(-number),
            Expr::Decimal(digits) => Expr::Decimal(format!("-{digits}")),
            Expr::Duration(it) => Expr::Duration(Duration { months: -it.months, seconds: -it.seconds }),
            other => Expr::Negate(Box::new(other)),
        };
        if !matches!(ty, Type::Int | Type::Decimal | Type::Float | Type::Duration | Type::Money(Some(_))) {
            return self.mismatch(inner.span, &ty, &Type::Decimal);
        }
        Some((folded, ty))
    }

    fn junction(&mut self, left: &written::Expr, right: &written::Expr, op: &str) -> Typed {
        let (left, right) = (self.condition(left), self.condition(right));
        let (left, right) = (left?, right?);
        let mut parts = Vec::new();
        for side in [left, right] {
            match side {
                Expr::And(inner) if op == "and" => parts.extend(inner),
                Expr::Or(inner) if op == "or" => parts.extend(inner),
                other => parts.push(other),
            }
        }
        Some((if op == "and" { Expr::And(parts) } else { Expr::Or(parts) }, Type::Bool))
    }

    fn branches(&mut self, branches: &[(written::Expr, written::Expr)], rest: &written::Expr, expected: Option<&Type>) -> Typed {
        let conditions: Vec<Option<Expr>> = branches.iter().map(|(condition, _)| self.condition(condition)).collect();
        let values: Vec<&written::Expr> = std::iter::once(rest).chain(branches.iter().map(|(_, value)| value)).collect();
        let (values, ty) = self.alike(&values, expected)?;
        let mut values = values.into_iter();
        let rest = values.next()?;
        let lowered: Option<Vec<(Expr, Expr)>> =
            conditions.into_iter().zip(values).map(|(condition, value)| Some((condition?, value))).collect();
        Some((Expr::If(lowered?, Box::new(rest)), ty))
    }

    /// Reports a value of the wrong type.
    pub fn mismatch<T>(&mut self, span: Span, found: &Type, expected: &Type) -> Option<T> {
        let (found, shown) = (self.describe_type(found), self.describe_type(expected));
        let help = self.to_write(expected);
        self.it.out.push(Diagnostic::error("type-mismatch", span, format!("expected {shown}, but this is {found}")).help(help));
        None
    }

    /// Adds the correction of `expr` where `expected` is needed.
    pub fn instead(&self, report: Diagnostic, expr: &written::Expr, expected: &Type) -> Diagnostic {
        if let (Type::Date, Some(day)) = (expected, literal::unquoted_day(expr)) {
            return report.help(format!("a day needs quotes: write {day}")).replace(expr.span, day);
        }
        let report = report.help(self.to_write(expected));
        match (&expr.kind, expected) {
            (ExprKind::Number(digits), Type::Text) => report.replace(expr.span, format!("\"{digits}\"")),
            (ExprKind::Path(path), Type::Text) if path.len() == 1 => report.replace(expr.span, format!("\"{}\"", path[0].text)),
            (ExprKind::Text(text), Type::Int) if text.parse::<i64>().is_ok() => report.replace(expr.span, text.clone()),
            (ExprKind::Text(text), Type::Decimal | Type::Float) if is_numeral(text) => report.replace(expr.span, text.clone()),
            (ExprKind::Text(text), Type::Bool) if matches!(text.as_str(), "true" | "false") => report.replace(expr.span, text.clone()),
            (ExprKind::Path(path), Type::Date) if path.len() == 1 && path[0].text == "now" => report.replace(expr.span, "today"),
            (ExprKind::Path(path), Type::DateTime) if path.len() == 1 && path[0].text == "today" => report.replace(expr.span, "now"),
            _ => report,
        }
    }

    /// The syntax of a value of a type, for messages.
    pub fn to_write(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "write `true` or `false`".to_owned(),
            Type::Int => "write a whole number, such as `3`".to_owned(),
            Type::Float | Type::Decimal => "write a number, such as `2.50`".to_owned(),
            Type::Text => "write a text in quotes: \"…\"".to_owned(),
            Type::Date => "write `today`, `today + 7d`, or a day as \"2026-01-31\"".to_owned(),
            Type::DateTime => "write `now`, `now + 2h`, or a timestamp as \"2026-01-31T09:30:00Z\"".to_owned(),
            Type::Duration => "write a duration, such as `7d` or `2 hours`".to_owned(),
            Type::Uuid => "write an identifier as \"018f3c1e-0000-7000-8000-000000000000\"".to_owned(),
            Type::Enum(id) => {
                let values = self.it.enums[id.0].values.iter().map(|value| format!("`{}`", names::as_value(&value.name)));
                format!("the values are {}", values.collect::<Vec<_>>().join(", "))
            }
            Type::Ref(entity) => {
                let account = if *entity == self.it.account { "`current_user`, " } else { "" };
                let row = if self.position == Position::Default { "`@name` of a row above" } else { "another reference to it" };
                format!("write {account}{row}, or null")
            }
            Type::Money(Some(_)) => "write the amount as a number, such as `12.50`, or a field of that currency".to_owned(),
            Type::Money(None) => ANY_CURRENCY.to_owned(),
            Type::Json => "write `[]`, `{}`, a text or a number".to_owned(),
            Type::List(_) => "write a list: `[a, b]`".to_owned(),
            Type::Null => "write `null`".to_owned(),
        }
    }

    /// True if a value of type `from` can be stored as `to`.
    pub fn assignable(&self, from: &Type, to: &Type) -> bool {
        use Type::*;
        match (from, to) {
            (Null, _) | (Int, Decimal | Float) => true,
            (Ref(_), Uuid) | (Uuid, Ref(_)) => true,
            (List(from), List(to)) => self.assignable(from, to) || **from == Null,
            (List(_), Json) => true,
            (from, to) => from == to,
        }
    }

    /// The name of a type in messages.
    pub fn describe_type(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "a bool".to_owned(),
            Type::Int => "a whole number".to_owned(),
            Type::Float => "a float".to_owned(),
            Type::Decimal => "a decimal".to_owned(),
            Type::Text => "text".to_owned(),
            Type::Date => "a date".to_owned(),
            Type::DateTime => "a datetime".to_owned(),
            Type::Duration => "a duration".to_owned(),
            Type::Money(Some(currency)) => format!("an amount of {}", currency.code()),
            Type::Money(None) => "an amount of any currency".to_owned(),
            Type::Uuid => "a uuid".to_owned(),
            Type::Enum(id) => format!("a value of `{}`", self.it.enums[id.0].name),
            Type::Ref(entity) => format!("a reference to `{}`", self.it.entities[entity.0].name),
            Type::Json => "json".to_owned(),
            Type::List(inner) => format!("a list of {}", self.describe_type(inner).trim_start_matches("a ")),
            Type::Null => "null".to_owned(),
        }
    }

    /// An example of a field of the scope, for messages.
    pub fn scope_name(&self, scope: EntityId) -> String {
        self.it.entities[scope.0].name.clone()
    }
}

/// The path of a field of `scope` itself.
pub(crate) fn own(scope: EntityId, field: usize) -> Path {
    Path { from: scope, hops: Vec::new(), field: crate::model::FieldId(field) }
}

/// The name of a field in messages.
pub(crate) fn title_of(path: &[crate::cursor::Name]) -> String {
    let last: Vec<&str> = path.iter().map(|name| name.text.as_str()).collect();
    names::humanise(&last.join("_"))
}
