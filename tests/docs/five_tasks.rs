//! The five tasks of docs/rust.md with dz; `by_hand` has the same tasks with diesel and Rocket alone.

mod by_hand;

use dz::{
    Id, JobCx, Result, Tx,
    access::{List, Read},
    serde_json::json,
    testing::TestApp,
};
use schema::tasks;

dz::include_dsl!("five_tasks/app.dsl", keys = "typed");

use handover::NewHandover;
use late_report::{LateReport, NewLateReport};
use project::Project;
use task::{NewTask, Task, TaskChanges, TaskStatus};

fn board(tx: &mut Tx<'_>) -> Result<Vec<(Task, Project)>> {
    tx.load(task::scoped(tx, List)?.inner_join(project::scoped(tx, Read)?).order(tasks::title))
}

fn record_handover(tx: &mut Tx<'_>, before: &Task, after: &Task) -> Result<()> {
    if before.owner_id != after.owner_id {
        NewHandover::new(after.id).create(tx)?;
    }
    Ok(())
}

fn count_late(cx: &JobCx) -> Result<()> {
    cx.run(|tx| {
        let today = tx.caller().today;
        let late = tasks::due.lt(today).and(tasks::status.ne(TaskStatus::Done));
        let late = tx.count(task::scoped(tx, List)?.filter(late))?;
        NewLateReport::new(today, late).upsert(tx, schema::late_reports::day).map(drop)
    })
}

fn finish(tx: &mut Tx<'_>, id: Id<Task>, result: Option<&str>) -> Result<Task> {
    let changes = TaskChanges { result: result.map(str::to_owned).into(), ..Default::default() };
    Task::find(tx, id)?.transition_with(tx, TaskStatus::Done, changes)
}

fn planner() -> dz::App {
    app().after_update::<Task>(record_handover).every("0 6 * * Mon-Fri", "late tasks", count_late)
}

#[test]
fn the_owner_and_a_lead_see_a_task() {
    let app = TestApp::new(planner());
    let task = app.create(task::fake());
    let path = format!("/api/tasks/{}", task.id);
    app.as_user().get(&path).assert_status(404);
    app.as_role(Role::Lead).get(&path).assert_status(200);
}

#[test]
fn the_board_shows_visible_tasks_with_their_projects() {
    let app = TestApp::new(planner());
    let task = app.create(task::fake());
    let rows = app.tx_as(&app.as_role(Role::Lead), board).unwrap();
    assert_eq!((rows[0].0.id, rows[0].1.id), (task.id, task.project_id));
    assert_eq!(app.tx_as(&app.as_user(), board).unwrap(), []);
}

#[test]
fn a_new_owner_is_a_handover() {
    let app = TestApp::new(planner());
    let (lead, task, owner) = (app.as_role(Role::Lead), app.create(task::fake()), app.create(user::fake()));
    let path = format!("/api/tasks/{}", task.id);
    lead.patch(&path, json!({ "title": "Paint" })).assert_status(200);
    assert_eq!(lead.get("/api/handovers").member("total"), 0);
    lead.patch(&path, json!({ "owner": owner.id })).assert_status(200);
    assert_eq!(lead.get("/api/handovers").member("total"), 1);
}

#[test]
fn late_tasks_are_counted_in_the_morning() {
    let app = TestApp::builder(planner()).at("2031-03-03T05:00:00Z").start();
    app.create(NewTask { due: "2031-03-01".parse().ok(), ..task::fake() });
    app.run_due();
    app.set_time("2031-03-03T06:00:30Z");
    let reports: Vec<LateReport> = app.tx_as(&app.as_role(Role::Lead), |tx| tx.load(late_report::scoped(tx, List)?)).unwrap();
    assert_eq!(reports.iter().map(|report| report.tasks).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_task_is_finished_with_its_result() {
    let app = TestApp::new(planner());
    let lead = app.as_role(Role::Lead);
    let task = app.create(NewTask { status: Some(TaskStatus::Doing), ..task::fake() });
    assert_eq!(app.tx_as(&lead, |tx| finish(tx, task.id, None)).unwrap_err().code, "TRANSITION_REQUIRES");
    assert_eq!(app.tx_as(&lead, |tx| finish(tx, task.id, Some("Painted"))).unwrap().result.as_deref(), Some("Painted"));
    let open = app.create(task::fake());
    assert_eq!(app.tx_as(&lead, |tx| finish(tx, open.id, Some("Painted"))).unwrap_err().code, "TRANSITION_NOT_ALLOWED");
}
