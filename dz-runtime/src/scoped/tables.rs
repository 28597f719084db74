//! The tables whose columns a part of a query can name. The traits have one implementation each, over those of diesel, so that the
//! compiler says what to write and not which type of diesel differs.

use diesel::{
    AppearsOnTable, SelectableExpression,
    query_source::{AppearsInFromClause, Never},
};

/// An expression whose columns are all of tables of the query.
#[diagnostic::on_unimplemented(
    message = "a column of a table that the query does not read: join its rows first, `.inner_join(project::scoped(tx, Read)?)`",
    label = "the query reads `{F}`",
    note = "without a join, compare with the rows of another query: `tasks::project.eq_any(project::scoped(tx, Read)?.select(projects::id))`"
)]
pub trait OfTables<F> {}

#[diagnostic::do_not_recommend]
impl<E: AppearsOnTable<F>, F> OfTables<F> for E {}

/// A selection whose columns are all of tables of the query, and which takes the columns of a left join as nullable.
#[diagnostic::on_unimplemented(
    message = "a column that the query does not have: join its rows first; of a left join, select `projects::name.nullable()`",
    label = "the query reads `{F}`"
)]
pub trait SelectableFrom<F> {}

#[diagnostic::do_not_recommend]
impl<E: SelectableExpression<F>, F> SelectableFrom<F> for E {}

/// A query without a table.
#[diagnostic::on_unimplemented(
    message = "the query reads `{R}` already: give its rows a second name, `dz::alias! {{ others = task::Task; }}`",
    label = "a query has each table once",
    note = "then join it: `.inner_join_on(others::scoped(tx, Read)?, others::field(tasks::title).eq(tasks::title))`"
)]
pub trait Without<R> {}

#[diagnostic::do_not_recommend]
impl<F: AppearsInFromClause<R, Count = Never>, R> Without<R> for F {}
