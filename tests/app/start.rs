//! The start of the example, its errors, and the data after a killed process.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::LazyLock,
};

use dz::serde_json::{Value, json};

use crate::client::{Client, MANAGER};

/// The program of the example. Cargo builds it with all tests; a run of only this test can find it missing or outdated.
pub(crate) fn example() -> Command {
    static BUILT: LazyLock<PathBuf> = LazyLock::new(|| {
        let here = std::env::current_exe().expect("a path");
        let profile = here.parent().and_then(Path::parent).expect("the build's folder");
        let program = profile.join("examples").join("tasks");
        if !is_fresh(&program) {
            let target = profile.parent().expect("the target folder");
            let mut build = Command::new(env!("CARGO"));
            let optional = [(cfg!(feature = "oidc"), ",oidc"), (cfg!(feature = "s3"), ",s3")];
            let optional: String = optional.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| name).collect();
            let features = format!("sqlite,postgres{optional}");
            build.args(["build", "--package", "dz", "--example", "tasks", "--features", &features, "--target-dir"]).arg(target);
            let status = build.status().expect("cargo runs");
            assert!(status.success(), "the example does not build");
        }
        program
    });
    let mut command = Command::new(&*BUILT);
    command.env_remove("DATABASE_URL").env_remove("ROCKET_PORT");
    command
}

/// True if the program exists and is newer than all its source files, as cargo lists them beside it.
fn is_fresh(program: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|it| it.modified()).ok();
    let (Some(built), Ok(inputs)) = (changed(program), fs::read_to_string(program.with_extension("d"))) else { return false };
    let inputs = inputs.split_once(": ").map_or("", |(_, inputs)| inputs).split_whitespace();
    inputs.map(Path::new).all(|input| changed(input).is_some_and(|at| at <= built))
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("dz-start-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// The standard error of servers.
    fn log(&self) -> PathBuf {
        self.0.join("server.log")
    }

    fn run(&self, args: &[&str], variables: &[(&str, &str)]) -> Output {
        example().args(args).envs(variables.iter().copied()).current_dir(&self.0).output().expect("the example runs")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Checks for exit code 1 and one sentence with these words on standard error.
#[track_caller]
fn check_refusal(output: &Output, words: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let sentences = text.lines().filter(|line| !line.contains(" WARN dz: "));
    assert_eq!(sentences.count(), 1, "one sentence, not:\n{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in: {text}");
    }
}

#[test]
fn a_wrong_database_is_named_with_a_correction() {
    let folder = Folder::new("database");
    let at = |url: &str| folder.run(&[], &[("DATABASE_URL", url)]);
    check_refusal(&at("sqlite:///no/such/folder/tasks.db"), &["/no/such/folder"]);
    check_refusal(&at("mysql://localhost/tasks"), &["mysql"]);
    check_refusal(&at("postgres://postgres@127.0.0.1:1/tasks"), &["sqlite"]);
    fs::write(folder.0.join("text.db"), "this is not a database, but it is long enough to look at").expect("a file");
    check_refusal(&at("sqlite://text.db"), &["text.db"]);
}

#[test]
fn another_schema_is_refused_with_what_differs() {
    let folder = Folder::new("schema");
    // A command that creates the tables recommends migrations, once.
    for recommends in [true, false] {
        let listed = folder.run(&["user", "list"], &[]);
        assert!(listed.status.success());
        assert_eq!(String::from_utf8_lossy(&listed.stderr).contains("created without migrations"), recommends);
    }
    let url = folder.0.join("tasks.db").display().to_string();
    let mut conn = <diesel::SqliteConnection as diesel::Connection>::establish(&url).expect("the database");
    diesel::RunQueryDsl::execute(diesel::sql_query("ALTER TABLE tasks DROP COLUMN details"), &mut conn).expect("altered");
    diesel::RunQueryDsl::execute(diesel::sql_query("UPDATE dz_meta SET value = 'another' WHERE key <> 'seeded'"), &mut conn)
        .expect("changed");
    drop(conn);
    check_refusal(&folder.run(&["user", "list"], &[]), &["tasks", "details"]);
}

#[test]
fn wrong_configuration_and_wrong_use() {
    let folder = Folder::new("configuration");
    check_refusal(&folder.run(&[], &[("ROCKET_DZ", "{pubic_url=\"x\"}")]), &["dz.pubic_url", "`public_url`"]);
    check_refusal(&folder.run(&[], &[("ROCKET_DZ", "{log_format=\"xml\"}")]), &["dz.log_format", "`json`"]);
    check_refusal(&folder.run(&[], &[("ROCKET_DZ", "{public_url=\"http://tasks.example\"}")]), &["https", "insecure_http"]);
    check_refusal(&folder.run(&["user", "grant", "mira@fieldwork.example", "manger"], &[]), &["manger", "`manager`"]);
    check_refusal(&folder.run(&["user", "grant", "nobody@example.com", "manager"], &[]), &["nobody@example.com", "user create"]);
    check_refusal(&folder.run(&["user", "create", "weak@example.com", "--password", "short"], &[]), &["password", "8"]);
    let usage = folder.run(&["serv"], &[]);
    assert_eq!(usage.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&usage.stderr).contains("did you mean `serve`?"));
}

