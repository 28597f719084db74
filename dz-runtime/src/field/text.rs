//! Conversion of values from the text of queries and forms, and to text for users.

use chrono::{DateTime, Datelike, FixedOffset, LocalResult, NaiveDate, NaiveDateTime, Offset, TimeDelta, TimeZone, Timelike, Utc};
use chrono_tz::Tz;

use super::{File, currency::amount_text, duplicate_members::find_duplicate_member, email, json, stored_kind};
use crate::{
    Value,
    def::{AppDef, FieldDef, Kind},
    texts,
};

/// Converts the text of a query or form to a value; times without an offset are in `zone`. Empty text is null; the caller handles
/// empty text of text fields.
pub fn from_text(app: &'static AppDef, field: &'static FieldDef, text: &str, zone: Tz) -> Result<Value, String> {
    let kind = stored_kind(app, field);
    if text.is_empty() {
        return Ok(Value::Null);
    }
    match kind {
        Kind::Bool => match text {
            "true" | "on" | "1" | "yes" => Ok(Value::Bool(true)),
            "false" | "off" | "0" | "no" => Ok(Value::Bool(false)),
            _ => Err(say!("dz-must-be-true-or-false", "must be true or false").to_owned()),
        },
        Kind::Int => json::int(text.trim()),
        Kind::Float => match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Value::Float(number + 0.0)),
            _ => Err(say!("dz-must-be-a-number", "must be a number").to_owned()),
        },
        Kind::Decimal { .. } => json::decimal(text.trim()),
        Kind::Uuid => json::uuid(text),
        Kind::Date => json::date(text),
        Kind::DateTime => parse_datetime(text, zone),
        Kind::File { .. } => match json::uuid(text.trim()) {
            Ok(Value::Uuid(id)) => Ok(File::reference(id)),
            _ => Err(say!("dz-is-not-an-upload", "is not an upload").to_owned()),
        },
        Kind::Json => match serde_json::from_str(text) {
            Ok(serde_json::Value::Null) => Ok(Value::Null),
            Ok(json) => find_duplicate_member(text).map_or(Ok(Value::Json(json)), |name| {
                Err(say!("dz-gives-the-member-name-twice", "contains the member `{name}` twice", name = name))
            }),
            Err(_) => Err(say!("dz-is-not-valid-json", "is not valid JSON").to_owned()),
        },
        Kind::Email => Ok(Value::Text(email::normalize(text))),
        Kind::Url | Kind::Timezone | Kind::Currency { .. } | Kind::Slug => Ok(Value::Text(text.trim().to_owned())),
        // Browsers send CR LF; stored text uses LF.
        Kind::Str(_) | Kind::Text | Kind::Enum(_) | Kind::Ref(_) | Kind::HasMany { .. } | Kind::HasOne { .. } | Kind::ManyToMany { .. } => {
            Ok(Value::Text(text.replace("\r\n", "\n")))
        }
    }
}

/// The offset of the zone before a skipped local time. With it, the time is later by the length of the skipped period (RFC 5545, section
/// 3.3.5). The longest known period is one day.
fn offset_before_gap(local: NaiveDateTime, zone: Tz) -> Option<FixedOffset> {
    let earlier = (1..=97).filter_map(|quarter| local.checked_sub_signed(TimeDelta::minutes(15 * quarter)));
    earlier.filter_map(|local| zone.from_local_datetime(&local).latest()).map(|moment| moment.offset().fix()).next()
}

/// A time that the zone skips becomes a later one; an ambiguous time is the earlier one.
fn parse_datetime(text: &str, zone: Tz) -> Result<Value, String> {
    let wrong = || say!("dz-must-be-a-date-and-a-time", "must be a date and a time, for example 2026-01-31T09:30").to_owned();
    if let Ok(exact) = DateTime::parse_from_rfc3339(text) {
        return json::to_storable(exact.with_timezone(&Utc)).map(Value::DateTime).ok_or_else(wrong);
    }
    let text = text.replace(' ', "T");
    let formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%.f"];
    let local = formats.iter().find_map(|format| NaiveDateTime::parse_from_str(&text, format).ok()).ok_or_else(wrong)?;
    let found = match zone.from_local_datetime(&local) {
        LocalResult::Single(moment) | LocalResult::Ambiguous(moment, _) => Some(moment),
        LocalResult::None => {
            let moment = offset_before_gap(local, zone).and_then(|offset| offset.from_local_datetime(&local).single());
            moment.map(|moment| moment.with_timezone(&zone))
        }
    };
    found.and_then(|moment| json::to_storable(moment.with_timezone(&Utc))).map(Value::DateTime).ok_or_else(wrong)
}

/// The text of a value for users.
pub fn display(field: &'static FieldDef, value: &Value, zone: Tz) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => say!("dz-yes", "Yes").to_owned(),
        Value::Bool(false) => say!("dz-no", "No").to_owned(),
        Value::Int(number) => group_digits(&number.to_string()),
        Value::Float(number) => match texts::current() {
            None => number.to_string(),
            Some(_) => number.to_string().replacen('.', say!("dz-decimal-separator", "."), 1),
        },
        // A quotient has no declared number of decimal places.
        Value::Decimal(number) if field.currency_in.is_some() || is_quotient(field) => group_digits(&number.normalize().to_string()),
        Value::Decimal(number) => {
            let mut number = *number;
            if let Some(scale) = field.kind.scale() {
                number.rescale(u32::from(scale));
            }
            let amount = group_digits(&number.to_string());
            match field.currency {
                Some(currency) => format!("{amount} {currency}"),
                None => amount,
            }
        }
        Value::Text(text) => match field.kind.enumeration() {
            Some(of) => of.values.iter().find(|value| value.name == text).map_or_else(|| text.clone(), |value| value.title.to_owned()),
            None => text.clone(),
        },
        Value::Uuid(id) => id.to_string(),
        Value::Date(date) => format_date(*date),
        Value::DateTime(moment) => format_time(moment.with_timezone(&zone).naive_local()),
        Value::Json(_) if field.kind.is_file() => File::from_stored(value).map(|file| file.name).unwrap_or_default(),
        Value::Json(json) => json.to_string(),
    }
}

