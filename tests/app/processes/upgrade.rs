//! A new version of an application in the middle of runs: open runs keep the description with which they started, and new runs have the
//! new one.

use std::{fs, process::Stdio};

use dz::{
    Engine,
    serde_json::{Value, json},
};

use super::{run_with, wait_for};
use crate::{client::Client, jobs::Serving, server};

/// The version with which runs start.
mod before {
    dz::dz! {
        app foundry "Foundry"

        persona founder "Founder"

        entity User "Person":
          id: uuid pk
          name: str(60) required

        entity Bell "Bell":
          id: uuid pk
          name: str(60) required
          permit:
            list: role(founder)
            read: role(founder)
            create: role(founder)

        entity Line "Line":
          id: int pk
          text: str(120) required
          permit:
            list: true
            read: true

        process casting "Casting a bell":
          trigger: entity Bell created
          steps:
            - step mould:
              wait: signal moulded
            - step check "Check the bell":
              human_task:
                assignee_role: founder
                outcomes:
                  - good "Good":
                    goto: note
            - step note:
              effects:
                - create Line:
                  text: concat("old ", trigger.entity.name)

        process polishing "Polishing":
          trigger: manual
          steps:
            - step rest:
              wait: signal polished

        process tuning "Tuning":
          trigger: manual
          steps:
            - step rest:
              wait: signal tuned
            - step note:
              effects:
                - create Line:
                  text: "tuned"

        demo:
          User:
            - name: "Ada", email: "ada@foundry.example", password: "pours the bronze", roles: [admin, founder]
    }
}

/// The version that replaces it: `casting` has other steps, and there is no process `tuning`.
mod after {
    dz::dz! {
        app foundry "Foundry"

        persona founder "Founder"

        entity User "Person":
          id: uuid pk
          name: str(60) required

        entity Bell "Bell":
          id: uuid pk
          name: str(60) required
          permit:
            list: role(founder)
            read: role(founder)
            create: role(founder)

        entity Line "Line":
          id: int pk
          text: str(120) required
          permit:
            list: true
            read: true

        process casting "Casting a bell":
          trigger: entity Bell created
          steps:
            - step pour:
              wait: signal moulded
            - step note:
              effects:
                - create Line:
                  text: concat("new ", trigger.entity.name)

        process polishing "Polishing":
          trigger: manual
          steps:
            - step rest:
              wait: signal polished

        demo:
          User:
            - name: "Ada", email: "ada@foundry.example", password: "pours the bronze", roles: [admin, founder]
    }
}

const ADA: (&str, &str) = ("ada@foundry.example", "pours the bronze");
const SIGNAL: &str = "/api/-/signals/";

#[test]
#[ignore = "the tests start it in a process of its own"]
fn child_before() {
    server::obey(before::app());
}

#[test]
#[ignore = "the tests start it in a process of its own"]
fn child_after() {
    server::obey(after::app());
}

#[test]
fn open_runs_complete_in_a_new_version_on_sqlite() {
    check_upgrade(Engine::Sqlite);
}

