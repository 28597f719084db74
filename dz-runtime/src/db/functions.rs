//! The function `dz_call`, registered on every SQLite connection, for operations that differ between SQLite, PostgreSQL and Rust.
//!
//! The first argument contains the operation and the types, as `operation:types:result:places:zone`; a type is one letter (a stored
//! decimal with its scale). The result has the stored form of SQLite, except that a decimal is text that starts with `n`.

use diesel::{
    backend::Backend,
    deserialize::{self, FromSql, Queryable},
    result::QueryResult,
    serialize::{self, IsNull, Output, ToSql},
    sql_types::SqlType,
    sqlite::{Sqlite, SqliteAggregateFunction, SqliteConnection, SqliteType, SqliteValue},
};
use rust_decimal::{Decimal, RoundingStrategy};

use super::{
    deadline, ops,
    signature::{ARITHMETIC, TYPES, decimal_text, find_entry},
};
use crate::{
    Value,
    def::{Arithmetic, Function, Type},
    value::storage,
};

/// A value of any of SQLite's types.
#[derive(Debug, Clone, Copy, SqlType)]
#[diesel(sqlite_type(name = "Text"))]
struct Any;

/// A value as SQLite passes it.
#[derive(Debug, Clone, PartialEq)]
enum Raw {
    Null,
    Int(i64),
    Float(f64),
    Text(String),
    Blob(Vec<u8>),
}

impl FromSql<Any, Sqlite> for Raw {
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

impl<DB: Backend> Queryable<Any, DB> for Raw
where
    Raw: FromSql<Any, DB>,
{
    type Row = Self;

    fn build(row: Self) -> deserialize::Result<Self> {
        Ok(row)
    }
}

impl ToSql<Any, Sqlite> for Raw {
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

/// Registers `dz_call` with one and two operands, `dz_lower`, the Unicode case mapping for searches, and `dz_in_time`, which is true
/// before a time.
pub(crate) fn register(conn: &mut SqliteConnection) -> QueryResult<()> {
    conn.register_sql_function::<(Any,), Any, (Raw,), Raw, _>("dz_lower", true, |(text,)| match text {
        Raw::Text(text) => Raw::Text(text.to_lowercase()),
        other @ (Raw::Null | Raw::Int(_) | Raw::Float(_) | Raw::Blob(_)) => other,
    })?;
    conn.register_sql_function::<(Any, Any), Any, (Raw, Raw), Raw, _>("dz_call", true, |(what, a)| run(&what, &a, &Raw::Null))?;
    conn.register_sql_function::<(Any, Any, Any), Any, (Raw, Raw, Raw), Raw, _>("dz_call", true, |(what, a, b)| run(&what, &a, &b))?;
    conn.register_sql_function::<(Any,), Any, (Raw,), Raw, _>("dz_in_time", false, |(ends_at,)| match ends_at {
        Raw::Int(ends_at) => Raw::Int(deadline::is_in_time(ends_at).into()),
        Raw::Null | Raw::Float(_) | Raw::Text(_) | Raw::Blob(_) => Raw::Null,
    })?;
    conn.register_aggregate_function::<(Any, Any), Any, (Raw, Raw), Raw, Fold>("dz_fold")
}

/// The aggregate `dz_fold`: an exact sum or average of whole numbers and decimals.
#[derive(Default)]
struct Fold {
    what: String,
    values: i64,
    sum: Value,
}

impl SqliteAggregateFunction<(Raw, Raw)> for Fold {
    type Output = Raw;

