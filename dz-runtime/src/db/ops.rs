//! The operators and functions of the language on values. Constants in Rust and the functions registered on SQLite use them; the
//! SQL for PostgreSQL has the same meaning.

use std::cmp::Ordering;

use chrono::{DateTime, Datelike, Months, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::{
    Value,
    def::{Arithmetic, Function, Type},
};

/// The maximum number of digits of a decimal.
pub(crate) const DECIMAL_DIGITS: u32 = 28;

/// The minimum number of decimal places of a quotient.
pub(crate) const DIVISION_PLACES: u32 = dz_vocabulary::DIVISION_PLACES as u32;

/// Floats beyond this are out of range as operands of `+` and `-`.
pub(crate) const FLOAT_SUM_LIMIT: f64 = 8e307;

/// Floats beyond this, or closer to zero than its inverse, are out of range as operands of `*` and `/`.
pub(crate) const FLOAT_PRODUCT_LIMIT: f64 = 1e150;

/// Compares two values; `None` if one is null or their types have no order.
pub(crate) fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Text(a), Value::Text(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Value::Uuid(a), Value::Uuid(b)) => Some(a.cmp(b)),
        (Value::Date(a), Value::Date(b)) => Some(a.cmp(b)),
        (Value::DateTime(a), Value::DateTime(b)) => Some(a.cmp(b)),
        (Value::Float(_), _) | (_, Value::Float(_)) => float(left)?.partial_cmp(&float(right)?),
        (Value::Decimal(_), _) | (_, Value::Decimal(_)) => Some(decimal(left)?.cmp(&decimal(right)?)),
        (Value::Json(a), Value::Json(b)) if a == b => Some(Ordering::Equal),
        _ => None,
    }
}

/// Equality, where null equals null.
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    (left.is_null() && right.is_null()) || compare(left, right) == Some(Ordering::Equal)
}

/// The value as an exact decimal, if it is a number.
pub(crate) fn decimal(value: &Value) -> Option<Decimal> {
    match value {
        Value::Int(value) => Some((*value).into()),
        Value::Decimal(value) => Some(*value),
        Value::Float(value) => decimal_from_float(*value),
        _ => None,
    }
}

/// A float as a decimal of its fifteen significant digits, as PostgreSQL converts it.
fn decimal_from_float(value: f64) -> Option<Decimal> {
    Decimal::from_scientific(&format!("{value:.14e}")).ok().and_then(to_range)
}

fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Int(value) => Some(*value as f64),
        Value::Float(value) => Some(*value),
        // The conversion through text rounds correctly.
        Value::Decimal(value) => value.to_string().parse().ok(),
        _ => None,
    }
}

/// The decimal without trailing zeros, if its number of digits is in range.
fn to_range(value: Decimal) -> Option<Decimal> {
    from_units(value.mantissa(), value.scale())
}

fn from_units(mut units: i128, mut scale: u32) -> Option<Decimal> {
    while scale > 0 && units % 10 == 0 {
        units /= 10;
        scale -= 1;
    }
    let fits = scale <= DECIMAL_DIGITS && units.unsigned_abs() < 10_u128.pow(DECIMAL_DIGITS);
    fits.then(|| Decimal::try_from_i128_with_scale(units, scale).ok()).flatten()
}

/// `left op right` with a result of type `ty`; null for a null operand, a division by zero and a result out of range. `places` is
/// the number of decimal places of a quotient.
pub(crate) fn arithmetic(op: Arithmetic, left: &Value, right: &Value, ty: Type, places: u32) -> Value {
    match (ty, left, right) {
        (Type::Int, Value::Date(a), Value::Date(b)) if op == Arithmetic::Sub => Value::Int((*a - *b).num_days()),
        (Type::Duration, Value::DateTime(a), Value::DateTime(b)) if op == Arithmetic::Sub => {
            (*a - *b).num_microseconds().map_or(Value::Null, Value::Int)
        }
        (Type::Int | Type::Duration, Value::Int(a), Value::Int(b)) => int(op, *a, *b).map_or(Value::Null, Value::Int),
        (Type::DateTime, Value::DateTime(at), Value::Int(micros)) => {
            let by = TimeDelta::microseconds(*micros);
            let moved = if op == Arithmetic::Sub { at.checked_sub_signed(by) } else { at.checked_add_signed(by) };
            moved.filter(in_range).map_or(Value::Null, Value::DateTime)
        }
        (Type::Text, Value::Text(a), Value::Text(b)) => Value::Text(format!("{a}{b}")),
        (Type::Decimal, a, b) => match (decimal(a), decimal(b)) {
            (Some(a), Some(b)) => decimals(op, a, b, places).map_or(Value::Null, Value::Decimal),
            _ => Value::Null,
        },
        (Type::Float, a, b) => match (float(a), float(b)) {
            (Some(a), Some(b)) => floats(op, a, b).map_or(Value::Null, Value::Float),
            _ => Value::Null,
        },
        _ => Value::Null,
    }
}