#[test]
fn accounts_are_created_and_disabled_on_the_command_line() {
    let folder = Folder::new("accounts");
    let words = |args: &[&str]| {
        let output = folder.run(args, &[]);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    words(&["user", "create", "New@Example.com", "--password", "a decent phrase", "--set", "name=Nina"]);
    words(&["user", "grant", "new@example.com", "surveyor"]);
    assert!(words(&["user", "list"]).contains("new@example.com  surveyor"));
    words(&["user", "revoke", "new@example.com", "surveyor"]);
    words(&["user", "disable", "new@example.com"]);
    assert!(words(&["user", "list"]).contains("new@example.com    (disabled)"));
    assert!(words(&["routes"]).contains("/api/tasks/{id}"));
}

#[test]
fn a_port_in_use_is_named() {
    let folder = Folder::new("port");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    check_refusal(&folder.run(&[], &[("ROCKET_PORT", &port)]), &[&port, "ROCKET_PORT"]);
}

/// A server of the example that ends with the test.
struct Served {
    child: Child,
    base: String,
}

impl Served {
    fn start(folder: &Folder, port: u16) -> Served {
        Served::start_configured(folder, port, "{}")
    }

    fn start_configured(folder: &Folder, port: u16, configuration: &str) -> Served {
        let log = fs::OpenOptions::new().create(true).append(true).open(folder.log()).expect("a log");
        let mut command = example();
        command
            .env("ROCKET_PORT", port.to_string())
            .env("ROCKET_DZ", configuration)
            .current_dir(&folder.0)
            .stdout(Stdio::piped())
            .stderr(log);
        let mut child = command.spawn().expect("the example starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        assert!(line.contains(&format!("http://127.0.0.1:{port}")), "{line}");
        Served { child, base: format!("http://127.0.0.1:{port}") }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn every_refusal_is_logged_with_the_request() {
    let folder = Folder::new("refusals");
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
    let served = Served::start(&folder, port);
    let (nobody, manager) = (Client::new(&served.base), Client::signed_in(&served.base, MANAGER));
    let json = [("Accept", "application/json"), ("Origin", served.base.as_str())];
    let refused = [
        (nobody.request("GET", "/api/tasks", &json, b""), "GET path=/api/tasks route=/api/tasks status=401", "AUTHENTICATION_REQUIRED"),
        (manager.request("GET", "/api/nothing?token=very-secret", &json, b""), "GET path=/api/nothing route=- status=404", "NOT_FOUND"),
        (manager.request("PATCH", "/api/tasks", &json, b""), "PATCH path=/api/tasks route=- status=405", "METHOD_NOT_ALLOWED"),
        (manager.request("POST", "/api/tasks", &json, b"x"), "POST path=/api/tasks route=/api/tasks status=415", "UNSUPPORTED_MEDIA_TYPE"),
        (
            manager.request("POST", "/api/tasks", &[("Origin", "https://elsewhere.example")], b""),
            "POST path=/api/tasks route=/api/tasks status=403",
            "CSRF",
        ),
        (manager.send("POST", "/api/tasks", &json!({ "title": 5 })), "POST path=/api/tasks route=/api/tasks status=422", "VALIDATION"),
    ];
    let log = fs::read_to_string(folder.log()).expect("a log");
    for (answer, begin, code) in &refused {
        let id = answer.header("x-request-id").expect("a request id");
        let line = log.lines().find(|it| it.ends_with(&format!(" request_id={id}")));
        let line = line.unwrap_or_else(|| panic!("no line of {id} in:\n{log}"));
        assert!(line.contains(&format!("dz::request: request method={begin} error={code} duration_ms=")), "{line}");
    }
    assert!(!log.contains("very-secret"), "{log}");
}

/// Each line of the log is a JSON object, and each request has one line.
#[test]
fn a_log_of_json_has_a_line_for_each_request() {
    let folder = Folder::new("json");
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
    let served = Served::start_configured(&folder, port, r#"{log_format="json"}"#);
    let manager = Client::signed_in(&served.base, MANAGER);
    let answer = manager.get("/api/tasks?page_size=2").ok(200);
    manager.get("/health/live").ok(200);
    let log = fs::read_to_string(folder.log()).expect("a log");
    let lines: Vec<Value> =
        log.lines().map(|line| dz::serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect();
    let of_requests: Vec<&Value> = lines.iter().filter(|line| line["target"] == "dz::request").collect();
    let id = answer.header("x-request-id").expect("a request id");
    let own: Vec<_> = of_requests.iter().filter(|line| line["request_id"] == id).collect();
    let [line] = own.as_slice() else { panic!("one line of {id}, not {own:?}") };
    assert_eq!((&line["method"], &line["route"], &line["status"]), (&json!("GET"), &json!("/api/tasks"), &json!(200)), "{line}");
    assert_eq!((&line["path"], &line["error"]), (&json!("/api/tasks"), &json!("-")), "{line}");
    assert!(line["duration_ms"].is_number() && line["statements"].as_u64().is_some_and(|count| count >= 2), "{line}");
    assert!(line["account"].as_str().is_some_and(|account| account.len() == 36), "{line}");
    assert!(of_requests.iter().all(|line| line["path"] != "/health/live"), "checks of a balancer are of the level debug");
}

#[test]
fn a_killed_server_keeps_every_confirmed_write() {
    let folder = Folder::new("killed");
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
    let mut confirmed = Vec::new();
    for round in 0..2 {
        let mut served = Served::start(&folder, port);
        let client = Client::signed_in(&served.base, MANAGER);
        let writer = std::thread::spawn(move || {
            let mut made = Vec::new();
            for n in 0..10_000 {
                let name = format!("Round {round} company {n}");
                match client.try_send("POST", "/api/companies", &json!({ "name": name })) {
                    Some(answer) if answer.status == 201 => made.push(name),
                    _ => break,
                }
            }
            made
        });
        std::thread::sleep(std::time::Duration::from_millis(400));
        // SIGKILL ends the process immediately.
        served.child.kill().expect("killed");
        confirmed.extend(writer.join().expect("the writer ends"));
    }
    assert!(confirmed.len() > 10, "{} writes are too few to tell", confirmed.len());
    let served = Served::start(&folder, port);
    let client = Client::signed_in(&served.base, MANAGER);
    for name in confirmed {
        let found = client.get(&format!("/api/companies?name={}", crate::client::encode(&name))).ok(200).json();
        assert_eq!(found["total"], 1, "{name} was confirmed and is lost");
    }
}
