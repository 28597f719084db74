//! The five tasks of docs/rust.md by hand, with diesel and Rocket.

use std::time::Duration;

use chrono::{DateTime, Datelike, Days, NaiveDate, Utc, Weekday};
use diesel::{connection::SimpleConnection as _, prelude::*, result::Error};
use rocket::tokio;

diesel::table! {
    projects (id) {
        id -> BigInt,
        name -> Text,
    }
}

diesel::table! {
    tasks (id) {
        id -> BigInt,
        title -> Text,
        project -> BigInt,
        owner -> Nullable<BigInt>,
        due -> Nullable<Date>,
        status -> Text,
        result -> Nullable<Text>,
    }
}

diesel::table! {
    handovers (id) {
        id -> BigInt,
        task -> BigInt,
    }
}

diesel::table! {
    late_reports (day) {
        day -> Date,
        tasks -> BigInt,
    }
}

diesel::joinable!(tasks -> projects (project));
diesel::allow_tables_to_appear_in_same_query!(tasks, projects);

#[derive(Debug, Queryable, Selectable)]
struct Project {
    id: i64,
}

#[derive(Debug, Queryable, Selectable)]
struct Task {
    id: i64,
    project: i64,
    owner: Option<i64>,
    status: String,
    result: Option<String>,
}

#[derive(Debug, Default, AsChangeset)]
#[diesel(table_name = tasks)]
struct TaskChanges {
    title: Option<String>,
    owner: Option<i64>,
}

/// A session and its roles, which the application reads for each request.
#[derive(Debug)]
struct Caller {
    id: i64,
    is_lead: bool,
}

/// Its status codes are 404, 409, 422 and 500.
#[derive(Debug, PartialEq)]
enum Failure {
    NotFound,
    NotAllowed,
    Missing(&'static str),
    Database(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::NotFound => Failure::NotFound,
            error => Failure::Database(error),
        }
    }
}

fn board(conn: &mut SqliteConnection, caller: &Caller) -> QueryResult<Vec<(Task, Project)>> {
    let mut rows = tasks::table.inner_join(projects::table).select((Task::as_select(), Project::as_select())).into_boxed();
    if !caller.is_lead {
        rows = rows.filter(tasks::owner.eq(caller.id));
    }
    rows.order(tasks::title).load(conn)
}

fn find_task(conn: &mut SqliteConnection, caller: &Caller, id: i64) -> Result<Task, Failure> {
    let mut rows = tasks::table.find(id).select(Task::as_select()).into_boxed();
    if !caller.is_lead {
        rows = rows.filter(tasks::owner.eq(caller.id));
    }
    Ok(rows.first(conn)?)
}

fn update_task(conn: &mut SqliteConnection, caller: &Caller, id: i64, changes: &TaskChanges) -> Result<Task, Failure> {
    conn.immediate_transaction(|conn| {
        let before = find_task(conn, caller, id)?;
        let task = diesel::update(tasks::table.find(id)).set(changes);
        let after = task.returning(Task::as_returning()).get_result(conn)?;
        if before.owner != after.owner {
            diesel::insert_into(handovers::table).values(handovers::task.eq(id)).execute(conn)?;
        }
        Ok(after)
    })
}

async fn count_late_every_morning(database: String) {
    loop {
        tokio::time::sleep(until_morning(Utc::now())).await;
        let database = database.clone();
        let counted =
            tokio::task::spawn_blocking(move || count_late(&mut SqliteConnection::establish(&database)?, Utc::now().date_naive()));
        if let Ok(Err(error)) = counted.await {
            eprintln!("late tasks: {error}");
        }
    }
}

fn until_morning(now: DateTime<Utc>) -> Duration {
    let mut morning = now.date_naive().and_hms_opt(6, 0, 0).unwrap_or_default().and_utc();
    while morning <= now || matches!(morning.weekday(), Weekday::Sat | Weekday::Sun) {
        morning = morning + Days::new(1);
    }
    (morning - now).to_std().unwrap_or_default()
}

fn count_late(conn: &mut SqliteConnection, today: NaiveDate) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let late = tasks::due.lt(today).and(tasks::status.ne("done"));
    let late: i64 = tasks::table.filter(late).count().get_result(conn)?;
    let report = (late_reports::day.eq(today), late_reports::tasks.eq(late));
    diesel::replace_into(late_reports::table).values(report).execute(conn)?;
    Ok(())
}

