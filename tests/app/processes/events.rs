//! Events of runs, which subscribers of the application get after the commit.

use std::sync::{Mutex, PoisonError};

use dz::{
    Engine, Error, RunEvent, RunHappened, SystemCx,
    serde_json::{Value, json},
};

use crate::{client::Client, server, timed_transitions::eventually};

dz::dz! {
    app pottery "Pottery"

    persona potter "Potter"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Pot "Pot":
      id: int pk
      name: str(60) required
      heat: int = 0
      invariant: heat <= 1300
        message: "The kiln is not that hot"
        code: TOO_HOT
      permit:
        list: true
        read: true

    process firing "Firing":
      trigger: manual role(potter)
      overlap: queue
      input:
        heat: int required
      output:
        reached: int = input.heat
      steps:
        - step fire:
          effects:
            - create Pot:
              name: "A pot"
              heat: input.heat
        - step cool:
          wait: signal cooled

    schedule sweeping "Sweeping":
      interval: 1d
      steps:
        - step sweep:
          effects:
            - delete Pot:
              where: name = "Shards"

    demo:
      User:
        - name: "Ada", email: "ada@pottery.example", password: "turns the wheel", roles: [admin, potter]
}

const ADA: (&str, &str) = ("ada@pottery.example", "turns the wheel");

/// What the subscribers of each engine got.
static HEARD: [Mutex<Vec<Value>>; 2] = [Mutex::new(Vec::new()), Mutex::new(Vec::new())];

fn heard(engine: Engine) -> Vec<Value> {
    HEARD[usize::from(engine == Engine::Postgres)].lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn hear(engine: Engine, cx: &SystemCx, run: &RunHappened) -> dz::Result<()> {
    // The first attempt fails, so that the delivery is repeated.
    if run.event == RunEvent::Failed && run.attempt == 1 {
        return Err(Error::internal("the potter does not listen"));
    }
    // The subscriber works on rows as the system.
    cx.run(|tx| pot::NewPot { id: None, name: format!("Heard {}", run.event), heat: Some(0) }.create(tx))?;
    let error = run.error.as_ref().map(|error| json!([error.code, error.step]));
    let entry = json!([run.event.name(), run.process, run.run, run.input["heat"], run.output, error]);
    HEARD[usize::from(engine == Engine::Postgres)].lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    Ok(())
}

/// Logs each failed firing.
fn watched(app: dz::App) -> dz::App {
    app.on_process("firing", RunEvent::Failed, |_, run| {
        let why = run.error.as_ref().map_or("", |error| error.detail.as_str());
        tracing::warn!("the run {} failed: {why}", run.run);
        Ok(())
    })
    .named("log failures")
}

fn pottery(engine: Engine) -> dz::App {
    [RunEvent::Started, RunEvent::Completed, RunEvent::Failed, RunEvent::Cancelled]
        .into_iter()
        .fold(watched(app()), |app, event| app.on_process("firing", event, move |cx, run| hear(engine, cx, run)).named("hear of firings"))
        .on_process("sweeping", RunEvent::Completed, |_, _| Ok(()))
}

#[test]
fn a_subscriber_gets_the_start_and_the_end_of_each_run_on_sqlite() {
    check_events(Engine::Sqlite);
}

#[test]
fn a_subscriber_gets_the_start_and_the_end_of_each_run_on_postgres() {
    check_events(Engine::Postgres);
}

fn check_events(engine: Engine) {
    let client = Client::signed_in(&server::serve(pottery(engine), engine, server::new_url(engine, "pottery")), ADA);
    let start = |heat: i64| {
        let started = client.send("POST", "/api/-/processes/firing", &json!({ "input": { "heat": heat } })).ok(201).json();
        started["id"].clone()
    };
    let signal = |run: &Value| client.send("POST", "/api/-/signals/cooled", &json!({ "run": run })).ok(200);
    let (good, bad, dropped) = (start(900), start(2_000), start(800));
    let started = |run: &Value, heat: i64| json!(["process.started", "firing", run, heat, null, null]);
    eventually(vec![started(&good, 900)], || heard(engine));
    // A queued run begins after the one before it.
    signal(&good);
    eventually(5, || heard(engine).len());
    client.send("POST", &format!("/api/-/runs/{}/cancel", dropped.as_str().expect("an id")), &json!({})).ok(200);
    eventually(6, || heard(engine).len());
    let all = heard(engine);
    for expected in [
        json!(["process.completed", "firing", good, 900, { "reached": 900 }, null]),
        started(&bad, 2_000),
        json!(["process.failed", "firing", bad, 2_000, null, ["TOO_HOT", "fire"]]),
        started(&dropped, 800),
        json!(["process.cancelled", "firing", dropped, 800, null, null]),
    ] {
        assert!(all.contains(&expected), "{expected} is not in {all:?}");
    }
    // In the order of each run, also after a failed delivery.
    let of_bad: Vec<&Value> = all.iter().filter(|entry| entry[2] == bad).map(|entry| &entry[0]).collect();
    assert_eq!(of_bad, ["process.started", "process.failed"]);
}

#[test]
fn a_subscriber_names_a_process_of_the_application() {
    let wrong = app().on_process("fireing", RunEvent::Started, |_, _| Ok(()));
    let refused = wrong.engine(Engine::Sqlite).database_url(server::new_file("pottery")).system_cx().map(drop);
    let error = refused.expect_err("an unknown process");
    assert!(error.detail.contains("there is no process `fireing`") && error.detail.contains("firing"), "{}", error.detail);
}
