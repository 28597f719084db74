//! Statements as diesel queries: encoding of parameters and decoding of results, for each engine.

use diesel::{
    deserialize::FromSql,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    result::{Error as DieselError, QueryResult},
    serialize::{self, IsNull, Output, ToSql},
    sql_types::{self as diesel_types, Untyped},
};

use super::statement::{BindKind, Parameter, Part, Statement};
use crate::{Value, value::storage};

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bind {
    pub(crate) value: Value,
    pub(crate) kind: BindKind,
}

/// Several values in one parameter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct List {
    pub(crate) values: Vec<Bind>,
    #[cfg_attr(not(feature = "postgres"), allow(dead_code, reason = "SQLite binds a list as JSON, which has no kind"))]
    pub(crate) kind: BindKind,
}

impl Query for Statement {
    type SqlType = Untyped;
}

impl QueryId for Statement {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

/// The message for text that PostgreSQL cannot store.
pub(crate) const NUL: &str = "text must not contain the character U+0000";

impl Bind {
    /// The kind of the encoded value: an int as a decimal stays exact.
    fn checked_value(&self) -> Result<&Value, BoxError> {
        let nul = match &self.value {
            Value::Text(text) => text.contains('\0'),
            Value::Json(json) => storage::json_has_nul(json),
            _ => false,
        };
        if nul { Err(NUL.into()) } else { Ok(&self.value) }
    }

    fn mismatch(&self) -> BoxError {
        format!("a parameter of kind {:?} is a {}", self.kind, self.value.type_name()).into()
    }
}

#[cfg(feature = "sqlite")]
pub(crate) mod sqlite {
    //! SQLite.

    use diesel::{
        row::{Field, Row},
        sqlite::Sqlite,
    };

    use super::*;
    use crate::sql_types;

    impl Bind {
        fn write_sqlite<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
            match (self.checked_value()?, self.kind) {
                (Value::Null, _) => return Ok(IsNull::Yes),
                (Value::Bool(value), BindKind::Bool) => out.set_value(i32::from(*value)),
                (Value::Int(value), BindKind::Int) => out.set_value(*value),
                (Value::Int(value), BindKind::Float) => out.set_value(*value as f64),
                (Value::Float(value), BindKind::Float) => out.set_value(*value),
                (Value::Decimal(value), BindKind::Decimal { precision, scale }) => {
                    return sql_types::write_decimal(*value, precision, scale, out);
                }
                (Value::Int(value), BindKind::Decimal { precision, scale }) => {
                    return sql_types::write_decimal((*value).into(), precision, scale, out);
                }
                (Value::Text(value), BindKind::Text) => out.set_value(value.as_str()),
                (Value::Uuid(value), BindKind::Uuid) => out.set_value(&value.as_bytes()[..]),
                (Value::Date(value), BindKind::Date) => {
                    let mut text = String::with_capacity(10);
                    storage::write_date(storage::nearest_storable_day(*value), &mut text);
                    out.set_value(text);
                }
                (Value::DateTime(value), BindKind::DateTime) => out.set_value(storage::datetime_text(*value)),
                (Value::Json(value), BindKind::Json) => out.set_value(storage::json_text(value)),
                _ => return Err(self.mismatch()),
            }
            Ok(IsNull::No)
        }

        /// As an element of a JSON list, in which UUIDs are hexadecimal.
        fn json(&self) -> Result<serde_json::Value, BoxError> {
            Ok(match (self.checked_value()?, self.kind) {
                (Value::Null, _) => serde_json::Value::Null,
                (Value::Bool(value), BindKind::Bool) => i32::from(*value).into(),
                (Value::Int(value), BindKind::Int) => (*value).into(),
                (Value::Int(value), BindKind::Float) => (*value as f64).into(),
                (Value::Float(value), BindKind::Float) => (*value).into(),
                (Value::Int(value), BindKind::Decimal { precision, scale }) => decimal_json((*value).into(), precision, scale)?,
                (Value::Decimal(value), BindKind::Decimal { precision, scale }) => decimal_json(*value, precision, scale)?,
                (Value::Text(value), BindKind::Text) => value.as_str().into(),
                (Value::Uuid(value), BindKind::Uuid) => value.simple().to_string().into(),
                (Value::Date(value), BindKind::Date) => value.format("%Y-%m-%d").to_string().into(),
                (Value::DateTime(value), BindKind::DateTime) => storage::datetime_text(*value).into(),
                (Value::Json(value), BindKind::Json) => storage::json_text(value).into(),
                _ => return Err(self.mismatch()),
            })
        }
    }

    /// A decimal that the column cannot store equals no value of the column, so it becomes null.
    fn decimal_json(value: rust_decimal::Decimal, precision: u8, scale: u8) -> Result<serde_json::Value, BoxError> {
        let Some(units) = storage::to_units(value, precision, scale) else { return Ok(serde_json::Value::Null) };
        if precision <= storage::INTEGER_DIGITS {
            return Ok(i64::try_from(units)?.into());
        }
        Ok(storage::ordered_text(units, precision).into())
    }

