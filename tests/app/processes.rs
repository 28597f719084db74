//! Processes over the JSON API, on both engines: triggers, steps, signals, human tasks, and who may do what.

mod claims;
mod commands;
mod events;
mod upgrade;

use std::{
    thread,
    time::{Duration, Instant},
};

use dz::{
    Clock, Engine,
    serde_json::{Value, json},
};

use crate::{client::Client, server, server::served_on_both};

dz::dz! {
    app workshop "Workshop"

    persona counter "Counter"
    persona mechanic "Mechanic"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Repair "Repair":
      id: uuid pk
      bike: str(60) required
      price: decimal(8,2) = 0
      express: bool = false
      notes: str(200)
      status: enum[waiting, working, ready, refused] = waiting
      transitions:
        waiting -> working
        working -> ready
        waiting -> refused
      invariant: price >= 0
        message: "A price cannot be negative"
      permit:
        list: role(counter)
        read: role(counter)
        create: role(counter)
        update: role(counter)
        delete: role(counter)

    entity Line "Line":
      id: int pk
      text: str(120) required
      permit:
        list: true
        read: true

    surface repair_view "Repair":
      uses entity Repair
      mode: view
      section main:
        field bike
        field price

    process accepting "Accepting a repair":
      trigger: entity Repair created
      emits:
        on_complete: accepted
      steps:
        - step dear:
          condition: trigger.entity.price > 100
          on_true: asking
          on_false: begin
        - step asking "Ask the customer":
          human_task:
            surface: repair_view
            assignee_role: counter
            timeout: 2 days
            outcomes:
              - agreed "Agreed":
                goto: begin
                sets:
                  notes -> "the customer agreed"
              - cheaper "Cheaper":
                goto: begin
                sets:
                  price -> 0 - 1
              - refused "Refused":
                goto: refuse
                confirm: true
        - step begin:
          effects:
            - update trigger.entity:
              status: working
            - create Line:
              text: concat("begin ", trigger.entity.bike)
          goto: complete
        - step refuse:
          effects:
            - update trigger.entity:
              status: refused

    process closing "Closing a repair":
      trigger: entity Repair status working -> ready
      steps:
        - step note:
          effects:
            - create Line:
              text: concat("closed ", trigger.entity.bike)

    process recalling "Recalling a bike":
      trigger: entity Repair created
      input:
        limit: decimal(8,2) = 5
      output:
        price: decimal(8,2) = trigger.entity.price * 2
      steps:
        - step express:
          condition: trigger.entity.express
          on_true: pause
          on_false: complete
        - step pause:
          wait: signal recalled
        - step note:
          effects:
            - create Line:
              text: concat("recalled with ", trigger.entity.notes)

    process removing "Removing a repair":
      trigger: entity Repair deleted
      steps:
        - step express:
          condition: trigger.entity.express
          on_true: note
          on_false: complete
        - step note:
          effects:
            - create Line:
              text: concat("removed ", trigger.entity.bike)

    process counting "Counting":
      trigger: signal accepted
      steps:
        - step note:
          effects:
            - create Line:
              text: "accepted one"

    process writing "Writing a line":
      trigger: manual
      overlap: queue
      input:
        text: str(40) required
        times: int = 2
        day: date = today
      output:
        paid: bool = payment.payload != null
      steps:
        - step pause:
          wait: 1h
        - step payment:
          wait: signal paid
          timeout: 1d
          on_failure: late
        - step line:
          effects:
            - create Line:
              text: concat("written ", input.text)
          goto: complete
        - step late:
          effects:
            - create Line:
              text: "too late"

    demo:
      User:
        - name: "Ada", email: "ada@workshop.example", password: "owns the workshop", roles: [admin]
        - name: "Cleo", email: "cleo@workshop.example", password: "stands at the desk", roles: [counter]
        - name: "Max", email: "max@workshop.example", password: "turns the wrench", roles: [mechanic]
}

