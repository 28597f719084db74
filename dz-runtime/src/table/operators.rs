//! The operators of columns, with the names of diesel's operators. The type of their result ([`Operation`]) contains the types of
//! its parts. The types of diesel's own operators are private, so no trait could distinguish them from other SQL
//! ([`Safe`](crate::scoped::Safe)).
//!
//! The methods are inherent, so that they have precedence over diesel's traits.

use std::{fmt, marker::PhantomData, ops};

use diesel::{
    AppearsOnTable, AsChangeset, BoolExpressionMethods, Expression, ExpressionMethods, Insertable, NullableExpressionMethods, QueryResult,
    SelectableExpression, TextExpressionMethods,
    backend::Backend,
    dsl,
    expression::{AsExpression, ValidGrouping, array_comparison::AsInExpression},
    internal::table_macro::{NullableExpression, ops as numeric},
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::{self, IntoNullable, SingleValue, SqlOrd, SqlType},
};

use super::{Averaged, Column, ColumnDef, Mean, Operand, Operands, Sum, Summable, TableDef};

/// An expression `E` of diesel with the list `P` of its parts. Only the operators of columns create it.
pub struct Operation<E, P> {
    expression: E,
    parts: PhantomData<fn() -> P>,
}

/// The parts of an operator that can fail on a value, such as a division.
#[derive(Debug, Clone, Copy)]
pub struct CanFail<P>(PhantomData<fn() -> P>);

/// An expression in brackets.
#[derive(Debug, Clone, Copy)]
pub struct Enclosed<E>(E);

diesel::infix_operator!(Both, " AND ");
diesel::infix_operator!(Either, " OR ");
diesel::prefix_operator!(Negated, "NOT ");

impl<E, P> Operation<E, P> {
    fn new(expression: E) -> Self {
        Operation { expression, parts: PhantomData }
    }
}

impl<E> Operation<E, ()> {
    /// An expression whose parts are checked already, or that has none.
    pub(crate) fn with_safe_parts(expression: E) -> Self {
        Operation::new(expression)
    }
}