fn finish(conn: &mut SqliteConnection, caller: &Caller, id: i64, result: Option<&str>) -> Result<Task, Failure> {
    conn.immediate_transaction(|conn| {
        if find_task(conn, caller, id)?.status != "doing" {
            return Err(Failure::NotAllowed);
        }
        let result = result.ok_or(Failure::Missing("result"))?;
        let task = diesel::update(tasks::table.find(id)).set((tasks::status.eq("done"), tasks::result.eq(result)));
        Ok(task.returning(Task::as_returning()).get_result(conn)?)
    })
}

/// A database with a task in progress.
fn database() -> SqliteConnection {
    let mut conn = SqliteConnection::establish(":memory:").expect("a database");
    conn.batch_execute(
        "CREATE TABLE projects (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
         CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT NOT NULL, project INTEGER NOT NULL REFERENCES projects, owner INTEGER,
             due DATE, status TEXT NOT NULL DEFAULT 'open', result TEXT);
         CREATE TABLE handovers (id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks);
         CREATE TABLE late_reports (day DATE PRIMARY KEY, tasks INTEGER NOT NULL);
         INSERT INTO projects VALUES (1, 'Garden');
         INSERT INTO tasks VALUES (1, 'Paint', 1, 7, '2031-03-01', 'doing', NULL);",
    )
    .expect("tables");
    conn
}

const OWNER: Caller = Caller { id: 7, is_lead: false };
const LEAD: Caller = Caller { id: 8, is_lead: true };
const OTHER: Caller = Caller { id: 9, is_lead: false };

#[test]
fn the_owner_and_a_lead_see_a_task() {
    let mut conn = database();
    assert_eq!(find_task(&mut conn, &OTHER, 1).unwrap_err(), Failure::NotFound);
    assert_eq!(find_task(&mut conn, &OWNER, 1).unwrap().id, 1);
    assert_eq!(find_task(&mut conn, &LEAD, 1).unwrap().id, 1);
}

#[test]
fn the_board_shows_visible_tasks_with_their_projects() {
    let mut conn = database();
    let rows = board(&mut conn, &LEAD).unwrap();
    assert_eq!((rows.len(), rows[0].0.project, rows[0].1.id), (1, 1, 1));
    assert!(board(&mut conn, &OTHER).unwrap().is_empty());
}

#[test]
fn a_new_owner_is_a_handover() {
    let mut conn = database();
    update_task(&mut conn, &LEAD, 1, &TaskChanges { title: Some("Paint it".to_owned()), owner: None }).unwrap();
    assert_eq!(handovers::table.count().get_result(&mut conn), Ok(0_i64));
    update_task(&mut conn, &LEAD, 1, &TaskChanges { owner: Some(9), ..TaskChanges::default() }).unwrap();
    assert_eq!(handovers::table.count().get_result(&mut conn), Ok(1_i64));
}

#[test]
fn late_tasks_are_counted_in_the_morning() {
    let mut conn = database();
    let friday = "2031-03-07T07:00:00Z".parse().unwrap();
    assert_eq!(until_morning(friday), Duration::from_secs(71 * 60 * 60));
    count_late(&mut conn, "2031-03-03".parse().unwrap()).unwrap();
    assert_eq!(late_reports::table.select(late_reports::tasks).first(&mut conn), Ok(1_i64));
    // The loop of the application.
    drop(count_late_every_morning(String::new()));
}

#[test]
fn a_task_is_finished_with_its_result() {
    let mut conn = database();
    assert_eq!(finish(&mut conn, &OTHER, 1, Some("Painted")).unwrap_err(), Failure::NotFound);
    assert_eq!(finish(&mut conn, &OWNER, 1, None).unwrap_err(), Failure::Missing("result"));
    assert_eq!(finish(&mut conn, &OWNER, 1, Some("Painted")).unwrap().result.as_deref(), Some("Painted"));
    assert_eq!(finish(&mut conn, &OWNER, 1, Some("Painted")).unwrap_err(), Failure::NotAllowed);
}