const ADA: (&str, &str) = ("ada@workshop.example", "owns the workshop");
const CLEO: (&str, &str) = ("cleo@workshop.example", "stands at the desk");
const MAX: (&str, &str) = ("max@workshop.example", "turns the wrench");

served_on_both! { "workshop", app();
    a_row_starts_a_process_and_a_task_continues_it;
    an_outcome_is_checked_and_decided_once;
    tasks_are_shown_only_to_those_who_may_decide;
    a_deleted_row_is_read_as_it_was;
    a_run_reads_the_last_values_of_a_deleted_row;
    a_task_is_decided_on_its_page;
    only_administrators_control_runs;
    a_wrong_input_names_each_member;
}

/// Waits until the condition holds.
#[track_caller]
fn wait_for<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{what} did not happen");
        thread::sleep(Duration::from_millis(30));
    }
}

/// The runs of a process for a row.
fn runs_of(admin: &Client, process: &str, row: &Value) -> Vec<Value> {
    let runs = admin.get(&format!("/api/-/runs?process={process}&limit=1000")).ok(200).json()["runs"].clone();
    runs.as_array().expect("runs").iter().filter(|run| run["trigger"]["id"] == *row).cloned().collect()
}

/// The details of a run when it has this status.
#[track_caller]
fn run_with(admin: &Client, id: &Value, status: &str) -> Value {
    let path = format!("/api/-/runs/{}", id.as_str().expect("an id"));
    wait_for(&format!("the status {status}"), || {
        let run = admin.get(&path).ok(200).json();
        (run["status"] == status).then_some(run)
    })
}

fn lines(client: &Client, text: &str) -> usize {
    let rows = client.get("/api/lines?page_size=100&sort=-id").ok(200).json()["items"].clone();
    rows.as_array().expect("rows").iter().filter(|row| row["text"] == text).count()
}

fn repair(cleo: &Client, bike: &str, price: &str) -> Value {
    cleo.send("POST", "/api/repairs", &json!({ "bike": bike, "price": price })).ok(201).json()["id"].clone()
}

/// The open task of a repair.
fn task_of(client: &Client, repair: &Value) -> Option<Value> {
    let tasks = client.get("/api/-/tasks").ok(200).json()["tasks"].clone();
    tasks.as_array().expect("tasks").iter().find(|task| task["row"]["id"] == *repair).cloned()
}

fn decide(client: &Client, task: &Value, outcome: &str) -> crate::client::Answer {
    client.send("POST", &format!("/api/-/tasks/{}", task["id"].as_str().expect("an id")), &json!({ "outcome": outcome }))
}

fn a_row_starts_a_process_and_a_task_continues_it(base: &str) {
    let (ada, cleo) = (Client::signed_in(base, ADA), Client::signed_in(base, CLEO));
    let cheap = repair(&cleo, "cheap one", "20.00");
    let run = wait_for("a run", || runs_of(&ada, "accepting", &cheap).pop());
    let run = run_with(&ada, &run["id"], "completed");
    let names: Vec<&str> = run["steps"].as_array().expect("steps").iter().filter_map(|step| step["name"].as_str()).collect();
    assert_eq!(names, ["dear", "begin"]);
    assert_eq!((&run["trigger"]["kind"], &run["trigger"]["event"], &run["error"]), (&json!("entity"), &json!("created"), &Value::Null));
    assert_eq!(cleo.get(&format!("/api/repairs/{}", cheap.as_str().expect("an id"))).json()["status"], "working");
    assert_eq!(lines(&cleo, "begin cheap one"), 1);
    wait_for("the signal", || (lines(&cleo, "accepted one") > 0).then_some(()));

    let dear = repair(&cleo, "dear one", "250.00");
    let task = wait_for("a task", || task_of(&cleo, &dear));
    assert_eq!((&task["step"], &task["title"], &task["row"]["label"]), (&json!("asking"), &json!("Ask the customer"), &json!("dear one")));
    assert_eq!(task["outcomes"].as_array().map(Vec::len), Some(3));
    assert!(task["due_at"].is_string(), "{task}");
    run_with(&ada, &task["run"], "waiting");
    let decided = decide(&cleo, &task, "agreed").ok(200).json();
    assert_eq!(decided["outcome"], "agreed");
    let run = run_with(&ada, &task["run"], "completed");
    assert_eq!(run["steps"][1]["output"], decided);
    let row = cleo.get(&format!("/api/repairs/{}", dear.as_str().expect("an id"))).json();
    assert_eq!((&row["status"], &row["notes"]), (&json!("working"), &json!("the customer agreed")));
    assert!(task_of(&cleo, &dear).is_none());

    // A change of a field starts another process, and only this change does.
    cleo.send("PATCH", &format!("/api/repairs/{}", dear.as_str().expect("an id")), &json!({ "status": "ready" })).ok(200);
    wait_for("the line", || (lines(&cleo, "closed dear one") == 1).then_some(()));
    assert_eq!(runs_of(&ada, "closing", &dear).len(), 1);
    assert_eq!(runs_of(&ada, "accepting", &dear).len(), 1, "one event starts one run");
}

