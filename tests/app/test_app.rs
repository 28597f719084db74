//! Tests of an application with `TestApp`, as an application writes them.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use dz::{
    Cx, Error, Event, MailKind, Result,
    serde_json::json,
    testing::{TestApp, TestUser},
};

dz::dz! {
    app workshop "Workshop":
      registration: true

    persona manager "Manager"
    persona carpenter "Carpenter"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Project "Project":
      id: int pk
      name: str(6) required unique
      budget: decimal(8, 2) required
      permit:
        list: true
        read: true
        create: role(manager)

    entity Task "Task":
      id: uuid pk
      title: str(80) required
      project: ref Project required
      owner: ref User = current_user
      due: date required
      status: enum[open, late, done] = open
      permit:
        list: role(manager) or owner = current_user
        read: role(manager) or owner = current_user
        create: role(manager, carpenter)
        update: role(manager) or owner = current_user
        delete: role(manager)
      transitions:
        open -> done
        late -> done
        open -> late: auto after 2d

    surface task_list "Tasks":
      uses entity Task
      mode: list

    surface task_create "New task":
      uses entity Task
      mode: create

    demo:
      Project:
        - @shed id: 1, name: "Shed", budget: 900
      User:
        - @mira name: "Mira", email: "mira@workshop.example", password: "manage the workshop", roles: [manager]
        - @carl name: "Carl", email: "carl@workshop.example", password: "plane and chisel", roles: [carpenter]
      Task:
        - title: "Hang the door", project: @shed, owner: @carl, due: today + 1d
}

/// The application, with a hook, a subscriber and a route.
fn application() -> dz::App {
    app()
        .before_create::<task::Task>(|tx, new| match new.due < tx.caller().today {
            true => Err(Error::validation("due", "must be today or later")),
            false => Ok(()),
        })
        .on::<task::Task>(Event::Created, |_, _| Ok(()))
        .mount("/workshop", rocket::routes![role_of_caller])
}

/// The first role of the caller.
#[rocket::get("/role")]
async fn role_of_caller(role: Role, _manager: Option<dz::Role<roles::Manager>>, _cx: Cx) -> &'static str {
    role.as_str()
}

#[test]
fn a_caller_sees_the_rows_of_the_rule() {
    let app = TestApp::new(application());
    let mira = app.sign_in("mira@workshop.example");
    assert_eq!(mira.get("/api/tasks").assert_status(200).member("total"), 1);
    let other = app.as_role(Role::Carpenter);
    assert_eq!(other.get("/api/tasks").assert_status(200).member("total"), 0);
    app.anonymous().get("/api/tasks").assert_problem(401, "AUTHENTICATION_REQUIRED");
    app.as_user().post("/api/projects", json!({ "id": 2, "name": "Barn", "budget": 1 })).assert_problem(403, "FORBIDDEN");
}

#[test]
fn a_refusal_names_the_field() {
    let app = TestApp::builder(application()).at("2026-03-01T08:00:00Z").start();
    let carl = app.sign_in("carl@workshop.example");
    let problem = carl.post("/api/tasks", json!({ "title": "Travel in time", "project": 1, "due": "2001-01-01" }));
    problem.assert_problem(422, "VALIDATION").assert_field("due", "must be today or later");
    let created = carl.post("/api/tasks", json!({ "title": "Sharpen the plane", "project": 1, "due": "2026-03-01" }));
    created.assert_status(201);
    assert_eq!(created.member("due"), "2026-03-01");
}

#[test]
fn forms_have_the_token_of_their_session() {
    let app = TestApp::new(application());
    let mira = app.sign_in("mira@workshop.example");
    let fields = [("title", "Oil the hinges"), ("project", "1"), ("due", "2999-01-01")];
    assert_eq!(mira.submit("/app/task_create", &fields).status(), 303);
    mira.get_page("/app/task_list").assert_status(200).assert_contains("Oil the hinges").assert_lacks("Paint");
    let foreign = mira.request("POST", "/app/task_create").form(&fields).from_another_site().send();
    assert_eq!(foreign.status(), 403);
}

