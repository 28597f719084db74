//! Literals of types without a syntax of their own.

use dz_vocabulary::timezones;

use crate::{
    Near,
    diagnostic::near_word,
    model::Type,
    syntax::expr::{Expr, ExprKind},
};

/// True for the name of a time zone.
pub fn is_timezone(name: &str) -> bool {
    timezones().any(|known| known == name)
}

/// The time zone of which a name is a misspelling. The part after the slash is compared on its own: otherwise `Wien` would be
/// near `Kiev`, because both follow `Europe/`.
pub fn near_timezone(name: &str) -> Option<Near<'static>> {
    let place = |zone: &'static str| zone.rsplit('/').next().unwrap_or(zone);
    let written = name.rsplit('/').next().unwrap_or(name);
    near_word(name, timezones().filter(|zone| near_word(written, [place(zone)]).is_some()))
}

/// True for `YYYY-MM-DD` of a day that exists in the years 1 to 9999.
pub fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return false;
    }
    let number = |range: std::ops::Range<usize>| text.get(range).and_then(|part| part.parse::<u32>().ok());
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else { return false };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    year >= 1 && (1..=days).contains(&day)
}

/// True for RFC 3339 with `T` or a space, seconds and fraction optional, `Z` or an offset.
pub fn is_datetime(text: &str) -> bool {
    let Some((date, rest)) = text.split_at_checked(10) else { return false };
    let Some(time) = rest.strip_prefix(['T', 't', ' ']) else { return false };
    let clock = match (time.strip_suffix(['Z', 'z']), time.rfind(['+', '-'])) {
        (Some(clock), _) => clock,
        (None, Some(at)) if is_clock(&time[at + 1..]) => &time[..at],
        _ => return false,
    };
    is_date(date) && is_clock(clock)
}

fn is_clock(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let mut parts = whole.split(':').map(|part| part.parse::<u32>().ok().filter(|_| part.len() == 2));
    let hours = parts.next().flatten().is_some_and(|hours| hours < 24);
    let minutes = parts.next().flatten().is_some_and(|minutes| minutes < 60);
    let seconds = parts.next().is_none_or(|seconds| seconds.is_some_and(|seconds| seconds < 60));
    hours && minutes && seconds && parts.next().is_none() && !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit())
}

/// The day in quotes, if it is written without them: `2026-01-31` is then a difference of numbers.
pub fn unquoted_day(expr: &Expr) -> Option<String> {
    let ExprKind::Binary("-", month, day) = &expr.kind else { return None };
    let ExprKind::Binary("-", year, month) = &month.kind else { return None };
    let (ExprKind::Number(year), ExprKind::Number(month), ExprKind::Number(day)) = (&year.kind, &month.kind, &day.kind) else {
        return None;
    };
    Some(format!("{year}-{month}-{day}")).filter(|text| is_date(text)).map(|text| format!("\"{text}\""))
}

/// True for a hyphenated UUID.
pub fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12] && text.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

/// The syntax of a value of a type that text can express, for messages; `None` if `text` is a valid value.
pub fn misfit(ty: &Type, text: &str) -> Option<&'static str> {
    match ty {
        Type::Date if !is_date(text) => Some("write a day as \"2026-01-31\""),
        Type::DateTime if !is_datetime(text) => Some("write a timestamp as \"2026-01-31T09:30:00Z\""),
        Type::Uuid if !is_uuid(text) => Some("write an identifier as \"018f3c1e-0000-7000-8000-000000000000\""),
        Type::Bool
        | Type::Int
        | Type::Float
        | Type::Decimal
        | Type::Text
        | Type::Date
        | Type::DateTime
        | Type::Duration
        | Type::Money(_)
        | Type::Uuid
        | Type::Enum(_)
        | Type::Ref(_)
        | Type::Json
        | Type::List(_)
        | Type::Null => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_recognised() {
        for good in ["2026-02-28", "2024-02-29", "0001-01-01"] {
            assert!(is_date(good), "{good}");
        }
        for bad in ["2026-02-29", "2026-13-01", "26-01-01", "2026/01/01", "0000-01-01", "2026-01-1é"] {
            assert!(!is_date(bad), "{bad}");
        }
        for good in ["2026-01-31T09:30:00Z", "2026-01-31 09:30+02:00", "2026-01-31T09:30:00.123456Z"] {
            assert!(is_datetime(good), "{good}");
        }
        for bad in ["2026-01-31", "2026-01-31T25:00Z", "2026-01-31T09:30", "x"] {
            assert!(!is_datetime(bad), "{bad}");
        }
        assert!(is_timezone("Europe/Lisbon") && !is_timezone("Europe/Nowhere"));
        let near = |name| near_timezone(name).map(|near| near.to_string());
        assert_eq!(near("Europe/Viena").as_deref(), Some("Europe/Vienna"));
        assert_eq!(near("Europ/Vienna").as_deref(), Some("Europe/Vienna"));
        assert_eq!(near("Europe/Wien"), None);
    }
}
