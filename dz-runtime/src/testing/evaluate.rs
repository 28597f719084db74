//! Evaluates expressions over rows in memory, as the language defines them.

use std::cmp::Ordering;

use chrono::{DateTime, Datelike, Months, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};
use rust_decimal::{Decimal, RoundingStrategy, prelude::ToPrimitive};

use super::oracle::{Oracle, Scope};
use crate::{
    Value,
    def::{Aggregate, Arithmetic, EntityDef, Expr, FieldAt, FieldDef, FieldIx, Function, Path, Type},
};

/// The result of an expression.
#[derive(Debug, Clone)]
pub(super) enum Evaluated {
    One(Value),
    /// A duration: calendar months, and seconds.
    Span(i64, i64),
    Many(Vec<Value>),
}

/// Compares two values; `None` if one is null or their kinds differ.
pub(super) fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    use Value::*;
    match (left, right) {
        (Bool(a), Bool(b)) => Some(a.cmp(b)),
        (Text(a), Text(b)) => Some(a.chars().cmp(b.chars())),
        (Uuid(a), Uuid(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Date(a), Date(b)) => Some(a.cmp(b)),
        (DateTime(a), DateTime(b)) => Some(a.cmp(b)),
        (Json(a), Json(b)) => (a == b).then_some(Ordering::Equal),
        (Float(_), Int(_) | Decimal(_) | Float(_)) | (Int(_) | Decimal(_), Float(_)) => double(left)?.partial_cmp(&double(right)?),
        (Int(_) | Decimal(_), Int(_) | Decimal(_)) => Some(exact(left)?.cmp(&exact(right)?)),
        _ => None,
    }
}

fn exact(value: &Value) -> Option<Decimal> {
    match value {
        Value::Int(number) => Some(Decimal::from(*number)),
        Value::Decimal(number) => Some(*number),
        Value::Float(number) => Decimal::from_scientific(&format!("{number:.14e}")).ok(),
        _ => None,
    }
}

