//! Checks of values: length, format, range.

use super::json::is_storable_year;
use crate::{
    Value,
    def::{FieldDef, Kind},
};

/// The maximum number of values inside a JSON value. In memory, each takes many times the bytes of its text.
const MAX_JSON_VALUES: usize = 1 << 16;

/// Checks the length and the format of a value.
pub fn check(field: &'static FieldDef, value: &Value) -> Result<(), String> {
    let text = if let Value::Text(text) = value { Some(text.as_str()) } else { None };
    if text.is_some_and(|text| text.contains('\0')) {
        return Err(say!("dz-must-not-contain-the-character-u-0000", "must not contain the character U+0000").to_owned());
    }
    match field.kind {
        Kind::Str(n) if text.is_some_and(|text| text.chars().count() > n as usize) => {
            Err(say!("dz-must-have-at-most-n-characters", "must have at most {n} characters", n = n))
        }
        Kind::Str(_) | Kind::Text if field.required && text.is_some_and(is_blank) => Err(say!("dz-is-required", "is required").to_owned()),
        Kind::Email => text.map_or(Ok(()), email),
        Kind::Url => text.map_or(Ok(()), web_address),
        Kind::Timezone if text.is_some_and(|text| text.parse::<chrono_tz::Tz>().is_err()) => {
            Err(say!("dz-must-be-a-time-zone-for-example", "must be a time zone, for example Europe/Lisbon").to_owned())
        }
        Kind::Currency { .. } if text.is_some_and(|text| super::currency::digits(text).is_none()) => Err(super::currency::unknown()),
        Kind::Slug if text.is_some_and(|text| !is_slug(text)) => {
            Err(say!("dz-may-have-the-letters-a-to-z", "may contain only the letters a to z, digits and hyphens").to_owned())
        }
        Kind::Enum(of) if text.is_some_and(|text| !of.values.iter().any(|value| value.name == text)) => {
            let names: Vec<&str> = of.values.iter().map(|value| value.name).collect();
            Err(say!("dz-must-be-one-of", "must be one of {names}", names = names.join(", ")))
        }
        Kind::Float => match value {
            Value::Float(number) if !number.is_finite() => Err(say!("dz-must-be-a-finite-number", "must be a finite number").to_owned()),
            _ => Ok(()),
        },
        Kind::Decimal { precision, scale } => match value {
            Value::Decimal(number) => digits(*number, precision, scale),
            _ => Ok(()),
        },
        Kind::Date => match value {
            Value::Date(date) if !is_storable_year(date) => {
                Err(say!("dz-must-be-a-date-for-example-2026", "must be a date, for example 2026-01-31").to_owned())
            }
            _ => Ok(()),
        },
        Kind::DateTime => match value {
            Value::DateTime(moment) if !is_storable_year(&moment.date_naive()) => {
                Err(say!("dz-must-be-a-timestamp-for-example-2026", "must be a timestamp, for example 2026-01-31T09:30:00Z").to_owned())
            }
            _ => Ok(()),
        },
        Kind::Json => match value {
            Value::Json(json) if nul_inside(json) => {
                Err(say!("dz-must-not-contain-the-character-u-0000", "must not contain the character U+0000").to_owned())
            }
            Value::Json(json) if count_values(json) > MAX_JSON_VALUES => Err(say!(
                "dz-must-have-at-most-values",
                "must have at most {count} values, with those inside of lists and objects",
                count = MAX_JSON_VALUES
            )),
            _ => Ok(()),
        },
        Kind::Uuid
        | Kind::Str(_)
        | Kind::Text
        | Kind::Int
        | Kind::Bool
        | Kind::Enum(_)
        | Kind::Timezone
        | Kind::Currency { .. }
        | Kind::Slug
        | Kind::File { .. }
        | Kind::Ref(_)
        | Kind::HasMany { .. }
        | Kind::HasOne { .. }
        | Kind::ManyToMany { .. } => Ok(()),
    }
}

/// True for a text without visible characters: white space and characters without a shape (the ranges of Unicode's
/// `Default_Ignorable_Code_Point` that occur in text, and two blanks that Unicode does not count as white space).
fn is_blank(text: &str) -> bool {
    let shapeless = |c: char| {
        matches!(c, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}')
            || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}')
            || matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{E0000}'..='\u{E0FFF}')
    };
    text.chars().all(|c| c.is_whitespace() || shapeless(c))
}

