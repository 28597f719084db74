//! Typed keys in diesel: a column with the SQL type `Key<Task>` takes and returns `Id<Task>`.

#[cfg(feature = "postgres")]
use diesel::pg::Pg;
#[cfg(feature = "sqlite")]
use diesel::sqlite::Sqlite;
use diesel::{
    backend::Backend,
    deserialize::{self, FromSql, Queryable},
    expression::AsExpression,
    serialize::{self, Output, ToSql},
    sql_types::{HasSqlType, Nullable},
};

use super::{Id, RawKey};
use crate::{
    record::Entity,
    sql_types::{Bound, Key},
};

/// The SQL type of the stored key.
type Stored<E> = <<E as Entity>::RawKey as RawKey>::Sql;

#[cfg(feature = "sqlite")]
impl<E: Entity> HasSqlType<Key<E>> for Sqlite
where
    Sqlite: HasSqlType<Stored<E>>,
{
    fn metadata(lookup: &mut Self::MetadataLookup) -> Self::TypeMetadata {
        <Sqlite as HasSqlType<Stored<E>>>::metadata(lookup)
    }
}

#[cfg(feature = "postgres")]
impl<E: Entity> HasSqlType<Key<E>> for Pg
where
    Pg: HasSqlType<Stored<E>>,
{
    fn metadata(lookup: &mut Self::MetadataLookup) -> Self::TypeMetadata {
        <Pg as HasSqlType<Stored<E>>>::metadata(lookup)
    }
}

impl<E: Entity, DB: Backend> FromSql<Key<E>, DB> for Id<E>
where
    E::RawKey: FromSql<Stored<E>, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        E::RawKey::from_sql(bytes).map(Id)
    }
}

impl<E: Entity, DB: Backend> Queryable<Key<E>, DB> for Id<E>
where
    Id<E>: FromSql<Key<E>, DB>,
{
    type Row = Self;

    fn build(row: Self) -> deserialize::Result<Self> {
        Ok(row)
    }
}

impl<E: Entity, DB: Backend> ToSql<Key<E>, DB> for Id<E>
where
    E::RawKey: ToSql<Stored<E>, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        ToSql::<Stored<E>, DB>::to_sql(&self.0, out)
    }
}

impl<E: Entity, DB: Backend> ToSql<Nullable<Key<E>>, DB> for Id<E>
where
    E::RawKey: ToSql<Stored<E>, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        ToSql::<Stored<E>, DB>::to_sql(&self.0, out)
    }
}

macro_rules! expressions {
    ($([$($lifetime:lifetime)?] $sql:ty, $rust:ty;)*) => {$(
        impl<$($lifetime,)? E: Entity> AsExpression<$sql> for $rust {
            type Expression = Bound<$sql, Self>;

            fn as_expression(self) -> Self::Expression {
                Bound::new(self)
            }
        }
    )*};
}

expressions! {
    [] Key<E>, Id<E>;
    [] Nullable<Key<E>>, Id<E>;
    ['a] Key<E>, &'a Id<E>;
    ['a] Nullable<Key<E>>, &'a Id<E>;
}
