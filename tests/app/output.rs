//! A server and commands whose log and output cannot be written: the pipe is closed, or the disk is full.

use std::{
    fs::OpenOptions,
    io::{BufRead, BufReader, PipeReader, Read, pipe},
    net::TcpListener,
    process::{Child, Command, Stdio},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use diesel::{Connection as _, RunQueryDsl as _, connection::SimpleConnection as _};
use dz::{Cx, Engine, Event, serde_json::json};

use crate::{client::Client, server};

dz::dz! {
    app ledger "Ledger"

    persona clerk "Clerk"
    persona guest "Guest"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Entry "Entry":
      id: uuid pk
      title: str(60) required
      status: enum[draft, posted] = draft
      transitions:
        draft -> posted: auto after 1 second
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)
      audit:
        list

    entity Heard "Heard":
      id: int pk
      title: str(60) required
      permit:
        list: role(clerk)

    demo:
      User:
        - name: "Cleo", email: "cleo@ledger.example", password: "keeps the ledger", roles: [clerk]
        - name: "Gil", email: "gil@ledger.example", password: "reads no ledger", roles: [guest]
}

const CLERK: (&str, &str) = ("cleo@ledger.example", "keeps the ledger");
const GUEST: (&str, &str) = ("gil@ledger.example", "reads no ledger");

#[rocket::get("/panic")]
fn panic_in_a_route() -> String {
    panic!("a route of the application panics")
}

#[rocket::get("/api/panic")]
async fn panic_in_a_job(cx: Cx) -> dz::Result<String> {
    cx.read(|_| panic!("a job of the application panics")).await
}

/// Fails for some entries, which the worker logs.
fn hear(cx: &dz::SystemCx, event: &dz::Happened<entry::Entry>) -> dz::Result<()> {
    if event.row.title.starts_with("unheard") {
        return Err(dz::Error::internal("this entry is not heard"));
    }
    let title = event.row.title.clone();
    cx.run(move |tx| heard::NewHeard { id: None, title: title.clone() }.create(tx)).map(drop)
}

fn ledger() -> dz::App {
    app().on::<entry::Entry>(Event::Created, hear).mount("/", rocket::routes![panic_in_a_route, panic_in_a_job])
}

/// The command line of the application, in a process of its own.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(ledger());
}

/// The target of the log.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Log {
    /// A reader.
    Read,
    /// A closed pipe.
    Closed,
    /// A full disk.
    Full,
}

/// A server that is killed with the test.
struct Served {
    child: Child,
    base: String,
    log: Option<JoinHandle<String>>,
}

impl Served {
    fn start(engine: Engine, url: &str, to: Log) -> Served {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
        let mut command = server::command("output::child", engine, url, &["serve"]);
        // Rocket also logs each request.
        command.env("ROCKET_PORT", port.to_string()).env("ROCKET_LOG_LEVEL", "normal").env("ROCKET_DZ", "{audit_days=30}");
        let (reader, writer) = pipe().expect("a pipe");
        let stderr: Stdio = match to {
            Log::Full => OpenOptions::new().write(true).open("/dev/full").expect("/dev/full").into(),
            Log::Read | Log::Closed => writer.into(),
        };
        // A pipe without a reader fills up, and blocks the process that writes to it.
        let log = (to == Log::Read).then(|| thread::spawn(move || read_whole(reader)));
        let mut child = command.stdout(Stdio::piped()).stderr(stderr).spawn().expect("the server starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let up = lines.by_ref().map_while(Result::ok).any(|line| line.contains("is at http://"));
        assert!(up, "the server does not start with its log {to:?}");
        // From here on its standard output is closed.
        Served { child, base: format!("http://127.0.0.1:{port}"), log }
    }

    /// Ends the server; returns its log.
    fn log(&mut self) -> String {
        self.child.kill().expect("killed");
        self.log.take().expect("a log that is read").join().expect("a text")
    }
}

fn read_whole(mut reader: PipeReader) -> String {
    let mut text = String::new();
    reader.read_to_string(&mut text).expect("a text");
    text
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[track_caller]
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(40), "{what}");
        thread::sleep(Duration::from_millis(100));
    }
}