fn is_quotient(field: &FieldDef) -> bool {
    field.computed.is_some() && field.currency.is_none() && field.kind.scale() == Some(dz_vocabulary::DIVISION_PLACES)
}

/// The text of an amount with its currency, for users.
pub fn display_amount(amount: &Value, currency: &Value) -> String {
    match (amount, currency) {
        (Value::Decimal(number), Value::Text(code)) => format!("{} {code}", group_digits(&amount_text(*number, currency))),
        _ => String::new(),
    }
}

/// The text of a value without a field, such as a figure.
pub(crate) fn display_plain(value: &Value, zone: Tz) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => say!("dz-yes", "Yes").to_owned(),
        Value::Bool(false) => say!("dz-no", "No").to_owned(),
        Value::Int(number) => group_digits(&number.to_string()),
        Value::Float(number) => group_digits(&number.to_string()),
        Value::Decimal(number) => group_digits(&number.normalize().to_string()),
        Value::Text(text) => text.clone(),
        Value::Uuid(id) => id.to_string(),
        Value::Date(date) => format_date(*date),
        Value::DateTime(moment) => format_time(moment.with_timezone(&zone).naive_local()),
        Value::Json(json) => json.to_string(),
    }
}

/// The text of a date near `today`, which needs no year if it is in the same one: `3 Mar`.
pub(crate) fn format_short_date(date: NaiveDate, today: NaiveDate) -> String {
    match date.year() == today.year() {
        true => say!("dz-date-without-year", "{day} {month}", day = date.day(), month = texts::month(date.month0()).1),
        false => format_date(date),
    }
}

/// The text of a date for users: `3 Mar 2026`.
pub(crate) fn format_date(date: NaiveDate) -> String {
    say!("dz-date", "{day} {month} {year}", day = date.day(), month = texts::month(date.month0()).1, year = year_text(date))
}

/// The text of a month for users: `Mar 2026`.
pub(crate) fn format_month(date: NaiveDate) -> String {
    say!("dz-month-of-year", "{month} {year}", month = texts::month(date.month0()).1, year = year_text(date))
}

/// The text of a year with four digits.
pub(crate) fn year_text(date: NaiveDate) -> String {
    format!("{:04}", date.year())
}

/// The text of a time for users: `3 Mar 2026, 14:05`.
pub(crate) fn format_time(local: NaiveDateTime) -> String {
    join_time(format_date(local.date()), &format!("{:02}:{:02}", local.hour(), local.minute()))
}

/// The text of a day with a time of the day.
pub(crate) fn join_time(day: String, clock: &str) -> String {
    say!("dz-day-and-time", "{day}, {time}", day = day, time = clock)
}

/// A number with the separators of the language, of thousands in numbers of five digits and more.
fn group_digits(number: &str) -> String {
    let (sign, rest) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, fraction) = rest.split_once('.').map_or((rest, None), |(whole, fraction)| (whole, Some(fraction)));
    let mut text = String::with_capacity(number.len() + whole.len() / 3);
    text.push_str(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && whole.len() >= 5 && (whole.len() - at) % 3 == 0 {
            text.push_str(say!("dz-thousands-separator", ","));
        }
        text.push(digit);
    }
    if let Some(fraction) = fraction {
        text.push_str(say!("dz-decimal-separator", "."));
        text.push_str(fraction);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_forms_are_in_the_zone() {
        let zone: Tz = "Europe/Berlin".parse().unwrap();
        let utc = |text: &str| match parse_datetime(text, zone).unwrap() {
            Value::DateTime(moment) => json::datetime_text(&moment),
            other => panic!("{other:?}"),
        };
        assert_eq!(utc("2026-07-01T12:00"), "2026-07-01T10:00:00Z");
        // A time in the skipped hour is an hour later; a time in the repeated hour is the earlier one.
        assert_eq!(utc("2026-03-29T02:30"), "2026-03-29T01:30:00Z");
        assert_eq!(utc("2026-03-29T02:07"), "2026-03-29T01:07:00Z");
        assert_eq!(utc("2026-10-25T02:30"), "2026-10-25T00:30:00Z");
        for wrong in ["yesterday", "2026-02-30T10:00", "2026-12-31T23:59:60Z", "0000-06-01T00:00Z", "0001-01-01T00:00", "10000-01-01T00:00"]
        {
            assert!(parse_datetime(wrong, zone).is_err(), "{wrong}");
        }
        // Samoa skipped a whole day.
        let apia: Tz = "Pacific/Apia".parse().unwrap();
        assert_eq!(parse_datetime("2011-12-30T12:00", apia), parse_datetime("2011-12-31T12:00", apia));
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(group_digits("1234"), "1234");
        assert_eq!(group_digits("-1234567.50"), "-1,234,567.50");
    }

    static APP: AppDef = AppDef::EMPTY;
    static EVIDENCE: FieldDef = FieldDef::new("evidence", "Evidence", Kind::Json);

    #[test]
    fn json_that_is_null_is_no_value() {
        let value = |text| from_text(&APP, &EVIDENCE, text, Tz::UTC);
        assert_eq!((value("null"), value(" null ")), (Ok(Value::Null), Ok(Value::Null)));
        assert_eq!(value("[null]"), Ok(Value::Json(serde_json::json!([null]))));
    }
}
