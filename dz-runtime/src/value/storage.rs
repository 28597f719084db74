//! Stored forms of values for which an engine has no type: conversions without diesel.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Timelike, Utc};
use rust_decimal::Decimal;

/// The maximum number of digits of a decimal that is stored as a scaled 64-bit integer.
pub(crate) const INTEGER_DIGITS: u8 = 18;

/// The message of a decimal that a column cannot have.
pub(crate) const BEYOND: &str = "does not fit decimal";

/// Converts a decimal to units of its last place; `None` if it has more places than `scale` or more digits than `precision`.
pub(crate) fn to_units(value: Decimal, precision: u8, scale: u8) -> Option<i128> {
    let value = value.normalize();
    let shift = u32::from(scale).checked_sub(value.scale())?;
    let units = value.mantissa().checked_mul(10_i128.checked_pow(shift)?)?;
    (units.unsigned_abs() < 10_u128.checked_pow(u32::from(precision))?).then_some(units)
}

/// Converts units of the last place to a decimal with `scale` places.
pub(crate) fn from_units(units: i128, scale: u8) -> Option<Decimal> {
    Decimal::try_from_i128_with_scale(units, u32::from(scale)).ok()
}

/// Text of a fixed width whose order by bytes is the order of the numbers: a sign digit, then the digits,
/// of a negative number their nines' complement.
pub(crate) fn ordered_text(units: i128, precision: u8) -> Option<String> {
    let all_nines = 10_i128.checked_pow(u32::from(precision))?.checked_sub(1)?;
    let width = usize::from(precision);
    Some(if units < 0 { format!("0{:0width$}", all_nines + units) } else { format!("1{units:0width$}") })
}

/// Parses the text of [`ordered_text`].
pub(crate) fn from_ordered_text(text: &str) -> Option<i128> {
    let (sign, digits) = text.split_at_checked(1)?;
    let number: i128 = digits.parse().ok()?;
    match sign {
        "1" => Some(number),
        "0" => number.checked_sub(10_i128.checked_pow(u32::try_from(digits.len()).ok()?)?.checked_sub(1)?),
        _ => None,
    }
}

/// The nearest time that can be stored, for times that are computed: of other years the text would not be in the order of time.
pub(crate) fn nearest_storable(value: DateTime<Utc>) -> DateTime<Utc> {
    let (first, last) = storable_days();
    let last = last.and_hms_micro_opt(23, 59, 59, 999_999).unwrap_or_default().and_utc();
    value.clamp(first.and_time(chrono::NaiveTime::MIN).and_utc(), last)
}

/// As [`nearest_storable`], for a day.
pub(crate) fn nearest_storable_day(value: NaiveDate) -> NaiveDate {
    let (first, last) = storable_days();
    value.clamp(first, last)
}

fn storable_days() -> (NaiveDate, NaiveDate) {
    let day = |year, month, day| NaiveDate::from_ymd_opt(year, month, day).unwrap_or_default();
    (day(1, 1, 1), day(9999, 12, 31))
}

/// A timestamp as text of a fixed width, whose byte order is the order of time.
/// A value with which stored ones are compared can be of another year, and the text of the nearest one gives the right answer.
pub(crate) fn datetime_text(value: DateTime<Utc>) -> String {
    let mut text = String::with_capacity(27);
    write_datetime(nearest_storable(value), true, &mut text);
    text
}

/// Writes a timestamp in UTC as RFC 3339, with microseconds or without a fraction.
pub(crate) fn write_datetime(value: DateTime<Utc>, micros: bool, out: &mut String) {
    let (day, time) = (value.date_naive(), value.time());
    write_date(day, out);
    // Lists write many timestamps, and parsing a format string for each would be several times slower.
    for (mark, number) in [('T', time.hour()), (':', time.minute()), (':', time.second())] {
        out.push(mark);
        write_digits(number, 2, out);
    }
    if micros {
        out.push('.');
        write_digits(time.nanosecond() % 1_000_000_000 / 1_000, 6, out);
    }
    out.push('Z');
}

