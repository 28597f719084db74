//! Values of requests: how each type is written in JSON and in queries, and the checks of formats.

use chrono::{DateTime, Datelike, NaiveDate, Offset, TimeZone, Utc};
use rust_decimal::Decimal;
use serde_json::{Value as Json, value::RawValue};

use crate::types::{Document, Id, Timestamp, Number};

/// A value, or null.
pub type Parsed<T> = Result<Option<T>, Invalid>;

/// Why a value is refused: the message at its field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Invalid {
    /// It has the wrong form, whatever the row is.
    Form(String),
    /// The field cannot have it. This is checked when the row was found.
    Content(String),
}

impl From<String> for Invalid {
    fn from(message: String) -> Invalid {
        Invalid::Form(message)
    }
}

/// A closed set of texts.
pub trait Choice: Sized + Copy + PartialEq + 'static {
    /// All values with their texts, in the declared order.
    const ALL: &'static [(&'static str, Self)];

    /// The value with this text.
    fn parse(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(name, _)| *name).collect();
            format!("must be one of {}", names.join(", "))
        })
    }

    /// Its text.
    fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(_, value)| *value == self).map_or("", |(name, _)| name)
    }
}

pub(crate) fn json(raw: &RawValue) -> Result<Json, String> {
    // The text is well-formed JSON, so the error is a number beyond all floats, or too much nesting.
    serde_json::from_str(raw.get()).map_err(|_| "is out of range".to_owned())
}

/// Reads a JSON text and converts it.
fn from_text<T, E: Into<Invalid>>(raw: &RawValue, form: &str, convert: impl FnOnce(&str) -> Result<T, E>) -> Parsed<T> {
    match json(raw)? {
        Json::Null => Ok(None),
        Json::String(text) => convert(&text).map(Some).map_err(Into::into),
        _ => Err(form.to_owned().into()),
    }
}

/// Text without U+0000, which PostgreSQL cannot store.
fn check_nul(text: &str) -> Result<(), Invalid> {
    match text.contains('\0') {
        true => Err(Invalid::Content("must not contain the character U+0000".to_owned())),
        false => Ok(()),
    }
}

/// Text.
pub fn text(raw: &RawValue) -> Parsed<String> {
    from_text(raw, "must be text", |text| check_nul(text).map(|()| text.to_owned()))
}

/// A mail address in its stored form.
pub fn email(raw: &RawValue) -> Parsed<String> {
    from_text(raw, "must be text", |text| check_nul(text).map(|()| stored_email(text)))
}

/// A mail address as it is stored: accounts are found by it, ignoring case.
pub fn stored_email(text: &str) -> String {
    text.trim().to_lowercase()
}

/// One of the texts of a closed set.
pub fn choice<T: Choice>(raw: &RawValue) -> Parsed<T> {
    from_text(raw, "must be text", |text| check_nul(text).and_then(|()| T::parse(text).map_err(Invalid::Content)))
}

/// A key.
pub fn id(raw: &RawValue) -> Parsed<Id> {
    from_text(raw, "must be an identifier as text", id_text)
}

/// A key in a query.
pub fn id_text(text: &str) -> Result<Id, String> {
    Id::parse(text).ok_or_else(|| "is not an identifier".to_owned())
}

/// True or false.
pub fn boolean(raw: &RawValue) -> Parsed<bool> {
    match json(raw)? {
        Json::Null => Ok(None),
        Json::Bool(value) => Ok(Some(value)),
        _ => Err("must be true or false".to_owned().into()),
    }
}

/// True or false in a query.
pub fn boolean_text(text: &str) -> Result<bool, String> {
    match text {
        "true" | "on" | "1" | "yes" => Ok(true),
        "false" | "off" | "0" | "no" => Ok(false),
        _ => Err("must be true or false".to_owned()),
    }
}

/// A whole number.
pub fn int(raw: &RawValue) -> Parsed<i64> {
    match raw.get() {
        "null" => Ok(None),
        number if number.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => Ok(int_text(number).map(Some)?),
        _ => Err("must be a whole number".to_owned().into()),
    }
}

/// A whole number in a query.
pub fn int_text(text: &str) -> Result<i64, String> {
    let text = text.trim();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    text.parse().map_err(|_| match !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()) {
        true => format!("must be a whole number from {} to {}", i64::MIN, i64::MAX),
        false => "must be a whole number".to_owned(),
    })
}

/// A float.
pub fn float(raw: &RawValue) -> Parsed<f64> {
    match json(raw)? {
        Json::Null => Ok(None),
        Json::Number(number) => match number.as_f64().filter(|number| number.is_finite()) {
            // Negative zero becomes zero.
            Some(number) => Ok(Some(number + 0.0)),
            None => Err("must be a finite number".to_owned().into()),
        },
        _ => Err("must be a number".to_owned().into()),
    }
}

/// A float in a query.
pub fn float_text(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.map(|number| number + 0.0).ok_or_else(|| "must be a number".to_owned())
}