fn an_outcome_is_checked_and_decided_once(base: &str) {
    let cleo = Client::signed_in(base, CLEO);
    let row = repair(&cleo, "twice", "180.00");
    let task = wait_for("a task", || task_of(&cleo, &row));
    decide(&cleo, &task, "perhaps").problem(422, "VALIDATION");
    // A body of another type is not ignored.
    let headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Sec-Fetch-Site", "same-origin")];
    let ada = Client::signed_in(base, ADA);
    for path in ["processes/accepting", "signals/recalled", &format!("tasks/{}", task["id"].as_str().expect("an id"))] {
        ada.request("POST", &format!("/api/-/{path}"), &headers, b"{\"run\":\"x\"}").problem(415, "UNSUPPORTED_MEDIA_TYPE");
    }
    // What the outcome sets breaks an invariant: the task stays open.
    assert_eq!(decide(&cleo, &task, "cheaper").status, 422);
    assert!(task_of(&cleo, &row).is_some());
    decide(&cleo, &task, "refused").ok(200);
    decide(&cleo, &task, "agreed").problem(409, "CONFLICT");
    let path = format!("/api/repairs/{}", row.as_str().expect("an id"));
    wait_for("the refusal", || (cleo.get(&path).json()["status"] == "refused").then_some(()));
}

fn tasks_are_shown_only_to_those_who_may_decide(base: &str) {
    let (ada, cleo, max) = (Client::signed_in(base, ADA), Client::signed_in(base, CLEO), Client::signed_in(base, MAX));
    let row = repair(&cleo, "hidden", "300.00");
    let task = wait_for("a task", || task_of(&cleo, &row));
    for other in [&ada, &max] {
        assert!(task_of(other, &row).is_none());
        decide(other, &task, "agreed").problem(404, "NOT_FOUND");
    }
    Client::new(base).get("/api/-/tasks").problem(401, "AUTHENTICATION_REQUIRED");
}

