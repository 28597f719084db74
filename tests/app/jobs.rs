//! Commands that do background work: `jobs run`, `events list`, `events retry`; and the shutdown of a server during its work. Each runs
//! in a process of its own: the program of the tests.

use std::{
    collections::BTreeMap,
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use dz::{
    Cx, Engine, Event, Happened, SystemCx,
    serde_json::{Value, json},
};

use crate::{client::Client, server, timed_transitions::eventually};

dz::dz! {
    app mill "Mill"

    persona miller "Miller"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Sack "Sack":
      id: uuid pk
      name: str(60) required
      status: enum[full, milled, sold] = full
      transitions:
        full -> milled: auto after 1 second
        milled -> sold
      permit:
        list: true
        read: true
        create: role(miller)
        update: role(miller)

    entity Heard "Heard":
      id: int pk
      sack: str(60) required
      permit:
        list: true
        read: true

    demo:
      User:
        - name: "Mo", email: "mo@mill.example", password: "grinds the grain", roles: [miller]
}

pub(crate) const MILLER: (&str, &str) = ("mo@mill.example", "grinds the grain");

/// Takes some time, so that the program can be ended meanwhile.
fn hear(cx: &SystemCx, event: &Happened<sack::Sack>) -> dz::Result<()> {
    if std::env::var("DZ_MILL_DEAF").is_ok() {
        return Err(dz::Error::internal("the wheel is too loud"));
    }
    let wait = std::env::var("DZ_MILL_SLOW").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    thread::sleep(Duration::from_millis(wait));
    cx.run(|tx| heard::NewHeard { id: None, sack: event.row.name.clone() }.create(tx)).map(drop)
}

/// Creates a sack in a slow unit of work.
#[rocket::post("/slow/<name>")]
async fn slow(cx: Cx, name: String) -> dz::Result<String> {
    cx.run(move |tx| {
        let made = sack::NewSack { id: None, name: name.clone(), status: None }.create(tx)?;
        thread::sleep(Duration::from_millis(1_200));
        Ok(made.name)
    })
    .await
}

fn mill() -> dz::App {
    let app = app().mount("/", rocket::routes![slow]);
    match std::env::var("DZ_MILL_NOBODY") {
        Ok(_) => app,
        Err(_) => app.on::<sack::Sack>(Event::Created, hear).named("hear of sacks"),
    }
}

/// The program that the tests run: the command line of the application.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(mill());
}

fn program(of: &str, url: &str, words: &str, variables: &[(&str, &str)]) -> Command {
    let engine = if url.starts_with("sqlite") { Engine::Sqlite } else { Engine::Postgres };
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut command = server::command(of, engine, url, &words);
    command.envs(variables.iter().copied());
    command
}

/// Runs a command; returns its output and whether it succeeded.
fn run_command(url: &str, words: &str, variables: &[(&str, &str)]) -> (String, bool) {
    let Output { status, stdout, stderr } = program("jobs::child", url, words, variables).output().expect("it runs");
    (format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)), status.success())
}

#[track_caller]
pub(crate) fn check_output(url: &str, words: &str, variables: &[(&str, &str)], expected: &[&str]) {
    let (text, content) = run_command(url, words, variables);
    assert!(content, "{text}");
    for line in expected {
        assert!(text.contains(line), "`{line}` is not in:\n{text}");
    }
}

/// As [`check_output`], for the application that the ignored test `of` runs; the command succeeds or fails as expected.
#[track_caller]
pub(crate) fn check_output_of(of: &str, url: &str, words: &str, succeeds: bool, expected: &[&str]) {
    let Output { status, stdout, stderr } = program(of, url, words, &[]).output().expect("it runs");
    let text = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert_eq!(status.success(), succeeds, "{text}");
    for line in expected {
        assert!(text.contains(line), "`{line}` is not in:\n{text}");
    }
}

#[track_caller]
fn check_refusal(url: &str, words: &str, expected: &str) {
    let (text, content) = run_command(url, words, &[]);
    assert!(!content && text.contains(expected), "`{expected}` is not in:\n{text}");
}