/// An exact number, as text or as a JSON number. It is never rounded.
pub fn number<const P: u8, const S: u8>(raw: &RawValue) -> Parsed<Number<P, S>> {
    let written = raw.get();
    let number = match written.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        true => number_text(written).map(Some).map_err(Invalid::Form),
        false => from_text(raw, "must be a decimal as text, for example \"48.50\"", number_text),
    }?;
    let Some(number) = number else { return Ok(None) };
    check_digits(number, P, S).map_err(Invalid::Content)?;
    Ok(Some(Number(number)))
}

/// An exact number in a query.
pub fn number_text(text: &str) -> Result<Decimal, String> {
    let plain = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_plain = plain.len() <= 40 && plain.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    match Decimal::from_str_exact(text.strip_prefix('+').unwrap_or(text)) {
        Ok(number) if is_plain && plain.bytes().any(|b| b.is_ascii_digit()) => Ok(number),
        _ => Err("must be a decimal, for example 48.50".to_owned()),
    }
}

/// Refuses numbers with more digits than a column has.
pub fn check_digits(number: Decimal, precision: u8, scale: u8) -> Result<(), String> {
    let number = number.normalize();
    if number.scale() > u32::from(scale) {
        return Err(match scale {
            0 => "must be a whole number".to_owned(),
            1 => "may have at most one decimal, for example 48.5".to_owned(),
            n => format!("may have at most {n} decimals, for example 48.5{}", "0".repeat(usize::from(n) - 1)),
        });
    }
    let whole = number.trunc().abs().to_string();
    let allowed = usize::from(precision - scale);
    if whole.trim_start_matches('0').len() > allowed {
        return Err(format!("may have at most {allowed} digits before the point"));
    }
    Ok(())
}

/// An amount of money in the currency of its field.
pub fn money<const P: u8, const S: u8>(raw: &RawValue, currency: &str) -> Parsed<Number<P, S>> {
    let form = || Err(format!("must be an amount such as {{\"amount\":\"48.50\",\"currency\":\"{currency}\"}}").into());
    let members = match json(raw)? {
        Json::Null => return Ok(None),
        Json::Object(members) if members.keys().all(|name| matches!(name.as_str(), "amount" | "currency")) => members,
        _ => return form(),
    };
    match (members.get("amount"), members.get("currency")) {
        (Some(_), Some(Json::String(other))) if other != currency => {
            Err(format!("must be an amount in {currency}, not in {other}").into())
        }
        (Some(Json::String(amount)), Some(Json::String(_))) => {
            let number = number_text(amount)?;
            check_digits(number, P, S).map_err(Invalid::Content)?;
            Ok(Some(Number(number)))
        }
        _ => form(),
    }
}

/// An amount of money in a response.
pub fn money_json<const P: u8, const S: u8>(number: Option<Number<P, S>>, currency: &str) -> Json {
    number.map_or(Json::Null, |number| serde_json::json!({ "amount": number, "currency": currency }))
}

/// A date.
pub fn date(raw: &RawValue) -> Parsed<NaiveDate> {
    from_text(raw, "must be a date as text, for example \"2026-01-31\"", date_text)
}

/// A date in a query.
pub fn date_text(text: &str) -> Result<NaiveDate, String> {
    let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|_| text.len() == 10);
    date.filter(is_storable).ok_or_else(|| "must be a date, for example 2026-01-31".to_owned())
}

fn is_storable(date: &NaiveDate) -> bool {
    (1..=9999).contains(&date.year())
}

/// A time.
pub fn timestamp(raw: &RawValue) -> Parsed<Timestamp> {
    from_text(raw, "must be a timestamp as text, for example \"2026-01-31T09:30:00Z\"", timestamp_text)
}

/// A time in a query.
pub fn timestamp_text(text: &str) -> Result<Timestamp, String> {
    let time = DateTime::parse_from_rfc3339(text).map(|time| time.with_timezone(&Utc)).ok();
    let time = time.filter(|time| is_storable(&time.date_naive()) && time.timestamp_subsec_nanos() < 1_000_000_000);
    time.map(Timestamp::new).ok_or_else(|| "must be a timestamp, for example 2026-01-31T09:30:00Z".to_owned())
}

/// A time in a query, with an offset or in the time zone of the application. A time that the zone skips becomes a later one; an
/// ambiguous time is the earlier one.
pub fn moment_text(text: &str) -> Result<Timestamp, String> {
    let wrong = || "must be a date and a time, for example 2026-01-31T09:30".to_owned();
    if let Ok(time) = timestamp_text(text) {
        return Ok(time);
    }
    let zone: chrono_tz::Tz = crate::APP_ZONE.parse().unwrap_or_default();
    let text = text.replace(' ', "T");
    let forms = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%.f"];
    let local = forms.iter().find_map(|form| chrono::NaiveDateTime::parse_from_str(&text, form).ok()).ok_or_else(wrong)?;
    let known = |local: chrono::NaiveDateTime| zone.from_local_datetime(&local).earliest();
    let skipped = || {
        let before = (1..=97).filter_map(|quarter| local.checked_sub_signed(chrono::TimeDelta::minutes(15 * quarter)));
        let offset = before.filter_map(|local| zone.from_local_datetime(&local).latest()).map(|time| time.offset().fix()).next()?;
        offset.from_local_datetime(&local).single().map(|time| time.with_timezone(&zone))
    };
    let time = known(local).or_else(skipped).map(|time| time.with_timezone(&Utc)).filter(|time| is_storable(&time.date_naive()));
    time.map(Timestamp::new).ok_or_else(wrong)
}

