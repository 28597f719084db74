//! `move`: an application on SQLite continues on PostgreSQL with the same data, sessions and numbers.

use std::{path::PathBuf, process::Output};

use diesel::{Connection, RunQueryDsl, connection::SimpleConnection as _, pg::PgConnection, sql_query, sqlite::SqliteConnection};
use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{client::Client, server};

dz::dz! {
    app ringing "Bird ringing":
      multi_tenant: true

    persona ringer

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Station:
      archetype: tenant
      id: uuid pk
      name: str(60) required
      permit:
        read: role(ringer)

    entity Membership:
      archetype: user_membership
      id: uuid pk

    entity Bird:
      id: uuid pk
      code: str(20) required unique
      weight: decimal(6,2)
      wing: decimal(24,6)
      score: float
      seen: date
      at: datetime
      notes: text
      facts: json
      ringed: bool = false
      mother: ref Bird
      ring: ref Ring
      state: enum[free, caught] = free
      soft_delete
      audit: all
      permit:
        list: role(ringer)
        read: role(ringer)
        create: role(ringer)
        update: role(ringer)
        delete: role(ringer)
      transitions:
        free -> caught: role(ringer)
        caught -> free: role(ringer)

    entity Ring:
      number: int pk
      metal: enum[steel, alloy] = alloy
      bird: ref Bird
      permit:
        list: role(ringer)
        read: role(ringer)
        create: role(ringer)
        delete: role(ringer)

    demo:
      User:
        - @ada name: "Ada", email: "ada@ringing.example", password: "nets at first light"
      Station:
        - @dune name: "Dune"
      Membership:
        - user: @ada, station: @dune, personas: [ringer], accepted_at: now
}

const RINGER: (&str, &str) = ("ada@ringing.example", "nets at first light");

/// The program that the tests run: the command line of the application.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(app());
}

/// An application on SQLite, and the database to which it moves.
struct Station {
    source: String,
    target: String,
    files: PathBuf,
}

impl Station {
    fn new(of: &str) -> Station {
        let source = server::new_file(of);
        let files = PathBuf::from(source.trim_start_matches("sqlite://")).with_extension("files");
        Station { target: server::fenced_url(Engine::Postgres, of), source, files }
    }

    fn serve(&self, engine: Engine) -> String {
        let url = if engine == Engine::Sqlite { &self.source } else { &self.target };
        let settings = json!({ "files": self.files.display().to_string(), "worker": false });
        server::serve_with(app(), engine, url.clone(), settings)
    }