/// Checks a mail address within the limits of RFC 5321: a local part, one `@`, a domain.
fn email(text: &str) -> Result<(), String> {
    let wrong = || Err(say!("dz-must-be-a-mail-address-for-example", "must be a mail address, for example ann@example.com").to_owned());
    let Some((local, domain)) = text.rsplit_once('@') else { return wrong() };
    let atom = |c: char| c.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~.-".contains(c);
    let local_fits = !local.is_empty()
        && local.len() <= 64
        && local.chars().all(atom)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..");
    let label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    // A domain that changes by normalization, for example with full-width letters, could imitate another domain.
    let lower = domain.to_lowercase();
    let itself = idna::domain_to_ascii(&lower).is_ok_and(|ascii| ascii == lower) || idna::domain_to_unicode(&lower).0 == lower;
    let domain_fits = domain.len() <= 253 && domain.split('.').all(label) && itself;
    if text.len() <= 254 && local_fits && domain_fits { Ok(()) } else { wrong() }
}

fn web_address(text: &str) -> Result<(), String> {
    // Browsers and this parser correct blanks, line ends and missing slashes; a stored address must not need corrections.
    let written = text.split_once("://").is_some_and(|(scheme, _)| matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https"));
    let whole = text.len() <= 2_048 && !text.chars().any(|c| c.is_whitespace() || c.is_control() || c == '\\');
    // The host of `https://bank.example@evil.example` is the second name, and an address must not contain a password.
    let plain = |url: &url::Url| url.has_host() && url.username().is_empty() && url.password().is_none();
    let fits = written && whole && url::Url::parse(text).is_ok_and(|url| plain(&url));
    if fits {
        Ok(())
    } else {
        Err(say!("dz-must-be-a-web-address-for-example", "must be a web address, for example https://example.com").to_owned())
    }
}

fn is_slug(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

pub(super) fn digits(number: rust_decimal::Decimal, precision: u8, scale: u8) -> Result<(), String> {
    let number = number.normalize();
    if number.scale() > u32::from(scale) {
        return Err(match scale {
            0 => say!("dz-must-be-a-whole-number", "must be a whole number").to_owned(),
            1 => say!("dz-may-have-at-most-one-decimal-for", "may have at most one decimal, for example 48.5").to_owned(),
            n => format!(
                "may have at most {n} decimals, for example 48.{}",
                "50000000000000000000000000000".split_at(usize::from(n).min(28)).0
            ),
        });
    }
    let whole = number.trunc().abs().to_string();
    let allowed = usize::from(precision - scale);
    if whole.trim_start_matches('0').len() > allowed {
        return Err(say!(
            "dz-may-have-at-most-allowed-digits-before",
            "may have at most {allowed} digits before the point",
            allowed = allowed
        ));
    }
    Ok(())
}

fn nul_inside(json: &serde_json::Value) -> bool {
    match json {
        serde_json::Value::String(text) => text.contains('\0'),
        serde_json::Value::Array(items) => items.iter().any(nul_inside),
        serde_json::Value::Object(members) => members.iter().any(|(key, value)| key.contains('\0') || nul_inside(value)),
        _ => false,
    }
}

/// The number of values, with the value itself.
fn count_values(json: &serde_json::Value) -> usize {
    match json {
        serde_json::Value::Array(items) => 1 + items.iter().map(count_values).sum::<usize>(),
        serde_json::Value::Object(members) => 1 + members.values().map(count_values).sum::<usize>(),
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) | serde_json::Value::String(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use chrono::{NaiveDate, NaiveTime};

    use super::*;

    #[test]
    fn the_number_of_values_in_json_is_limited() {
        let field: &'static FieldDef = Box::leak(Box::new(FieldDef::new("f", "F", Kind::Json)));
        let fits = |json: serde_json::Value| check(field, &Value::Json(json)).is_ok();
        assert!(fits(serde_json::json!({ "a": vec![0; MAX_JSON_VALUES - 2] })));
        assert!(!fits(serde_json::json!({ "a": vec![0; MAX_JSON_VALUES - 1] })));
        assert!(!fits(serde_json::json!(vec![vec![[0; 3]; 128]; 128])));
        assert!(fits(serde_json::json!("x".repeat(MAX_JSON_VALUES * 2))));
    }

    #[track_caller]
    fn fits(kind: Kind, text: &str, expected: bool) {
        static FIELDS: std::sync::Mutex<Vec<&'static FieldDef>> = std::sync::Mutex::new(Vec::new());
        let field: &'static FieldDef = Box::leak(Box::new(FieldDef::new("f", "F", kind)));
        FIELDS.lock().unwrap().push(field);
        assert_eq!(check(field, &Value::Text(text.to_owned())).is_ok(), expected, "{text}");
    }

    #[test]
    fn formats() {
        for good in ["ann@example.com", "a.b+c@sub.example.org", "ünï@exämple.de", "Ann@EXÄMPLE.de", "a@xn--exmple-cua.de"] {
            fits(Kind::Email, good, true);
        }
        for bad in [
            "",
            "ann",
            "ann@",
            "@x.de",
            "a@b@c.de",
            "a b@c.de",
            "a@-x.de",
            "<a@b.de>",
            ".a@b.de",
            "a@b..de",
            "a@ｅxample.de",
            "a@exam℡.de",
            "a@b。de",
        ] {
            fits(Kind::Email, bad, false);
        }
        for good in ["https://example.com", "http://x.y/z?a=b#c"] {
            fits(Kind::Url, good, true);
        }
        for bad in [
            "example.com",
            "javascript:alert(1)",
            "ftp://x.y",
            "https://",
            "",
            "https:x.y",
            " https://x.y",
            "https://x.y/a b",
            "https://x\t.y",
            "https:\\\\x.y",
            "https://bank.example@evil.example/",
            "https://ann:word@x.y/",
        ] {
            fits(Kind::Url, bad, false);
        }
        fits(Kind::Str(3), "äöü", true);
        fits(Kind::Str(3), "äöüx", false);
        fits(Kind::Text, "a\0b", false);
        fits(Kind::Timezone, "Europe/Lisbon", true);
        fits(Kind::Timezone, "Europe/Nowhere", false);
        fits(Kind::Slug, "a-1", true);
        fits(Kind::Slug, "A", false);
    }

    #[test]
    fn a_required_text_has_visible_characters() {
        for blank in ["", "   ", "\u{200B}\u{FEFF}", "\u{2800} \u{3164}", "\u{AD}", "\u{2066}\u{2069}", "\u{A0}"] {
            assert!(is_blank(blank), "{blank:?}");
        }
        for seen in ["a", "\u{200B}a", "👨\u{200D}👩", "·", "שלום"] {
            assert!(!is_blank(seen), "{seen:?}");
        }
    }

    #[test]
    fn decimals_are_never_rounded() {
        let number = |text: &str| text.parse().unwrap();
        assert!(digits(number("48.50"), 8, 2).is_ok());
        assert!(digits(number("48.500"), 8, 2).is_ok());
        assert_eq!(digits(number("48.505"), 8, 2).unwrap_err(), "may have at most 2 decimals, for example 48.50");
        assert!(digits(number("1234567"), 8, 2).is_err());
        assert!(digits(number("-123456.78"), 8, 2).is_ok());
        assert!(digits(number("0.5"), 1, 1).is_ok());
    }

    static DAY: FieldDef = FieldDef::new("day", "Day", Kind::Date);
    static MOMENT: FieldDef = FieldDef::new("moment", "Moment", Kind::DateTime);

    #[test]
    fn years_that_an_engine_does_not_store_are_refused() {
        for (year, fits) in [(0, false), (1, true), (9999, true), (10_000, false), (262_000, false)] {
            let day = NaiveDate::from_ymd_opt(year, 6, 1).expect("a day");
            assert_eq!(check(&DAY, &Value::Date(day)).is_ok(), fits, "{year}");
            assert_eq!(check(&MOMENT, &Value::DateTime(day.and_time(NaiveTime::MIN).and_utc())).is_ok(), fits, "{year}");
        }
    }
}
