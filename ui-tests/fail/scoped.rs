//! A scoped query takes nothing that the access rules do not cover.

use diesel::{
    ExpressionMethods as _, NullableExpressionMethods as _, QueryDsl as _, QueryResult,
    backend::Backend,
    expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate},
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::{Bool, Text},
};
use dz::{Result, Tx, access::List};
use schema::{notes, tasks};

dz::dz! {
    entity Task "Task":
      id: uuid pk
      title: str(80) required
      done: bool = false
      permit:
        list: true
        read: true

    entity Note "Note":
      id: uuid pk
      task: ref Task required
      text: str(200) required
}

/// SQL that the application writes itself.
#[derive(Debug, Clone, Copy, QueryId)]
struct Own;

impl Expression for Own {
    type SqlType = Bool;
}

impl<QS> AppearsOnTable<QS> for Own {}

impl<QS> SelectableExpression<QS> for Own {}

impl<GB> ValidGrouping<GB> for Own {
    type IsAggregate = is_aggregate::Never;
}

impl<DB: Backend> QueryFragment<DB> for Own {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql("EXISTS (SELECT 1 FROM notes)");
        Ok(())
    }
}

diesel::define_sql_function! {
    fn lower(text: Text) -> Text;
}

fn columns_of_another_table(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(notes::text.eq("open")))
}

fn a_value_of_another_table(tx: &mut Tx<'_>) -> Result<Vec<Option<String>>> {
    tx.load(task::scoped(tx, List)?.select(notes::table.select(notes::text).single_value()))
}

fn a_condition_over_another_table(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(diesel::dsl::exists(notes::table)))
}

fn rows_of_another_table(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(tasks::id.eq_any(notes::table.select(notes::task))))
}

fn sql_as_text(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.order(diesel::dsl::sql::<Text>("(SELECT text FROM notes)")))
}

fn sql_inside_an_operator(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(tasks::title.eq(diesel::dsl::sql::<Text>("(SELECT text FROM notes)"))))
}

fn a_function(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(tasks::title.eq(lower("A"))))
}

fn an_expression_of_its_own(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(tasks::done.eq(true).or(Own)))
}

fn groups_by_sql(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.group_by(Own).select(diesel::dsl::count_star()))
}

fn an_alias(tx: &mut Tx<'_>) -> Result<i64> {
    let other = diesel::alias!(tasks as other);
    tx.count(task::scoped(tx, List)?.filter(other.field(tasks::title).eq("Paint")))
}

fn a_select_without_a_table(tx: &mut Tx<'_>) -> Result<Vec<bool>> {
    tx.load(diesel::select(diesel::dsl::exists(notes::table)))
}

fn a_union(tx: &mut Tx<'_>) -> Result<Vec<String>> {
    use diesel::CombineDsl as _;
    tx.load(task::scoped(tx, List)?.select(tasks::title).union(notes::table.select(notes::text)))
}

fn a_join(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.inner_join(notes::table))
}

fn boxed(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.into_boxed::<diesel::sqlite::Sqlite>())
}

fn main() {
    let _ = app();
    let all = (columns_of_another_table, a_value_of_another_table, a_condition_over_another_table, rows_of_another_table);
    let _ = (all, sql_as_text, sql_inside_an_operator, a_function, an_expression_of_its_own, groups_by_sql, an_alias);
    let _ = (a_select_without_a_table, a_union, a_join, boxed);
}