fn double(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Decimal(number) => number.to_string().parse().ok(),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

impl<'w> Oracle<'w> {
    /// The value of an expression; null for a list, and microseconds for a duration.
    pub fn value(&self, expr: &Expr, place: Scope<'_>) -> Value {
        match self.evaluate(expr, place) {
            Evaluated::One(value) => value,
            Evaluated::Span(months, seconds) => Value::Int((months * 30 * 86_400 + seconds) * 1_000_000),
            Evaluated::Many(_) => Value::Null,
        }
    }

    pub(super) fn evaluate(&self, expr: &Expr, place: Scope<'_>) -> Evaluated {
        Evaluated::One(match expr {
            Expr::Duration { months, seconds } => return Evaluated::Span(*months, *seconds),
            Expr::List(items) => return Evaluated::Many(items.iter().map(|item| self.value(item, place)).collect()),
            Expr::CurrentUserRoles => {
                let roles = self.who.roles_at(place);
                let held = self.app().roles.iter().enumerate().filter(|(bit, _)| roles & (1 << bit) != 0);
                return Evaluated::Many(held.map(|(_, role)| Value::Text(role.name.to_owned())).collect());
            }
            Expr::Null => Value::Null,
            Expr::Bool(holds) => Value::Bool(*holds),
            Expr::Int(number) => Value::Int(*number),
            Expr::Decimal(digits) => digits.parse().map_or(Value::Null, Value::Decimal),
            Expr::Float(number) => Value::Float(*number),
            Expr::Text(text) => Value::Text((*text).to_owned()),
            Expr::Typed(ty, text) => literal(*ty, text),
            Expr::EnumValue(of, at) => Value::Text(of.values[usize::from(*at)].name.to_owned()),
            Expr::Today => Value::Date(self.who.today),
            Expr::Now => Value::DateTime(self.who.now),
            Expr::CurrentUser | Expr::CurrentUserPath(_) => self.caller_value(expr),
            Expr::CurrentTenant => self.who.tenant_state.tenant.clone().unwrap_or_default(),
            Expr::Path(path) => self.follow_path(place.entity, *path, place.values),
            Expr::This(path) => match (place.outer, path) {
                (Some(outer), Some(path)) => self.follow_path(outer.entity, *path, outer.values),
                (Some(outer), None) => outer.values.get(usize::from(outer.entity.pk)).cloned().unwrap_or_default(),
                (None, _) => Value::Null,
            },
            Expr::Arithmetic(op, left, right, ty) => self.arithmetic(expr, *op, (left, right), *ty, place),
            Expr::Negate(inner) => match self.value(inner, place) {
                Value::Int(number) => number.checked_neg().map_or(Value::Null, Value::Int),
                Value::Decimal(number) => Value::Decimal(-number),
                Value::Float(number) => Value::Float(0.0 - number),
                _ => Value::Null,
            },
            Expr::Call(function, arguments, ty) => self.call(*function, arguments, *ty, place),
            Expr::Aggregate { kind, relation, value, condition } if !matches!(kind, Aggregate::Any | Aggregate::All) => {
                self.aggregate(*kind, *relation, *value, *condition, place)
            }
            Expr::If(branches, otherwise) => {
                let taken = branches.iter().find(|(test, _)| self.truth(test, place) == Some(true)).map(|(_, result)| result);
                return self.evaluate(taken.unwrap_or(otherwise), place);
            }
            condition => Value::Bool(self.truth(condition, place) == Some(true)),
        })
    }

    /// The value of a path from the caller's account.
    pub(super) fn caller_value(&self, expr: &Expr) -> Value {
        let Some(key) = &self.who.account else { return Value::Null };
        let account = self.app().account();
        let home = Oracle { world: self.home.unwrap_or(self.world), ..*self };
        match (expr, home.world.find(account.ix, key)) {
            (Expr::CurrentUser, _) => key.clone(),
            (Expr::CurrentUserPath(path), Some(row)) => home.follow_path(account, *path, &row.values),
            _ => Value::Null,
        }
    }

    /// The last field of a path.
    pub(super) fn last_field(&self, path: Path) -> &'static FieldDef {
        path.end(self.app()).field(self.app())
    }

    /// The value at the end of a path that starts at a row of `from`.
    fn follow_path(&self, from: &'static EntityDef, path: Path, values: &[Value]) -> Value {
        self.follow_steps(from, &path.steps(self.app()), values)
    }

    fn follow_steps(&self, from: &'static EntityDef, steps: &[FieldAt], values: &[Value]) -> Value {
        let Some((first, rest)) = steps.split_first() else { return Value::Null };
        let Some(at) = first.position_in(from) else { return Value::Null };
        match rest {
            [] => self.field_value(from, at, values),
            // The key of a referenced row is the value of the reference, also if the row is deleted.
            [key] if key.is_key(self.app()) => values.get(usize::from(at)).cloned().unwrap_or_default(),
            rest => match self.world.target(from, at, values) {
                Some((entity, row)) => self.follow_steps(entity, rest, &row.values),
                None => Value::Null,
            },
        }
    }

    /// The value of a stored or computed field.
    pub fn field_value(&self, entity: &'static EntityDef, at: FieldIx, values: &[Value]) -> Value {
        let field = entity.field(at);
        let Some(expr) = field.computed else { return values.get(usize::from(at)).cloned().unwrap_or_default() };
        let value = self.value(expr, Scope { entity, values, outer: None });
        if field.kind.is_float() {
            return double(&value).map_or(Value::Null, Value::Float);
        }
        let Some((precision, scale)) = field.kind.digits().filter(|_| matches!(value, Value::Int(_) | Value::Decimal(_))) else {
            return value;
        };
        let rounded = exact(&value).map(|value| round_away_from_zero(value, scale.into()));
        let limit = ten_to(precision.saturating_sub(scale).into());
        rounded.filter(|value| limit.is_some_and(|limit| value.abs() < limit)).map_or(Value::Null, Value::Decimal)
    }

    fn aggregate(&self, kind: Aggregate, relation: FieldAt, path: Option<Path>, condition: Option<&Expr>, place: Scope<'_>) -> Value {
        let children = self.children(relation, place).into_iter().filter(|(entity, row)| {
            let inner = Scope { entity, values: &row.values, outer: Some(&place) };
            condition.is_none_or(|condition| self.truth(condition, inner) == Some(true))
        });
        let children: Vec<_> = children.collect();
        let Some(path) = path else { return Value::Int(children.len() as i64) };
        let of = self.last_field(path).kind;
        let items: Vec<Value> =
            children.iter().map(|(entity, row)| self.follow_path(entity, path, &row.values)).filter(|value| !value.is_null()).collect();
        match kind {
            Aggregate::Min => items.into_iter().reduce(|a, b| if compare(&b, &a).is_some_and(|it| it.is_lt()) { b } else { a }),
            Aggregate::Max => items.into_iter().reduce(|a, b| if compare(&b, &a).is_some_and(|it| it.is_gt()) { b } else { a }),
            Aggregate::Sum if children.is_empty() => Some(Value::Int(0)),
            Aggregate::Sum if of.digits().is_some() => Some(Value::Decimal(items.iter().filter_map(exact).sum())),
            Aggregate::Sum if of.is_float() => Some(Value::Float(items.iter().filter_map(double).sum())),
            Aggregate::Sum => {
                Some(Value::Int(items.iter().filter_map(|item| if let Value::Int(item) = item { Some(*item) } else { None }).sum()))
            }
            Aggregate::Count => Some(Value::Int(children.len() as i64)),
            // These are conditions, which `oracle` evaluates.
            Aggregate::Any | Aggregate::All => None,
            Aggregate::Avg if items.is_empty() => None,
            Aggregate::Avg if of.is_float() => Some(Value::Float(items.iter().filter_map(double).sum::<f64>() / items.len() as f64)),
            Aggregate::Avg => {
                let places = of.scale().map_or(6, |scale| u32::from(scale).max(6));
                let sum: Decimal = items.iter().filter_map(exact).sum();
                sum.checked_div(Decimal::from(items.len())).map(|mean| Value::Decimal(round_away_from_zero(mean, places)))
            }
        }
        .unwrap_or_default()
    }

    fn arithmetic(&self, whole: &Expr, op: Arithmetic, (left, right): (&Expr, &Expr), ty: Type, place: Scope<'_>) -> Value {
        let (left, right) = (self.evaluate(left, place), self.evaluate(right, place));
        let sign = if op == Arithmetic::Sub { -1 } else { 1 };
        match (left, right) {
            (Evaluated::One(at), Evaluated::Span(months, seconds)) | (Evaluated::Span(months, seconds), Evaluated::One(at)) => {
                add_span(&at, months * sign, seconds * sign)
            }
            (Evaluated::One(left), Evaluated::One(right)) => compute(op, &left, &right, ty, self.places(whole)),
            _ => Value::Null,
        }
    }

    /// The decimal places of an expression; a quotient is rounded to them.
    fn places(&self, expr: &Expr) -> u32 {
        let of = |expr: &Expr| self.places(expr);
        match expr {
            Expr::Decimal(digits) => digits.split_once('.').map_or(0, |(_, after)| after.len() as u32),
            Expr::Path(path) => scale(Some(self.last_field(*path))),
            Expr::CurrentUserPath(path) => scale(Some(self.last_field(*path))),
            Expr::Arithmetic(Arithmetic::Div, left, ..) => of(left).max(6),
            Expr::Arithmetic(Arithmetic::Mul, left, right, _) => of(left) + of(right),
            Expr::Arithmetic(_, left, right, _) => of(left).max(of(right)),
            Expr::Negate(inner) => of(inner),
            Expr::Call(Function::Round, arguments, _) => match arguments.get(1) {
                Some(Expr::Int(digits)) => u32::try_from(*digits).unwrap_or(0),
                _ => 0,
            },
            Expr::Call(_, arguments, _) => arguments.iter().map(of).max().unwrap_or(0),
            Expr::If(branches, otherwise) => branches.iter().map(|(_, result)| of(result)).fold(of(otherwise), u32::max),
            _ => 0,
        }
        .min(28)
    }

    fn call(&self, function: Function, arguments: &[Expr], ty: Type, place: Scope<'_>) -> Value {
        use Function::*;
        let given: Vec<Value> = arguments.iter().map(|argument| self.value(argument, place)).collect();
        let first = given.first().cloned().unwrap_or_default();
        let second = given.get(1).cloned().unwrap_or_default();
        let int = |number: Option<i64>| number.map_or(Value::Null, Value::Int);
        match function {
            DaysSince => int(self.date_of(&first).map(|day| (self.who.today - day).num_days())),
            DaysUntil => int(self.date_of(&first).map(|day| (day - self.who.today).num_days())),
            HoursSince => int(self.timestamp_of(&first).map(|at| elapsed(self.who.now - at, 3_600))),
            MinutesSince => int(self.timestamp_of(&first).map(|at| elapsed(self.who.now - at, 60))),
            Year => int(self.date_of(&first).map(|day| day.year().into())),
            Month => int(self.date_of(&first).map(|day| day.month().into())),
            Day => int(self.date_of(&first).map(|day| day.day().into())),
            Weekday => int(self.date_of(&first).map(|day| day.weekday().number_from_monday().into())),
            Date => self.date_of(&first).map_or(Value::Null, Value::Date),
            Min | Max if given.iter().any(Value::is_null) => Value::Null,
            Min => as_type(given.into_iter().reduce(|a, b| if compare(&b, &a).is_some_and(|it| it.is_lt()) { b } else { a }), ty),
            Max => as_type(given.into_iter().reduce(|a, b| if compare(&b, &a).is_some_and(|it| it.is_gt()) { b } else { a }), ty),
            Coalesce => as_type(given.into_iter().find(|value| !value.is_null()), ty),
            Nullif if compare(&first, &second).is_some_and(|it| it.is_eq()) => Value::Null,
            Nullif => as_type(Some(first), ty),
            Round if arguments.len() > 1 && second.is_null() => Value::Null,
            Abs | Round | Floor | Ceil => number(function, &first, &second, ty),
            Length | Lower | Upper | Trim | Concat | Contains | StartsWith => words(function, &given),
        }
    }

    fn zone(&self) -> chrono_tz::Tz {
        self.app().timezone.parse().unwrap_or(chrono_tz::UTC)
    }

    fn date_of(&self, value: &Value) -> Option<NaiveDate> {
        match value {
            Value::Date(day) => Some(*day),
            Value::DateTime(at) => Some(at.with_timezone(&self.zone()).date_naive()),
            _ => None,
        }
    }

    fn timestamp_of(&self, value: &Value) -> Option<DateTime<Utc>> {
        match value {
            Value::DateTime(at) => Some(*at),
            Value::Date(day) => {
                let begins = |hours| self.zone().from_local_datetime(&(day.and_time(NaiveTime::MIN) + TimeDelta::hours(hours))).earliest();
                begins(0).or_else(|| begins(1)).map(|at| at.with_timezone(&Utc))
            }
            _ => None,
        }
    }
}

