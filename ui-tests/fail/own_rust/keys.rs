//! With typed keys, the key of a project where the key of a task is expected is a compile error.

use dz::{Id, Result, Tx, Uuid, access::List};
use project::Project;
use schema::tasks;
use task::{NewTask, Task, TaskChanges};

dz::include_dsl!("keys.dsl", keys = "typed");

fn finds_a_task_by_the_key_of_a_project(tx: &mut Tx<'_>, project: &Project) -> Result<Task> {
    Task::find(tx, project.id)
}

fn finds_tasks_by_stored_keys(tx: &mut Tx<'_>, ids: Vec<Uuid>) -> Result<Vec<Task>> {
    Task::find_many(tx, ids)
}

fn refers_to_a_task_as_a_project(task: &Task) -> NewTask {
    NewTask { project_id: Some(task.id), ..NewTask::new("Paint") }
}

fn changes_a_reference_to_another_entity(task: &Task) -> TaskChanges {
    TaskChanges { project_id: task.id.into(), ..Default::default() }
}

fn filters_by_the_key_of_another_entity(tx: &mut Tx<'_>, project: Id<Project>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(tasks::id.eq(project)))
}

fn is_the_same(task: &Task, project: &Project) -> bool {
    task.id == project.id
}

fn main() {
    let _ = app();
    let _ = (finds_a_task_by_the_key_of_a_project, finds_tasks_by_stored_keys, refers_to_a_task_as_a_project);
    let _ = (changes_a_reference_to_another_entity, filters_by_the_key_of_another_entity, is_the_same);
}
