//! The SQL type of exact decimals.

use diesel::{
    backend::Backend,
    deserialize::{self, FromSql, Queryable},
    query_builder::QueryId,
    sql_types::{SingleValue, SqlOrd, SqlType, is_nullable},
};

/// An exact decimal of `P` digits in all, `S` of them after the point.
#[derive(Debug, Clone, Copy, Default)]
pub struct Decimal<const P: u8, const S: u8>;

impl<const P: u8, const S: u8> SqlType for Decimal<P, S> {
    type IsNull = is_nullable::NotNull;
}

impl<const P: u8, const S: u8> SingleValue for Decimal<P, S> {}
impl<const P: u8, const S: u8> SqlOrd for Decimal<P, S> {}

impl<const P: u8, const S: u8> QueryId for Decimal<P, S> {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<DB, const P: u8, const S: u8> Queryable<Decimal<P, S>, DB> for rust_decimal::Decimal
where
    DB: Backend,
    rust_decimal::Decimal: FromSql<Decimal<P, S>, DB>,
{
    type Row = Self;

    fn build(row: Self) -> deserialize::Result<Self> {
        Ok(row)
    }
}

/// The result type of diesel's `+ - * /` on decimals: a type without values.
///
/// The stored forms cannot be added in SQL on every engine, so such an expression must not run; compute in Rust. dz's own tables do
/// not need this type; diesel's macro, which applications can use for tables of their own, requires the operators by the name of
/// the type.
#[derive(Debug, Clone, Copy, SqlType)]
pub struct NotInSql;

macro_rules! not_in_sql {
    ($($operator:ident)*) => {$(
        impl<const P: u8, const S: u8> diesel::sql_types::ops::$operator for Decimal<P, S> {
            type Rhs = Self;
            type Output = NotInSql;
        }
    )*};
}

not_in_sql!(Add Sub Mul Div);