/// Complete units of elapsed time; negative for future times.
fn elapsed(time: TimeDelta, unit: i64) -> i64 {
    time.num_microseconds().unwrap_or(i64::MAX).div_euclid(unit * 1_000_000)
}

fn scale(field: Option<&'static FieldDef>) -> u32 {
    field.and_then(|field| field.kind.scale()).map_or(0, u32::from)
}

fn round_away_from_zero(value: Decimal, places: u32) -> Decimal {
    value.round_dp_with_strategy(places.min(28), RoundingStrategy::MidpointAwayFromZero).normalize()
}

fn as_type(value: Option<Value>, ty: Type) -> Value {
    match (ty, value.unwrap_or_default()) {
        (Type::Decimal, Value::Int(number)) => Value::Decimal(number.into()),
        (_, value) => value,
    }
}

fn compute(op: Arithmetic, left: &Value, right: &Value, ty: Type, places: u32) -> Value {
    use Arithmetic::*;
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => Value::Null,
        (Value::Text(a), Value::Text(b)) => Value::Text(format!("{a}{b}")),
        (Value::Date(a), Value::Date(b)) => Value::Int((*a - *b).num_days()),
        (Value::DateTime(a), Value::DateTime(b)) => (*a - *b).num_microseconds().map_or(Value::Null, Value::Int),
        (Value::Int(a), Value::Int(b)) if ty != Type::Decimal && ty != Type::Float => {
            let result = match op {
                Add => a.checked_add(*b),
                Sub => a.checked_sub(*b),
                Mul => a.checked_mul(*b),
                Div => a.checked_div(*b),
                Rem => a.checked_rem(*b),
            };
            result.map_or(Value::Null, Value::Int)
        }
        _ if ty == Type::Float => match (double(left), double(right), op) {
            (Some(a), Some(b), Add) => Value::Float(a + b + 0.0),
            (Some(a), Some(b), Sub) => Value::Float(a - b + 0.0),
            (Some(a), Some(b), Mul) => Value::Float(a * b + 0.0),
            (Some(a), Some(b), Div) if b != 0.0 => Value::Float(a / b + 0.0),
            _ => Value::Null,
        },
        _ => {
            let (Some(a), Some(b)) = (exact(left), exact(right)) else { return Value::Null };
            let result = match op {
                Add => a.checked_add(b),
                Sub => a.checked_sub(b),
                Mul => a.checked_mul(b),
                Div => a.checked_div(b).map(|result| round_away_from_zero(result, places)),
                Rem => None,
            };
            result.map_or(Value::Null, |result| Value::Decimal(result.normalize()))
        }
    }
}

