//! Sums and means with the same type on both engines.

use diesel::{
    AppearsOnTable, Expression, QueryResult, SelectableExpression,
    backend::Backend,
    expression::{TypedExpressionType, ValidGrouping, is_aggregate},
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::{BigInt, Double, Nullable, SqlType},
};

use crate::sql_types::Decimal;

/// An SQL type whose values can be added.
#[diagnostic::on_unimplemented(
    message = "values of the SQL type `{Self}` cannot be added",
    label = "neither a whole number, a float nor a decimal of at most 18 digits"
)]
pub trait Summable {
    /// The type of the sum, which is null without a value.
    type Sum: SqlType + TypedExpressionType;

    #[doc(hidden)]
    const CAST: Option<&'static str>;
}

/// An SQL type whose values have a mean.
#[diagnostic::on_unimplemented(message = "values of the SQL type `{Self}` have no mean: divide their sum by their number")]
pub trait Averaged {}

impl Summable for BigInt {
    type Sum = Nullable<BigInt>;
    const CAST: Option<&'static str> = Some("BIGINT");
}

impl Summable for Double {
    type Sum = Nullable<Double>;
    const CAST: Option<&'static str> = None;
}

/// SQLite stores these decimals as scaled integers, whose sum has the same scale.
macro_rules! summable_decimals {
    ($($precision:literal)*) => {$(
        impl<const S: u8> Summable for Decimal<$precision, S> {
            type Sum = Nullable<Decimal<18, S>>;
            const CAST: Option<&'static str> = None;
        }
    )*};
}

summable_decimals! { 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 }

impl<ST: Summable + SqlType<IsNull = diesel::sql_types::is_nullable::NotNull>> Summable for Nullable<ST> {
    type Sum = ST::Sum;
    const CAST: Option<&'static str> = ST::CAST;
}

impl Averaged for BigInt {}
impl Averaged for Double {}
impl<ST: Averaged + SqlType<IsNull = diesel::sql_types::is_nullable::NotNull>> Averaged for Nullable<ST> {}

/// The sum of an expression.
#[derive(Debug, Clone, Copy)]
pub struct Sum<E>(pub(super) E);

/// The mean of an expression.
#[derive(Debug, Clone, Copy)]
pub struct Mean<E>(pub(super) E);

impl<E: Expression<SqlType: Summable>> Expression for Sum<E> {
    type SqlType = <E::SqlType as Summable>::Sum;
}

impl<E: Expression<SqlType: Averaged>> Expression for Mean<E> {
    type SqlType = Nullable<Double>;
}

impl<E: QueryFragment<DB> + Expression<SqlType: Summable>, DB: Backend> QueryFragment<DB> for Sum<E> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        let cast = <E::SqlType as Summable>::CAST;
        out.push_sql(if cast.is_some() { "CAST(SUM(" } else { "SUM(" });
        self.0.walk_ast(out.reborrow())?;
        out.push_sql(")");
        if let Some(name) = cast {
            out.push_sql(" AS ");
            out.push_sql(name);
            out.push_sql(")");
        }
        Ok(())
    }
}

impl<E: QueryFragment<DB>, DB: Backend> QueryFragment<DB> for Mean<E> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql("CAST(AVG(");
        self.0.walk_ast(out.reborrow())?;
        out.push_sql(") AS DOUBLE PRECISION)");
        Ok(())
    }
}

macro_rules! aggregates {
    ($($aggregate:ident)*) => {$(
        impl<E> QueryId for $aggregate<E> {
            type QueryId = ();
            const HAS_STATIC_QUERY_ID: bool = false;
        }

        impl<E: AppearsOnTable<QS>, QS> AppearsOnTable<QS> for $aggregate<E> where $aggregate<E>: Expression {}

        impl<E: SelectableExpression<QS>, QS> SelectableExpression<QS> for $aggregate<E> where $aggregate<E>: Expression {}

        impl<E, GB> ValidGrouping<GB> for $aggregate<E> {
            type IsAggregate = is_aggregate::Yes;
        }
    )*};
}

aggregates! { Sum Mean }
