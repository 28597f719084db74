//! The values on the right side of an operator.
//!
//! diesel lets only the crate of a type implement its `AsExpression`, and identifiers, decimals, timestamps and JSON belong to
//! neither dz nor diesel. The operators of columns therefore take an [`Operand`]. `M` distinguishes the two implementations, and the
//! compiler infers it.

use chrono::{DateTime, Utc};
use diesel::{
    Expression,
    expression::{AsExpression, TypedExpressionType, array_comparison::AsInExpression},
    sql_types::{Nullable, SqlType},
};

use crate::sql_types::{self, Bound, Sql};

/// A value of the SQL type `ST`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value of this column: compare the column with the type of its field in the row struct, or with a column",
    label = "the SQL type of the column is `{ST}`"
)]
pub trait Operand<ST, M> {
    /// The value in the query.
    type Operand: Expression<SqlType = ST>;

    #[doc(hidden)]
    fn into_operand(self) -> Self::Operand;
}

/// Several values of the SQL type `ST`, or the rows of a query.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no values of this column: write a list of values, or a scoped query that selects one such column",
    label = "the SQL type of the column is `{ST}`"
)]
pub trait Operands<ST: SqlType, M> {
    /// The values in the query.
    type Operands: AsInExpression<ST>;

    #[doc(hidden)]
    fn into_operands(self) -> Self::Operands;
}

/// A value that diesel can write by itself.
#[derive(Debug, Clone, Copy)]
pub struct OfDiesel;

/// A value of another crate.
#[derive(Debug, Clone, Copy)]
pub struct OfAnotherCrate;

impl<ST, V> Operand<ST, OfDiesel> for V
where
    ST: SqlType + TypedExpressionType,
    V: AsExpression<ST>,
{
    type Operand = V::Expression;

    fn into_operand(self) -> Self::Operand {
        self.as_expression()
    }
}

#[diagnostic::do_not_recommend]
impl<ST, V> Operand<ST, OfAnotherCrate> for V
where
    ST: SqlType + TypedExpressionType,
    V: Foreign<ST>,
{
    type Operand = Bound<ST, V::Stored>;

    fn into_operand(self) -> Self::Operand {
        Bound::new(self.store())
    }
}

#[diagnostic::do_not_recommend]
impl<ST, V> Operands<ST, OfDiesel> for V
where
    V: AsInExpression<ST>,
    ST: SqlType,
{
    type Operands = V;

    fn into_operands(self) -> Self::Operands {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<ST, I> Operands<ST, OfAnotherCrate> for I
where
    ST: SqlType + TypedExpressionType,
    I: IntoIterator<Item: Foreign<ST>>,
{
    type Operands = Vec<Sql<<I::Item as Foreign<ST>>::Stored>>;

    fn into_operands(self) -> Self::Operands {
        self.into_iter().map(|value| Sql(value.store())).collect()
    }
}

/// A type of another crate with the SQL type `ST`.
pub trait Foreign<ST> {
    /// The value as diesel writes it: an `Option` for a nullable type.
    type Stored;

    #[doc(hidden)]
    fn store(self) -> Self::Stored;
}

macro_rules! foreign {
    ($([$($generics:tt)*] $rust:ty = $sql:ty;)*) => {$(
        impl<$($generics)*> Foreign<$sql> for $rust {
            type Stored = Self;

            fn store(self) -> Self {
                self
            }
        }

        impl<$($generics)*> Foreign<Nullable<$sql>> for $rust {
            type Stored = Option<Self>;

            fn store(self) -> Option<Self> {
                Some(self)
            }
        }
    )*};
}

foreign! {
    [] uuid::Uuid = sql_types::Uuid;
    [] DateTime<Utc> = sql_types::DateTime;
    [] serde_json::Value = sql_types::Json;
    [const P: u8, const S: u8] rust_decimal::Decimal = sql_types::Decimal<P, S>;
}