/// Any JSON.
pub fn document(raw: &RawValue) -> Parsed<Document> {
    match json(raw)? {
        Json::Null => Ok(None),
        value if has_nul(&value) => Err(Invalid::Content("must not contain the character U+0000".to_owned())),
        value => Ok(Some(Document(value))),
    }
}

fn has_nul(value: &Json) -> bool {
    match value {
        Json::String(text) => text.contains('\0'),
        Json::Array(items) => items.iter().any(has_nul),
        Json::Object(members) => members.iter().any(|(key, value)| key.contains('\0') || has_nul(value)),
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}

/// At most so many characters.
pub fn check_length(text: &str, most: usize) -> Result<(), String> {
    match text.chars().count() > most {
        true => Err(format!("must have at most {most} characters")),
        false => Ok(()),
    }
}

/// Refuses a required text without a visible character.
pub fn check_visible(text: &str) -> Result<(), String> {
    match text.chars().all(|c| c.is_whitespace() || is_shapeless(c)) {
        true => Err("is required".to_owned()),
        false => Ok(()),
    }
}

fn is_shapeless(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}')
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}')
        || matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{E0000}'..='\u{E0FFF}')
}

/// A mail address within the limits of RFC 5321: a local part, one `@`, a domain.
pub fn check_email(text: &str) -> Result<(), String> {
    let wrong = || "must be a mail address, for example ann@example.com".to_owned();
    let (local, domain) = text.rsplit_once('@').ok_or_else(wrong)?;
    let is_atom = |c: char| c.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~.-".contains(c);
    let local_fits = (1..=64).contains(&local.len())
        && local.chars().all(is_atom)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..");
    let label_fits = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    let fits = text.len() <= 254 && domain.len() <= 253 && local_fits && domain.split('.').all(label_fits);
    if fits { Ok(()) } else { Err(wrong()) }
}

/// A web address without a password and without anything that a browser would have to correct.
pub fn check_url(text: &str) -> Result<(), String> {
    let has_scheme = text.split_once("://").is_some_and(|(scheme, _)| matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https"));
    let is_whole = text.len() <= 2_048 && !text.chars().any(|c| c.is_whitespace() || c.is_control() || c == '\\');
    let is_plain = |url: &url::Url| url.has_host() && url.username().is_empty() && url.password().is_none();
    match has_scheme && is_whole && url::Url::parse(text).is_ok_and(|url| is_plain(&url)) {
        true => Ok(()),
        false => Err("must be a web address, for example https://example.com".to_owned()),
    }
}

/// Small letters, digits and hyphens.
pub fn check_slug(text: &str) -> Result<(), String> {
    match !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
        true => Ok(()),
        false => Err("may contain only the letters a to z, digits and hyphens".to_owned()),
    }
}

/// The name of a time zone.
pub fn check_timezone(text: &str) -> Result<(), String> {
    text.parse::<chrono_tz::Tz>().map(drop).map_err(|_| "must be a time zone, for example Europe/Lisbon".to_owned())
}

/*IF FILES*//// An upload: its response, or its `id` as text.
pub fn upload(raw: &RawValue) -> Parsed<Document> {
    let form = || "must be the response of an upload, or its `id` as text".to_owned();
    let value = match json(raw)? {
        Json::Null => return Ok(None),
        Json::String(id) => serde_json::json!({ "id": id }),
        value => value,
    };
    let is_known = |name: &String| matches!(name.as_str(), "id" | "name" | "size" | "type" | "url");
    let id = value.as_object().filter(|members| members.keys().all(is_known)).and_then(|members| members.get("id"));
    match id.and_then(Json::as_str).and_then(Id::parse) {
        Some(_) => Ok(Some(Document(value))),
        None => Err(form().into()),
    }
}

/// The name of a file, as the cell of a table has it.
pub fn file_of_table(raw: &RawValue) -> Parsed<Document> {
    document(raw)
}

/// A stored file with the address of its content.
pub fn file(stored: Option<&Document>, table: &str, key: &impl std::fmt::Display, field: &str) -> Json {
    let mut file = stored.map_or(Json::Null, |stored| stored.0.clone());
    if let Some(members) = file.as_object_mut() {
        let key: String = url::form_urlencoded::byte_serialize(key.to_string().as_bytes()).collect();
        let key = key.replace('+', "%20");
        members.insert("url".to_owned(), format!("/files/{table}/{key}/{field}").into());
    }
    file
}
/*END FILES*/