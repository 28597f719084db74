//! Declared formats: the text and the shape of a value that differ from those of its type.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Timelike, Utc};
use rust_decimal::{Decimal, RoundingStrategy};
use url::Url;

use crate::{
    Value,
    def::{AppDef, FieldDef, Format},
    field,
    template::{Cell, Shape},
    texts,
};

/// The data that a format needs in addition to the value.
pub(crate) struct Formatter<'v> {
    /// The application, for its time zone.
    pub app: &'static AppDef,
    /// The current time.
    pub now: DateTime<Utc>,
    /// The field of the value.
    pub field: &'static FieldDef,
    /// The currency beside an amount.
    pub currency: Option<&'v Value>,
}

impl Formatter<'_> {
    /// The value in a format; `plain` is its cell without one.
    pub fn apply(&self, format: Format, value: &Value, plain: Cell) -> Cell {
        let text = match format {
            Format::Short => self.day(value).map(|day| field::format_short_date(day, self.local(self.now).date())),
            Format::Long => self.long(value),
            Format::Relative => return self.relative(value, plain),
            Format::Date => self.day(value).map(field::format_date),
            Format::Time => self.clock(value),
            Format::Month => self.day(value).map(month),
            Format::Year => self.day(value).map(field::year_text),
            Format::Integer => number(value).map(|number| self.amount(grouped(round(number, 0)))),
            Format::Percent => number(value).map(|number| say!("dz-percent", "{number}%", number = grouped(round(number, 2).normalize()))),
            Format::Compact => number(value).map(|number| self.amount(compact(number))),
            Format::YesNo => return Cell { shape: Shape::Text, ..plain },
            Format::Badge => return Cell { shape: Shape::Badge { tone: tone(&plain.shape) }, ..plain },
            Format::Link => return link(plain),
            Format::Code => return Cell { shape: Shape::Code, href: None, ..plain },
            Format::Upper => Some(plain.text.to_uppercase()),
            Format::Lower => Some(plain.text.to_lowercase()),
        };
        match text {
            Some(text) => Cell { text, ..plain },
            None => plain,
        }
    }

    fn local(&self, at: DateTime<Utc>) -> NaiveDateTime {
        at.with_timezone(&field::zone(self.app)).naive_local()
    }

    fn day(&self, value: &Value) -> Option<NaiveDate> {
        match value {
            Value::Date(day) => Some(*day),
            Value::DateTime(at) => Some(self.local(*at).date()),
            _ => None,
        }
    }

    fn clock(&self, value: &Value) -> Option<String> {
        let Value::DateTime(at) = value else { return None };
        let at = self.local(*at);
        Some(format!("{:02}:{:02}", at.hour(), at.minute()))
    }

    fn long(&self, value: &Value) -> Option<String> {
        let day = self.day(value)?;
        let (weekday, _) = texts::weekday(day.weekday().num_days_from_monday());
        let (month, _) = texts::month(day.month0());
        let year = field::year_text(day);
        let whole = say!("dz-long-date", "{weekday}, {day} {month} {year}", weekday = weekday, day = day.day(), month = month, year = year);
        Some(self.clock(value).map_or(whole.clone(), |clock| field::join_time(whole, &clock)))
    }

    fn relative(&self, value: &Value, plain: Cell) -> Cell {
        let (Some(day), Shape::Time(machine)) = (self.day(value), &plain.shape) else { return plain };
        let whole = (day - self.local(self.now).date()).num_days();
        let text = match value {
            Value::DateTime(at) => distance(*at, self.now, whole),
            _ => days(whole),
        };
        Cell { shape: Shape::Relative { machine: machine.clone(), exact: plain.text }, text, href: None }
    }

    /// A number with its currency, if it has one.
    fn amount(&self, text: String) -> String {
        let beside = self.currency.and_then(|currency| if let Value::Text(code) = currency { Some(code.as_str()) } else { None });
        beside.or(self.field.currency).map_or(text.clone(), |code| format!("{text} {code}"))
    }
}

/// A number; `None` for one outside of the range of decimals, which keeps its text.
fn number(value: &Value) -> Option<Decimal> {
    match value {
        Value::Int(number) => Some(Decimal::from(*number)),
        Value::Decimal(number) => Some(*number),
        Value::Float(number) => Decimal::from_f64_retain(*number),
        _ => None,
    }
}

fn month(day: NaiveDate) -> String {
    say!("dz-long-month", "{month} {year}", month = texts::month(day.month0()).0, year = field::year_text(day))
}

fn round(number: Decimal, digits: u32) -> Decimal {
    number.round_dp_with_strategy(digits, RoundingStrategy::MidpointAwayFromZero)
}

fn grouped(number: Decimal) -> String {
    field::display_plain(&Value::Decimal(number), chrono_tz::UTC)
}

/// A number with three digits at most, such as `1.2k`.
fn compact(number: Decimal) -> String {
    const UNITS: [i64; 4] = [1_000, 1_000_000, 1_000_000_000, 1_000_000_000_000];
    let size = number.abs();
    let thousand = Decimal::from(1_000);
    if round(size, 1) < thousand {
        return grouped(round(number, 1).normalize());
    }
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let mut text = String::new();
    for (power, unit) in UNITS.into_iter().enumerate() {
        let scaled = size / Decimal::from(unit);
        let rounded = round(scaled, if scaled < Decimal::from(100) { 1 } else { 0 });
        let number = format!("{sign}{}", grouped(rounded.normalize()));
        text = match power {
            0 => say!("dz-compact-thousand", "{number}k", number = number),
            1 => say!("dz-compact-million", "{number}M", number = number),
            2 => say!("dz-compact-billion", "{number}B", number = number),
            _ => say!("dz-compact-trillion", "{number}T", number = number),
        };
        if rounded < thousand {
            break;
        }
    }
    text
}