#[test]
fn open_runs_complete_in_a_new_version_on_postgres() {
    check_upgrade(Engine::Postgres);
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn lines(client: &Client) -> Vec<String> {
    let rows = client.get("/api/lines?sort=id").ok(200).json()["items"].clone();
    rows.as_array().expect("rows").iter().map(|row| text(&row["text"]).to_owned()).collect()
}

/// Creates a bell; returns its run when it waits for the signal.
fn cast(client: &Client, name: &str) -> Value {
    let bell = client.send("POST", "/api/bells", &json!({ "name": name })).ok(201).json()["id"].clone();
    let run = wait_for("a run", || super::runs_of(client, "casting", &bell).pop());
    run_with(client, &run["id"], "waiting")
}

fn start(client: &Client, process: &str) -> Value {
    let run = client.send("POST", &format!("/api/-/processes/{process}"), &json!({})).ok(201).json();
    run_with(client, &run["id"], "waiting")
}

fn signal(client: &Client, name: &str, run: &Value) {
    client.send("POST", &format!("{SIGNAL}{name}"), &json!({ "run": run["id"] })).ok(200);
}

fn task(client: &Client, run: &Value) -> Option<Value> {
    let tasks = client.get("/api/-/tasks").ok(200).json()["tasks"].clone();
    tasks.as_array().expect("tasks").iter().find(|task| task["run"] == run["id"]).cloned()
}

fn check_upgrade(engine: Engine) {
    let url = server::new_url(engine, "foundry");
    let old = Serving::start_program("processes::upgrade::child_before", &url, &[]);
    let ada = Client::signed_in(&old.base, ADA);
    let (moulding, checked) = (cast(&ada, "tenor"), cast(&ada, "treble"));
    let (polishing, tuning) = (start(&ada, "polishing"), start(&ada, "tuning"));
    signal(&ada, "moulded", &checked);
    let open = wait_for("a task", || task(&ada, &checked));
    assert!(old.end());

    // The change needs no migration, and the new version starts over the same database.
    let new = Serving::start_program("processes::upgrade::child_after", &url, &[]);
    let ada = Client::signed_in(&new.base, ADA);
    let fresh = cast(&ada, "bass");
    assert_ne!(fresh["version"], moulding["version"], "a new run has the new description");
    assert_eq!(fresh["steps"][0]["name"], "pour");
    // A task of the old description is decided in the new version, and the run continues with the old steps.
    ada.send("POST", &format!("/api/-/tasks/{}", text(&open["id"])), &json!({ "outcome": "good" })).ok(200);
    let done = run_with(&ada, &checked["id"], "completed");
    let names = |run: &Value| run["steps"].as_array().expect("steps").iter().map(|it| text(&it["name"]).to_owned()).collect::<Vec<_>>();
    assert_eq!((names(&done), &done["version"]), (vec!["mould".to_owned(), "check".to_owned(), "note".to_owned()], &checked["version"]));
    signal(&ada, "moulded", &moulding);
    let later = wait_for("a task", || task(&ada, &moulding));
    assert_eq!(later["title"], "Check the bell", "the new description has no such step");
    ada.send("POST", &format!("/api/-/tasks/{}", text(&later["id"])), &json!({ "outcome": "good" })).ok(200);
    run_with(&ada, &moulding["id"], "completed");
    signal(&ada, "moulded", &fresh);
    run_with(&ada, &fresh["id"], "completed");
    // A run of a process that no longer exists completes, and no new one can start.
    ada.send("POST", "/api/-/processes/tuning", &json!({})).problem(404, "NOT_FOUND");
    ada.send("POST", &format!("{SIGNAL}polished"), &json!({ "run": polishing["id"] })).ok(200);
    run_with(&ada, &polishing["id"], "completed");
    assert_eq!(lines(&ada), ["old treble", "old tenor", "new bass"]);
    assert_eq!(run_with(&ada, &tuning["id"], "waiting")["version"], tuning["version"]);
    assert!(new.end());
}

#[test]
fn a_start_reports_open_runs_of_earlier_versions_on_sqlite() {
    check_report(Engine::Sqlite);
}

#[test]
fn a_start_reports_open_runs_of_earlier_versions_on_postgres() {
    check_report(Engine::Postgres);
}

/// The log of a server until it answers.
fn log_of(of: &str, engine: Engine, url: &str) -> String {
    let path = std::env::temp_dir().join(format!("dz-foundry-{}-{engine:?}.log", std::process::id()));
    let file = fs::File::create(&path).expect("a file");
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port").port();
    let mut command = server::command(of, engine, url, &["serve"]);
    command.env("ROCKET_PORT", port.to_string()).stdout(file.try_clone().expect("a file")).stderr(Stdio::from(file));
    let mut child = command.spawn().expect("the server starts");
    wait_for("an answer", || std::net::TcpStream::connect(("127.0.0.1", port)).ok());
    let _ = child.kill();
    let _ = child.wait();
    let text = fs::read_to_string(&path).expect("a log");
    let _ = fs::remove_file(&path);
    text
}

fn check_report(engine: Engine) {
    let url = server::new_url(engine, "foundry_log");
    let old = Serving::start_program("processes::upgrade::child_before", &url, &[]);
    let ada = Client::signed_in(&old.base, ADA);
    let (first, _) = (cast(&ada, "tenor"), cast(&ada, "treble"));
    start(&ada, "polishing");
    let tuning = start(&ada, "tuning");
    assert!(old.end());
    let log = log_of("processes::upgrade::child_after", engine, &url);
    let reports: Vec<&str> = log.lines().filter(|line| line.contains("open runs of an earlier version")).collect();
    assert_eq!(reports.len(), 2, "one line for each description: {log}");
    let of = |process: &str| reports.iter().find(|line| line.contains(process)).unwrap_or_else(|| panic!("no {process} in {log}"));
    let (casting, gone) = (of("casting"), of("tuning"));
    assert!(casting.contains(text(&first["version"])) && casting.contains("runs=2") && casting.contains("current"), "{casting}");
    assert!(gone.contains(text(&tuning["version"])) && gone.contains("runs=1"), "{gone}");
    // The version that wrote the runs reports none.
    let same = log_of("processes::upgrade::child_before", engine, &url);
    assert!(!same.contains("open runs of an earlier version"), "{same}");
}
