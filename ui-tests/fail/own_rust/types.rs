//! Likely mistakes in the Rust beside a declaration: the first line of each error says what to write.

use dz::{
    Cx, JobCx, Result, Tx, Uuid,
    access::List,
    serde::{Deserialize, Serialize},
};
use project::Project;
use schema::{projects, tasks};
use task::{NewTask, Task, TaskChanges, TaskStatus};

dz::dz! {
    persona lead "Lead"

    entity Project "Project":
      id: uuid pk
      name: str(80) required
      permit:
        list: true
        read: true

    entity Task "Task":
      id: uuid pk
      title: str(80) required
      project: ref Project
      status: enum[open, in_progress, done] = open
      transitions:
        open -> in_progress
        in_progress -> done
      permit:
        list: true
        read: true
        update: role(lead)
        approve: role(lead)
}

fn the_name_of_a_field() -> NewTask {
    NewTask { titel: "Paint".to_owned(), ..NewTask::new("Paint") }
}

fn the_name_of_a_state(tx: &mut Tx<'_>, task: &Task) -> Result<Task> {
    task.transition(tx, TaskStatus::InProgres)
}

fn the_name_of_a_role() -> dz::App {
    app().page("Board", "/board", [Role::Laed])
}

fn a_role_as_text() -> dz::App {
    app().page("Board", "/board", ["lead"])
}

fn a_text_as_a_key(tx: &mut Tx<'_>) -> Result<Task> {
    Task::find(tx, "4711")
}

fn a_change_without_some(tx: &mut Tx<'_>, task: &Task) -> Result<Task> {
    task.update(tx, TaskChanges { title: "Paint".to_owned(), ..Default::default() })
}

fn a_column_of_another_entity(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(projects::name.eq("House")))
}

fn the_order_of_another_entity(tx: &mut Tx<'_>) -> Result<Vec<Task>> {
    tx.load(task::scoped(tx, List)?.order(projects::name.desc()))
}

fn a_selection_of_another_entity(tx: &mut Tx<'_>) -> Result<Vec<String>> {
    tx.load(task::scoped(tx, List)?.select(projects::name))
}

fn a_number_as_a_state(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(tasks::status.eq(7)))
}

fn a_table_without_the_rules(tx: &mut Tx<'_>) -> Result<Vec<Task>> {
    tx.load(tasks::table)
}

fn another_row_than_the_query_has(tx: &mut Tx<'_>) -> Result<Vec<Project>> {
    tx.load(task::scoped(tx, List)?)
}

fn a_hook_of_a_new_row() -> dz::App {
    app().after_update::<NewTask>(|_, _, _| Ok(()))
}

fn renamed(_: &mut Tx<'_>, _before: &Project, _after: &Project) -> Result<()> {
    Ok(())
}

fn a_hook_with_the_row_of_another_entity() -> dz::App {
    app().after_update::<Task>(renamed)
}

fn a_hook_without_the_old_row() -> dz::App {
    app().after_update::<Task>(|_, _after| Ok(()))
}

dz::action_input! {
    struct Approve {
        comment: String = "Comment",
    }
}

struct Comment;

fn approve(_: &mut Tx<'_>, _: Task, _: Approve) -> Result<()> {
    Ok(())
}

fn an_action_with_another_input() -> dz::App {
    app().typed_action::<Task, (), ()>("approve", approve)
}

fn an_action_with_an_undeclared_input() -> dz::App {
    app().typed_action::<Task, Comment, ()>("approve", |_, _, _| Ok(()))
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

async fn a_result_that_is_not_awaited(cx: Cx) -> Result<i64> {
    let tasks = cx.read(|tx| tx.count(task::scoped(tx, List)?))?;
    Ok(tasks)
}

async fn a_read_without_a_unit_of_work(cx: Cx, id: Uuid) -> Result<Task> {
    Task::find(&cx, id)
}

fn main() {
    let _ = (the_name_of_a_field, the_name_of_a_state, the_name_of_a_role, a_role_as_text, a_text_as_a_key, a_change_without_some);
    let _ = (a_column_of_another_entity, the_order_of_another_entity, a_selection_of_another_entity, a_number_as_a_state);
    let _ = (a_table_without_the_rules, another_row_than_the_query_has, a_hook_of_a_new_row, a_hook_with_the_row_of_another_entity);
    let _ = (a_hook_without_the_old_row, an_action_with_another_input, an_action_with_an_undeclared_input);
    let _ = (a_payload_that_is_no_job, a_handler_of_a_payload_that_is_no_job);
    let _ = (a_result_that_is_not_awaited, a_read_without_a_unit_of_work);
}
