//! The SQL functions `calculate` and `total`, registered on every connection.
//!
//! The first argument is `operation:types:result:places:zone`; a type is one letter, and a stored exact number is its number of
//! decimals, or all its digits and its decimals, as in `28.6`, if it is text. An exact number between operations is text that begins with `n`.

use chrono::NaiveDateTime;
use diesel::{
    deserialize::{self, FromSql, FromSqlRow},
    result::QueryResult,
    serialize::{self, IsNull, Output, ToSql},
    sql_types::{Binary, Text},
    sqlite::{Sqlite, SqliteAggregateFunction, SqliteConnection, SqliteType, SqliteValue},
};
use rust_decimal::{Decimal, RoundingStrategy};

use super::{Arithmetic, Function, Type, Value};
use crate::types::{INTEGER_DIGITS, from_ordered_text, ordered_text, to_units};

const ARITHMETIC: [(&str, Arithmetic); 5] =
    [("add", Arithmetic::Add), ("sub", Arithmetic::Sub), ("mul", Arithmetic::Mul), ("div", Arithmetic::Div), ("rem", Arithmetic::Rem)];

const FUNCTIONS: [(&str, Function); 23] = [
    ("days_since", Function::DaysSince),
    ("days_until", Function::DaysUntil),
    ("hours_since", Function::HoursSince),
    ("minutes_since", Function::MinutesSince),
    ("abs", Function::Abs),
    ("round", Function::Round),
    ("floor", Function::Floor),
    ("ceil", Function::Ceil),
    ("min", Function::Min),
    ("max", Function::Max),
    ("coalesce", Function::Coalesce),
    ("nullif", Function::Nullif),
    ("length", Function::Length),
    ("lower", Function::Lower),
    ("upper", Function::Upper),
    ("trim", Function::Trim),
    ("contains", Function::Contains),
    ("starts_with", Function::StartsWith),
    ("year", Function::Year),
    ("month", Function::Month),
    ("day", Function::Day),
    ("weekday", Function::Weekday),
    ("date", Function::Date),
];

const TYPES: [(&str, Type); 9] = [
    ("b", Type::Other),
    ("i", Type::Int),
    ("f", Type::Float),
    ("n", Type::Decimal),
    ("t", Type::Text),
    ("d", Type::Other),
    ("m", Type::DateTime),
    ("s", Type::Duration),
    ("u", Type::Other),
];

fn find_entry<T: Copy>(table: &[(&'static str, T)], wanted: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == wanted).map(|(_, entry)| *entry)
}

/// A value as SQLite passes it, whatever its type is. For diesel, which has no type for it, it is `Binary`.
#[derive(Debug, Clone, PartialEq, FromSqlRow)]
enum Raw {
    Null,
    Int(i64),
    Float(f64),
    Text(String),
    Blob(Vec<u8>),
}

impl FromSql<Binary, Sqlite> for Raw {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Ok(match value.value_type() {
            None => Raw::Null,
            Some(SqliteType::Text) => Raw::Text(value.read_text().to_owned()),
            Some(SqliteType::Binary) => Raw::Blob(value.read_blob().to_vec()),
            Some(SqliteType::Float | SqliteType::Double) => Raw::Float(value.read_double()),
            Some(SqliteType::SmallInt | SqliteType::Integer | SqliteType::Long) => Raw::Int(value.read_long()),
        })
    }

    fn from_nullable_sql(value: Option<SqliteValue<'_, '_, '_>>) -> deserialize::Result<Self> {
        value.map_or(Ok(Raw::Null), Self::from_sql)
    }
}

impl ToSql<Binary, Sqlite> for Raw {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        match self {
            Raw::Null => return Ok(IsNull::Yes),
            Raw::Int(value) => out.set_value(*value),
            Raw::Float(value) => out.set_value(*value),
            Raw::Text(value) => out.set_value(value.as_str()),
            Raw::Blob(value) => out.set_value(value.as_slice()),
        }
        Ok(IsNull::No)
    }
}

#[diesel::declare_sql_function]
extern "SQL" {
    /// An operation on one or two values; the text names it.
    fn calculate(operation: Text, first: Binary, second: Binary) -> Binary;
    /// An exact sum or average.
    #[aggregate]
    fn total(operation: Text, value: Binary) -> Binary;
}

/// Registers the functions of a connection.
pub fn register(connection: &mut SqliteConnection) -> QueryResult<()> {
    calculate_utils::register_impl(connection, |what: String, first: Raw, second: Raw| {
        result(&what, &first, &second).map_or(Raw::Null, encode)
    })?;
    total_utils::register_impl::<Fold, _, _>(connection)
}

/// The aggregate `total`: an exact sum or average of whole numbers and decimals.
#[derive(Default)]
struct Fold {
    what: String,
    values: i64,
    sum: Value,
}

impl SqliteAggregateFunction<(String, Raw)> for Fold {
    type Output = Raw;

