//! Conversion of values from and to JSON.

use std::io::Write;

use chrono::{DateTime, NaiveDate, SecondsFormat, SubsecRound, Utc};
use rust_decimal::Decimal;
use serde_json::Value as Json;

use super::{email, stored_kind};
use crate::{
    Value,
    def::{AppDef, FieldDef, Kind},
    value::storage,
};

/// Converts JSON to a value of the field's type; the error describes the expected form. [`check`](super::check) checks lengths and
/// formats.
pub fn from_json(app: &'static AppDef, field: &'static FieldDef, json: &Json) -> Result<Value, String> {
    // Null has no value for JSON fields too, so that it clears every optional field.
    if json.is_null() {
        return Ok(Value::Null);
    }
    let text = |wrong: &str| json.as_str().ok_or_else(|| wrong.to_owned());
    let number = |wrong: &str| json.as_number().ok_or_else(|| wrong.to_owned());
    match stored_kind(app, field) {
        Kind::Json => Ok(Value::Json(json.clone())),
        Kind::File { .. } => file(json),
        Kind::Bool => json.as_bool().map(Value::Bool).ok_or_else(|| say!("dz-must-be-true-or-false", "must be true or false").to_owned()),
        Kind::Int => int(&number(say!("dz-must-be-a-whole-number", "must be a whole number"))?.to_string()),
        Kind::Float => match number(say!("dz-must-be-a-number", "must be a number"))?.as_f64().filter(|number| number.is_finite()) {
            // Negative zero becomes zero.
            Some(number) => Ok(Value::Float(number + 0.0)),
            None => Err(say!("dz-must-be-a-finite-number", "must be a finite number").to_owned()),
        },
        Kind::Decimal { .. } => match (field.currency, json.as_number()) {
            (Some(currency), _) => money(currency, json),
            (None, Some(number)) => decimal(&number.to_string()),
            (None, None) => decimal(text(say!("dz-must-be-a-decimal-as-text-for", "must be a decimal as text, for example \"48.50\""))?),
        },
        Kind::Uuid => uuid(text(say!("dz-must-be-an-identifier-as-text", "must be an identifier as text"))?),
        Kind::Date => date(text(say!("dz-must-be-a-date-as-text-for", "must be a date as text, for example \"2026-01-31\""))?),
        Kind::DateTime => {
            datetime(text(say!("dz-must-be-a-timestamp-as-text-for", "must be a timestamp as text, for example \"2026-01-31T09:30:00Z\""))?)
        }
        Kind::Email => Ok(Value::Text(email::normalize(text(say!("dz-must-be-text", "must be text"))?))),
        Kind::Str(_)
        | Kind::Text
        | Kind::Enum(_)
        | Kind::Url
        | Kind::Timezone
        | Kind::Currency { .. }
        | Kind::Slug
        | Kind::Ref(_)
        | Kind::HasMany { .. }
        | Kind::HasOne { .. }
        | Kind::ManyToMany { .. } => Ok(Value::Text(text(say!("dz-must-be-text", "must be text"))?.to_owned())),
    }
}

/// Parses an amount with its currency, which must be that of the field.
fn money(currency: &str, json: &Json) -> Result<Value, String> {
    let form = || Err(format!("must be an amount such as {{\"amount\":\"48.50\",\"currency\":\"{currency}\"}}"));
    let Json::Object(members) = json else { return form() };
    if members.keys().any(|name| !matches!(name.as_str(), "amount" | "currency")) {
        return form();
    }
    match (members.get("amount"), members.get("currency")) {
        (Some(_), Some(Json::String(other))) if other != currency => Err(say!(
            "dz-must-be-an-amount-in-currency-not",
            "must be an amount in {currency}, not in {other}",
            currency = currency,
            other = other
        )),
        (Some(Json::String(amount)), Some(Json::String(_))) => decimal(amount),
        _ => form(),
    }
}

/// Parses a file from the response of its upload, from the JSON of a row, or from its identifier.
fn file(json: &Json) -> Result<Value, String> {
    let form = || Err(say!("dz-must-be-the-response-of-an-upload", "must be the response of an upload, or its `id` as text").to_owned());
    let id = match json {
        Json::String(id) => id,
        Json::Object(members) => {
            let known = |name: &str| matches!(name, "id" | "name" | "size" | "type" | "url");
            match members.get("id") {
                Some(Json::String(id)) if members.keys().all(|name| known(name)) => id,
                _ => return form(),
            }
        }
        _ => return form(),
    };
    match uuid(id) {
        Ok(Value::Uuid(_)) => Ok(Value::Json(json.as_object().map_or_else(|| serde_json::json!({ "id": id }), |_| json.clone()))),
        _ => form(),
    }
}

