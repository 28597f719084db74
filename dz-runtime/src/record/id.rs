//! The typed key of an entity: `Id<Task>` is not the key of another entity.

mod sql;

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
};

use diesel::sql_types::{BigInt, SingleValue, SqlType, Text, is_nullable};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use uuid::Uuid;

use super::Entity;
use crate::{Error, FromValue, IntoValue, Result, Value, def::Kind, sql_types};

/// The key of a row of `E`: `Id<Task>`.
///
/// With `keys = "typed"` under `[project]` in `dz.toml`, or as an option of `include_dsl!`, the generated structs, functions and columns
/// have this type for keys and references. The key of another entity is then a compile error.
/// Otherwise they have the type of the stored key, and an application can use `Id` in its own functions.
///
/// In JSON, in addresses and in the database it is the stored key.
pub struct Id<E: Entity>(E::RawKey);

/// The stored type of a key: `Uuid`, `i64` or `String`.
#[diagnostic::on_unimplemented(message = "`{Self}` is not the type of a key", label = "neither `dz::Uuid`, `i64` nor `String`")]
pub trait RawKey:
    sealed::Sealed
    + fmt::Debug
    + fmt::Display
    + FromStr
    + Clone
    + Eq
    + Ord
    + Hash
    + Serialize
    + DeserializeOwned
    + FromValue
    + IntoValue
    + Send
    + Sync
    + 'static
{
    /// Its SQL type.
    type Sql: SqlType<IsNull = is_nullable::NotNull> + SingleValue;

    /// The kind of its field.
    #[doc(hidden)]
    const KIND: Kind;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! raw_keys {
    ($($rust:ty = $sql:ty, $kind:expr;)*) => {$(
        impl sealed::Sealed for $rust {}

        impl RawKey for $rust {
            type Sql = $sql;
            const KIND: Kind = $kind;
        }

        impl<E: Entity<RawKey = $rust>> From<Id<E>> for $rust {
            fn from(id: Id<E>) -> $rust {
                id.0
            }
        }
    )*};
}

raw_keys! {
    Uuid = sql_types::Uuid, Kind::Uuid;
    i64 = BigInt, Kind::Int;
    String = Text, Kind::Text;
}

/// A text that is not a key. As an [`Error`] it is 404, as in the addresses of dz.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidId {
    entity: &'static str,
}

impl fmt::Display for InvalidId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is not the key of a row of {}", self.entity)
    }
}

impl std::error::Error for InvalidId {}

impl From<InvalidId> for Error {
    fn from(_: InvalidId) -> Error {
        Error::not_found()
    }
}

impl<E: Entity> Id<E> {
    /// The key with this stored value. No row needs to have it.
    pub const fn new(raw: E::RawKey) -> Self {
        Id(raw)
    }

    /// The stored value.
    #[must_use]
    pub fn raw(&self) -> E::RawKey {
        self.0.clone()
    }
}

impl<E: Entity> Clone for Id<E> {
    fn clone(&self) -> Self {
        Id(self.0.clone())
    }
}

impl<E: Entity<RawKey: Copy>> Copy for Id<E> {}

impl<E: Entity> PartialEq for Id<E> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<E: Entity> Eq for Id<E> {}

impl<E: Entity> PartialOrd for Id<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E: Entity> Ord for Id<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl<E: Entity> Hash for Id<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<E: Entity> fmt::Debug for Id<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple(E::DEF.name).field(&self.0).finish()
    }
}

impl<E: Entity> fmt::Display for Id<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<E: Entity> FromStr for Id<E> {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        text.parse().map(Id).map_err(|_| InvalidId { entity: E::DEF.name })
    }
}

impl<E: Entity> Serialize for Id<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, E: Entity> Deserialize<'de> for Id<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        E::RawKey::deserialize(deserializer).map(Id)
    }
}

impl<E: Entity> FromValue for Id<E> {
    fn from_value(value: Value) -> Result<Self> {
        E::RawKey::from_value(value).map(Id)
    }
}

impl<E: Entity> IntoValue for Id<E> {
    fn into_value(self) -> Value {
        self.0.into_value()
    }
}
