//! How PostgreSQL sends and receives the values of columns.

use std::io::Write;

use chrono::TimeDelta;
use diesel::{
    deserialize::{self, FromSql},
    pg::{
        Pg, PgTypeMetadata, PgValue,
        data_types::{PgNumeric, PgTimestamp},
    },
    serialize::{self, IsNull, Output, ToSql},
    sql_types::{HasSqlType, Numeric, Timestamptz},
};
use rust_decimal::Decimal;

use super::{Document, Exact, Id, Identifier, Instant, Json, Timestamp, Number};

/// Microseconds from 1970 to 2000, the epoch of PostgreSQL.
const EPOCH: i64 = 946_684_800_000_000;

impl ToSql<Identifier, Pg> for Id {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(self.0.as_bytes())?;
        Ok(IsNull::No)
    }
}

impl FromSql<Identifier, Pg> for Id {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Id(uuid::Uuid::from_slice(value.as_bytes())?))
    }
}

impl ToSql<Instant, Pg> for Timestamp {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let time = PgTimestamp(self.0.timestamp_micros() - EPOCH);
        ToSql::<Timestamptz, Pg>::to_sql(&time, &mut out.reborrow())
    }
}

impl FromSql<Instant, Pg> for Timestamp {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        let PgTimestamp(micros) = FromSql::<Timestamptz, Pg>::from_sql(value)?;
        let time = micros.checked_add(EPOCH).map(TimeDelta::microseconds);
        let time = time.and_then(|since| chrono::DateTime::UNIX_EPOCH.checked_add_signed(since));
        time.map(Timestamp).ok_or_else(|| "a time is out of range".into())
    }
}

impl ToSql<Json, Pg> for Document {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        // The version of the binary form of `jsonb`.
        out.write_all(&[1])?;
        serde_json::to_writer(out, &self.0)?;
        Ok(IsNull::No)
    }
}

impl FromSql<Json, Pg> for Document {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        match value.as_bytes() {
            [1, text @ ..] => Ok(Document(serde_json::from_slice(text)?)),
            _ => Err("an unknown form of jsonb".into()),
        }
    }
}

impl<const P: u8, const S: u8> HasSqlType<Exact<P, S>> for Pg {
    fn metadata(lookup: &mut Self::MetadataLookup) -> PgTypeMetadata {
        <Pg as HasSqlType<Numeric>>::metadata(lookup)
    }
}

impl<const P: u8, const S: u8> ToSql<Exact<P, S>, Pg> for Number<P, S> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        ToSql::<Numeric, Pg>::to_sql(&numeric(self.0), &mut out.reborrow())
    }
}

impl<const P: u8, const S: u8> FromSql<Exact<P, S>, Pg> for Number<P, S> {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        let (negative, weight, scale, digits) = match FromSql::<Numeric, Pg>::from_sql(value)? {
            PgNumeric::Positive { weight, scale, digits } => (false, weight, scale, digits),
            PgNumeric::Negative { weight, scale, digits } => (true, weight, scale, digits),
            PgNumeric::NaN => return Err("`NaN` is not a number of this column".into()),
        };
        let units = digits.iter().try_fold(0_i128, |units, digit| units.checked_mul(10_000)?.checked_add(i128::from(*digit)));
        let places = 4 * (digits.len() as i32 - i32::from(weight) - 1);
        let shift = i32::from(scale) - places;
        let power = 10_i128.checked_pow(shift.unsigned_abs());
        let units = match shift {
            0.. => units.zip(power).and_then(|(units, power)| units.checked_mul(power)),
            _ => units.zip(power).map(|(units, power)| units / power),
        };
        let units = units.ok_or("a number is out of range")?;
        let number = Decimal::try_from_i128_with_scale(if negative { -units } else { units }, u32::from(scale))?;
        Ok(Number(number))
    }
}

/// A number as PostgreSQL sends it: digits of base 10,000, aligned at the point.
fn numeric(value: Decimal) -> PgNumeric {
    let scale = value.scale();
    let padding = (4 - scale % 4) % 4;
    let mantissa = value.mantissa().unsigned_abs();
    // Below 2^96, so that the padding has room.
    let mut rest = mantissa * 10_u128.pow(padding);
    let mut digits = Vec::new();
    while rest > 0 {
        digits.push((rest % 10_000) as i16);
        rest /= 10_000;
    }
    digits.reverse();
    let weight = digits.len() as i16 - ((scale + padding) / 4) as i16 - 1;
    let scale = scale as u16;
    if value.is_sign_negative() && mantissa != 0 {
        PgNumeric::Negative { weight, scale, digits }
    } else {
        PgNumeric::Positive { weight, scale, digits }
    }
}