/// Writes a date as `YYYY-MM-DD`.
pub(crate) fn write_date(day: NaiveDate, out: &mut String) {
    match u32::try_from(day.year()) {
        Ok(year @ 0..=9_999) => write_digits(year, 4, out),
        // Such a year is never stored.
        _ => out.push_str(&day.year().to_string()),
    }
    for number in [day.month(), day.day()] {
        out.push('-');
        write_digits(number, 2, out);
    }
}

fn write_digits(number: u32, width: u32, out: &mut String) {
    for place in (0..width).rev() {
        out.push(char::from(b'0' + (number / 10_u32.pow(place) % 10) as u8));
    }
}

/// Parses the text of [`datetime_text`].
pub(crate) fn datetime_from_text(text: &str) -> Option<DateTime<Utc>> {
    parse_fixed_datetime(text).or_else(|| NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.fZ").ok().map(|naive| naive.and_utc()))
}

fn parse_fixed_datetime(text: &str) -> Option<DateTime<Utc>> {
    let (day, time) = text.split_at_checked(10)?;
    let marks = [(0, b'T'), (3, b':'), (6, b':'), (9, b'.'), (16, b'Z')];
    if time.len() != 17 || marks.iter().any(|(at, mark)| time.as_bytes()[*at] != *mark) {
        return None;
    }
    let part = |from: usize, to: usize| parse_number(time.get(from..to)?);
    let day = date_from_text(day)?;
    Some(day.and_hms_micro_opt(part(1, 3)?, part(4, 6)?, part(7, 9)?, part(10, 16)?)?.and_utc())
}

/// Parses a date in the format `YYYY-MM-DD`.
pub(crate) fn date_from_text(text: &str) -> Option<NaiveDate> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let year = i32::try_from(parse_number(text.get(..4)?)?).ok()?;
    NaiveDate::from_ymd_opt(year, parse_number(text.get(5..7)?)?, parse_number(text.get(8..)?)?)
}

/// Parses a number that consists only of digits.
fn parse_number(text: &str) -> Option<u32> {
    text.bytes().try_fold(0_u32, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u32::from(byte - b'0')))
}

/// JSON with sorted keys and without negative zero, so that equal values have equal texts.
pub(crate) fn canonical_json(value: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value as Json;
    match value {
        Json::Array(items) => Json::Array(items.iter().map(canonical_json).collect()),
        Json::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by_key(|(key, _)| key.as_str());
            Json::Object(sorted.into_iter().map(|(key, member)| (key.clone(), canonical_json(member))).collect())
        }
        Json::Number(number) if number.as_f64() == Some(0.0) && number.is_f64() => Json::from(0.0),
        other => other.clone(),
    }
}

/// The stored text of a JSON value.
pub(crate) fn json_text(value: &serde_json::Value) -> String {
    canonical_json(value).to_string()
}

/// True if a text in the JSON value contains U+0000, which PostgreSQL cannot store.
pub(crate) fn json_has_nul(value: &serde_json::Value) -> bool {
    use serde_json::Value as Json;
    match value {
        Json::String(text) => text.contains('\0'),
        Json::Array(items) => items.iter().any(json_has_nul),
        Json::Object(members) => members.iter().any(|(key, member)| key.contains('\0') || json_has_nul(member)),
        _ => false,
    }
}