    fn run(&self, engine: Engine, words: &[&str]) -> (bool, String) {
        let url = if engine == Engine::Sqlite { &self.source } else { &self.target };
        let Output { status, stdout, stderr } = server::command("relocation::child", engine, url, words).output().expect("it runs");
        (status.success(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
    }

    #[track_caller]
    fn moves(&self, expected: &str) {
        let (success, text) = self.run(Engine::Sqlite, &["move", "--to", &self.target]);
        assert!(success && text.contains(expected), "`{expected}` is not in:\n{text}");
    }

    #[track_caller]
    fn refuses(&self, expected: &str) {
        let (success, text) = self.run(Engine::Sqlite, &["move", "--to", &self.target]);
        assert!(!success && text.contains(expected), "`{expected}` is not in:\n{text}");
    }

    fn change_source(&self, sql: &str) {
        let mut conn = SqliteConnection::establish(self.source.trim_start_matches("sqlite://")).expect("the source");
        conn.batch_execute(&format!("PRAGMA foreign_keys = OFF; {sql}")).expect(sql);
    }

    fn change_target(&self, sql: &str) {
        let mut conn = PgConnection::establish(&self.target).expect("the target");
        let all = "SELECT set_config('dz.tenant', '*', false), set_config('dz.members', '*', false)";
        conn.batch_execute(&format!("{all}; {sql}")).expect(sql);
    }
}

/// Rows with a value of every type, references in a cycle and to the same entity, a deleted row, and many rows.
fn fill(client: &Client) {
    let bird = json!({
        "code": "Ü-1", "weight": "17.25", "wing": "123456789012345678.000001", "score": 0.1, "seen": "2026-02-28",
        "at": "2026-02-28T05:30:00.123456Z", "notes": "caught\nat dawn, 'alive'", "facts": {"z": [1, 2.5, null], "a": {"y": true, "b": "ß"}},
        "ringed": true
    });
    let mother = client.send("POST", "/api/birds", &bird).ok(201).json();
    let ring = client.send("POST", "/api/rings", &json!({ "metal": "steel", "bird": mother["id"] })).ok(201).json();
    let broken = client.send("POST", "/api/rings", &json!({})).ok(201).json();
    client.delete(&format!("/api/rings/{}", text(&broken["number"]))).ok(204);
    let change = json!({ "ring": ring["number"] });
    client.send("PATCH", &format!("/api/birds/{}", text(&mother["id"])), &change).ok(200);
    let child = client.send("POST", "/api/birds", &json!({ "code": "Ü-2", "mother": mother["id"] })).ok(201).json();
    client.send("POST", &format!("/api/birds/{}/transitions/caught", text(&child["id"])), &json!({})).ok(200);
    let lost = client.send("POST", "/api/birds", &json!({ "code": "Ü-3" })).ok(201).json();
    client.delete(&format!("/api/birds/{}", text(&lost["id"]))).ok(204);
    let many: String = (0..2_500).map(|number| format!("N-{number},{number}.5\n")).collect();
    client
        .request(
            "POST",
            "/api/birds/import",
            &[("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")],
            format!("code,weight\n{many}").as_bytes(),
        )
        .ok(200);
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

const ADDRESSES: [&str; 5] = [
    "/api/birds?sort=code&page_size=100",
    "/api/birds?sort=code&page_size=100&page=20&expand=mother",
    "/api/birds?code=%C3%9C-1&expand=ring",
    "/api/rings",
    "/api/birds?format=csv&sort=code",
];

#[test]
fn an_application_continues_on_postgresql() {
    let station = Station::new("ringing");
    let mut client = Client::signed_in(&station.serve(Engine::Sqlite), RINGER);
    fill(&client);
    let before = ADDRESSES.map(|address| client.get(address).ok(200).body);
    let total = client.get(ADDRESSES[0]).json()["total"].clone();
    station.moves("birds: 2503 rows, verified");

    client.host = station.serve(Engine::Postgres).trim_start_matches("http://").to_owned();
    // The session of the source is valid.
    for (address, before) in ADDRESSES.into_iter().zip(before) {
        assert_eq!(client.get(address).ok(200).body, before, "{address}");
    }
    assert_eq!(client.get(ADDRESSES[0]).json()["total"], total);
    // Counted keys continue after the number of the deleted ring, references and unique fields are enforced.
    let ring = client.send("POST", "/api/rings", &json!({})).ok(201).json();
    assert_eq!(ring["number"], 3);
    client.send("POST", "/api/birds", &json!({ "code": "N-7" })).problem(409, "UNIQUE");
    let (success, text) = station.run(Engine::Postgres, &["migrate", "--check"]);
    assert!(success, "the schema is the declared one: {text}");
    station.refuses("the target has rows in");
}

#[test]
fn a_move_continues_after_an_interruption() {
    let station = Station::new("ringing_again");
    let client = Client::signed_in(&station.serve(Engine::Sqlite), RINGER);
    fill(&client);
    station.change_source("UPDATE rings SET bird = zeroblob(16)");
    station.refuses("a reference of the copied rows is invalid");
    let (success, text) = station.run(Engine::Postgres, &["migrate", "--check"]);
    assert!(!success && text.contains("complete it with the command `move`"), "{text}");

    // The state after an interruption between two batches.
    station.change_source("UPDATE rings SET bird = (SELECT id FROM birds WHERE code = 'Ü-1')");
    station.change_target(
        "DELETE FROM rings; UPDATE dz_relocation SET rows = 0, complete = false WHERE place = 'rings'; \
         DELETE FROM birds WHERE id NOT IN (SELECT id FROM birds ORDER BY id LIMIT 1000); \
         UPDATE dz_relocation SET rows = 1000, complete = false WHERE place = 'birds'",
    );
    station.moves("birds: 2503 rows, verified");
    assert_eq!(Client::signed_in(&station.serve(Engine::Postgres), RINGER).get("/api/birds").json()["total"], 2502);
}

#[test]
fn a_source_that_changes_between_two_runs_is_noticed() {
    let station = Station::new("ringing_changed");
    fill(&Client::signed_in(&station.serve(Engine::Sqlite), RINGER));
    station.change_source("UPDATE rings SET bird = zeroblob(16)");
    station.refuses("a reference of the copied rows is invalid");
    station.change_source("UPDATE birds SET notes = 'changed' WHERE code = 'N-2000'");
    station.refuses("`birds` has 2503 rows in the source and 2503 in the target, and they differ");
}

#[test]
fn only_an_empty_postgresql_database_is_a_target() {
    let station = Station::new("ringing_target");
    let (success, text) = station.run(Engine::Sqlite, &["move", "--to", "sqlite://other.db"]);
    assert!(!success && text.contains("needs the address of a PostgreSQL database"), "{text}");
    let (success, text) = station.run(Engine::Sqlite, &["move", "--to", "postgres://nobody:secret@127.0.0.1:1/none"]);
    assert!(!success && !text.contains("secret"), "{text}");
    station.refuses("the database is empty");
    assert!(station.run(Engine::Sqlite, &["seed"]).0);
    let mut conn = PgConnection::establish(&station.target).expect("the target");
    sql_query("CREATE TABLE other (id int)").execute(&mut conn).expect("a table");
    station.refuses("tables of another application");
    let (success, text) = station.run(Engine::Postgres, &["move", "--to", &station.target]);
    assert!(!success && text.contains("`move` copies an SQLite database"), "{text}");
}