fn int(op: Arithmetic, a: i64, b: i64) -> Option<i64> {
    match op {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Sub => a.checked_sub(b),
        Arithmetic::Mul => a.checked_mul(b),
        Arithmetic::Div => a.checked_div(b),
        Arithmetic::Rem => (b != 0).then(|| a.wrapping_rem(b)),
    }
}

fn floats(op: Arithmetic, a: f64, b: f64) -> Option<f64> {
    let summand = |x: f64| x.abs() < FLOAT_SUM_LIMIT;
    let factor = |x: f64| x == 0.0 || (1e-150..=FLOAT_PRODUCT_LIMIT).contains(&x.abs());
    let result = match op {
        Arithmetic::Add if summand(a) && summand(b) => a + b,
        Arithmetic::Sub if summand(a) && summand(b) => a - b,
        Arithmetic::Mul if factor(a) && factor(b) => a * b,
        Arithmetic::Div if factor(a) && factor(b) && b != 0.0 => a / b,
        Arithmetic::Add | Arithmetic::Sub | Arithmetic::Mul | Arithmetic::Div | Arithmetic::Rem => return None,
    };
    // A negative zero is zero.
    Some(result + 0.0)
}

fn decimals(op: Arithmetic, a: Decimal, b: Decimal, places: u32) -> Option<Decimal> {
    let (a, b) = (a.normalize(), b.normalize());
    match op {
        Arithmetic::Add | Arithmetic::Sub => {
            let scale = a.scale().max(b.scale());
            let units = |x: Decimal| x.mantissa().checked_mul(10_i128.checked_pow(scale - x.scale())?);
            let (a, b) = (units(a)?, units(b)?);
            from_units(if op == Arithmetic::Add { a.checked_add(b)? } else { a.checked_sub(b)? }, scale)
        }
        Arithmetic::Mul => from_units(a.mantissa().checked_mul(b.mantissa())?, a.scale() + b.scale()),
        Arithmetic::Div => quotient(a, b, places),
        Arithmetic::Rem => None,
    }
}

/// The quotient, rounded half away from zero to `places`, by long division: exact for all operands.
fn quotient(a: Decimal, b: Decimal, places: u32) -> Option<Decimal> {
    let (dividend, mut divisor) = (a.mantissa().unsigned_abs(), b.mantissa().unsigned_abs());
    if divisor == 0 {
        return None;
    }
    let mut digits = i64::from(places) + i64::from(b.scale()) - i64::from(a.scale());
    while digits < 0 {
        // Beyond this the quotient is less than half a unit.
        let Some(next) = divisor.checked_mul(10) else { return Some(Decimal::ZERO) };
        divisor = next;
        digits += 1;
    }
    let (mut units, mut rest) = (dividend / divisor, dividend % divisor);
    for _ in 0..digits {
        rest = rest.checked_mul(10)?;
        units = units.checked_mul(10)?.checked_add(rest / divisor)?;
        rest %= divisor;
    }
    if rest >= divisor - rest {
        units = units.checked_add(1)?;
    }
    let units = i128::try_from(units).ok()?;
    let negative = a.is_sign_negative() != b.is_sign_negative();
    from_units(if negative { -units } else { units }, places)
}

fn in_range(at: &DateTime<Utc>) -> bool {
    (1..=9999).contains(&at.year())
}

/// Adds months, limited to the end of the month, and then seconds to a date or timestamp; null outside the years 1 to 9999.
pub(crate) fn shift(value: &Value, months: i64, seconds: i64) -> Value {
    let moved = |at: DateTime<Utc>| {
        let by = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
        let at = if months < 0 { at.checked_sub_months(by)? } else { at.checked_add_months(by)? };
        at.checked_add_signed(TimeDelta::try_seconds(seconds)?).filter(in_range)
    };
    match value {
        Value::Date(day) => moved(day.and_time(NaiveTime::MIN).and_utc()).map_or(Value::Null, |at| Value::Date(at.date_naive())),
        Value::DateTime(at) => moved(*at).map_or(Value::Null, Value::DateTime),
        _ => Value::Null,
    }
}

/// The date of a timestamp in a time zone.
pub(crate) fn to_date(value: &Value, zone: Tz) -> Option<NaiveDate> {
    match value {
        Value::Date(day) => Some(*day),
        Value::DateTime(at) => Some(at.with_timezone(&zone).date_naive()),
        _ => None,
    }
}

/// The start of a day in a time zone.
fn to_datetime(value: &Value, zone: Tz) -> Option<DateTime<Utc>> {
    match value {
        Value::DateTime(at) => Some(*at),
        Value::Date(day) => {
            let local = day.and_time(NaiveTime::MIN);
            let earliest = zone.from_local_datetime(&local).earliest();
            // A day without a midnight, because the clocks change, starts an hour later.
            let begin = earliest.or_else(|| zone.from_local_datetime(&(local + TimeDelta::hours(1))).earliest())?;
            Some(begin.with_timezone(&Utc))
        }
        _ => None,
    }
}