/// A server without a worker, so that no background work is done.
fn idle(engine: Engine, of: &str) -> (String, String) {
    let url = server::new_url(engine, of);
    (server::serve_with(mill(), engine, url.clone(), json!({ "worker": false })), url)
}

fn total(client: &Client, path: &str) -> u64 {
    client.get(path).ok(200).json()["total"].as_u64().expect("a total")
}

fn sacks(client: &Client, names: &[&str]) {
    for name in names {
        client.send("POST", "/api/sacks", &json!({ "name": name })).ok(201);
    }
}

#[test]
fn due_work_is_executed_once_on_sqlite() {
    check_due_work_is_done_once(Engine::Sqlite);
}

#[test]
fn due_work_is_executed_once_on_postgres() {
    check_due_work_is_done_once(Engine::Postgres);
}

fn check_due_work_is_done_once(engine: Engine) {
    let (base, url) = idle(engine, "mill_jobs");
    let client = Client::signed_in(&base, MILLER);
    sacks(&client, &["Rye", "Oat", "Spelt"]);
    thread::sleep(Duration::from_millis(1_100));
    assert_eq!((total(&client, "/api/sacks?status=full"), total(&client, "/api/heards")), (3, 0), "nothing happens by itself");
    check_output(&url, "jobs run", &[], &["3 timed transitions", "3 events delivered"]);
    assert_eq!((total(&client, "/api/sacks?status=milled"), total(&client, "/api/heards")), (3, 3));
    check_output(&url, "jobs run", &[], &["0 timed transitions", "0 events delivered"]);
    assert_eq!(total(&client, "/api/heards"), 3);
    check_refusal(&url, "jobs", "`jobs` needs `run`");
    check_refusal(&url, "jobs stop", "`jobs` needs `run`");
}

#[test]
fn events_are_listed_and_redelivered_on_sqlite() {
    check_events_are_listed_and_sent_again(Engine::Sqlite);
}

#[test]
fn events_are_listed_and_redelivered_on_postgres() {
    check_events_are_listed_and_sent_again(Engine::Postgres);
}

fn check_events_are_listed_and_sent_again(engine: Engine) {
    let (base, url) = idle(engine, "mill_events");
    let client = Client::signed_in(&base, MILLER);
    // An event without a subscriber becomes a dead letter.
    sacks(&client, &["Corn"]);
    check_output(&url, "jobs run", &[("DZ_MILL_NOBODY", "yes")], &["put off"]);
    let (text, _) = run_command(&url, "events list", &[]);
    assert!(text.contains("0 pending, 1 dead") && text.contains("no longer exists"), "{text}");
    let dead = text.lines().find(|line| line.trim_start().starts_with("dead")).expect("a dead letter");
    let id = dead.split_whitespace().nth(1).expect("its id").to_owned();
    check_refusal(&url, "events retry", "`events` needs");
    check_refusal(&url, "events retry nothing", "`nothing` is not an event");
    check_refusal(&url, "events retry 00000000-0000-0000-0000-000000000000", "there is no dead letter");
    check_output(&url, &format!("events retry {id}"), &[], &["1 will be delivered again"]);
    check_output(&url, "events retry all", &[], &["0 will be delivered again"]);
    check_output(&url, "jobs run", &[], &["1 event delivered"]);
    let heard = client.get("/api/heards").ok(200).json();
    assert_eq!((&heard["total"], &heard["items"][0]["sack"]), (&json!(1), &json!("Corn")));
    // A failed event is retried later, with its reason. These events are last, because they are due again after five seconds.
    sacks(&client, &["Rye", "Oat"]);
    check_output(&url, "events list", &[], &["waits", "hear of sacks", "2 pending, 0 dead"]);
    check_output(&url, "jobs run", &[("DZ_MILL_DEAF", "yes")], &["0 events delivered, 2 put off"]);
    check_output(&url, "events list", &[], &["again", "1 attempts, next at", "the wheel is too loud", "2 pending, 0 dead"]);
}

