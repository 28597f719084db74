//! Values of dz's SQL types on SQLite.

use chrono::Utc;
use diesel::{
    deserialize::{self, FromSql},
    serialize::{self, IsNull, Output, ToSql},
    sql_types::HasSqlType,
    sqlite::{Sqlite, SqliteType, SqliteValue},
};

use super::{DateTime, Decimal, Json, Uuid};
use crate::value::storage;

impl ToSql<Uuid, Sqlite> for uuid::Uuid {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(&self.as_bytes()[..]);
        Ok(IsNull::No)
    }
}

impl FromSql<Uuid, Sqlite> for uuid::Uuid {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Ok(uuid::Uuid::from_slice(value.read_blob())?)
    }
}

impl ToSql<DateTime, Sqlite> for chrono::DateTime<Utc> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(storage::datetime_text(*self));
        Ok(IsNull::No)
    }
}

impl FromSql<DateTime, Sqlite> for chrono::DateTime<Utc> {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        let text = value.read_text();
        storage::datetime_from_text(text).ok_or_else(|| format!("`{text}` is not a timestamp").into())
    }
}

impl ToSql<Json, Sqlite> for serde_json::Value {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(storage::json_text(self));
        Ok(IsNull::No)
    }
}

impl FromSql<Json, Sqlite> for serde_json::Value {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Ok(serde_json::from_str(value.read_text())?)
    }
}

impl<const P: u8, const S: u8> HasSqlType<Decimal<P, S>> for Sqlite {
    fn metadata(_: &mut ()) -> SqliteType {
        if P <= storage::INTEGER_DIGITS { SqliteType::Long } else { SqliteType::Text }
    }
}

impl<const P: u8, const S: u8> ToSql<Decimal<P, S>, Sqlite> for rust_decimal::Decimal {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        write_decimal(*self, P, S, out)
    }
}

impl<const P: u8, const S: u8> FromSql<Decimal<P, S>, Sqlite> for rust_decimal::Decimal {
    fn from_sql(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        read_decimal(value, S)
    }
}

/// Writes a decimal as a column of this precision and scale stores it.
pub(crate) fn write_decimal(value: rust_decimal::Decimal, precision: u8, scale: u8, out: &mut Output<'_, '_, Sqlite>) -> serialize::Result {
    let beyond = || format!("{value} {}({precision},{scale})", storage::BEYOND);
    let units = storage::to_units(value, precision, scale).ok_or_else(beyond)?;
    if precision <= storage::INTEGER_DIGITS {
        out.set_value(i64::try_from(units)?);
    } else {
        out.set_value(storage::ordered_text(units, precision).ok_or_else(beyond)?);
    }
    Ok(IsNull::No)
}

/// Reads a decimal from either of its forms.
pub(crate) fn read_decimal(mut value: SqliteValue<'_, '_, '_>, scale: u8) -> deserialize::Result<rust_decimal::Decimal> {
    let units = match value.value_type() {
        Some(SqliteType::Text) => {
            let text = value.read_text();
            if let Some(result) = text.strip_prefix('n') {
                // The result of an operation, see `db::functions`.
                return Ok(result.parse()?);
            }
            storage::from_ordered_text(text).ok_or_else(|| format!("`{text}` is not a stored decimal"))?
        }
        _ => i128::from(value.read_long()),
    };
    storage::from_units(units, scale).ok_or_else(|| format!("{units} units of scale {scale} are out of range").into())
}
