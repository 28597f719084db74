//! The SQL types of fields, for the tables of an application (`table`): the same Rust types and the same values on both engines.
//!
//! | Type | Rust | SQLite | PostgreSQL |
//! |---|---|---|---|
//! | [`Uuid`] | `uuid::Uuid` | `BLOB`, 16 bytes | `uuid` |
//! | [`Decimal`] | `rust_decimal::Decimal` | scaled `INTEGER`; beyond 18 digits ordered text | `numeric(p,s)` |
//! | [`DateTime`] | `chrono::DateTime<Utc>` | text with microseconds and `Z` | `timestamptz` |
//! | [`Date`] | `chrono::NaiveDate` | text | `date` |
//! | [`Json`] | `serde_json::Value` | text with sorted keys | `jsonb` |
//! | [`Key<Task>`](Key) | [`Id<Task>`](crate::Id) | as the key | as the key |
//! | [`Text`], [`BigInt`], [`Double`], [`Bool`] | `String`, `i64`, `f64`, `bool` | diesel's own | diesel's own |

mod decimal;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;

pub use decimal::{Decimal, NotInSql};
pub use diesel::sql_types::{BigInt, Bool, Date, Double, Nullable, Text};
#[cfg(feature = "postgres")]
pub(crate) use postgres::{decimal_from_numeric, numeric_from_decimal};
#[cfg(feature = "sqlite")]
pub(crate) use sqlite::{read_decimal, write_decimal};

use std::{fmt, marker::PhantomData};

use diesel::{
    backend::Backend,
    expression::{AsExpression, TypedExpressionType},
    query_builder::QueryId,
    serialize::{self, Output, ToSql},
    sql_types::{SingleValue, SqlOrd, SqlType, is_nullable},
};

/// An identifier of 128 bits.
#[derive(Debug, Clone, Copy, Default, QueryId, SqlType)]
#[diesel(sqlite_type(name = "Binary"))]
#[diesel(postgres_type(oid = 2950, array_oid = 2951))]
pub struct Uuid;

/// A timestamp in UTC with microseconds.
#[derive(Debug, Clone, Copy, Default, QueryId, SqlType)]
#[diesel(sqlite_type(name = "Text"))]
#[diesel(postgres_type(oid = 1184, array_oid = 1185))]
pub struct DateTime;

/// Any JSON.
#[derive(Debug, Clone, Copy, Default, QueryId, SqlType)]
#[diesel(sqlite_type(name = "Text"))]
#[diesel(postgres_type(oid = 3802, array_oid = 3807))]
pub struct Json;

/// The key of a row of `E`, if keys are typed: [`Id<E>`](crate::Id) in Rust.
pub struct Key<E>(PhantomData<fn() -> E>);

impl<E: 'static> SqlType for Key<E> {
    type IsNull = is_nullable::NotNull;
}

impl<E: 'static> SingleValue for Key<E> {}
impl<E: 'static> SqlOrd for Key<E> {}

impl<E: 'static> QueryId for Key<E> {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<E> fmt::Debug for Key<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// The SQL types of an enumeration: text, and nullable text.
pub trait TextType: SqlType + TypedExpressionType {}

impl TextType for Text {}
impl TextType for Nullable<Text> {}

/// A value as a parameter of a statement.
#[doc(hidden)]
pub use diesel::internal::derives::as_expression::Bound;

impl SqlOrd for Uuid {}
impl SqlOrd for DateTime {}

/// Wraps a Rust value for a method of diesel's own traits: `insert_into(tasks).values(tasks::owner.eq(Sql(id)))`.
///
/// diesel lets only the crate of a type implement an expression for it, and `uuid::Uuid` and `rust_decimal::Decimal` belong to
/// neither dz nor diesel. The operators of columns, and reading, need no wrapper; a nullable column takes `Sql(Some(value))`. In derives it is `#[diesel(serialize_as = Sql<uuid::Uuid>)]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sql<T>(pub T);

impl<T> From<T> for Sql<T> {
    fn from(value: T) -> Self {
        Sql(value)
    }
}

impl<T: ToSql<ST, DB>, ST, DB: Backend> ToSql<ST, DB> for Sql<T> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        self.0.to_sql(out)
    }
}

impl<T, ST: SqlType + TypedExpressionType> AsExpression<ST> for Sql<T> {
    type Expression = Bound<ST, T>;

    fn as_expression(self) -> Self::Expression {
        Bound::new(self.0)
    }
}

// diesel implements this for UUIDs only with PostgreSQL.
#[cfg(not(feature = "postgres"))]
impl<DB> diesel::deserialize::Queryable<Uuid, DB> for uuid::Uuid
where
    DB: diesel::backend::Backend,
    uuid::Uuid: diesel::deserialize::FromSql<Uuid, DB>,
{
    type Row = Self;

    fn build(row: Self) -> diesel::deserialize::Result<Self> {
        Ok(row)
    }
}
