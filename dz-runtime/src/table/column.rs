//! The columns of all tables, with one implementation of diesel's traits.

use std::{fmt, marker::PhantomData};

use diesel::{
    AppearsOnTable, EqAll, Expression, QueryResult, SelectableExpression,
    backend::Backend,
    dsl::Eq,
    expression::{
        AsExpression, IsContainedInGroupBy, ValidGrouping, expression_types::NotSelectable, is_aggregate, is_contained_in_group_by,
    },
    internal::table_macro::{FromClause, Inner, Join, JoinOn, LeftOuter, Pick, SelectStatement},
    query_builder::{AstPass, QueryFragment, QueryId},
    query_source::{AppearsInFromClause, Never, Once, QuerySource},
    sql_types::Bool,
};

use super::{
    ColumnDef, TableDef,
    grouping::{Contained, Same, SameTable},
};

/// A column of the table `T` with the description `C`. In a schema, the type and its only value have the same name:
/// `tasks::title`.
pub struct Column<T, C>(PhantomData<fn() -> (T, C)>);

/// `table.*`, for counting; it cannot be selected.
pub struct Star<T>(PhantomData<fn() -> T>);

impl<T, C> Column<T, C> {
    /// The column.
    #[must_use]
    pub const fn new() -> Self {
        Column(PhantomData)
    }
}

impl<T> Star<T> {
    /// All columns.
    #[must_use]
    pub const fn new() -> Self {
        Star(PhantomData)
    }
}

impl<T, C> Clone for Column<T, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, C> Copy for Column<T, C> {}

impl<T, C> Default for Column<T, C> {
    fn default() -> Self {
        Column::new()
    }
}

impl<T: 'static, C: ColumnDef<T>> fmt::Debug for Column<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(C::NAME)
    }
}

impl<T: 'static, C: 'static> QueryId for Column<T, C> {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<T: TableDef, C: ColumnDef<T>> Expression for Column<T, C> {
    type SqlType = C::SqlType;
}

impl<T: TableDef, C: ColumnDef<T>> diesel::Column for Column<T, C> {
    type Table = T;
    const NAME: &'static str = C::NAME;
}

// Both names are written as identifiers, so a column cannot contain other SQL.
impl<T: TableDef, C: ColumnDef<T>, DB: Backend> QueryFragment<DB> for Column<T, C> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        qualify::<T, DB>(&mut out)?;
        out.push_identifier(C::NAME)
    }
}

/// Writes the name of the table and a point, if the statement needs them.
fn qualify<T: TableDef, DB: Backend>(out: &mut AstPass<'_, '_, DB>) -> QueryResult<()> {
    if !out.should_skip_from() {
        out.push_identifier(T::NAME)?;
        out.push_sql(".");
    }
    Ok(())
}

// Where a column can be selected, and where it can appear in a condition.

impl<T: TableDef, C: ColumnDef<T>, QS> AppearsOnTable<QS> for Column<T, C> where QS: AppearsInFromClause<T, Count = Once> {}

impl<T: TableDef, C: ColumnDef<T>> SelectableExpression<T> for Column<T, C> {}

impl<T: TableDef, C: ColumnDef<T>, Left, Right> SelectableExpression<Join<Left, Right, LeftOuter>> for Column<T, C>
where
    Self: AppearsOnTable<Join<Left, Right, LeftOuter>> + SelectableExpression<Left>,
    Left: QuerySource,
    // A column from the right side of such a join must be `nullable()`.
    Right: AppearsInFromClause<T, Count = Never> + QuerySource,
{
}

impl<T: TableDef, C: ColumnDef<T>, Left, Right> SelectableExpression<Join<Left, Right, Inner>> for Column<T, C>
where
    Self: AppearsOnTable<Join<Left, Right, Inner>> + SelectableExpression<<(Left::Count, Right::Count) as Pick<Left, Right>>::Selection>,
    Left: AppearsInFromClause<T> + QuerySource,
    Right: AppearsInFromClause<T> + QuerySource,
    (Left::Count, Right::Count): Pick<Left, Right>,
{
}