fn a_task_is_decided_on_its_page(base: &str) {
    let (ada, cleo, max) = (Client::signed_in(base, ADA), Client::signed_in(base, CLEO), Client::signed_in(base, MAX));
    let row = repair(&cleo, "on a page", "410.00");
    let task = wait_for("a task", || task_of(&cleo, &row));
    let id = task["id"].as_str().expect("an id");
    let path = format!("/app/-/inbox/{id}");
    let mark = format!("data-dz-task=\"{id}\"");
    cleo.get("/app/-/inbox").ok(200).shows(&[&mark, "Ask the customer", "on a page"]);
    cleo.get(&path).ok(200).shows(&["410.00", "name=\"outcome\" value=\"agreed\"", "value=\"refused\" data-dz-confirm="]);
    for other in [&ada, &max] {
        assert!(!other.get("/app/-/inbox").ok(200).body.contains(&mark));
        assert_eq!((other.get(&path).status, other.form(&path, &[("outcome", "agreed")]).status), (404, 404));
    }
    for wrong in [&[][..], &[("outcome", "perhaps")]] {
        assert_eq!(cleo.form(&path, wrong).status, 422);
    }
    // What the outcome sets breaks an invariant: the page names it, and the task stays open.
    let refused = cleo.form(&path, &[("outcome", "cheaper")]);
    assert_eq!(refused.status, 422);
    refused.shows(&["A price cannot be negative"]);
    let decided = cleo.form(&path, &[("outcome", "agreed")]);
    assert_eq!((decided.status, decided.header("location")), (303, Some("/app/-/inbox")));
    assert_eq!(cleo.form(&path, &[("outcome", "refused")]).status, 409);
    let closed = cleo.get(&path).ok(200);
    assert!(!closed.body.contains("name=\"outcome\""), "a closed task has no outcomes");
    assert!(!cleo.get("/app/-/inbox").ok(200).body.contains(&mark));
}

fn a_deleted_row_is_read_as_it_was(base: &str) {
    let (ada, cleo) = (Client::signed_in(base, ADA), Client::signed_in(base, CLEO));
    let row = repair(&cleo, "gone", "190.00");
    let task = wait_for("a task", || task_of(&cleo, &row));
    cleo.send("DELETE", &format!("/api/repairs/{}", row.as_str().expect("an id")), &Value::Null).ok(204);
    // The row cannot be read, so the task is not shown, and an administrator cancels the run.
    assert!(task_of(&cleo, &row).is_none());
    let path = format!("/api/-/runs/{}/cancel", task["run"].as_str().expect("an id"));
    assert_eq!(ada.send("POST", &path, &json!({})).ok(200).json()["status"], "cancelled");
    ada.send("POST", &path, &json!({})).problem(409, "CONFLICT");
}

fn a_run_reads_the_last_values_of_a_deleted_row(base: &str) {
    let (ada, cleo) = (Client::signed_in(base, ADA), Client::signed_in(base, CLEO));
    let body = json!({ "bike": "racer", "price": "2.50", "express": true, "notes": "brake" });
    let row = cleo.send("POST", "/api/repairs", &body).ok(201).json()["id"].clone();
    let run = wait_for("a run", || runs_of(&ada, "recalling", &row).pop());
    run_with(&ada, &run["id"], "waiting");
    // Nothing happens to the run between the change and the deletion.
    let path = format!("/api/repairs/{}", row.as_str().expect("an id"));
    cleo.send("PATCH", &path, &json!({ "notes": "brakes", "price": "3.5" })).ok(200);
    cleo.send("DELETE", &path, &Value::Null).ok(204);
    wait_for("the removal", || (lines(&cleo, "removed racer") == 1).then_some(()));
    assert_eq!(ada.send("POST", "/api/-/signals/recalled", &json!({})).ok(200).json()["runs"], 1);
    let run = run_with(&ada, &run["id"], "completed");
    assert_eq!(lines(&cleo, "recalled with brakes"), 1);
    // Values have the form in which the API writes them.
    assert_eq!((&run["input"], &run["output"]), (&json!({ "limit": "5.00" }), &json!({ "price": "7.00" })));
}