/// The operators of an expression, each with its parts.
macro_rules! operators {
    ([$($generics:tt)*] $type:ty, of $sql:ty, where $($bounds:tt)*) => {
        impl<$($generics)*> $type where $($bounds)* {
            /// Equal.
            pub fn eq<R: Operand<$sql, M>, M>(self, other: R) -> Operation<dsl::Eq<Self, R::Operand>, (Self, R::Operand)> {
                Operation::new(ExpressionMethods::eq(self, other.into_operand()))
            }

            /// Not equal.
            pub fn ne<R: Operand<$sql, M>, M>(self, other: R) -> Operation<dsl::NotEq<Self, R::Operand>, (Self, R::Operand)> {
                Operation::new(ExpressionMethods::ne(self, other.into_operand()))
            }

            /// Greater.
            pub fn gt<R: Operand<$sql, M>, M>(self, other: R) -> Operation<dsl::Gt<Self, R::Operand>, (Self, R::Operand)> {
                Operation::new(ExpressionMethods::gt(self, other.into_operand()))
            }

            /// Greater or equal.
            pub fn ge<R: Operand<$sql, M>, M>(self, other: R) -> Operation<dsl::GtEq<Self, R::Operand>, (Self, R::Operand)> {
                Operation::new(ExpressionMethods::ge(self, other.into_operand()))
            }

            /// Less.
            pub fn lt<R: Operand<$sql, M>, M>(self, other: R) -> Operation<dsl::Lt<Self, R::Operand>, (Self, R::Operand)> {
                Operation::new(ExpressionMethods::lt(self, other.into_operand()))
            }

            /// Less or equal.
            pub fn le<R: Operand<$sql, M>, M>(self, other: R) -> Operation<dsl::LtEq<Self, R::Operand>, (Self, R::Operand)> {
                Operation::new(ExpressionMethods::le(self, other.into_operand()))
            }

            /// Between both bounds, inclusive.
            pub fn between<L, U, M, N>(
                self,
                lower: L,
                upper: U,
            ) -> Operation<dsl::Between<Self, L::Operand, U::Operand>, (Self, L::Operand, U::Operand)>
            where
                L: Operand<$sql, M>,
                U: Operand<$sql, N>,
            {
                Operation::new(ExpressionMethods::between(self, lower.into_operand(), upper.into_operand()))
            }

            /// Equal to one of the values, or to one of the rows of a query.
            pub fn eq_any<R: Operands<$sql, M>, M>(
                self,
                values: R,
            ) -> Operation<dsl::EqAny<Self, R::Operands>, (Self, <R::Operands as AsInExpression<$sql>>::InExpression)> {
                Operation::new(ExpressionMethods::eq_any(self, values.into_operands()))
            }

            /// Different from all of the values, or from all rows of a query.
            pub fn ne_all<R: Operands<$sql, M>, M>(
                self,
                values: R,
            ) -> Operation<dsl::NeAny<Self, R::Operands>, (Self, <R::Operands as AsInExpression<$sql>>::InExpression)> {
                Operation::new(ExpressionMethods::ne_all(self, values.into_operands()))
            }

            /// Null.
            #[allow(clippy::wrong_self_convention, reason = "the method is diesel's")]
            pub fn is_null(self) -> Operation<dsl::IsNull<Self>, (Self,)> {
                Operation::new(ExpressionMethods::is_null(self))
            }

            /// Not null.
            #[allow(clippy::wrong_self_convention, reason = "the method is diesel's")]
            pub fn is_not_null(self) -> Operation<dsl::IsNotNull<Self>, (Self,)> {
                Operation::new(ExpressionMethods::is_not_null(self))
            }

            /// The text matches the pattern.
            pub fn like<R>(self, pattern: R) -> Operation<dsl::Like<Self, R>, CanFail<(Self, R::Expression)>>
            where
                Self: TextExpressionMethods + Expression<SqlType = $sql>,
                R: AsExpression<$sql>,
            {
                Operation::new(TextExpressionMethods::like(self, pattern))
            }

            /// The text does not match the pattern.
            pub fn not_like<R>(self, pattern: R) -> Operation<dsl::NotLike<Self, R>, CanFail<(Self, R::Expression)>>
            where
                Self: TextExpressionMethods + Expression<SqlType = $sql>,
                R: AsExpression<$sql>,
            {
                Operation::new(TextExpressionMethods::not_like(self, pattern))
            }

            /// Both conditions.
            pub fn and<R>(self, other: R) -> Operation<Enclosed<Both<Self, R>>, (Self, R)>
            where
                Self: BoolExpressionMethods,
                R: Expression + BoolExpressionMethods,
            {
                Operation::new(Enclosed(Both::new(self, other)))
            }

            /// At least one of the conditions.
            pub fn or<R>(self, other: R) -> Operation<Enclosed<Either<Self, R>>, (Self, R)>
            where
                Self: BoolExpressionMethods,
                R: Expression + BoolExpressionMethods,
            {
                Operation::new(Enclosed(Either::new(self, other)))
            }

            /// The greatest value.
            pub fn max(self) -> Operation<diesel::helper_types::max<Self>, (Self,)>
            where
                $sql: SqlOrd + IntoNullable<Nullable: SqlType + SingleValue>,
            {
                Operation::new(dsl::max(self))
            }

            /// The smallest value.
            pub fn min(self) -> Operation<diesel::helper_types::min<Self>, (Self,)>
            where
                $sql: SqlOrd + IntoNullable<Nullable: SqlType + SingleValue>,
            {
                Operation::new(dsl::min(self))
            }

            /// The number of values that are not null.
            pub fn count(self) -> Operation<dsl::count<Self>, (Self,)> {
                Operation::new(dsl::count(self))
            }

            /// The sum of the values that are not null; null without one, and beyond the range of its type.
            pub fn sum(self) -> Operation<Sum<Self>, (Self,)>
            where
                $sql: Summable,
            {
                Operation::new(Sum(self))
            }

            /// The mean of the values that are not null; null without one.
            pub fn avg(self) -> Operation<Mean<Self>, (Self,)>
            where
                $sql: Averaged,
            {
                Operation::new(Mean(self))
            }

            /// The same value with a nullable type: for the columns of a left join.
            pub fn nullable(self) -> NullableExpression<Self>
            where
                Self: NullableExpressionMethods,
            {
                NullableExpressionMethods::nullable(self)
            }

            /// Ascending order.
            pub fn asc(self) -> dsl::Asc<Self> {
                ExpressionMethods::asc(self)
            }

            /// Descending order.
            pub fn desc(self) -> dsl::Desc<Self> {
                ExpressionMethods::desc(self)
            }
        }

        impl<$($generics)*> ops::Not for $type where $($bounds)*, Self: BoolExpressionMethods {
            type Output = Operation<Enclosed<Negated<Self>>, (Self,)>;

            fn not(self) -> Self::Output {
                Operation::new(Enclosed(Negated::new(self)))
            }
        }

        operators! { @arithmetic [$($generics)*] $type, $sql, ($($bounds)*), Add add, Sub sub, Mul mul, Div div }
    };

    // A macro cannot repeat the generics for each operator.
    (@arithmetic $generics:tt $type:ty, $sql:ty, $bounds:tt, $($trait:ident $method:ident),*) => {
        $(operators! { @one $generics $type, $sql, $bounds, $trait $method })*
    };
    (@one [$($generics:tt)*] $type:ty, $sql:ty, ($($bounds:tt)*), $trait:ident $method:ident) => {
        impl<$($generics)*, Value> ops::$trait<Value> for $type
        where
            $($bounds)*,
            $sql: sql_types::ops::$trait<Rhs: SqlType + SingleValue>,
            Value: AsExpression<<$sql as sql_types::ops::$trait>::Rhs>,
        {
            type Output = Operation<numeric::$trait<Self, Value::Expression>, CanFail<(Self, Value::Expression)>>;

            fn $method(self, value: Value) -> Self::Output {
                Operation::new(numeric::$trait::new(self, value.as_expression()))
            }
        }
    };
}