#[derive(diesel::QueryableByName)]
struct Count {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    n: i64,
}

/// Runs SQL directly in the database.
fn run(engine: Engine, url: &str, sql: &str) {
    let done = match engine {
        Engine::Postgres => diesel::pg::PgConnection::establish(url).expect("the database").batch_execute(sql),
        Engine::Sqlite => sqlite(url).batch_execute(sql),
    };
    done.unwrap_or_else(|error| panic!("{error}: {sql}"));
}

fn sqlite(url: &str) -> diesel::SqliteConnection {
    let mut conn = diesel::SqliteConnection::establish(url.trim_start_matches("sqlite://")).expect("the database");
    conn.batch_execute("PRAGMA busy_timeout = 5000").expect("a patient connection");
    conn
}

/// The number of rows that meet a condition.
fn count(engine: Engine, url: &str, rows: &str) -> i64 {
    let query = diesel::sql_query(format!("SELECT count(*) AS n FROM {rows}"));
    let found: Count = match engine {
        Engine::Postgres => query.get_result(&mut diesel::pg::PgConnection::establish(url).expect("the database")),
        Engine::Sqlite => query.get_result(&mut sqlite(url)),
    }
    .expect("a count");
    found.n
}

/// An old record of the audit log, and a database that refuses to delete it.
fn hold_the_audit_log(engine: Engine, url: &str) {
    let (at, id, guard) = match engine {
        Engine::Sqlite => (
            "'2001-01-01T00:00:00.000000Z'",
            "x'00000000000070008000000000000001'",
            "CREATE TRIGGER held BEFORE INSERT ON dz_audit_horizon BEGIN SELECT RAISE(ABORT, 'not now'); END",
        ),
        Engine::Postgres => (
            "'2001-01-01T00:00:00Z'",
            "'00000000-0000-7000-8000-000000000001'",
            "CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$; \
             CREATE TRIGGER held BEFORE INSERT ON dz_audit_horizon FOR EACH ROW EXECUTE FUNCTION held()",
        ),
    };
    let record = format!(
        "INSERT INTO dz_audit_log (id, at, action, entity, decision, rule, times, request_id) \
         VALUES ({id}, {at}, 'list', 'Old', 'allowed', '', 1, '')"
    );
    run(engine, url, &format!("{record}; {guard}"));
}

fn release_the_audit_log(engine: Engine, url: &str) {
    let of = if engine == Engine::Postgres { " ON dz_audit_horizon" } else { "" };
    run(engine, url, &format!("DROP TRIGGER held{of}"));
}

