//! Evaluation of expressions without rows: constants, the caller and the clock.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;

use crate::{
    Caller, Value,
    db::ops,
    def::{AppDef, Arithmetic, Comparison, Expr, Function, Reads, Type},
};

/// The value of a constant expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Constant {
    /// One value.
    Value(Value),
    /// A duration.
    Duration {
        /// Calendar months.
        months: i64,
        /// Seconds.
        seconds: i64,
    },
    /// A list.
    List(Vec<Value>),
}

impl Constant {
    fn value(self) -> Value {
        match self {
            Constant::Value(value) => value,
            Constant::Duration { months, seconds } => Value::Int(duration_micros(months, seconds)),
            Constant::List(_) => Value::Null,
        }
    }
}

/// A duration in microseconds, with months of thirty days, for comparisons of durations.
pub(crate) fn duration_micros(months: i64, seconds: i64) -> i64 {
    months.saturating_mul(30 * 86_400).saturating_add(seconds).saturating_mul(1_000_000)
}

/// The value of an expression without rows, such as a default; null for every other expression.
///
/// Literals, `today`, `now`, sums with durations, `current_user` and `current_user.field`.
pub fn constant(expr: &Expr, caller: &Caller, app: &'static AppDef) -> Value {
    fold(expr, caller, app).map_or(Value::Null, Constant::value)
}

/// The time zone of the application. An unknown zone was refused at compile time.
pub(crate) fn zone(app: &AppDef) -> Tz {
    app.timezone.parse().unwrap_or(Tz::UTC)
}

/// True if the expression contains a null attribute of the caller.
pub(crate) fn mentions_null_caller(expr: &Expr, caller: &Caller, app: &'static AppDef) -> bool {
    let is_null = |part: &Expr| fold(part, caller, app) == Some(Constant::Value(Value::Null));
    expr.any(|part| match part.reads() {
        // Conditions about the caller have a value also without an account.
        Reads::Caller(_) if matches!(part, Expr::Role(_) | Expr::SignedIn) => false,
        Reads::Caller(_) if matches!(part, Expr::CurrentUserRoles) => caller.account.is_none(),
        Reads::Caller(_) => is_null(part),
        Reads::Nothing | Reads::Row(_) | Reads::Outer(_) | Reads::Relation(..) => false,
    })
}

/// The value of an expression; `None` if it depends on a row.
pub(crate) fn fold(expr: &Expr, caller: &Caller, app: &'static AppDef) -> Option<Constant> {
    Fold { caller, app, inputs: &[] }.fold(expr)
}

/// The value of a figure whose aggregates have the values `inputs`; null if one is missing.
pub(crate) fn figure(expr: &Expr, caller: &Caller, app: &'static AppDef, inputs: &[Value]) -> Value {
    Fold { caller, app, inputs }.fold(expr).map_or(Value::Null, Constant::value)
}

/// What an expression without rows can depend on.
struct Fold<'a> {
    caller: &'a Caller,
    app: &'static AppDef,
    /// The values of aggregates, by position.
    inputs: &'a [Value],
}

/// The result of an operator; a duration shifts a time.
fn calculate(op: Arithmetic, left: Constant, right: Constant, ty: Type, places: u32) -> Value {
    match (left, right) {
        (Constant::Value(at @ (Value::Date(_) | Value::DateTime(_))), Constant::Duration { months, seconds })
        | (Constant::Duration { months, seconds }, Constant::Value(at @ (Value::Date(_) | Value::DateTime(_)))) => {
            let sign = if op == Arithmetic::Sub { -1 } else { 1 };
            ops::shift(&at, months.saturating_mul(sign), seconds.saturating_mul(sign))
        }
        (left, right) => ops::arithmetic(op, &left.value(), &right.value(), ty, places),
    }
}