/// Parses a whole number from JSON, queries and forms.
pub(crate) fn int(text: &str) -> Result<Value, String> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    match text.parse() {
        Ok(number) => Ok(Value::Int(number)),
        Err(_) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
            Err(say!("dz-must-be-a-whole-number-from", "must be a whole number from {least} to {most}", least = i64::MIN, most = i64::MAX))
        }
        Err(_) => Err(say!("dz-must-be-a-whole-number", "must be a whole number").to_owned()),
    }
}

/// Parses an exact decimal from JSON, queries and forms.
pub(crate) fn decimal(text: &str) -> Result<Value, String> {
    let plain = text.strip_prefix(['-', '+']).unwrap_or(text);
    let shape = !plain.is_empty()
        && plain.len() <= 40
        && plain.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && plain.bytes().any(|b| b.is_ascii_digit());
    match Decimal::from_str_exact(text.strip_prefix('+').unwrap_or(text)) {
        Ok(number) if shape && number.is_zero() => Ok(Value::Decimal(Decimal::ZERO)),
        Ok(number) if shape => Ok(Value::Decimal(number)),
        _ => Err(say!("dz-must-be-a-decimal-for-example-48", "must be a decimal, for example 48.50").to_owned()),
    }
}

pub(super) fn uuid(text: &str) -> Result<Value, String> {
    match uuid::Uuid::try_parse(text) {
        Ok(id) if text.len() == 36 => Ok(Value::Uuid(id)),
        _ => Err(say!("dz-is-not-an-identifier", "is not an identifier").to_owned()),
    }
}

pub(super) fn date(text: &str) -> Result<Value, String> {
    let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|_| text.len() == 10);
    date.filter(is_storable_year)
        .map(Value::Date)
        .ok_or_else(|| say!("dz-must-be-a-date-for-example-2026", "must be a date, for example 2026-01-31").to_owned())
}

/// True for the years that both engines store: their texts are in the order of time.
pub(super) fn is_storable_year(date: &NaiveDate) -> bool {
    (1..=9999).contains(&chrono::Datelike::year(date))
}

fn datetime(text: &str) -> Result<Value, String> {
    let exact = DateTime::parse_from_rfc3339(text).ok().and_then(|moment| to_storable(moment.with_timezone(&Utc)));
    exact
        .map(Value::DateTime)
        .ok_or_else(|| say!("dz-must-be-a-timestamp-for-example-2026", "must be a timestamp, for example 2026-01-31T09:30:00Z").to_owned())
}

/// Truncates a timestamp to microseconds; `None` for leap seconds and for years that not every engine supports.
pub(super) fn to_storable(moment: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let fits = is_storable_year(&moment.date_naive()) && chrono::Timelike::nanosecond(&moment) < 1_000_000_000;
    fits.then(|| moment.trunc_subsecs(6))
}

/// Writes a value as JSON.
pub fn write_json(field: &'static FieldDef, value: &Value, out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = match value {
        Value::Null => out.write_all(b"null"),
        Value::Bool(value) => write!(out, "{value}"),
        Value::Int(number) => write!(out, "{number}"),
        Value::Float(number) => serde_json::to_writer(&mut *out, number).map_err(std::io::Error::from),
        // The currency, and with it the number of decimal places, is not known here.
        Value::Decimal(number) if field.currency_in.is_some() => write!(out, "\"{}\"", number.normalize()),
        Value::Decimal(number) => {
            let number = plain_decimal(field, *number);
            match field.currency {
                Some(currency) => write!(out, "{{\"amount\":\"{number}\",\"currency\":\"{currency}\"}}"),
                None => write!(out, "\"{number}\""),
            }
        }
        Value::Text(text) => serde_json::to_writer(&mut *out, text).map_err(std::io::Error::from),
        Value::Uuid(id) => {
            let mut text = uuid::Uuid::encode_buffer();
            let text = id.as_hyphenated().encode_lower(&mut text);
            out.extend_from_slice(b"\"");
            out.extend_from_slice(text.as_bytes());
            out.write_all(b"\"")
        }
        Value::Date(date) => {
            let mut text = String::with_capacity(10);
            storage::write_date(*date, &mut text);
            write!(out, "\"{text}\"")
        }
        Value::DateTime(moment) => write!(out, "\"{}\"", datetime_text(moment)),
        Value::Json(json) => serde_json::to_writer(&mut *out, json).map_err(std::io::Error::from),
    };
}

/// A decimal with all decimal places of its field.
pub(crate) fn plain_decimal(field: &FieldDef, mut number: Decimal) -> String {
    if let Some(scale) = field.kind.scale() {
        number.rescale(u32::from(scale));
    }
    number.to_string()
}

/// RFC 3339 in UTC, for the attribute `datetime`, which has at most milliseconds.
pub(crate) fn datetime_attribute(moment: &DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// RFC 3339 in UTC, with microseconds only if they are not zero.
pub(crate) fn datetime_text(moment: &DateTime<Utc>) -> String {
    let mut text = String::with_capacity(27);
    storage::write_datetime(*moment, chrono::Timelike::nanosecond(moment) != 0, &mut text);
    text
}
