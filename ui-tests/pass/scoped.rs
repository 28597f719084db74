//! What the queries of `fail/scoped.rs` may say instead.

use dz::{
    Result, Tx,
    access::{List, Read},
};
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

fn columns_of_its_table(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(tasks::title.eq("open").or(tasks::done.eq(true))))
}

fn rows_of_another_query(tx: &mut Tx<'_>) -> Result<i64> {
    let notes = note::scoped(tx, Read)?.filter(notes::text.ne("open")).select(notes::task);
    tx.count(task::scoped(tx, List)?.filter(!tasks::id.eq_any(notes)))
}

fn values(tx: &mut Tx<'_>) -> Result<Vec<(String, bool)>> {
    tx.load(task::scoped(tx, List)?.order((tasks::done, tasks::title.desc())).select((tasks::title, tasks::done)))
}

fn groups(tx: &mut Tx<'_>) -> Result<Vec<(bool, i64)>> {
    tx.load(task::scoped(tx, List)?.group_by(tasks::done).select((tasks::done, diesel::dsl::count_star())))
}

fn main() {
    let _ = app();
    let _ = (columns_of_its_table, rows_of_another_query, values, groups);
}