/// Checks the server with any target of the log.
fn serves(engine: Engine, name: &str, to: Log) {
    let url = server::new_url(engine, name);
    assert!(server::command("output::child", engine, &url, &["routes"]).output().expect("it runs").status.success());
    assert!(server::command("output::child", engine, &url, &["user", "list"]).output().expect("it runs").status.success());
    hold_the_audit_log(engine, &url);
    let mut served = Served::start(engine, &url, to);
    let (anonymous, guest, clerk) =
        (Client::new(&served.base), Client::signed_in(&served.base, GUEST), Client::signed_in(&served.base, CLERK));

    // Refusals are problem documents, and those of the audit log are stored.
    anonymous.get("/api/entries").problem(401, "AUTHENTICATION_REQUIRED");
    guest.get("/api/entries").problem(403, "FORBIDDEN");
    anonymous.send("POST", "/auth/login", &json!({ "email": CLERK.0, "password": "not this" })).problem(401, "AUTHENTICATION_REQUIRED");
    assert_eq!(count(engine, &url, "dz_audit_log WHERE decision = 'denied' AND entity = 'Entry'"), 2);
    assert_eq!(count(engine, &url, "dz_audit_log WHERE decision = 'denied' AND action = 'sign_in'"), 1);

    // So are panics of the application.
    let json = [("Accept", "application/json")];
    for _ in 0..2 {
        anonymous.request("GET", "/panic", &json, b"").problem(500, "INTERNAL");
        clerk.get("/api/panic").problem(500, "INTERNAL");
        let page = anonymous.request("GET", "/panic", &[("Accept", "text/html")], b"").ok(500);
        page.shows(&["/-/assets/"]);
        assert!(page.header("content-security-policy").is_some(), "the page is one of dz's own");
    }

    // The worker logs failures and continues.
    for title in ["unheard", "heard 1", "unheard too", "heard 2"] {
        clerk.send("POST", "/api/entries", &json!({ "title": title })).ok(201);
    }
    eventually("events are delivered", || count(engine, &url, "heards") == 2);
    eventually("rows move by themselves", || count(engine, &url, "entries WHERE status = 'posted'") == 4);
    assert_eq!(count(engine, &url, "dz_audit_log WHERE entity = 'Old'"), 1, "the record is held");
    release_the_audit_log(engine, &url);
    eventually("the clean-up goes on", || count(engine, &url, "dz_audit_log WHERE entity = 'Old'") == 0);

    if to == Log::Read {
        let log = served.log();
        for words in [
            "request method=GET path=/api/entries route=/api/entries status=401 error=AUTHENTICATION_REQUIRED",
            "refused: ",
            "a route of the application panics",
            "method=GET path=/panic status=500",
            "panic: a job of the application panics",
            "a subscriber failed on an event",
            "kind=\"expired rows removed\"",
            " INFO rocket",
        ] {
            assert!(log.contains(words), "`{words}` is not in:\n{log}");
        }
    }
}

macro_rules! on_own_ledgers {
    ($($name:ident;)*) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name(dz::Engine::Sqlite); })*
        }
        mod postgres {
            $(#[test] fn $name() { super::$name(dz::Engine::Postgres); })*
        }
    };
}

on_own_ledgers! {
    a_log_that_is_read;
    a_log_whose_reader_has_ended;
    a_log_on_a_full_disk;
}

fn a_log_that_is_read(engine: Engine) {
    serves(engine, "log_read", Log::Read);
}

fn a_log_whose_reader_has_ended(engine: Engine) {
    serves(engine, "log_closed", Log::Closed);
}

fn a_log_on_a_full_disk(engine: Engine) {
    serves(engine, "log_full", Log::Full);
}

/// Runs a command of the example with this output, over a new database; returns its exit code and its standard error without the
/// recommendation of migrations.
fn ends(words: &[&str], stdout: Stdio, stderr: Stdio) -> (Option<i32>, String) {
    let folder = std::env::temp_dir().join(format!("dz-output-{}-{}", words.join("-"), std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut command: Command = crate::start::example();
    let output = command.args(words).current_dir(&folder).stdout(stdout).stderr(stderr).output().expect("the example runs");
    let _ = std::fs::remove_dir_all(&folder);
    let said = String::from_utf8_lossy(&output.stderr);
    (output.status.code(), said.split_inclusive('\n').filter(|line| !line.contains("created without migrations")).collect())
}

fn closed_pipe() -> Stdio {
    pipe().expect("a pipe").1.into()
}

fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").expect("/dev/full").into()
}

#[test]
fn commands_end_quietly_on_a_closed_pipe() {
    for words in [&["help"][..], &["routes"], &["user", "list"], &["plan"], &["jobs", "run"]] {
        assert_eq!(ends(words, closed_pipe(), Stdio::piped()), (Some(0), String::new()), "{words:?}");
        let (code, said) = ends(words, full(), Stdio::piped());
        assert!(code == Some(1) && said.contains("cannot write to standard output") && said.lines().count() == 1, "{words:?}: {said}");
    }
    for stderr in [closed_pipe, full] {
        assert_eq!(ends(&["serv"], Stdio::null(), stderr()).0, Some(2));
        assert_eq!(ends(&["user", "grant", "nobody@example.com", "manager"], Stdio::null(), stderr()).0, Some(1));
    }
}
