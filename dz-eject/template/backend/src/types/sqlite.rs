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
        SqliteType::Long
    }
}

impl<const P: u8, const S: u8> ToSql<Exact<P, S>, Sqlite> for Number<P, S> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(to_units(self.0, S).ok_or_else(|| format!("{} has more than {S} places", self.0))?);
        Ok(IsNull::No)
    }
}

impl<const P: u8, const S: u8> FromSql<Exact<P, S>, Sqlite> for Number<P, S> {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Ok(Number(Decimal::try_from_i128_with_scale(i128::from(value.read_long()), u32::from(S))?))
    }
}

/// A number in units of its last place.
pub(crate) fn to_units(number: Decimal, scale: u8) -> Option<i64> {
    let number = number.normalize();
    let shift = u32::from(scale).checked_sub(number.scale())?;
    i64::try_from(number.mantissa().checked_mul(10_i128.checked_pow(shift)?)?).ok()
}