operators! { [T, C] Column<T, C>, of C::SqlType, where T: TableDef, C: ColumnDef<T> }
operators! { [E, P] Operation<E, P>, of E::SqlType, where E: Expression, E::SqlType: SqlType + SingleValue }

// diesel's traits, forwarded to the expression.

impl<E: Clone, P> Clone for Operation<E, P> {
    fn clone(&self) -> Self {
        Operation::new(self.expression.clone())
    }
}

impl<E: Copy, P> Copy for Operation<E, P> {}

impl<E: fmt::Debug, P> fmt::Debug for Operation<E, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression.fmt(f)
    }
}

impl<E: Expression, P> Expression for Operation<E, P> {
    type SqlType = E::SqlType;
}

impl<E: AppearsOnTable<QS>, P, QS> AppearsOnTable<QS> for Operation<E, P> {}

impl<E: SelectableExpression<QS>, P, QS> SelectableExpression<QS> for Operation<E, P> {}

impl<E: ValidGrouping<GB>, P, GB> ValidGrouping<GB> for Operation<E, P> {
    type IsAggregate = E::IsAggregate;
}

impl<E: QueryId, P> QueryId for Operation<E, P> {
    type QueryId = E::QueryId;
    const HAS_STATIC_QUERY_ID: bool = E::HAS_STATIC_QUERY_ID;
}

impl<E: QueryFragment<DB>, P, DB: Backend> QueryFragment<DB> for Operation<E, P> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.expression.walk_ast(out)
    }
}

impl<E: AsChangeset, P> AsChangeset for Operation<E, P> {
    type Target = E::Target;
    type Changeset = E::Changeset;

    fn as_changeset(self) -> Self::Changeset {
        self.expression.as_changeset()
    }
}

impl<E: Insertable<T>, P, T> Insertable<T> for Operation<E, P> {
    type Values = E::Values;

    fn values(self) -> Self::Values {
        self.expression.values()
    }
}

impl<E: Expression> Expression for Enclosed<E> {
    type SqlType = E::SqlType;
}

impl<E: AppearsOnTable<QS>, QS> AppearsOnTable<QS> for Enclosed<E> {}

impl<E: SelectableExpression<QS>, QS> SelectableExpression<QS> for Enclosed<E> {}

impl<E: ValidGrouping<GB>, GB> ValidGrouping<GB> for Enclosed<E> {
    type IsAggregate = E::IsAggregate;
}

impl<E: QueryId> QueryId for Enclosed<E> {
    type QueryId = Enclosed<E::QueryId>;
    const HAS_STATIC_QUERY_ID: bool = E::HAS_STATIC_QUERY_ID;
}

impl<E: QueryFragment<DB>, DB: Backend> QueryFragment<DB> for Enclosed<E> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql("(");
        self.0.walk_ast(out.reborrow())?;
        out.push_sql(")");
        Ok(())
    }
}