    fn step(&mut self, (what, value): (String, Raw)) {
        self.what = what;
        let value = decode(&value, self.what.split(':').nth(1).unwrap_or_default());
        if value.is_null() {
            return;
        }
        self.sum = match (self.values, &value) {
            (0, Value::Float(_)) => value,
            (0, _) => super::decimal(&value).map_or(Value::Null, Value::Decimal),
            (_, Value::Float(_)) => super::arithmetic(Arithmetic::Add, &self.sum, &value, Type::Float, 0),
            _ => super::arithmetic(Arithmetic::Add, &self.sum, &value, Type::Decimal, 0),
        };
        self.values += 1;
    }

    fn finalize(fold: Option<Self>) -> Raw {
        fold.and_then(|fold| fold.result()).map_or(Raw::Null, encode)
    }
}

impl Fold {
    /// `name:type:result:places`; the sum of no rows is zero, the average null.
    fn result(self) -> Option<Value> {
        let mut parts = self.what.split(':');
        let (name, _, ty, places) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?.parse().ok()?);
        let ty = find_entry(&TYPES, ty)?;
        let sum = if self.values == 0 { Value::Int(0) } else { self.sum };
        if name == "avg" {
            return Some(super::arithmetic(Arithmetic::Div, &sum, &Value::Int(self.values), ty, places));
        }
        match (ty, sum) {
            (Type::Int, Value::Decimal(sum)) => i64::try_from(sum).ok().map(Value::Int),
            (Type::Int, sum) => Some(sum),
            (ty, sum) => Some(super::arithmetic(Arithmetic::Add, &sum, &Value::Int(0), ty, 0)),
        }
    }
}

fn result(what: &str, a: &Raw, b: &Raw) -> Option<Value> {
    let mut parts = what.split(':');
    let (name, types, ty, places, zone) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let (first, second) = types.split_once(',').unwrap_or((types, ""));
    let (a, b) = (decode(a, first), decode(b, second));
    let ty = find_entry(&TYPES, ty)?;
    if name == "cmp" {
        return super::compare(&a, &b).map(|order| Value::Int(order as i64));
    }
    if let Some(by) = name.strip_prefix("shift ") {
        let (months, seconds) = by.split_once(' ')?;
        return Some(super::shift(&a, months.parse().ok()?, seconds.parse().ok()?));
    }
    if let Some(precision) = name.strip_prefix("keep ") {
        return keep_digits(&a, precision.parse().ok()?, places.parse().ok()?);
    }
    if let Some(op) = find_entry(&ARITHMETIC, name) {
        return Some(super::arithmetic(op, &a, &b, ty, places.parse().ok()?));
    }
    Some(super::call(find_entry(&FUNCTIONS, name)?, &a, &b, ty, zone.parse().ok()?))
}

/// Rounds a number to the precision and scale of a column; null if it does not fit.
fn keep_digits(number: &Value, precision: u8, scale: u8) -> Option<Value> {
    let number = super::decimal(number)?.round_dp_with_strategy(scale.into(), RoundingStrategy::MidpointAwayFromZero);
    let units = to_units(number, precision, scale)?;
    match precision > INTEGER_DIGITS {
        true => Some(Value::Text(ordered_text(units, precision))),
        false => i64::try_from(units).ok().map(Value::Int),
    }
}

fn decode(raw: &Raw, ty: &str) -> Value {
    let read = || {
        Some(match (raw, ty) {
            (Raw::Null, _) => Value::Null,
            (Raw::Int(value), "b") => Value::Bool(*value != 0),
            (Raw::Int(value), "i" | "s") => Value::Int(*value),
            (Raw::Float(value), "f") => Value::Float(*value),
            (Raw::Int(value), "f") => Value::Float(*value as f64),
            (Raw::Text(text), "n") => Value::Decimal(text.strip_prefix('n')?.parse::<Decimal>().ok()?),
            (Raw::Text(text), "t") => Value::Text(text.clone()),
            (Raw::Text(text), "d") => Value::Date(text.parse().ok()?),
            (Raw::Text(text), "m") => Value::DateTime(NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.fZ").ok()?.and_utc()),
            (Raw::Blob(bytes), "u") => Value::Uuid(uuid::Uuid::from_slice(bytes).ok()?),
            (Raw::Text(text), digits) if digits.contains('.') => {
                let (_, scale) = digits.split_once('.')?;
                Value::Decimal(Decimal::try_from_i128_with_scale(from_ordered_text(text)?, scale.parse().ok()?).ok()?)
            }
            (Raw::Int(units), scale) => Value::Decimal(Decimal::try_new(*units, scale.parse().ok()?).ok()?),
            _ => return None,
        })
    };
    read().unwrap_or_default()
}

fn encode(value: Value) -> Raw {
    match value {
        Value::Null => Raw::Null,
        Value::Bool(value) => Raw::Int(value.into()),
        Value::Int(value) => Raw::Int(value),
        Value::Float(value) => Raw::Float(value),
        Value::Decimal(value) => Raw::Text(decimal_text(value)),
        Value::Text(text) => Raw::Text(text),
        Value::Uuid(id) => Raw::Blob(id.as_bytes().to_vec()),
        Value::Date(day) => Raw::Text(day.format("%Y-%m-%d").to_string()),
        Value::DateTime(at) => Raw::Text(at.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string()),
    }
}

/// The text of an exact number between operations.
fn decimal_text(value: Decimal) -> String {
    format!("n{}", value.normalize())
}