/// The text of JSON without U+0000, which PostgreSQL cannot store: the escape is removed, and the six characters `\\u0000` of a text stay.
pub(crate) fn json_without_nul<T: serde::Serialize>(value: &T) -> serde_json::Result<String> {
    let text = serde_json::to_string(value)?;
    if !text.contains("\\u0000") {
        return Ok(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.as_str();
    // A backslash begins an escape of two characters at least, so that an escaped backslash hides none.
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        kept.push_str(before);
        rest = match escape.strip_prefix("\\u0000") {
            Some(after) => after,
            None => {
                kept.push_str(&escape[..2]);
                &escape[2..]
            }
        };
    }
    kept.push_str(rest);
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_decimals_preserves_their_order() {
        let mut numbers = vec![-9_999_999_999_999_999_999_999_999_999_i128, -10, -1, 0, 1, 9, 10, 9_999_999_999_999_999_999_999_999_999];
        let texts: Vec<_> = numbers.iter().map(|&units| ordered_text(units, 28).unwrap()).collect();
        assert!(texts.is_sorted(), "{texts:#?}");
        assert!(texts.iter().all(|text| text.len() == 29));
        let read: Vec<_> = texts.iter().map(|text| from_ordered_text(text).unwrap()).collect();
        numbers.sort();
        assert_eq!(read, numbers);
    }

    #[test]
    fn computed_times_are_moved_into_the_years_that_can_be_stored() {
        let at = |year| NaiveDate::from_ymd_opt(year, 1, 1).unwrap().and_hms_opt(0, 0, 0).unwrap().and_utc();
        assert_eq!(nearest_storable(at(2026)), at(2026));
        assert_eq!(datetime_text(nearest_storable(at(34_881))), "9999-12-31T23:59:59.999999Z");
        assert_eq!(datetime_text(nearest_storable(DateTime::<Utc>::MIN_UTC)), "0001-01-01T00:00:00.000000Z");
    }

    #[test]
    fn decimals_out_of_range_have_no_units() {
        let check = |text: &str, precision, scale| to_units(text.parse().unwrap(), precision, scale);
        assert_eq!(check("1.50", 5, 2), Some(150));
        assert_eq!(check("1.500", 5, 2), Some(150));
        assert_eq!(check("1.501", 5, 2), None);
        assert_eq!(check("999.99", 5, 2), Some(99_999));
        assert_eq!(check("1000", 5, 2), None);
        assert_eq!(check("-0.00", 5, 2), Some(0));
    }

    #[test]
    fn timestamps_have_a_fixed_width() {
        for text in ["0001-01-01T00:00:00.000000Z", "2024-02-29T23:59:59.999999Z", "9999-12-31T23:59:59.000001Z"] {
            assert_eq!(datetime_text(datetime_from_text(text).unwrap()), text);
            assert!(parse_fixed_datetime(text).is_some(), "{text} is read the long way");
        }
        for wrong in
            ["2024-02-30T23:59:59.999999Z", "2024-02-29T24:00:00.000000Z", "2024-02-29 23:59:59.000000Z", "2024-02-29T23:59:5é.00000Z", ""]
        {
            assert_eq!(datetime_from_text(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn timestamps_equal_the_output_of_chrono() {
        for seconds in (-62_135_596_800_i64..253_402_300_800).step_by(777_777_777) {
            let moment = DateTime::from_timestamp(seconds, (seconds.unsigned_abs() % 1_000_000) as u32 * 1_000).unwrap();
            assert_eq!(datetime_text(moment), moment.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string());
            assert_eq!(datetime_from_text(&datetime_text(moment)), Some(moment));
            let mut day = String::new();
            write_date(moment.date_naive(), &mut day);
            assert_eq!((date_from_text(&day), &*day), (Some(moment.date_naive()), &*moment.format("%Y-%m-%d").to_string()));
        }
        for wrong in ["2024-2-29", "2024-02-30", "+024-02-28", "2024/02/28", "2024-02-2", ""] {
            assert_eq!(date_from_text(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn json_is_canonical() {
        let value = serde_json::json!({"b": [-0.0, {"z": 1, "a": 2}], "a": null});
        assert_eq!(json_text(&value), r#"{"a":null,"b":[0.0,{"a":2,"z":1}]}"#);
    }

    #[test]
    fn only_the_character_is_removed_and_not_its_escape_in_a_text() {
        let literal = "see \\u0000";
        for text in ["", "a", "\0", "a\0b", literal, "\\", "\\\\u0000", "\\\0", "\0\\u0000\0", "\"\\\"", "é\0\u{1f600}\\"] {
            let stored = json_without_nul(&serde_json::json!({ text: [text] })).expect("a text");
            let expected = text.replace('\0', "");
            let read: serde_json::Value = serde_json::from_str(&stored).expect("JSON");
            assert_eq!(read, serde_json::json!({ expected.as_str(): [expected] }), "{text:?}");
        }
    }
}
