//! How SQLite stores the values of columns.

use chrono::{NaiveDateTime, Utc};
use diesel::{
    deserialize::{self, FromSql},
    serialize::{self, IsNull, Output, ToSql},
    sql_types::HasSqlType,
    sqlite::{Sqlite, SqliteType, SqliteValue},
};
use rust_decimal::Decimal;

use super::{Document, Exact, Id, Identifier, Instant, Json, Timestamp, Number};

/// The most digits of a number that is stored as an integer.
pub(crate) const INTEGER_DIGITS: u8 = 18;

/// A time as text of a fixed width.
const TIMESTAMP: &str = "%Y-%m-%dT%H:%M:%S%.6fZ";

impl ToSql<Identifier, Sqlite> for Id {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(&self.0.as_bytes()[..]);
        Ok(IsNull::No)
    }
}

impl FromSql<Identifier, Sqlite> for Id {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Ok(Id(uuid::Uuid::from_slice(value.read_blob())?))
    }
}

impl ToSql<Instant, Sqlite> for Timestamp {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.format(TIMESTAMP).to_string());
        Ok(IsNull::No)
    }
}

impl FromSql<Instant, Sqlite> for Timestamp {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        let time = NaiveDateTime::parse_from_str(value.read_text(), "%Y-%m-%dT%H:%M:%S%.fZ")?;
        Ok(Timestamp(time.and_local_timezone(Utc).single().ok_or("a time without a place in UTC")?))
    }
}

impl ToSql<Json, Sqlite> for Document {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.to_string());
        Ok(IsNull::No)
    }
}

impl FromSql<Json, Sqlite> for Document {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Ok(Document(serde_json::from_str(value.read_text())?))
    }
}

impl<const P: u8, const S: u8> HasSqlType<Exact<P, S>> for Sqlite {
    fn metadata(_: &mut ()) -> SqliteType {
        if P > INTEGER_DIGITS { SqliteType::Text } else { SqliteType::Long }
    }
}

impl<const P: u8, const S: u8> ToSql<Exact<P, S>, Sqlite> for Number<P, S> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        let units = to_units(self.0, P, S).ok_or_else(|| format!("{} has more than {P} digits, or {S} places", self.0))?;
        match P > INTEGER_DIGITS {
            true => out.set_value(ordered_text(units, P)),
            false => out.set_value(i64::try_from(units)?),
        }
        Ok(IsNull::No)
    }
}

impl<const P: u8, const S: u8> FromSql<Exact<P, S>, Sqlite> for Number<P, S> {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        let units = match P > INTEGER_DIGITS {
            true => from_ordered_text(value.read_text()).ok_or("a text that is not a stored number")?,
            false => value.read_long().into(),
        };
        Ok(Number(Decimal::try_from_i128_with_scale(units, u32::from(S))?))
    }
}

/// A number in units of its last place; none if it has more digits or places than its column.
pub(crate) fn to_units(number: Decimal, precision: u8, scale: u8) -> Option<i128> {
    let number = number.normalize();
    let shift = u32::from(scale).checked_sub(number.scale())?;
    let units = number.mantissa().checked_mul(10_i128.checked_pow(shift)?)?;
    (units.unsigned_abs() < 10_u128.checked_pow(u32::from(precision))?).then_some(units)
}

/// A number that is too large for an integer, as text whose order is that of the numbers: `1` and the digits, or for a negative number
/// `0` and their complement.
pub(crate) fn ordered_text(units: i128, precision: u8) -> String {
    let width = usize::from(precision);
    let nines = 10_i128.pow(u32::from(precision)) - 1;
    if units < 0 { format!("0{:0width$}", nines + units) } else { format!("1{units:0width$}") }
}

/// Reads the text of [`ordered_text`].
pub(crate) fn from_ordered_text(text: &str) -> Option<i128> {
    let (sign, digits) = text.split_at_checked(1)?;
    let number: i128 = digits.parse().ok()?;
    match sign {
        "1" => Some(number),
        "0" => number.checked_sub(10_i128.checked_pow(u32::try_from(digits.len()).ok()?)?.checked_sub(1)?),
        _ => None,
    }
}