impl Fold<'_> {
    fn fold(&self, expr: &Expr) -> Option<Constant> {
        let (caller, app) = (self.caller, self.app);
        let value = |expr: &Expr| self.fold(expr).map(Constant::value);
        let truth = |expr: &Expr| value(expr).map(|value| value == Value::Bool(true));
        Some(Constant::Value(match expr {
            Expr::Null => Value::Null,
            Expr::Bool(value) => Value::Bool(*value),
            Expr::Int(value) => Value::Int(*value),
            Expr::Decimal(digits) => digits.parse().map_or(Value::Null, Value::Decimal),
            Expr::Float(value) => Value::Float(*value),
            Expr::Text(text) => Value::Text((*text).to_owned()),
            Expr::Typed(ty, text) => parse_literal(*ty, text),
            Expr::EnumValue(of, at) => of.values.get(usize::from(*at)).map_or(Value::Null, |value| Value::Text(value.name.to_owned())),
            Expr::Duration { months, seconds } => return Some(Constant::Duration { months: *months, seconds: *seconds }),
            Expr::Today => Value::Date(caller.today),
            Expr::Now => Value::DateTime(caller.now),
            Expr::CurrentUser => caller.account.as_ref().map_or(Value::Null, |account| account.id.clone()),
            Expr::CurrentUserPath(path) => caller.account.as_ref().map_or(Value::Null, |account| {
                let value = match path.own_field() {
                    Some(at) if app.account().field(at).is_stored() => account.values.get(usize::from(at)),
                    _ => account.path_values.iter().find(|(other, _)| other == path).map(|(_, value)| value),
                };
                value.cloned().unwrap_or_default()
            }),
            Expr::CurrentTenant => caller.tenant().cloned().unwrap_or_default(),
            Expr::CurrentUserRoles => {
                let held = app.roles.iter().enumerate().filter(|(bit, _)| caller.roles >> bit & 1 == 1);
                return Some(Constant::List(held.map(|(_, role)| Value::Text(role.name.to_owned())).collect()));
            }
            Expr::Role(mask) => Value::Bool(caller.roles & mask != 0),
            Expr::SignedIn => Value::Bool(caller.account.is_some()),
            Expr::Anyone => Value::Bool(true),
            Expr::Data(at) => caller.data.get(usize::from(*at)).cloned().unwrap_or_default(),
            Expr::Path(_) | Expr::This(_) | Expr::Aggregate { .. } => return None,
            Expr::EntityAggregate { at, .. } => self.inputs.get(usize::from(*at))?.clone(),
            Expr::List(items) => return items.iter().map(value).collect::<Option<_>>().map(Constant::List),
            Expr::Not(inner) => Value::Bool(!truth(inner)?),
            Expr::And(parts) => {
                let parts: Vec<_> = parts.iter().map(truth).collect::<Option<_>>()?;
                Value::Bool(parts.into_iter().all(|part| part))
            }
            Expr::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(truth).collect::<Option<_>>()?;
                Value::Bool(parts.into_iter().any(|part| part))
            }
            Expr::Compare(cmp, left, right) => Value::Bool(compare_constants(*cmp, left, right, value(left)?, value(right)?)),
            Expr::In(item, list) => {
                let item = value(item)?;
                let Constant::List(list) = self.fold(list)? else { return Some(Constant::Value(Value::Bool(false))) };
                Value::Bool(!item.is_null() && list.iter().any(|other| ops::equal(&item, other)))
            }
            Expr::Arithmetic(op, left, right, ty) => {
                calculate(*op, self.fold(left)?, self.fold(right)?, *ty, super::decimal_places(expr, app))
            }
            Expr::Negate(inner) => negate(&value(inner)?),
            Expr::Call(function, arguments, ty) => self.call(*function, arguments, *ty)?,
            Expr::If(branches, otherwise) => {
                for (condition, result) in *branches {
                    if truth(condition)? {
                        return self.fold(result);
                    }
                }
                return self.fold(otherwise);
            }
        }))
    }

    fn call(&self, function: Function, arguments: &[Expr], ty: Type) -> Option<Value> {
        let arguments: Vec<_> = arguments.iter().map(|argument| self.fold(argument).map(Constant::value)).collect::<Option<_>>()?;
        let zone = zone(self.app);
        let (first, rest) = arguments.split_first()?;
        let second = match function {
            Function::DaysSince | Function::DaysUntil => Value::Date(self.caller.today),
            Function::HoursSince | Function::MinutesSince => Value::DateTime(self.caller.now),
            Function::Min | Function::Max | Function::Coalesce | Function::Concat => {
                return Some(rest.iter().fold(first.clone(), |left, right| ops::call(function, &left, right, ty, zone)));
            }
            // A number of digits that is null gives null; a missing one is zero.
            Function::Round if rest.first().is_some_and(Value::is_null) => return Some(Value::Null),
            _ => rest.first().cloned().unwrap_or_default(),
        };
        Some(ops::call(function, first, &second, ty, zone))
    }
}

fn negate(value: &Value) -> Value {
    match value {
        Value::Int(value) => value.checked_neg().map_or(Value::Null, Value::Int),
        Value::Float(value) => Value::Float(0.0 - value),
        Value::Decimal(value) => Value::Decimal(-*value),
        _ => Value::Null,
    }
}

/// Compares two constants; values of an ordered enumeration are compared by position.
fn compare_constants(cmp: Comparison, left: &Expr, right: &Expr, left_value: Value, right_value: Value) -> bool {
    match ordered_enum(left).or_else(|| ordered_enum(right)) {
        Some(of) if !matches!(cmp, Comparison::Eq | Comparison::Ne) => {
            compare(cmp, &enum_position(of, left_value), &enum_position(of, right_value))
        }
        _ => compare(cmp, &left_value, &right_value),
    }
}

/// The ordered enumeration of a value, if it has one.
fn ordered_enum(expr: &Expr) -> Option<&'static crate::def::EnumDef> {
    match expr {
        Expr::EnumValue(of, _) if of.ordered => Some(of),
        _ => None,
    }
}

/// The position of a value of an ordered enumeration.
pub(crate) fn enum_position(of: &crate::def::EnumDef, value: Value) -> Value {
    let Value::Text(name) = value else { return Value::Null };
    let at = of.values.iter().position(|value| value.name == name);
    at.and_then(|at| i64::try_from(at).ok()).map_or(Value::Null, Value::Int)
}

/// Compares two values: null is a value for `=` and `!=`, and an ordering with null is false.
pub(crate) fn compare(cmp: Comparison, left: &Value, right: &Value) -> bool {
    match cmp {
        Comparison::Eq => ops::equal(left, right),
        Comparison::Ne => !ops::equal(left, right),
        Comparison::Lt => ops::compare(left, right).is_some_and(|order| order.is_lt()),
        Comparison::Le => ops::compare(left, right).is_some_and(|order| order.is_le()),
        Comparison::Gt => ops::compare(left, right).is_some_and(|order| order.is_gt()),
        Comparison::Ge => ops::compare(left, right).is_some_and(|order| order.is_ge()),
    }
}

/// Parses a literal from its text.
fn parse_literal(ty: Type, text: &str) -> Value {
    match ty {
        Type::Date => text.parse::<NaiveDate>().map_or(Value::Null, Value::Date),
        Type::DateTime => text.parse::<DateTime<Utc>>().map_or(Value::Null, Value::DateTime),
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