fn only_administrators_control_runs(base: &str) {
    let (ada, cleo) = (Client::signed_in(base, ADA), Client::signed_in(base, CLEO));
    let id = dz::Uuid::now_v7();
    for path in ["/api/-/runs".to_owned(), format!("/api/-/runs/{id}")] {
        cleo.get(&path).problem(403, "FORBIDDEN");
        Client::new(base).get(&path).problem(401, "AUTHENTICATION_REQUIRED");
    }
    for path in [format!("/api/-/runs/{id}/retry"), "/api/-/signals/paid".to_owned(), "/api/-/processes/writing".to_owned()] {
        cleo.send("POST", &path, &json!({})).problem(403, "FORBIDDEN");
    }
    ada.get(&format!("/api/-/runs/{id}")).problem(404, "NOT_FOUND");
    ada.get("/api/-/runs?status=asleep").problem(400, "BAD_REQUEST");
    ada.send("POST", "/api/-/signals/payed", &json!({})).problem(404, "NOT_FOUND");
    let unknown = ada.send("POST", "/api/-/processes/writting", &json!({})).problem(404, "NOT_FOUND");
    assert!(unknown["detail"].as_str().is_some_and(|detail| detail.contains("writing")), "{unknown}");
    ada.send("POST", "/api/-/processes/accepting", &json!({})).problem(404, "NOT_FOUND");
}

fn a_wrong_input_names_each_member(base: &str) {
    let ada = Client::signed_in(base, ADA);
    let body = json!({ "input": { "times": "many", "txt": "a" } });
    let wrong = ada.send("POST", "/api/-/processes/writing", &body).problem(422, "VALIDATION");
    let errors = wrong["field_errors"].as_object().expect("errors");
    assert_eq!(errors.keys().map(String::as_str).collect::<Vec<_>>(), ["text", "times", "txt"], "{wrong}");
}

#[test]
fn waits_end_by_the_clock_and_by_signals_on_sqlite() {
    check_waits(Engine::Sqlite);
}

#[test]
fn waits_end_by_the_clock_and_by_signals_on_postgres() {
    check_waits(Engine::Postgres);
}

fn check_waits(engine: Engine) {
    let clock = Clock::stopped("2026-11-23T10:00:00Z".parse().expect("a time"));
    let base = server::serve(app().clock(clock.clone()), engine, server::new_url(engine, "workshop_waits"));
    let ada = Client::signed_in(&base, ADA);
    let start = |text: &str| {
        let run = ada.send("POST", "/api/-/processes/writing", &json!({ "input": { "text": text } })).ok(201).json();
        run["id"].clone()
    };
    let (first, second) = (start("one"), start("two"));
    run_with(&ada, &first, "waiting");
    assert_eq!(ada.get(&format!("/api/-/runs/{}", second.as_str().expect("an id"))).json()["status"], "queued", "`overlap: queue`");
    assert_eq!(ada.send("POST", "/api/-/signals/paid", &json!({})).ok(200).json()["runs"], 0, "no run waits for it yet");

    // A signal to one run is kept until the run waits for it.
    let kept = json!({ "payload": { "sum": 3 }, "run": first });
    assert_eq!(ada.send("POST", "/api/-/signals/paid", &kept).ok(200).json()["runs"], 1);
    clock.advance(chrono::TimeDelta::hours(1));
    let run = run_with(&ada, &first, "completed");
    assert_eq!((&run["output"], &run["input"]["times"]), (&json!({ "paid": true }), &json!(2)));
    assert_eq!(run["input"]["day"], "2026-11-23", "a default is evaluated at the start of the run");
    assert_eq!(run["steps"][1]["output"]["payload"], json!({ "sum": 3 }));
    assert_eq!(lines(&ada, "written one"), 1);

    // The second run begins when the first one ends; it waits for the signal for a day, which is its timeout.
    run_with(&ada, &second, "waiting");
    clock.advance(chrono::TimeDelta::hours(1));
    wait_for("the second step", || {
        let run = ada.get(&format!("/api/-/runs/{}", second.as_str().expect("an id"))).json();
        (run["steps"].as_array().map(Vec::len) == Some(2)).then_some(())
    });
    clock.advance(chrono::TimeDelta::days(1));
    let run = run_with(&ada, &second, "completed");
    assert_eq!((&run["steps"][1]["status"], &run["steps"][1]["error"]["code"]), (&json!("failed"), &json!("TIMEOUT")));
    assert_eq!((lines(&ada, "too late"), &run["output"]), (1, &json!({ "paid": false })));
}
