//! Values of dz's SQL types on PostgreSQL.

use std::io::Write;

use chrono::{TimeDelta, Utc};
use diesel::{
    deserialize::{self, FromSql},
    pg::{
        Pg, PgTypeMetadata, PgValue,
        data_types::{PgNumeric, PgTimestamp},
    },
    serialize::{self, IsNull, Output, ToSql},
    sql_types::{HasSqlType, Numeric, Timestamptz},
};

use super::{DateTime, Decimal, Json, Uuid};
use crate::value::storage;

/// Microseconds from 1970 to 2000, the epoch of PostgreSQL.
const EPOCH: i64 = 946_684_800_000_000;

impl ToSql<Uuid, Pg> for uuid::Uuid {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(self.as_bytes())?;
        Ok(IsNull::No)
    }
}

impl FromSql<Uuid, Pg> for uuid::Uuid {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(uuid::Uuid::from_slice(value.as_bytes())?)
    }
}

impl ToSql<DateTime, Pg> for chrono::DateTime<Utc> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        ToSql::<Timestamptz, Pg>::to_sql(&PgTimestamp(self.timestamp_micros() - EPOCH), &mut out.reborrow())
    }
}

impl FromSql<DateTime, Pg> for chrono::DateTime<Utc> {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        let PgTimestamp(micros) = FromSql::<Timestamptz, Pg>::from_sql(value)?;
        micros
            .checked_add(EPOCH)
            .and_then(|micros| chrono::DateTime::UNIX_EPOCH.checked_add_signed(TimeDelta::microseconds(micros)))
            .ok_or_else(|| "a timestamp is out of range".into())
    }
}

impl ToSql<Json, Pg> for serde_json::Value {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(&[1])?;
        serde_json::to_writer(out, &storage::canonical_json(self))?;
        Ok(IsNull::No)
    }
}

impl FromSql<Json, Pg> for serde_json::Value {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        match value.as_bytes() {
            [1, text @ ..] => Ok(storage::canonical_json(&serde_json::from_slice(text)?)),
            _ => Err("unknown form of jsonb".into()),
        }
    }
}

impl<const P: u8, const S: u8> HasSqlType<Decimal<P, S>> for Pg {
    fn metadata(lookup: &mut Self::MetadataLookup) -> PgTypeMetadata {
        <Pg as HasSqlType<Numeric>>::metadata(lookup)
    }
}

impl<const P: u8, const S: u8> ToSql<Decimal<P, S>, Pg> for rust_decimal::Decimal {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        ToSql::<Numeric, Pg>::to_sql(&numeric_from_decimal(*self), &mut out.reborrow())
    }
}

impl<const P: u8, const S: u8> FromSql<Decimal<P, S>, Pg> for rust_decimal::Decimal {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        decimal_from_numeric(value)
    }
}

/// A decimal as PostgreSQL sends it: digits of base 10,000, aligned at the point.
pub(crate) fn numeric_from_decimal(value: rust_decimal::Decimal) -> PgNumeric {
    let scale = value.scale();
    let padding = (4 - scale % 4) % 4;
    let mantissa = value.mantissa().unsigned_abs();
    // Below 2^96, so that there is room for the padding.
    let mut rest = mantissa * 10_u128.pow(padding);
    let mut digits = Vec::new();
    while rest > 0 {
        digits.push((rest % 10_000) as i16);
        rest /= 10_000;
    }
    digits.reverse();
    let after_point = ((scale + padding) / 4) as i16;
    let weight = digits.len() as i16 - after_point - 1;
    let scale = scale as u16;
    if value.is_sign_negative() && mantissa != 0 {
        PgNumeric::Negative { weight, scale, digits }
    } else {
        PgNumeric::Positive { weight, scale, digits }
    }
}

/// Reads a `numeric` of at most 28 digits.
pub(crate) fn decimal_from_numeric(value: PgValue<'_>) -> deserialize::Result<rust_decimal::Decimal> {
    let (negative, weight, scale, digits) = match FromSql::<Numeric, Pg>::from_sql(value)? {
        PgNumeric::Positive { weight, scale, digits } => (false, weight, scale, digits),
        PgNumeric::Negative { weight, scale, digits } => (true, weight, scale, digits),
        PgNumeric::NaN => return Err("`NaN` is not a decimal".into()),
    };
    let out_of_range = || deserialize::Result::Err("a decimal is out of range".into());
    let mut units: i128 = 0;
    for digit in &digits {
        let Some(next) = units.checked_mul(10_000).and_then(|units| units.checked_add(i128::from(*digit))) else {
            return out_of_range();
        };
        units = next;
    }
    let places = 4 * (digits.len() as i32 - i32::from(weight) - 1);
    let shift = i32::from(scale) - places;
    let power = 10_i128.checked_pow(shift.unsigned_abs());
    let units = if shift >= 0 { power.and_then(|power| units.checked_mul(power)) } else { power.map(|power| units / power) };
    let Some(units) = units else { return out_of_range() };
    match rust_decimal::Decimal::try_from_i128_with_scale(if negative { -units } else { units }, u32::from(scale)) {
        Ok(decimal) => Ok(decimal),
        Err(_) => out_of_range(),
    }
}
