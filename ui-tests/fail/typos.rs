//! Likely mistakes in the Rust beside a declaration; the first line of each error names what is wrong.

use dz::{JobCx, Result, Tx, Uuid, access::List, serde::{Deserialize, Serialize}};
use schema::tasks;
use task::{NewTask, Task, TaskChanges, TaskStatus};

dz::dz! {
    persona lead "Lead"

    entity Task "Task":
      id: uuid pk
      title: str(80) required
      status: enum[open, done] = open
      transitions:
        open -> done
      permit:
        list: true
        read: true
        update: role(lead)
}

fn the_name_of_a_column(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(tasks::titel.eq("Paint")))
}

fn the_name_of_a_field() -> NewTask {
    NewTask { titel: "Paint".to_owned(), ..NewTask::new("Paint") }
}

fn the_name_of_a_state(tx: &mut Tx<'_>, task: &Task) -> Result<Task> {
    task.transition(tx, TaskStatus::Finished)
}

fn a_text_in_place_of_a_key(tx: &mut Tx<'_>) -> Result<Task> {
    Task::find(tx, "4711")
}

fn a_change_without_some(tx: &mut Tx<'_>, task: &Task) -> Result<Task> {
    task.update(tx, TaskChanges { title: "Paint".to_owned(), ..Default::default() })
}

fn a_state_as_text(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(tasks::status.eq(7)))
}

fn an_entity_in_place_of_its_row() -> dz::App {
    app().after_update::<NewTask>(|_, _, _| Ok(()))
}

#[derive(Serialize, Deserialize)]
#[serde(crate = "dz::serde")]
struct Praise {
    task: Uuid,
}

fn a_payload_that_is_no_job(tx: &mut Tx<'_>, task: &Task) -> Result<()> {
    tx.spawn_job(&Praise { task: task.id }).map(drop)
}

fn praise(_: &JobCx, _: Praise) -> Result<()> {
    Ok(())
}

fn a_handler_of_a_payload_that_is_no_job() -> dz::App {
    app().job(praise)
}

fn the_name_of_a_role() -> dz::App {
    app().page("Board", "/board", [Role::Leed])
}

fn main() {
    let _ = (the_name_of_a_column, the_name_of_a_field, the_name_of_a_state, a_text_in_place_of_a_key, a_change_without_some);
    let _ = (a_state_as_text, an_entity_in_place_of_its_row, a_payload_that_is_no_job, a_handler_of_a_payload_that_is_no_job);
    let _ = the_name_of_a_role;
}
