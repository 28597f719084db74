//! Sums and means with the same type on both engines.

#[cfg(feature = "postgres")]
use diesel::pg::Pg;
#[cfg(feature = "sqlite")]
use diesel::sqlite::Sqlite;
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
    const FORM: SumForm;
}

/// How a sum is computed, so that it is null beyond its type on both engines.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumForm {
    /// Whole numbers of 64 bits.
    Int,
    /// Floats.
    Float,
    /// Decimals of 18 digits, with this number of them after the point; SQLite stores them as scaled integers.
    Decimal {
        /// The digits after the point.
        scale: u8,
    },
}

/// An SQL type whose values have a mean.
#[diagnostic::on_unimplemented(message = "values of the SQL type `{Self}` have no mean: divide their sum by their number")]
pub trait Averaged {}

impl Summable for BigInt {
    type Sum = Nullable<BigInt>;
    const FORM: SumForm = SumForm::Int;
}

impl Summable for Double {
    type Sum = Nullable<Double>;
    const FORM: SumForm = SumForm::Float;
}

/// The digits of the sum of decimals.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
const SUM_DIGITS: u8 = 18;

/// SQLite stores these decimals as scaled integers, whose sum has the same scale.
macro_rules! summable_decimals {
    ($($precision:literal)*) => {$(
        impl<const S: u8> Summable for Decimal<$precision, S> {
            type Sum = Nullable<Decimal<18, S>>;
            const FORM: SumForm = SumForm::Decimal { scale: S };
        }
    )*};
}

summable_decimals! { 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 }

impl<ST: Summable + SqlType<IsNull = diesel::sql_types::is_nullable::NotNull>> Summable for Nullable<ST> {
    type Sum = ST::Sum;
    const FORM: SumForm = ST::FORM;
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

/// Writes parts of a statement with the operand between them.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
fn around<'b, E: QueryFragment<DB>, DB: Backend>(operand: &'b E, parts: &[&str], out: &mut AstPass<'_, 'b, DB>) -> QueryResult<()> {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            operand.walk_ast(out.reborrow())?;
        }
        out.push_sql(part);
    }
    Ok(())
}

#[cfg(feature = "sqlite")]
impl<E: QueryFragment<Sqlite> + Expression<SqlType: Summable>> QueryFragment<Sqlite> for Sum<E> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        // The function `sum` of SQLite fails on a result beyond 64 bits.
        const FOLD: &str = "dz_fold('sum:i:i:0', ";
        match <E::SqlType as Summable>::FORM {
            SumForm::Float => around(&self.0, &["SUM(", ")"], &mut out),
            SumForm::Int => {
                around(&self.0, &["CASE COUNT(", ") WHEN 0 THEN NULL ELSE "], &mut out)?;
                around(&self.0, &[FOLD, ") END"], &mut out)
            }
            SumForm::Decimal { .. } => {
                let most = 10_i64.pow(u32::from(SUM_DIGITS)) - 1;
                around(&self.0, &["CASE WHEN COUNT(", ") > 0 AND "], &mut out)?;
                around(&self.0, &[FOLD, &format!(") BETWEEN -{most} AND {most} THEN ")], &mut out)?;
                around(&self.0, &[FOLD, ") END"], &mut out)
            }
        }
    }
}

#[cfg(feature = "postgres")]
impl<E: QueryFragment<Pg> + Expression<SqlType: Summable>> QueryFragment<Pg> for Sum<E> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match <E::SqlType as Summable>::FORM {
            SumForm::Float => around(&self.0, &["SUM(", ")"], &mut out),
            SumForm::Int => {
                let range = format!(") BETWEEN {} AND {} THEN CAST(SUM(", i64::MIN, i64::MAX);
                around(&self.0, &["CASE WHEN SUM(", &range, ") AS BIGINT) END"], &mut out)
            }
            SumForm::Decimal { scale } => {
                let limit = 10_i64.pow(u32::from(SUM_DIGITS.saturating_sub(scale)));
                around(&self.0, &["CASE WHEN ABS(SUM(", &format!(")) < {limit} THEN SUM("), ") END"], &mut out)
            }
        }
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