#[test]
fn the_test_advances_the_clock() {
    let app = TestApp::new(application());
    let carl = app.sign_in("carl@workshop.example");
    let task = carl.get("/api/tasks").json()["items"][0].clone();
    assert_eq!(task["status"], "open");
    app.advance(TimeDelta::days(2) + TimeDelta::seconds(1));
    let path = format!("/api/tasks/{}", task["id"].as_str().unwrap());
    assert_eq!(carl.get(&path).member("status"), "late");
    app.advance(TimeDelta::days(30));
    carl.get(&path).assert_problem(401, "AUTHENTICATION_REQUIRED");
}

#[test]
fn mails_and_events_are_caught() {
    let app = TestApp::new(application());
    let address = json!({ "email": "carl@workshop.example" });
    app.anonymous().post("/auth/forgot", &address).assert_status(204);
    let mails = app.mails();
    assert_eq!(mails.iter().map(|mail| (mail.kind, mail.to.as_str())).collect::<Vec<_>>(), [(MailKind::Reset, "carl@workshop.example")]);

    app.create(task::NewTask { title: "Glue the joint".into(), ..task::fake() });
    let events = app.events::<task::Task>();
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].event, events[0].row.title.as_str()), (Event::Created, "Glue the joint"));
}

#[test]
fn examples_of_rows_have_their_references() {
    let app = TestApp::builder(application()).without_demo_data().start();
    let carl = app.as_role(Role::Carpenter);
    let (one, two) = (app.create(task::fake()), app.create(task::fake()));
    assert_ne!(one.project_id, two.project_id);
    let project = app.create(project::NewProject { name: "Barn".into(), ..project::fake() });
    let own = app.tx_as(&carl, |tx| task::NewTask { project_id: project.id, ..task::fake() }.create(tx)).unwrap();
    assert_eq!(app.tx_as_system(|tx| task::Task::find(tx, own.id)).unwrap(), own);
    let refused = app.tx_as(&carl, |tx| task::Task::find(tx, one.id)).unwrap_err();
    assert_eq!(refused.status, 404);
    carl.get("/api/tasks").assert_status(200);
    assert_eq!(carl.get("/api/tasks").member("total"), 1);
}

#[test]
fn a_role_is_a_request_guard() {
    let app = TestApp::new(application());
    let role = |user: TestUser<'_>| user.get("/workshop/role");
    assert_eq!(role(app.as_role(Role::Manager)).text(), "manager");
    assert_eq!(role(app.as_role(Role::Carpenter)).text(), "carpenter");
    role(app.as_user()).assert_problem(403, "FORBIDDEN");
    role(app.anonymous()).assert_problem(401, "AUTHENTICATION_REQUIRED");
}

#[test]
fn the_database_can_be_on_a_server() {
    let server = std::env::var("DZ_TEST_POSTGRES").expect("the address of a PostgreSQL server");
    let app = TestApp::builder(application()).postgres(server).start();
    assert_eq!(app.sign_in("mira@workshop.example").get("/api/tasks").member("total"), 1);
}

#[test]
fn accounts_have_passwords_on_request() {
    let credentials = json!({ "email": "carl@workshop.example", "password": "plane and chisel" });
    TestApp::builder(application()).with_passwords().start().anonymous().post("/auth/login", &credentials).assert_status(200);
    TestApp::new(application()).anonymous().post("/auth/login", &credentials).assert_status(401);
}

/// The best run counts, because other tests run at the same time, and other programs can take the processors for seconds.
#[test]
fn a_test_takes_less_than_fifty_milliseconds() {
    let run = || -> Result<Duration> {
        let start = Instant::now();
        let app = TestApp::new(application());
        app.as_role(Role::Manager).get("/api/tasks").assert_status(200);
        drop(app);
        Ok(start.elapsed())
    };
    let (limit, begun) = (Duration::from_millis(50), Instant::now());
    let mut best = Duration::MAX;
    while best >= limit && begun.elapsed() < Duration::from_secs(60) {
        best = best.min(run().unwrap());
    }
    assert!(best < limit, "{best:?}");
}
