//! Joins, operands and typed actions that the compiler refuses, with what to write.

use dz::{Result, Tx, access::List};
use schema::{notes, tags, tasks};

dz::dz! {
    entity Task "Task":
      id: uuid pk
      title: str(80) required
      effort: int required
      permit:
        list: true
        read: true

    entity Note "Note":
      id: uuid pk
      task: ref Task required
      text: str(200) required
      permit:
        list: true
        read: true

    entity Link "Link":
      id: uuid pk
      source: ref Task required
      target: ref Task required
      permit:
        list: true
        read: true

    entity Tag "Tag":
      id: uuid pk
      name: str(80) required
      permit:
        list: true
        read: true
}

fn a_join_without_a_reference(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter_exists(tag::scoped(tx, List)?))
}

fn a_join_with_two_references(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(link::scoped(tx, List)?.inner_join(task::scoped(tx, List)?))
}

fn a_table_twice(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.inner_join(task::scoped(tx, List)?))
}

fn a_join_with_a_table(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.inner_join(notes::table))
}

fn sql_as_the_condition_of_a_join(tx: &mut Tx<'_>) -> Result<i64> {
    let on = diesel::dsl::sql::<diesel::sql_types::Bool>("1 = 1");
    tx.count(note::scoped(tx, List)?.inner_join_on(task::scoped(tx, List)?, on))
}

fn a_value_of_a_left_join_that_can_be_absent(tx: &mut Tx<'_>) -> Result<Vec<(String, String)>> {
    tx.load(task::scoped(tx, List)?.left_join(note::scoped(tx, List)?).select((tasks::title, notes::text)))
}

fn a_column_of_a_table_that_is_not_joined(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(note::scoped(tx, List)?.inner_join(task::scoped(tx, List)?).filter(tags::name.eq("urgent")))
}

fn a_text_as_an_identifier(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(tasks::id.eq("4711")))
}

fn the_sum_of_texts(tx: &mut Tx<'_>) -> Result<Option<Option<i64>>> {
    tx.first(task::scoped(tx, List)?.select(tasks::title.sum()))
}

dz::action_input! {
    pub struct Upload {
        bytes: Vec<u8> = "Bytes",
    }
}

struct Plain;

fn an_input_without_a_declaration() -> dz::App {
    app().typed_action::<task::Task, Plain, ()>("approve", |_, _, _| Ok(()))
}

fn main() {
    let joins = (a_join_without_a_reference, a_join_with_two_references, a_table_twice, a_join_with_a_table);
    let _ = (joins, sql_as_the_condition_of_a_join, a_value_of_a_left_join_that_can_be_absent);
    let _ = (a_column_of_a_table_that_is_not_joined, a_text_as_an_identifier, the_sum_of_texts, an_input_without_a_declaration);
}
