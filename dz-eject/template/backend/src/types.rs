//! The values of columns: Rust types that both engines store, and the SQL type of each.
//!
//! | Rust | SQLite | PostgreSQL |
//! |---|---|---|
//! | [`Id`] | 16 bytes | `uuid` |
//! | [`Timestamp`] | text with microseconds and `Z`, whose order is the order of time | `timestamptz` |
//! | [`Number`] | an integer in units of the last place; beyond 18 digits text of a fixed width | `numeric` |
//! | [`Document`] | JSON text with sorted keys | `jsonb` |

#[cfg(feature = "postgres")]
mod postgres;
#[cfg(not(feature = "postgres"))]
mod sqlite;

#[cfg(not(feature = "postgres"))]
pub(crate) use sqlite::{INTEGER_DIGITS, from_ordered_text, ordered_text, to_units};

use chrono::{DateTime, Utc};
use diesel::{
    deserialize::FromSqlRow,
    expression::AsExpression,
    query_builder::QueryId,
    sql_types::{SqlType, is_nullable},
};
use rust_decimal::Decimal;
use serde::{Serialize, Serializer};

/// The SQL types of columns, for `diesel::table!`.
pub mod sql {
    pub use super::{Exact, Identifier, Instant, Json};
}

/// The SQL type of [`Id`].
#[derive(Debug, Clone, Copy, Default, QueryId, SqlType)]
#[diesel(sqlite_type(name = "Binary"))]
#[diesel(postgres_type(oid = 2950, array_oid = 2951))]
pub struct Identifier;

/// The SQL type of [`Timestamp`].
#[derive(Debug, Clone, Copy, Default, QueryId, SqlType)]
#[diesel(sqlite_type(name = "Text"))]
#[diesel(postgres_type(oid = 1184, array_oid = 1185))]
pub struct Instant;

/// The SQL type of [`Document`].
#[derive(Debug, Clone, Copy, Default, QueryId, SqlType)]
#[diesel(sqlite_type(name = "Text"))]
#[diesel(postgres_type(oid = 3802, array_oid = 3807))]
pub struct Json;

/// The SQL type of [`Number`]: `P` digits, `S` of them after the point.
#[derive(Debug, Clone, Copy, Default)]
pub struct Exact<const P: u8, const S: u8>;

impl<const P: u8, const S: u8> SqlType for Exact<P, S> {
    type IsNull = is_nullable::NotNull;
}

impl<const P: u8, const S: u8> diesel::sql_types::SingleValue for Exact<P, S> {}

impl<const P: u8, const S: u8> QueryId for Exact<P, S> {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

/// The key of a row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, AsExpression, FromSqlRow)]
#[diesel(sql_type = Identifier)]
pub struct Id(pub uuid::Uuid);

impl Id {
    /// A new key; keys of this form are in the order of their creation.
    pub fn generate() -> Id {
        Id(uuid::Uuid::now_v7())
    }

    /// Reads the usual form of 36 characters.
    pub fn parse(text: &str) -> Option<Id> {
        uuid::Uuid::try_parse(text).ok().filter(|_| text.len() == 36).map(Id)
    }
}

/// The key of a row of some table.
pub trait RowKey: Clone + std::fmt::Display + Serialize {
    /// Reads a key in an address.
    fn parse(text: &str) -> Option<Self>;

    /// Reads a key in a body.
    fn from_json(json: &serde_json::Value) -> Option<Self> {
        json.as_str().and_then(Self::parse)
    }

    /// The key as a parameter.
    fn value(&self) -> crate::sql::Value;

    /// The key as text, in tables that are not of its entity.
    fn stored(&self) -> String;

    /// The SQL of this text, for the column with the key.
    fn stored_sql(column: &str) -> String;
}

impl RowKey for Id {
    fn parse(text: &str) -> Option<Id> {
        Id::parse(text)
    }

    fn value(&self) -> crate::sql::Value {
        crate::sql::Value::Id(Some(*self))
    }

    fn stored(&self) -> String {
        self.0.simple().to_string()
    }

    fn stored_sql(column: &str) -> String {
        match cfg!(feature = "postgres") {
            true => format!("replace(CAST({column} AS text), '-', '')"),
            false => format!("lower(hex({column}))"),
        }
    }
}

impl RowKey for i64 {
    fn parse(text: &str) -> Option<i64> {
        text.parse().ok()
    }

    fn from_json(json: &serde_json::Value) -> Option<i64> {
        json.as_i64()
    }

    fn value(&self) -> crate::sql::Value {
        crate::sql::Value::Int(Some(*self))
    }

    fn stored(&self) -> String {
        self.to_string()
    }

    fn stored_sql(column: &str) -> String {
        format!("CAST({column} AS text)")
    }
}

impl RowKey for String {
    fn parse(text: &str) -> Option<String> {
        (!text.contains('\0')).then(|| text.to_owned())
    }

    fn value(&self) -> crate::sql::Value {
        crate::sql::Value::Text(Some(self.clone()))
    }

    fn stored(&self) -> String {
        self.clone()
    }

    fn stored_sql(column: &str) -> String {
        column.to_owned()
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.as_hyphenated().fmt(f)
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A time in UTC with microseconds, which is what both engines store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, AsExpression, FromSqlRow)]
#[diesel(sql_type = Instant)]
pub struct Timestamp(pub DateTime<Utc>);

impl Timestamp {
    /// The time, without what is shorter than a microsecond.
    pub fn new(time: DateTime<Utc>) -> Timestamp {
        Timestamp(chrono::SubsecRound::trunc_subsecs(time, 6))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let whole = self.0.timestamp_subsec_micros() == 0;
        let form = if whole { "%Y-%m-%dT%H:%M:%SZ" } else { "%Y-%m-%dT%H:%M:%S%.6fZ" };
        serializer.collect_str(&self.0.format(form))
    }
}

/// An exact number with at most `P` digits, `S` of them after the point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, AsExpression, FromSqlRow)]
#[diesel(sql_type = Exact<P, S>)]
pub struct Number<const P: u8, const S: u8>(pub Decimal);

impl<const P: u8, const S: u8> Serialize for Number<P, S> {
    /// As text with all places, because a JSON number would be read as a float.
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut number = self.0;
        number.rescale(u32::from(S));
        serializer.collect_str(&number)
    }
}

/// Any JSON.
#[derive(Debug, Clone, Default, PartialEq, Serialize, AsExpression, FromSqlRow)]
#[diesel(sql_type = Json)]
#[serde(transparent)]
pub struct Document(pub serde_json::Value);
