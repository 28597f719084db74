//! Calls whose result is forgotten, so that they do nothing.

#![deny(unused_must_use)]

use dz::{Cx, Result, Tx, access::List};
use task::{NewTask, Task, TaskChanges};

dz::dz! {
    entity Task "Task":
      id: uuid pk
      title: str(80) required
      permit:
        list: true
        read: true
        create: true
        update: true
}

fn a_row_that_is_not_stored() {
    NewTask::new("Paint");
}

fn a_query_that_is_not_loaded(tx: &mut Tx<'_>) -> Result<()> {
    task::scoped(tx, List)?.limit(1);
    Ok(())
}

fn an_error_that_is_not_returned(tx: &mut Tx<'_>, task: Task) {
    task.update(tx, TaskChanges { title: Some("Paint".to_owned()) });
}

async fn a_unit_of_work_that_is_not_awaited(cx: Cx) {
    cx.run(|tx| NewTask::new("Paint").create(tx));
}

fn main() {
    let _ = (app, a_row_that_is_not_stored, a_query_that_is_not_loaded, an_error_that_is_not_returned);
    let _ = a_unit_of_work_that_is_not_awaited;
}