    fn step(&mut self, (what, value): (Raw, Raw)) {
        if let Raw::Text(what) = what
            && self.what.is_empty()
        {
            self.what = what;
        }
        let value = decode(&value, self.what.split(':').nth(1).unwrap_or_default());
        if value.is_null() {
            return;
        }
        self.sum = match (self.values, &value) {
            (0, Value::Float(_)) => value,
            (0, _) => ops::decimal(&value).map_or(Value::Null, Value::Decimal),
            (_, Value::Float(_)) => ops::arithmetic(Arithmetic::Add, &self.sum, &value, Type::Float, 0),
            _ => ops::arithmetic(Arithmetic::Add, &self.sum, &value, Type::Decimal, 0),
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
            return Some(ops::arithmetic(Arithmetic::Div, &sum, &Value::Int(self.values), ty, places));
        }
        match (ty, sum) {
            (Type::Int, Value::Decimal(sum)) => i64::try_from(sum).ok().map(Value::Int),
            (Type::Int, sum) => Some(sum),
            (ty, sum) => Some(ops::arithmetic(Arithmetic::Add, &sum, &Value::Int(0), ty, 0)),
        }
    }
}

fn run(what: &Raw, a: &Raw, b: &Raw) -> Raw {
    let Raw::Text(what) = what else { return Raw::Null };
    result(what, a, b).map_or(Raw::Null, encode)
}

fn result(what: &str, a: &Raw, b: &Raw) -> Option<Value> {
    let mut parts = what.split(':');
    let (name, types, ty, places, zone) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    if name == "total" {
        return add_halves(a, b, types, find_entry(&TYPES, ty)?);
    }
    let (first, second) = types.split_once(',').unwrap_or((types, ""));
    let (a, b) = (decode(a, first), decode(b, second));
    let ty = find_entry(&TYPES, ty)?;
    if name == "cmp" {
        return ops::compare(&a, &b).map(|order| Value::Int(order as i64));
    }
    if let Some(by) = name.strip_prefix("shift ") {
        let (months, seconds) = by.split_once(' ')?;
        return Some(ops::shift(&a, months.parse().ok()?, seconds.parse().ok()?));
    }
    if let Some(precision) = name.strip_prefix("keep ") {
        return keep_digits(&a, precision.parse().ok()?, places.parse().ok()?);
    }
    if let Some(op) = find_entry(&ARITHMETIC, name) {
        return Some(ops::arithmetic(op, &a, &b, ty, places.parse().ok()?));
    }
    Some(ops::call(Function::from_word(name)?, &a, &b, ty, zone.parse().ok()?))
}

/// The sum of whole numbers, from the sums of their upper and lower 32 bits; null if it is too large for its type.
fn add_halves(upper: &Raw, lower: &Raw, stored: &str, ty: Type) -> Option<Value> {
    let (Raw::Int(upper), Raw::Int(lower)) = (upper, lower) else { return None };
    let sum = (i128::from(*upper) << 32) + i128::from(*lower);
    match stored.parse() {
        Ok(scale) => Some(ops::arithmetic(Arithmetic::Add, &Value::Decimal(storage::from_units(sum, scale)?), &Value::Int(0), ty, 0)),
        Err(_) => i64::try_from(sum).ok().map(Value::Int),
    }
}

/// Rounds a number to the precision and scale of a column; null if it does not fit.
fn keep_digits(number: &Value, precision: u8, scale: u8) -> Option<Value> {
    let number = ops::decimal(number)?.round_dp_with_strategy(scale.into(), RoundingStrategy::MidpointAwayFromZero);
    let units = storage::to_units(number, precision, scale)?;
    if precision <= storage::INTEGER_DIGITS {
        return i64::try_from(units).ok().map(Value::Int);
    }
    storage::ordered_text(units, precision).map(Value::Text)
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
            (Raw::Text(text), "m") => Value::DateTime(storage::datetime_from_text(text)?),
            (Raw::Blob(bytes), "u") => Value::Uuid(uuid::Uuid::from_slice(bytes).ok()?),
            (Raw::Int(units), scale) => Value::Decimal(storage::from_units((*units).into(), scale.parse().ok()?)?),
            (Raw::Text(text), scale) => Value::Decimal(storage::from_units(storage::from_ordered_text(text)?, scale.parse().ok()?)?),
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
        Value::DateTime(at) => Raw::Text(storage::datetime_text(at)),
        Value::Json(json) => Raw::Text(storage::json_text(&json)),
    }
}
