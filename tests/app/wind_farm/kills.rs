//! The application is killed again and again while runs are under way: no completed step repeats, and nothing is lost.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use dz::{
    Engine, ServiceCx,
    serde_json::{Value, json},
};

use super::{ADA, AppServices as _};
use crate::{client::Client, jobs::Serving, server};

/// The number of runs, and the time between two kills.
const RUNS: usize = 24;
const KILLS: u64 = 6;
const BETWEEN: Duration = Duration::from_millis(900);

/// The program that the tests start and kill. Its services write a line at the start and at the end of each call.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    let Ok(log) = std::env::var("DZ_CRANE_LOG") else { return };
    let cranes = super::Cranes::default();
    let app = super::app().service(LoggedCrane(PathBuf::from(log))).service(super::Returns(cranes)).llm_provider(super::answer);
    server::obey(app);
}

struct LoggedCrane(PathBuf);

impl LoggedCrane {
    fn note(&self, word: &str, cx: &ServiceCx) {
        let mut file = fs::OpenOptions::new().create(true).append(true).open(&self.0).expect("the log");
        file.write_all(format!("{word} {}\n", cx.key()).as_bytes()).expect("a line");
    }
}

impl super::services::Crane for LoggedCrane {
    fn call(&self, cx: &ServiceCx, input: super::services::CraneInput) -> dz::Result<super::services::CraneOutput> {
        self.note("begin", cx);
        thread::sleep(Duration::from_millis(60));
        self.note("end", cx);
        Ok(super::services::CraneOutput { order: input.what })
    }
}

#[test]
fn killed_runs_complete_on_sqlite() {
    check_kills(Engine::Sqlite);
}

#[test]
fn killed_runs_complete_on_postgres() {
    check_kills(Engine::Postgres);
}

fn serve(engine: Engine, url: &str, log: &str) -> Serving {
    let engine = format!("{engine:?}");
    Serving::start_program("wind_farm::kills::child", url, &[("DZ_ENGINE", engine.as_str()), ("DZ_CRANE_LOG", log)])
}

fn check_kills(engine: Engine) {
    let url = server::new_url(engine, "breeze_kills");
    let log = std::env::temp_dir().join(format!("dz-cranes-{engine:?}-{}", std::process::id()));
    let _ = fs::remove_file(&log);
    let path = log.to_str().expect("a path").to_owned();
    let mut serving = serve(engine, &url, &path);
    let mut admin = Client::signed_in(&serving.base, ADA);
    let mut started: BTreeSet<String> = BTreeSet::new();
    for kill in 0..KILLS {
        for run in 0..RUNS / KILLS as usize {
            let body = json!({ "input": { "part": format!("part {kill} {run}") } });
            let made = admin.send("POST", "/api/-/processes/ordering", &body).ok(201).json();
            started.insert(made["id"].as_str().expect("an id").to_owned());
        }
        thread::sleep(BETWEEN * (1 + (kill % 3) as u32) / 3);
        // SIGKILL: nothing is completed, and nothing is written.
        drop(serving);
        serving = serve(engine, &url, &path);
        admin = Client { cookie: admin.cookie.clone(), ..Client::new(&serving.base) };
    }
    let runs = wait_for_end(&admin, &started);
    check_runs(&admin, &runs);
    check_calls(&fs::read_to_string(&log).expect("the log"), &started);
    let _ = fs::remove_file(&log);
}

/// Waits until no run is open; every run that was confirmed is there.
fn wait_for_end(admin: &Client, started: &BTreeSet<String>) -> Vec<Value> {
    let start = Instant::now();
    loop {
        let all = admin.get("/api/-/runs?process=ordering&limit=1000").ok(200).json()["runs"].as_array().expect("runs").clone();
        let open = all.iter().filter(|run| run["ended_at"].is_null()).count();
        if open == 0 {
            let found: BTreeSet<String> = all.iter().map(|run| run["id"].as_str().expect("an id").to_owned()).collect();
            assert!(started.is_subset(&found), "a confirmed run is lost");
            return all;
        }
        // On PostgreSQL a killed call waits for the end of its lease.
        assert!(start.elapsed() < Duration::from_secs(90), "{open} runs do not end");
        thread::sleep(Duration::from_millis(200));
    }
}

fn check_runs(admin: &Client, runs: &[Value]) {
    for run in runs {
        let id = run["id"].as_str().expect("an id");
        let details = admin.get(&format!("/api/-/runs/{id}")).ok(200).json();
        assert_eq!((&details["status"], &details["output"]["order"]), (&json!("completed"), &details["input"]["part"]), "{details}");
        let attempts: Vec<&Value> = details["steps"].as_array().expect("steps").iter().map(|step| &step["attempts"]).collect();
        assert_eq!(attempts, [&json!(1), &json!(1)], "a crash is not a failed attempt: {details}");
    }
    let followed = admin.get("/api/-/runs?process=followed&limit=1000").ok(200).json()["runs"].as_array().expect("runs").len();
    assert_eq!(followed, runs.len(), "each completed run starts one other run");
}

/// After the second step of a run has begun, its first step is complete: its key is not called again. Only a call that a kill interrupts
/// is repeated.
fn check_calls(log: &str, started: &BTreeSet<String>) {
    let mut begun: BTreeMap<String, usize> = BTreeMap::new();
    for (word, key) in log.lines().filter_map(|line| line.split_once(' ')) {
        let (run, step) = key.split_once(':').expect("a key of a step");
        if word == "begin" {
            *begun.entry(key.to_owned()).or_default() += 1;
            let second = format!("{run}:order");
            assert!(step == "order" || !begun.contains_key(&second), "the completed step `{key}` was called again");
        }
    }
    for run in started {
        for step in ["first", "order"] {
            let calls = begun.get(&format!("{run}:{step}")).copied().unwrap_or_default();
            assert!((1..=1 + KILLS as usize).contains(&calls), "`{step}` of {run} was called {calls} times");
        }
    }
    let interrupted = begun.values().filter(|calls| **calls > 1).count();
    println!("{} calls, {interrupted} of them repeated after a kill", begun.len());
}