/// Adds months, limited to the end of the month, and seconds to a date or timestamp.
fn add_span(at: &Value, months: i64, seconds: i64) -> Value {
    let by_months = Months::new(u32::try_from(months.unsigned_abs()).unwrap_or(u32::MAX));
    let in_years = |year: i32| (1..=9_999).contains(&year);
    match at {
        Value::Date(day) => {
            let moved = if months < 0 { day.checked_sub_months(by_months) } else { day.checked_add_months(by_months) };
            let moved = moved.and_then(|day| day.checked_add_signed(TimeDelta::days(seconds.div_euclid(86_400))));
            moved.filter(|day| in_years(day.year())).map_or(Value::Null, Value::Date)
        }
        Value::DateTime(at) => {
            let moved = if months < 0 { at.checked_sub_months(by_months) } else { at.checked_add_months(by_months) };
            let moved = moved.and_then(|at| at.checked_add_signed(TimeDelta::seconds(seconds)));
            moved.filter(|at| in_years(at.year())).map_or(Value::Null, Value::DateTime)
        }
        _ => Value::Null,
    }
}

fn number(function: Function, value: &Value, digits: &Value, ty: Type) -> Value {
    let places = if let Value::Int(places) = digits { *places } else { 0 };
    if let (Value::Float(value), Type::Float) = (value, ty)
        && function != Function::Round
    {
        return Value::Float(
            match function {
                Function::Abs => value.abs(),
                Function::Floor => value.floor(),
                _ => value.ceil(),
            } + 0.0,
        );
    }
    let Some(exact) = exact(value) else { return Value::Null };
    let result = match (function, u32::try_from(places)) {
        (Function::Abs, _) => Some(exact.abs()),
        (Function::Floor, _) => Some(exact.floor()),
        (Function::Ceil, _) => Some(exact.ceil()),
        (_, Ok(places)) => Some(round_away_from_zero(exact, places)),
        (_, Err(_)) => {
            let unit = u32::try_from(-places).ok().and_then(ten_to);
            unit.map_or(Some(Decimal::ZERO), |unit| round_away_from_zero(exact / unit, 0).checked_mul(unit))
        }
    };
    match (result.map(|result| result.normalize()), ty) {
        (None, _) => Value::Null,
        (Some(result), Type::Int) => result.to_i64().map_or(Value::Null, Value::Int),
        (Some(result), Type::Float) => double(&Value::Decimal(result)).map_or(Value::Null, Value::Float),
        (Some(result), _) => Value::Decimal(result),
    }
}