/// A unit of a distance in time.
#[derive(Clone, Copy)]
enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// A distance as text: before or after now.
fn sided(ahead: bool, number: i64, unit: Unit) -> String {
    match unit {
        Unit::Minute if ahead => say!("dz-in-minutes", count = number; "in {count} minute", "in {count} minutes"),
        Unit::Minute => say!("dz-minutes-ago", count = number; "{count} minute ago", "{count} minutes ago"),
        Unit::Hour if ahead => say!("dz-in-hours", count = number; "in {count} hour", "in {count} hours"),
        Unit::Hour => say!("dz-hours-ago", count = number; "{count} hour ago", "{count} hours ago"),
        Unit::Day if ahead => say!("dz-in-days", count = number; "in {count} day", "in {count} days"),
        Unit::Day => say!("dz-days-ago", count = number; "{count} day ago", "{count} days ago"),
        Unit::Week if ahead => say!("dz-in-weeks", count = number; "in {count} week", "in {count} weeks"),
        Unit::Week => say!("dz-weeks-ago", count = number; "{count} week ago", "{count} weeks ago"),
        Unit::Month if ahead => say!("dz-in-months", count = number; "in {count} month", "in {count} months"),
        Unit::Month => say!("dz-months-ago", count = number; "{count} month ago", "{count} months ago"),
        Unit::Year if ahead => say!("dz-in-years", count = number; "in {count} year", "in {count} years"),
        Unit::Year => say!("dz-years-ago", count = number; "{count} year ago", "{count} years ago"),
    }
}

/// A distance of whole days.
fn days(distance: i64) -> String {
    let size = distance.saturating_abs();
    let (number, unit) = match size {
        0 => return say!("dz-relative-today", "today").to_owned(),
        1 if distance > 0 => return say!("dz-relative-tomorrow", "tomorrow").to_owned(),
        1 => return say!("dz-relative-yesterday", "yesterday").to_owned(),
        2..=13 => (size, Unit::Day),
        14..=60 => (size / 7, Unit::Week),
        61..=729 => (size * 12 / 365, Unit::Month),
        _ => (size / 365, Unit::Year),
    };
    sided(distance > 0, number, unit)
}

/// A distance from now; `whole` is the number of calendar days.
fn distance(at: DateTime<Utc>, now: DateTime<Utc>, whole: i64) -> String {
    let seconds = (at - now).num_seconds();
    let size = seconds.saturating_abs();
    match size {
        0..=44 => say!("dz-relative-now", "now").to_owned(),
        45..=3_569 => sided(seconds > 0, ((size + 30) / 60).max(1), Unit::Minute),
        3_570..=86_399 => sided(seconds > 0, ((size + 1_800) / 3_600).max(1), Unit::Hour),
        _ => days(whole),
    }
}

/// The colour of a badge: that of the value.
fn tone(shape: &Shape) -> &'static str {
    if let Shape::Choice { tone, .. } = shape {
        return tone;
    }
    if *shape == Shape::Bool(true) { "green" } else { "gray" }
}

/// Text as a link, if it is a web address or a mail address.
fn link(plain: Cell) -> Cell {
    if plain.href.is_some() {
        return plain;
    }
    let text = plain.text.trim();
    let is_web = Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let is_mail = text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
        && !text.chars().any(|c| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '?' | '&' | ':'));
    let href = match (is_web, is_mail) {
        (true, _) => text.to_owned(),
        (false, true) => format!("mailto:{text}"),
        (false, false) => return plain,
    };
    Cell { shape: Shape::Link, href: Some(href), text: plain.text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_short() {
        let short = |text: &str| compact(text.parse().unwrap());
        let cases = [
            ("0", "0"),
            ("-12.34", "-12.3"),
            ("999", "999"),
            ("999.96", "1k"),
            ("1000", "1k"),
            ("1240", "1.2k"),
            ("-1250", "-1.3k"),
            ("123456", "123k"),
            ("999499", "999k"),
            ("999960", "1M"),
            ("3450000000", "3.5B"),
            ("12345678901234567", "12,346T"),
        ];
        for (number, expected) in cases {
            assert_eq!(short(number), expected, "{number}");
        }
    }

    #[test]
    fn distances_are_words() {
        let cases = [(0, "today"), (1, "tomorrow"), (-1, "yesterday"), (3, "in 3 days"), (-13, "13 days ago"), (14, "in 2 weeks")];
        for (distance, expected) in cases.into_iter().chain([(-61, "2 months ago"), (400, "in 13 months"), (-800, "2 years ago")]) {
            assert_eq!(days(distance), expected, "{distance}");
        }
        let now: DateTime<Utc> = "2026-03-12T12:00:00Z".parse().unwrap();
        let at = |text: &str, whole| distance(text.parse().unwrap(), now, whole);
        assert_eq!(at("2026-03-12T12:00:30Z", 0), "now");
        assert_eq!(at("2026-03-12T11:58:50Z", 0), "1 minute ago");
        assert_eq!(at("2026-03-12T14:10:00Z", 0), "in 2 hours");
        assert_eq!(at("2026-03-14T14:10:00Z", 2), "in 2 days");
    }

    #[test]
    fn only_addresses_become_links() {
        let href = |text: &str| link(Cell::text(text)).href;
        assert_eq!(href("https://example.com/a?b=c"), Some("https://example.com/a?b=c".to_owned()));
        assert_eq!(href("ann@example.com"), Some("mailto:ann@example.com".to_owned()));
        for plain in ["javascript:alert(1)", "data:text/html,x", "no address", "ann@host?cc=x@y.z", "https://"] {
            assert_eq!(href(plain), None, "{plain}");
        }
    }
}
