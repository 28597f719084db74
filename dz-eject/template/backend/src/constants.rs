//! Values that the declaration of the application writes as text, and times relative to the present.

use chrono::{Days, Months, NaiveDate, TimeDelta};
use rust_decimal::Decimal;

use crate::{
    sql::Value,
    types::{Timestamp, Number},
};

/// An exact number as a parameter beside a column with these digits.
pub fn number(text: &str, digits: (u8, u8)) -> Value {
    Value::number(Decimal::from_str_exact(text).ok(), digits)
}

/// An exact number.
pub fn exact<const P: u8, const S: u8>(digits: &str) -> Number<P, S> {
    Number(Decimal::from_str_exact(digits).unwrap_or_default())
}

/// A date as a parameter.
pub fn date(text: &str) -> Value {
    Value::Date(text.parse().ok())
}

/// A time as a parameter.
pub fn time(text: &str) -> Value {
    Value::Timestamp(crate::values::timestamp_text(text).ok())
}

/// A date some months and days later; earlier if they are negative.
pub fn days_after(date: NaiveDate, months: i32, days: i64) -> NaiveDate {
    let (length, count) = (Months::new(months.unsigned_abs()), Days::new(days.unsigned_abs()));
    let moved = if months < 0 { date.checked_sub_months(length) } else { date.checked_add_months(length) };
    let moved = moved.and_then(|date| if days < 0 { date.checked_sub_days(count) } else { date.checked_add_days(count) });
    moved.unwrap_or(date)
}

/// A time some seconds later; earlier if they are negative.
pub fn seconds_after(time: Timestamp, seconds: i64) -> Timestamp {
    time.0.checked_add_signed(TimeDelta::seconds(seconds)).map_or(time, Timestamp)
}
