//! `account export` and `account erase`, on both engines.

use std::process::Output;

use diesel::{Connection as _, RunQueryDsl as _, pg::PgConnection, sql_query, sqlite::SqliteConnection};
use dz::{
    Engine,
    serde_json::{self, Value, json},
};

use crate::{
    client::Client,
    files::{parts, send_form},
    server,
};

dz::dz! {
    app clinic_staff "Clinic staff"

    persona nurse

    entity User "Person":
      id: uuid pk
      name: str(60) required
      phone: str(30)
      photo: file(1KB)
      audit: all
      permit:
        list: role(nurse)
        read: role(nurse)
        update: role(nurse)

    entity Note:
      id: uuid pk
      text: str(200) required
      author: ref User cascade
      audit: all
      permit:
        list: role(nurse)
        read: role(nurse)
        create: role(nurse)

    entity Shift:
      id: uuid pk
      day: date
      nurse: ref User required restrict
      illness: str(100) sensitive
      cause: str(100) required sensitive
      proof: file(1KB) sensitive
      permit:
        list: role(nurse)
        read: role(nurse)
        create: role(nurse)
        update: role(nurse)

    entity Locker:
      id: uuid pk
      code: str(20) required
      holder: ref User nullify
      permit:
        list: role(nurse)
        read: role(nurse)
        create: role(nurse)

    entity Remark:
      id: uuid pk
      text: str(200) required
      remarked: ref Note required restrict
      permit:
        list: role(nurse)
        read: role(nurse)
        create: role(nurse)

    process reading "Reading a note":
      trigger: entity Note created
      steps:
        - step read:
          condition: trigger.entity.text = ""
          on_true: complete
          on_false: fail

    process covering "Covering a shift":
      trigger: entity Shift created
      steps:
        - step cover:
          wait: signal covered

    demo:
      User:
        - @iva name: "Iva", phone: "+0123", email: "iva@clinic.example", password: "gloves in every size", roles: [nurse]
        - @oto name: "Oto", email: "oto@clinic.example", password: "gloves in every size", roles: [nurse]
}

const IVA: (&str, &str) = ("iva@clinic.example", "gloves in every size");
const OTO: (&str, &str) = ("oto@clinic.example", "gloves in every size");

/// The program that the tests run: the command line of the application.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(app());
}