#[test]
fn a_server_completes_its_work_at_shutdown_on_sqlite() {
    check_server_completes_its_work(Engine::Sqlite);
}

#[test]
fn a_server_completes_its_work_at_shutdown_on_postgres() {
    check_server_completes_its_work(Engine::Postgres);
}

/// As [`eventually`], for work of other processes.
pub(crate) fn eventually_slowly<T: PartialEq + std::fmt::Debug>(expected: T, found: impl Fn() -> T) {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        if found() == expected {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("{:?} does not become {expected:?}", found());
}

/// The application in a process of its own.
pub(crate) struct Serving {
    child: Child,
    pub(crate) base: String,
}

impl Serving {
    pub(crate) fn start(url: &str, variables: &[(&str, &str)]) -> Serving {
        Serving::start_program("jobs::child", url, variables)
    }

    /// As [`start`](Serving::start), for the application that the ignored test `of` runs.
    pub(crate) fn start_program(of: &str, url: &str, variables: &[(&str, &str)]) -> Serving {
        let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port").port().to_string();
        let mut command = program(of, url, "serve", variables);
        command.env("ROCKET_PORT", &port).env("ROCKET_LOG_LEVEL", "off").stdout(Stdio::null()).stderr(Stdio::null());
        let serving = Serving { child: command.spawn().expect("the server starts"), base: format!("http://127.0.0.1:{port}") };
        let start = Instant::now();
        while std::net::TcpStream::connect(serving.base.trim_start_matches("http://")).is_err() {
            assert!(start.elapsed() < Duration::from_secs(60), "the server does not answer");
            thread::sleep(Duration::from_millis(20));
        }
        serving
    }

    /// Sends a signal to the process.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success(), "{name}");
    }

    /// Requests the shutdown, like a service manager; returns whether the server ended successfully.
    pub(crate) fn end(mut self) -> bool {
        self.signal("TERM");
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("its status") {
                return status.success();
            }
            assert!(start.elapsed() < Duration::from_secs(20), "the server does not end");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// During a shutdown a server answers open requests and completes the running delivery; the next server delivers the other events, and
/// none twice.
fn check_server_completes_its_work(engine: Engine) {
    const SACKS: u64 = 12;
    let url = server::new_url(engine, "mill_ends");
    let serving = Serving::start(&url, &[("DZ_MILL_SLOW", "300")]);
    let client = Client::signed_in(&serving.base, MILLER);
    for n in 1..SACKS {
        sacks(&client, &[&format!("Sack {n}")]);
    }
    let under_way = {
        let client = Client { host: client.host.clone(), cookie: client.cookie.clone() };
        thread::spawn(move || client.try_send("POST", "/slow/Last", &json!({})))
    };
    eventually(true, || total(&client, "/api/heards") >= 1);
    thread::sleep(Duration::from_millis(300));
    assert!(serving.end(), "it ends as it was asked to");
    let answer = under_way.join().expect("the request").expect("an answer");
    assert_eq!((answer.status, answer.body.as_str()), (200, "Last"));
    // The next server finds all rows.
    let serving = Serving::start(&url, &[]);
    let client = Client::signed_in(&serving.base, MILLER);
    assert_eq!(total(&client, "/api/sacks"), SACKS);
    eventually(true, || total(&client, "/api/heards") >= SACKS);
    let heard = client.get("/api/heards?page_size=100").ok(200).json();
    let mut times: BTreeMap<&str, u32> = BTreeMap::new();
    for row in heard["items"].as_array().map(Vec::as_slice).unwrap_or_default() {
        *times.entry(row["sack"].as_str().expect("a name")).or_default() += 1;
    }
    assert!(times.len() as u64 == SACKS && times.values().all(|it| *it == 1), "{times:?}");
    eventually(Value::from(SACKS), || client.get("/api/sacks?status=milled").json()["total"].clone());
    assert!(serving.end());
}