    macro_rules! to_sql {
        ($($sql:ident)*) => {$(
            impl ToSql<diesel_types::$sql, Sqlite> for Bind {
                fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
                    self.write_sqlite(out)
                }
            }
        )*};
    }

    to_sql!(Integer BigInt Double Text Binary);

    impl ToSql<diesel_types::Text, Sqlite> for List {
        fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
            let list = self.values.iter().map(Bind::json).collect::<Result<Vec<_>, _>>()?;
            out.set_value(serde_json::Value::from(list).to_string());
            Ok(IsNull::No)
        }
    }

    impl QueryFragment<Sqlite> for Statement {
        fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
            if !self.cacheable {
                out.unsafe_to_cache_prepared();
            }
            self.visit_parts(|part| match part {
                Part::Text(text) => {
                    out.push_sql(text);
                    Ok(())
                }
                Part::Parameter(Parameter::Bind(bind)) => match bind.kind {
                    BindKind::Bool => out.push_bind_param::<diesel_types::Integer, _>(bind),
                    BindKind::Int => out.push_bind_param::<diesel_types::BigInt, _>(bind),
                    BindKind::Float => out.push_bind_param::<diesel_types::Double, _>(bind),
                    BindKind::Decimal { precision, .. } if precision <= storage::INTEGER_DIGITS => {
                        out.push_bind_param::<diesel_types::BigInt, _>(bind)
                    }
                    BindKind::Uuid => out.push_bind_param::<diesel_types::Binary, _>(bind),
                    BindKind::Decimal { .. } | BindKind::Text | BindKind::Date | BindKind::DateTime | BindKind::Json => {
                        out.push_bind_param::<diesel_types::Text, _>(bind)
                    }
                },
                Part::Parameter(Parameter::List(list)) => out.push_bind_param::<diesel_types::Text, _>(list),
            })
        }
    }

    /// Decodes a column.
    pub(crate) fn read<'a>(row: &impl Row<'a, Sqlite>, at: usize, kind: BindKind) -> QueryResult<Value> {
        let field = row.get(at).ok_or(DieselError::NotFound)?;
        let Some(mut value) = field.value() else { return Ok(Value::Null) };
        let bad = |error| DieselError::DeserializationError(error);
        Ok(match kind {
            BindKind::Bool => Value::Bool(value.read_long() != 0),
            BindKind::Int => Value::Int(value.read_long()),
            BindKind::Float => Value::Float(value.read_double()),
            BindKind::Decimal { scale, .. } => Value::Decimal(sql_types::read_decimal(value, scale).map_err(bad)?),
            BindKind::Text => Value::Text(value.read_text().to_owned()),
            BindKind::Uuid => Value::Uuid(FromSql::<sql_types::Uuid, Sqlite>::from_sql(value).map_err(bad)?),
            BindKind::Date => match storage::date_from_text(value.read_text()) {
                Some(day) => Value::Date(day),
                None => Value::Date(FromSql::<sql_types::Date, Sqlite>::from_sql(value).map_err(bad)?),
            },
            BindKind::DateTime => Value::DateTime(FromSql::<sql_types::DateTime, Sqlite>::from_sql(value).map_err(bad)?),
            BindKind::Json => Value::Json(FromSql::<sql_types::Json, Sqlite>::from_sql(value).map_err(bad)?),
        })
    }
}

#[cfg(feature = "postgres")]
pub(crate) mod postgres {
    //! PostgreSQL.

    use std::io::Write;

    use diesel::{
        pg::Pg,
        row::{Field, Row},
        sql_types::Array,
    };

    use super::*;
    use crate::sql_types;

    impl Bind {
        fn write_postgres(&self, out: &mut Output<'_, '_, Pg>) -> serialize::Result {
            match (self.checked_value()?, self.kind) {
                (Value::Null, _) => return Ok(IsNull::Yes),
                (Value::Bool(value), BindKind::Bool) => out.write_all(&[u8::from(*value)])?,
                (Value::Int(value), BindKind::Int) => out.write_all(&value.to_be_bytes())?,
                (Value::Int(value), BindKind::Float) => out.write_all(&(*value as f64).to_be_bytes())?,
                (Value::Float(value), BindKind::Float) => out.write_all(&value.to_be_bytes())?,
                (Value::Decimal(value), BindKind::Decimal { .. }) => return write_decimal(*value, out),
                (Value::Int(value), BindKind::Decimal { .. }) => return write_decimal((*value).into(), out),
                (Value::Text(value), BindKind::Text) => out.write_all(value.as_bytes())?,
                (Value::Uuid(value), BindKind::Uuid) => out.write_all(value.as_bytes())?,
                (Value::Date(value), BindKind::Date) => return ToSql::<sql_types::Date, Pg>::to_sql(value, &mut out.reborrow()),
                (Value::DateTime(value), BindKind::DateTime) => {
                    return ToSql::<sql_types::DateTime, Pg>::to_sql(value, &mut out.reborrow());
                }
                (Value::Json(value), BindKind::Json) => return ToSql::<sql_types::Json, Pg>::to_sql(value, &mut out.reborrow()),
                _ => return Err(self.mismatch()),
            }
            Ok(IsNull::No)
        }
    }