fn run(engine: Engine, url: &str, words: &[&str]) -> (bool, String) {
    let mut command = server::command("personal_data::child", engine, url, words);
    command.env("ROCKET_DZ", concat!("{files=\"", env!("CARGO_TARGET_TMPDIR"), "/files-staff\"}"));
    let Output { status, stdout, stderr } = command.output().expect("it runs");
    (status.success(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
}

/// The line of a command's output that is JSON, or all of it.
#[track_caller]
fn parsed(text: &str) -> Value {
    let start = text.find('{').unwrap_or_else(|| panic!("no JSON in {text}"));
    serde_json::Deserializer::from_str(&text[start..]).into_iter().next().expect("JSON").unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[derive(diesel::QueryableByName)]
struct Count {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    count: i64,
}

/// The number that a statement returns.
pub fn count(engine: Engine, url: &str, sql: &str) -> i64 {
    let rows: Vec<Count> = match engine {
        Engine::Sqlite => sql_query(sql).load(&mut SqliteConnection::establish(url.trim_start_matches("sqlite://")).expect("the database")),
        Engine::Postgres => sql_query(sql).load(&mut PgConnection::establish(url).expect("the database")),
    }
    .expect(sql);
    rows.first().expect("a row").count
}

/// Executes a statement.
pub fn execute(engine: Engine, url: &str, sql: &str) {
    match engine {
        Engine::Sqlite => {
            sql_query(sql).execute(&mut SqliteConnection::establish(url.trim_start_matches("sqlite://")).expect("the database"))
        }
        Engine::Postgres => sql_query(sql).execute(&mut PgConnection::establish(url).expect("the database")),
    }
    .expect(sql);
}

/// An application with an account that has written a note, works in a shift, and was changed.
fn fill(engine: Engine, of: &str) -> (String, String, Client) {
    let url = server::new_url(engine, of);
    let base = server::serve_with(app(), engine, url.clone(), json!({ "worker": false }));
    let client = Client::signed_in(&base, IVA);
    let me = client.get("/auth/me").ok(200).json()["id"].clone();
    client.send("PATCH", &format!("/api/users/{}", me.as_str().expect("a key")), &json!({ "phone": "+0456" })).ok(200);
    client.send("POST", "/api/notes", &json!({ "text": "Gloves are missing", "author": me })).ok(201);
    (url, base, client)
}

fn check_export_and_deletion(engine: Engine) {
    let (url, base, client) = fill(engine, "staff");
    let (success, text) = run(engine, &url, &["account", "export", IVA.0]);
    assert!(success, "{text}");
    let document = parsed(&text);
    assert_eq!(document["account"]["phone"], "+0456");
    assert_eq!(document["rows"][0]["rows"][0]["text"], "Gloves are missing");
    assert_eq!(document["sessions"].as_array().map(Vec::len), Some(1));
    assert!(document["audit_log"].to_string().contains("+0456") && !text.contains("$argon2"), "{text}");

    fill_background(engine, &url, document["account"]["id"].as_str().expect("a key"));
    let (success, text) = run(engine, &url, &["account", "erase", IVA.0, "--format", "json"]);
    assert!(success, "{text}");
    let report = parsed(&text);
    assert_eq!(report["account"], "deleted", "{report}");
    check_background(engine, &url, &report);
    assert!(report["audit_records"].as_u64() >= Some(1), "{report}");
    assert_eq!(
        count(
            engine,
            &url,
            "SELECT count(*) AS count FROM dz_audit_log WHERE CAST(changes AS text) LIKE '%+0456%' OR CAST(changes AS text) LIKE '%Gloves%'"
        ),
        0
    );
    assert!(count(engine, &url, "SELECT count(*) AS count FROM dz_audit_log WHERE entity = 'User'") >= 1, "the records remain");
    client.get("/api/notes").ok(401);
    let other = Client::signed_in(&base, OTO);
    assert_eq!(other.get("/api/notes").json()["total"], 0, "the note is deleted with its author");
    assert_eq!(other.get("/api/users").json()["total"], 1);
    let (_, text) = run(engine, &url, &["account", "export", IVA.0]);
    assert!(text.contains("there is no account iva@clinic.example"), "{text}");
    // The audit log is append-only again.
    let (_, text) = run(engine, &url, &["migrate", "--check"]);
    assert!(text.contains("nothing to apply"), "{text}");
}

/// A failed run of the note of an account, a dead letter about the account, and one about another row.
fn fill_background(engine: Engine, url: &str, account: &str) {
    let (success, text) = run(engine, url, &["jobs", "run"]);
    assert!(success, "{text}");
    assert_eq!(count(engine, url, "SELECT count(*) AS count FROM dz_runs WHERE status = 'failed' AND state LIKE '%Gloves%'"), 1);
    let stored = account.replace('-', "");
    for (entity, row, payload) in [("User", stored.as_str(), "+0456"), ("Shift", "1", account)] {
        execute(
            engine,
            url,
            &format!(
                "INSERT INTO dz_dead_letters (id, subscriber, event, entity, row_id, payload, attempts, created_at, died_at, error) SELECT \
                 id, '{entity}', 'updated', '{entity}', '{row}', '{{\"row\":{{\"x\":\"{payload}\"}}}}', 16, started_at, started_at, '' FROM dz_runs"
            ),
        );
    }
}

/// The values are removed from them; that the run was executed remains.
fn check_background(engine: Engine, url: &str, report: &Value) {
    let cleared = report["cleared"].as_array().expect("parts");
    for table in ["dz_runs", "dz_dead_letters"] {
        assert!(cleared.iter().any(|part| part["entity"] == table && part["rows"] == 1), "{table}: {report}");
    }
    let remaining = report["remaining"].as_array().expect("parts");
    assert!(remaining.iter().any(|part| part["entity"] == "dz_dead_letters" && part["reason"].to_string().contains("retry")), "{report}");
    for (table, columns) in [("dz_runs", "state"), ("dz_run_steps", "input || output || error"), ("dz_dead_letters", "payload")] {
        let found = format!("SELECT count(*) AS count FROM {table} WHERE {columns} LIKE '%Gloves%' OR {columns} LIKE '%+0456%'");
        assert_eq!(count(engine, url, &found), 0, "{table}");
    }
    let (_, text) = run(engine, url, &["process", "list", "--format", "json"]);
    let runs = parsed(&text)["runs"].clone();
    assert_eq!((&runs[0]["process"], &runs[0]["status"]), (&json!("reading"), &json!("failed")), "{runs}");
    let (success, text) = run(engine, url, &["process", "retry", runs[0]["id"].as_str().expect("an id")]);
    assert!(!success && text.contains("its values were erased"), "{text}");
}

#[test]
fn an_account_is_exported_and_deleted_on_sqlite() {
    check_export_and_deletion(Engine::Sqlite);
}

#[test]
fn an_account_is_exported_and_deleted_on_postgres() {
    check_export_and_deletion(Engine::Postgres);
}

fn upload(client: &Client, path: &str) -> Value {
    send_form(client, path, &parts(&[], &[("file", "iva.txt", "text/plain", b"a file about Iva")])).ok(201).json()["id"].clone()
}

/// Adds a shift, which keeps the account, a locker, and files of the account and of the shift; returns the shift.
fn fill_kept(client: &Client, me: &Value) -> Value {
    let (photo, proof) = (upload(client, "/files/users/photo"), upload(client, "/files/shifts/proof"));
    client.send("PATCH", &format!("/api/users/{}", me.as_str().expect("a key")), &json!({ "photo": photo })).ok(200);
    client.send("POST", "/api/lockers", &json!({ "code": "L1", "holder": me })).ok(201);
    let shift = json!({ "day": "2026-03-01", "nurse": me, "illness": "flu", "cause": "night", "proof": proof });
    client.send("POST", "/api/shifts", &shift).ok(201).json()
}

fn check_anonymisation(engine: Engine) {
    let (url, base, client) = fill(engine, "staff_kept");
    let me = client.get("/auth/me").json()["id"].clone();
    let shift = fill_kept(&client, &me);
    // A remark keeps the second note.
    let kept_note = client.send("POST", "/api/notes", &json!({ "text": "Masks are missing", "author": me })).ok(201).json();
    client.send("POST", "/api/remarks", &json!({ "text": "Ordered", "remarked": kept_note["id"] })).ok(201);
    assert_eq!(count(engine, &url, "SELECT count(*) AS count FROM dz_files WHERE state = 'held'"), 2);
    let (success, text) = run(engine, &url, &["jobs", "run"]);
    assert!(success, "{text}");
    // A dead letter about the note that remains.
    let note = kept_note["id"].as_str().expect("a key").replace('-', "");
    execute(
        engine,
        &url,
        &format!(
            "INSERT INTO dz_dead_letters (id, subscriber, event, entity, row_id, payload, attempts, created_at, died_at, error) SELECT id, \
             'Note', 'updated', 'Note', '{note}', 'iva@clinic.example', 16, started_at, started_at, '' FROM dz_runs WHERE process = 'covering'"
        ),
    );
    // Jobs about another person, and about the account.
    for payload in ["oliva@clinic.example", "iva@clinic.example.org", "Iva@Clinic.Example"] {
        execute(
            engine,
            &url,
            &format!(
                "INSERT INTO dz_jobs (id, name, payload, state, priority, attempts, max_attempts, created_at, run_at, progress_done, \
                 progress_total, note, error) SELECT {}, 'mail', '{{\"to\":\"{payload}\"}}', 'dead', 0, 1, 1, started_at, \
                 started_at, 0, 0, '', '' \
                 FROM dz_runs WHERE process = 'covering'",
                if engine == Engine::Sqlite { "randomblob(16)" } else { "gen_random_uuid()" }
            ),
        );
    }
    let (success, text) = run(engine, &url, &["account", "erase", IVA.0]);
    assert!(success, "{text}");
    assert_eq!(count(engine, &url, "SELECT count(*) AS count FROM dz_jobs WHERE payload LIKE '%oliva@%' OR payload LIKE '%.org%'"), 2);
    assert_eq!(count(engine, &url, "SELECT count(*) AS count FROM dz_jobs WHERE payload LIKE '{\"to\":\"Iva@Clinic.Example\"}'"), 0);
    for line in [
        "the account is anonymised",
        "not erased: dz_runs.state in 1 rows: the run has not ended",
        "cleared Shift.illness in 1 rows",
        "cleared Shift.proof in 1 rows",
        "not erased: Shift.cause in 1 rows: the field is required",
        "not erased: Shift.nurse in 1 rows: `restrict` keeps the rows",
        "not erased: Note.author in 1 rows: a rule or another row keeps the rows",
        "not erased: dz_dead_letters.payload in 1 rows",
        "cleared User.name in 1 rows",
        "not erased: backups",
    ] {
        assert!(text.contains(line), "`{line}` is not in:\n{text}");
    }
    client.get("/api/notes").ok(401);
    let other = Client::signed_in(&base, OTO);
    let kept = other.get(&format!("/api/shifts/{}?expand=nurse", shift["id"].as_str().expect("a key"))).ok(200).json();
    assert_eq!((&kept["illness"], &kept["cause"], &kept["proof"]), (&Value::Null, &json!("night"), &Value::Null));
    let users = other.get("/api/users").ok(200).body;
    assert!(!users.contains("+0456") && !users.contains("Iva") && !users.contains("iva@") && !users.contains("iva.txt"), "{users}");
    let notes = other.get("/api/notes").ok(200).json();
    assert_eq!((&notes["total"], &notes["items"][0]["id"]), (&json!(1), &kept_note["id"]), "the other note is deleted with its author");
    let lockers = other.get("/api/lockers").ok(200).json();
    assert_eq!((&lockers["total"], &lockers["items"][0]["holder"]), (&json!(1), &Value::Null));
    assert_eq!(count(engine, &url, "SELECT count(*) AS count FROM dz_files WHERE state = 'held'"), 0, "the files are released");
}

#[test]
fn an_account_that_other_rows_need_is_anonymised_on_sqlite() {
    check_anonymisation(Engine::Sqlite);
}

#[test]
fn an_account_that_other_rows_need_is_anonymised_on_postgres() {
    check_anonymisation(Engine::Postgres);
}

#[test]
fn wrong_use_is_explained() {
    let url = server::new_file("staff_usage");
    let (success, text) = run(Engine::Sqlite, &url, &["account", "delete", IVA.0]);
    assert!(!success && text.contains("`account` needs `export EMAIL`"), "{text}");
    let (success, text) = run(Engine::Sqlite, &url, &["account", "erase", "nobody@clinic.example"]);
    assert!(!success && text.contains("there is no account nobody@clinic.example"), "{text}");
}