fn words(function: Function, given: &[Value]) -> Value {
    let texts: Option<Vec<&str>> =
        given.iter().map(|value| if let Value::Text(text) = value { Some(text.as_str()) } else { None }).collect();
    match (function, texts.as_deref()) {
        (Function::Length, Some([text, ..])) => Value::Int(text.chars().count() as i64),
        (Function::Lower, Some([text, ..])) => Value::Text(text.to_lowercase()),
        (Function::Upper, Some([text, ..])) => Value::Text(text.to_uppercase()),
        (Function::Trim, Some([text, ..])) => Value::Text(text.trim().to_owned()),
        (Function::Concat, Some(texts)) => Value::Text(texts.concat()),
        (Function::Contains, Some([text, part])) => Value::Bool(text.contains(part)),
        (Function::StartsWith, Some([text, part])) => Value::Bool(text.starts_with(part)),
        _ => Value::Null,
    }
}

fn literal(ty: Type, text: &str) -> Value {
    match ty {
        Type::Date => text.parse().map_or(Value::Null, Value::Date),
        Type::DateTime => text.parse().map_or(Value::Null, Value::DateTime),
        Type::Uuid => text.parse().map_or(Value::Null, Value::Uuid),
        Type::Decimal => text.parse().map_or(Value::Null, Value::Decimal),
        Type::Json => serde_json::from_str(text).map_or(Value::Null, Value::Json),
        Type::Int => text.parse().map_or(Value::Null, Value::Int),
        Type::Float => text.parse().map_or(Value::Null, Value::Float),
        Type::Bool => text.parse().map_or(Value::Null, Value::Bool),
        Type::Text => Value::Text(text.to_owned()),
        Type::Duration | Type::List | Type::Null => Value::Null,
    }
}

fn ten_to(power: u32) -> Option<Decimal> {
    10_i128.checked_pow(power).and_then(|power| Decimal::try_from_i128_with_scale(power, 0).ok())
}