impl<T: TableDef, C: ColumnDef<T>, Source, On> SelectableExpression<JoinOn<Source, On>> for Column<T, C> where
    Self: SelectableExpression<Source> + AppearsOnTable<JoinOn<Source, On>>
{
}

impl<T: TableDef, C: ColumnDef<T>, From: QuerySource> SelectableExpression<SelectStatement<FromClause<From>>> for Column<T, C> where
    Self: SelectableExpression<From> + AppearsOnTable<SelectStatement<FromClause<From>>>
{
}

// Grouped queries.

impl<T: TableDef, C: ColumnDef<T>> ValidGrouping<()> for Column<T, C> {
    type IsAggregate = is_aggregate::No;
}

impl<T: TableDef, C: ColumnDef<T>, GroupBy> ValidGrouping<GroupBy> for Column<T, C>
where
    GroupBy: IsContainedInGroupBy<Column<T, C>, Output = is_contained_in_group_by::Yes>,
{
    type IsAggregate = is_aggregate::Yes;
}

impl<T, C, U, D> IsContainedInGroupBy<Column<U, D>> for Column<T, C>
where
    T: TableDef + SameTable<U>,
    C: ColumnDef<T>,
    D: ColumnDef<U>,
    C::Position: Same<D::Position> + Same<KeyOf<T>>,
    IsKey<T, C>: Contained<T::Same, <C::Position as Same<D::Position>>::Output>,
{
    type Output = <IsKey<T, C> as Contained<T::Same, <C::Position as Same<D::Position>>::Output>>::Output;
}

type KeyOf<T> = <<T as TableDef>::Key as ColumnDef<T>>::Position;
type IsKey<T, C> = <<C as ColumnDef<T>>::Position as Same<KeyOf<T>>>::Output;

// Comparison with a key.

impl<T: TableDef, C: ColumnDef<T>, Value> EqAll<Value> for Column<T, C>
where
    Value: AsExpression<C::SqlType>,
    Eq<Column<T, C>, Value>: Expression<SqlType = Bool>,
{
    type Output = Eq<Self, Value>;

    fn eq_all(self, value: Value) -> Self::Output {
        diesel::ExpressionMethods::eq(self, value)
    }
}

// All columns.

impl<T> Clone for Star<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Star<T> {}

impl<T> Default for Star<T> {
    fn default() -> Self {
        Star::new()
    }
}

impl<T> fmt::Debug for Star<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("*")
    }
}

impl<T: 'static> QueryId for Star<T> {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<T: TableDef> Expression for Star<T> {
    type SqlType = NotSelectable;
}

impl<T: TableDef, GroupBy> ValidGrouping<GroupBy> for Star<T>
where
    T::AllColumns: ValidGrouping<GroupBy>,
{
    type IsAggregate = <T::AllColumns as ValidGrouping<GroupBy>>::IsAggregate;
}

impl<T: TableDef, DB: Backend> QueryFragment<DB> for Star<T> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        qualify::<T, DB>(&mut out)?;
        out.push_sql("*");
        Ok(())
    }
}

impl<T: TableDef> SelectableExpression<T> for Star<T> {}

impl<T: TableDef> AppearsOnTable<T> for Star<T> {}

#[cfg(feature = "postgres")]
mod postgres {
    //! `ONLY` and `TABLESAMPLE`, which only PostgreSQL has.

    use diesel::{
        internal::table_macro::TablesampleMethod,
        query_builder::{Only, Tablesample},
    };

    use super::*;

    impl<T: TableDef, C: ColumnDef<T>> AppearsInFromClause<Only<T>> for Column<T, C> {
        type Count = Once;
    }

    impl<T: TableDef, C: ColumnDef<T>> SelectableExpression<Only<T>> for Column<T, C> where Only<T>: AppearsInFromClause<T, Count = Once> {}

    impl<T: TableDef, C: ColumnDef<T>, M: TablesampleMethod> AppearsInFromClause<Tablesample<T, M>> for Column<T, C> {
        type Count = Once;
    }

    impl<T: TableDef, C: ColumnDef<T>, M: TablesampleMethod> SelectableExpression<Tablesample<T, M>> for Column<T, C> where
        Tablesample<T, M>: AppearsInFromClause<T, Count = Once>
    {
    }
}