    fn write_decimal(value: rust_decimal::Decimal, out: &mut Output<'_, '_, Pg>) -> serialize::Result {
        ToSql::<diesel_types::Numeric, Pg>::to_sql(&sql_types::numeric_from_decimal(value), &mut out.reborrow())
    }

    macro_rules! to_sql {
        ($($sql:ty)*) => {$(
            impl ToSql<$sql, Pg> for Bind {
                fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
                    self.write_postgres(out)
                }
            }

            impl ToSql<Array<$sql>, Pg> for List {
                fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
                    ToSql::<Array<$sql>, Pg>::to_sql(self.values.as_slice(), out)
                }
            }
        )*};
    }

    to_sql! {
        diesel_types::Bool diesel_types::BigInt diesel_types::Double diesel_types::Numeric diesel_types::Text
        diesel_types::Uuid diesel_types::Date diesel_types::Timestamptz diesel_types::Jsonb
    }

    /// Writes a parameter with the SQL type of its kind.
    macro_rules! push {
        ($out:ident, $kind:expr, $bind:expr, $($wrap:ident)?) => {
            match $kind {
                BindKind::Bool => push!(@ $out, $bind, Bool, $($wrap)?),
                BindKind::Int => push!(@ $out, $bind, BigInt, $($wrap)?),
                BindKind::Float => push!(@ $out, $bind, Double, $($wrap)?),
                BindKind::Decimal { .. } => push!(@ $out, $bind, Numeric, $($wrap)?),
                BindKind::Text => push!(@ $out, $bind, Text, $($wrap)?),
                BindKind::Uuid => push!(@ $out, $bind, Uuid, $($wrap)?),
                BindKind::Date => push!(@ $out, $bind, Date, $($wrap)?),
                BindKind::DateTime => push!(@ $out, $bind, Timestamptz, $($wrap)?),
                BindKind::Json => push!(@ $out, $bind, Jsonb, $($wrap)?),
            }
        };
        (@ $out:ident, $bind:expr, $sql:ident, ) => {
            $out.push_bind_param::<diesel_types::$sql, _>($bind)
        };
        (@ $out:ident, $bind:expr, $sql:ident, $wrap:ident) => {
            $out.push_bind_param::<$wrap<diesel_types::$sql>, _>($bind)
        };
    }

    impl QueryFragment<Pg> for Statement {
        fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
            if !self.cacheable {
                out.unsafe_to_cache_prepared();
            }
            self.visit_parts(|part| match part {
                Part::Text(text) => {
                    out.push_sql(text);
                    Ok(())
                }
                Part::Parameter(Parameter::Bind(bind)) => push!(out, bind.kind, bind,),
                Part::Parameter(Parameter::List(list)) => push!(out, list.kind, list, Array),
            })
        }
    }

    /// Decodes a column.
    pub(crate) fn read<'a>(row: &impl Row<'a, Pg>, at: usize, kind: BindKind) -> QueryResult<Value> {
        let field = row.get(at).ok_or(DieselError::NotFound)?;
        let Some(value) = field.value() else { return Ok(Value::Null) };
        let read = match kind {
            BindKind::Bool => FromSql::<diesel_types::Bool, Pg>::from_sql(value).map(Value::Bool),
            BindKind::Int => FromSql::<diesel_types::BigInt, Pg>::from_sql(value).map(Value::Int),
            BindKind::Float => FromSql::<diesel_types::Double, Pg>::from_sql(value).map(Value::Float),
            BindKind::Decimal { .. } => sql_types::decimal_from_numeric(value).map(Value::Decimal),
            BindKind::Text => FromSql::<diesel_types::Text, Pg>::from_sql(value).map(Value::Text),
            BindKind::Uuid => FromSql::<sql_types::Uuid, Pg>::from_sql(value).map(Value::Uuid),
            BindKind::Date => FromSql::<sql_types::Date, Pg>::from_sql(value).map(Value::Date),
            BindKind::DateTime => FromSql::<sql_types::DateTime, Pg>::from_sql(value).map(Value::DateTime),
            BindKind::Json => FromSql::<sql_types::Json, Pg>::from_sql(value).map(Value::Json),
        };
        read.map_err(DieselError::DeserializationError)
    }
}
