//! Conversion of a value to the type of its field.

use crate::{Value, def::Kind};

/// Converts a whole number to the number type of the field, and a date to a timestamp.
pub(crate) fn widen(kind: Kind, value: Value) -> Value {
    match value {
        Value::Int(number) if kind.digits().is_some() => Value::Decimal(number.into()),
        Value::Int(number) if kind.is_float() => Value::Float(number as f64),
        Value::Decimal(number) if kind.is_float() => number.try_into().map_or(Value::Null, Value::Float),
        Value::Date(day) if kind.is_time() && !kind.is_date() => {
            day.and_hms_opt(0, 0, 0).map_or(Value::Null, |at| Value::DateTime(at.and_utc()))
        }
        Value::DateTime(moment) if kind.is_date() => Value::Date(moment.date_naive()),
        Value::Text(text) if kind.is_json() => Value::Json(serde_json::Value::String(text)),
        value => value,
    }
}