/// Applies a function to a value; `second` is the second argument, if there is one: `now` and `today` for elapsed times.
pub(crate) fn call(function: Function, first: &Value, second: &Value, ty: Type, zone: Tz) -> Value {
    use Function::*;
    match function {
        DaysSince | DaysUntil => match (to_date(first, zone), to_date(second, zone)) {
            (Some(day), Some(today)) if function == DaysSince => Value::Int((today - day).num_days()),
            (Some(day), Some(today)) => Value::Int((day - today).num_days()),
            _ => Value::Null,
        },
        HoursSince | MinutesSince => match (to_datetime(first, zone), second) {
            (Some(at), Value::DateTime(now)) => {
                let unit = if function == HoursSince { 3_600_000_000 } else { 60_000_000 };
                (*now - at).num_microseconds().map_or(Value::Null, |micros| Value::Int(micros.div_euclid(unit)))
            }
            _ => Value::Null,
        },
        Abs | Round | Floor | Ceil => number(function, first, second, ty),
        Min | Max => match compare(first, second) {
            None => Value::Null,
            Some(order) if (order == Ordering::Greater) == (function == Max) => widen(first, ty),
            Some(_) => widen(second, ty),
        },
        Coalesce => widen(if first.is_null() { second } else { first }, ty),
        Nullif if !first.is_null() && equal(first, second) => Value::Null,
        Nullif => widen(first, ty),
        Year | Month | Day | Weekday | Date => calendar(function, first, zone),
        Length | Lower | Upper | Trim | Concat | Contains | StartsWith => text(function, first, second),
    }
}

/// Converts an int to a decimal if the type is decimal.
fn widen(value: &Value, ty: Type) -> Value {
    match (ty, value) {
        (Type::Decimal, Value::Int(value)) => Value::Decimal((*value).into()),
        _ => value.clone(),
    }
}

fn number(function: Function, value: &Value, digits: &Value, ty: Type) -> Value {
    let places = match digits {
        Value::Null => 0,
        Value::Int(places) => *places,
        _ => return Value::Null,
    };
    match value {
        Value::Int(value) if ty == Type::Int && function == Function::Abs => value.checked_abs().map_or(Value::Null, Value::Int),
        Value::Int(value) if ty == Type::Int && (function != Function::Round || places >= 0) => Value::Int(*value),
        Value::Float(value) if ty == Type::Float && function != Function::Round => {
            let result = match function {
                Function::Abs => value.abs(),
                Function::Floor => value.floor(),
                _ => value.ceil(),
            };
            Value::Float(result + 0.0)
        }
        _ => {
            let result = decimal(value).and_then(|value| match function {
                Function::Abs => to_range(value.abs()),
                Function::Floor => to_range(value.floor()),
                Function::Ceil => to_range(value.ceil()),
                _ => round(value, places),
            });
            match (result, ty) {
                (None, _) => Value::Null,
                (Some(result), Type::Int) => i64::try_from(result).map_or(Value::Null, Value::Int),
                (Some(result), Type::Float) => float(&Value::Decimal(result)).map_or(Value::Null, Value::Float),
                (Some(result), _) => Value::Decimal(result),
            }
        }
    }
}

/// Rounds half away from zero, also to tens and hundreds (negative places).
fn round(value: Decimal, places: i64) -> Option<Decimal> {
    if let Ok(places) = u32::try_from(places) {
        return to_range(value.round_dp_with_strategy(places.min(DECIMAL_DIGITS), RoundingStrategy::MidpointAwayFromZero));
    }
    let Some(unit) = u32::try_from(places.unsigned_abs()).ok().and_then(|power| 10_i128.checked_pow(power)) else {
        return Some(Decimal::ZERO);
    };
    let Ok(unit) = Decimal::try_from_i128_with_scale(unit, 0) else { return Some(Decimal::ZERO) };
    let whole = quotient(value.normalize(), unit, 0)?;
    decimals(Arithmetic::Mul, whole, unit, 0)
}

fn calendar(function: Function, value: &Value, zone: Tz) -> Value {
    let Some(day) = to_date(value, zone) else { return Value::Null };
    match function {
        Function::Year => Value::Int(day.year().into()),
        Function::Month => Value::Int(day.month().into()),
        Function::Day => Value::Int(day.day().into()),
        Function::Weekday => Value::Int(day.weekday().number_from_monday().into()),
        _ => Value::Date(day),
    }
}

fn text(function: Function, first: &Value, second: &Value) -> Value {
    let Value::Text(text) = first else { return Value::Null };
    match (function, second) {
        (Function::Length, _) => Value::Int(i64::try_from(text.chars().count()).unwrap_or(i64::MAX)),
        (Function::Lower, _) => Value::Text(text.to_lowercase()),
        (Function::Upper, _) => Value::Text(text.to_uppercase()),
        (Function::Trim, _) => Value::Text(text.trim().to_owned()),
        (Function::Concat, Value::Text(other)) => Value::Text(format!("{text}{other}")),
        (Function::Contains, Value::Text(other)) => Value::Bool(text.contains(other.as_str())),
        (Function::StartsWith, Value::Text(other)) => Value::Bool(text.starts_with(other.as_str())),
        _ => Value::Null,
    }
}
