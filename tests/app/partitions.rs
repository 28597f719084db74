//! An application on PostgreSQL whose history is divided by month, and whose tables with tenants are divided by tenant.

use std::process::ExitCode;

use chrono::TimeDelta;
use diesel::{Connection, PgConnection, connection::SimpleConnection};
use dz::{
    Clock, Engine, Event,
    serde_json::{Value, json},
};
use dz_dsl_file::{
    SourceMap, analyse,
    emit::schema::{Engine as Language, Schema, diff, partitions},
    model::Model,
    project::{HistoryPartitions, Project},
};

use crate::{
    client::{Answer, Client},
    personal_data::{count, execute},
    server,
};

dz::include_dsl!("app/partitions/ferries.dsl", history_partitions = "month", tenant_partitions = "4");

const ROOT: (&str, &str) = ("root@ferries.example", "over all the lines");
const NIA: (&str, &str) = ("nia@ferries.example", "sails in the north");
const SOL: (&str, &str) = ("sol@ferries.example", "sails in the south");

fn settings() -> Value {
    json!({ "worker": false, "audit_days": 5, "run_days": 5 })
}

/// The application with a subscriber, so that writes store events.
fn ferries(url: &str, clock: &Clock) -> dz::App {
    app()
        .on::<ferry::Ferry>(Event::Created, |_, _| Ok(()))
        .engine(Engine::Postgres)
        .database_url(url)
        .clock(clock.clone())
        .figment(server::figment(0).merge(("dz", settings())))
}

fn serve(url: &str, clock: &Clock) -> String {
    server::serve_with(ferries(url, clock), Engine::Postgres, url.to_owned(), settings())
}

/// Does all due work, with the clean-up.
fn work(url: &str, clock: &Clock) {
    assert!(ferries(url, clock).run(["jobs", "run"]) == ExitCode::SUCCESS, "the work is done");
}

fn clock(at: &str) -> Clock {
    Clock::stopped(at.parse().expect("a time"))
}

/// Counts as the administrator of the server, to whom no policy applies.
pub(crate) fn number(url: &str, from: &str) -> i64 {
    let server = std::env::var("DZ_TEST_POSTGRES").expect("the address of a server");
    let (server, _) = server.rsplit_once('/').expect("an address with a database");
    let (_, name) = url.rsplit_once('/').expect("an address with a database");
    count(Engine::Postgres, &format!("{server}/{name}"), &format!("SELECT count(*) AS count FROM {from}"))
}

/// True if the table has a partition with this end of its name.
fn has_part(url: &str, table: &str, end: &str) -> bool {
    let parts = format!("pg_inherits WHERE inhparent = '{table}'::regclass AND inhrelid = to_regclass('{table}_{end}')");
    number(url, &parts) == 1
}

fn check(url: &str, clock: &Clock) {
    assert!(ferries(url, clock).run(["migrate", "--check"]) == ExitCode::SUCCESS, "the catalogue is as declared");
}

fn ferry(client: &Client, name: &str) -> Value {
    client.send("POST", "/api/ferries", &json!({ "name": name })).ok(201).json()
}

fn trip(client: &Client, ferry: &Value, code: &str) -> Answer {
    client.send("POST", "/api/trips", &json!({ "ferry": ferry["id"], "code": code }))
}

#[test]
fn the_history_is_divided_by_month_and_pruned_by_its_retention() {
    let (url, clock) = (server::fenced_url(Engine::Postgres, "ferries"), clock("2026-01-20T08:00:00Z"));
    let nia = Client::signed_in(&serve(&url, &clock), NIA);
    for table in ["dz_audit_log", "dz_outbox", "dz_run_steps"] {
        for month in ["m2026_01", "m2026_02", "m2026_03", "rest"] {
            assert!(has_part(&url, table, month), "{table} {month}");
        }
        assert!(!has_part(&url, table, "m2026_04"), "{table}");
    }
    let elba = ferry(&nia, "Elba");
    trip(&nia, &elba, "E1").ok(201);
    assert!(number(&url, "dz_outbox_m2026_01") > 0, "events are in the partition of their month");
    work(&url, &clock);
    assert_eq!(number(&url, "dz_outbox"), 0, "events are delivered");
    assert_eq!((number(&url, "stamps"), number(&url, "dz_runs"), number(&url, "dz_run_steps_m2026_01")), (1, 1, 1));
    let records = number(&url, "dz_audit_log_m2026_01");
    assert!(records >= 2 && number(&url, "dz_audit_log_rest") == 0, "{records}");
    check(&url, &clock);

    // A month is kept until the retention of its last row has passed, and then dropped.
    clock.advance(TimeDelta::days(15));
    work(&url, &clock);
    assert_eq!((number(&url, "dz_audit_log"), number(&url, "dz_runs")), (records, 1), "2026-02-04");
    assert!(!has_part(&url, "dz_outbox", "m2026_01"), "no event of the month is left");
    assert!(has_part(&url, "dz_audit_log", "m2026_04"), "the next months are there");
    clock.advance(TimeDelta::days(3));
    work(&url, &clock);
    for table in ["dz_audit_log", "dz_run_steps"] {
        assert!(!has_part(&url, table, "m2026_01"), "{table}");
    }
    assert_eq!((number(&url, "dz_audit_log"), number(&url, "dz_runs"), number(&url, "dz_run_steps")), (0, 0, 0), "2026-02-07");
    assert_eq!(number(&url, "stamps"), 1, "rows of entities are kept");
    check(&url, &clock);
}

#[test]
fn events_of_a_month_that_is_over_are_kept_until_they_are_delivered() {
    let (url, clock) = (server::fenced_url(Engine::Postgres, "ferries-events"), clock("2026-01-31T23:00:00Z"));
    let nia = Client::signed_in(&serve(&url, &clock), NIA);
    ferry(&nia, "Elba");
    execute(Engine::Postgres, &url, "UPDATE dz_outbox SET retry_at = '2026-03-01T00:00:00Z'");
    clock.advance(TimeDelta::days(5));
    work(&url, &clock);
    assert!(number(&url, "dz_outbox_m2026_01") > 0, "they wait for their next attempt");
    clock.advance(TimeDelta::days(40));
    work(&url, &clock);
    assert_eq!(number(&url, "dz_outbox"), 0);
    clock.advance(TimeDelta::hours(1));
    work(&url, &clock);
    assert!(!has_part(&url, "dz_outbox", "m2026_01"));
}

#[test]
fn a_run_that_is_open_keeps_its_steps() {
    let (url, clock) = (server::fenced_url(Engine::Postgres, "ferries-open"), clock("2026-01-20T08:00:00Z"));
    let nia = Client::signed_in(&serve(&url, &clock), NIA);
    trip(&nia, &ferry(&nia, "Elba"), "E1").ok(201);
    work(&url, &clock);
    execute(Engine::Postgres, &url, "UPDATE dz_runs SET status = 'waiting', ended_at = NULL, due_at = '2027-01-01T00:00:00Z'");
    clock.advance(TimeDelta::days(60));
    work(&url, &clock);
    assert_eq!((number(&url, "dz_runs"), number(&url, "dz_run_steps_m2026_01")), (1, 1));
    execute(Engine::Postgres, &url, "UPDATE dz_runs SET status = 'completed', ended_at = '2026-03-10T00:00:00Z', due_at = NULL");
    clock.advance(TimeDelta::days(60));
    work(&url, &clock);
    assert_eq!((number(&url, "dz_runs"), number(&url, "dz_run_steps")), (0, 0));
    assert!(!has_part(&url, "dz_run_steps", "m2026_01"));
}

#[test]
fn rows_of_tenants_are_in_partitions_and_keep_every_rule() {
    let (url, clock) = (server::fenced_url(Engine::Postgres, "ferries-tenants"), clock("2026-01-20T08:00:00Z"));
    let base = serve(&url, &clock);
    let (nia, sol) = (Client::signed_in(&base, NIA), Client::signed_in(&base, SOL));
    for table in ["ferries", "trips", "stamps", "crews"] {
        assert_eq!(number(&url, &format!("pg_inherits WHERE inhparent = '{table}'::regclass")), 4, "{table}");
    }
    let (elba, capri) = (ferry(&nia, "Elba"), ferry(&sol, "Capri"));
    // Unique values are unique within a tenant.
    // PostgreSQL names the index of the partition in the error.
    let taken = nia.send("POST", "/api/ferries", &json!({ "name": "Elba" })).problem(409, "UNIQUE");
    assert!(taken["field_errors"]["name"].is_array(), "{taken}");
    ferry(&sol, "Elba");
    // A reference stays in its tenant.
    trip(&nia, &capri, "E1").problem(422, "REFERENCE");
    let made = trip(&nia, &elba, "E1").ok(201).json();
    let second = trip(&nia, &elba, "E2").ok(201).json();
    assert_ne!(made["id"], second["id"]);
    trip(&nia, &elba, "E1").problem(409, "UNIQUE");
    trip(&sol, &capri, "E1").ok(201);
    let path = format!("/api/trips/{}", made["id"]);
    sol.get(&path).problem(404, "NOT_FOUND");
    nia.send("PATCH", &path, &json!({ "guests": 12 })).ok(200);
    nia.send("PATCH", &path, &json!({ "guests": -1 })).problem(422, "INVARIANT");
    nia.send("POST", &format!("{path}/transitions/sailed"), &json!({})).ok(200);
    let found = nia.get("/api/trips?state=sailed&guests__gt=10&sort=-code&expand=ferry").ok(200).json();
    assert_eq!((&found["total"], &found["items"][0]["code"]), (&json!(1), &json!("E1")), "{found}");
    nia.get("/app/trip_list?q=E2").ok(200).shows(&["E2"]);
    // A row that others refer to stays.
    nia.delete(&format!("/api/ferries/{}", elba["id"].as_str().expect("a key"))).problem(409, "REFERENCED");

    let ids = json!([made["id"], second["id"]]);
    let bulk = nia.send("POST", "/api/trips/bulk", &json!({ "action": "update", "ids": ids, "set": { "guests": 7 } })).ok(200).json();
    assert!(bulk["results"].as_array().is_some_and(|all| all.len() == 2 && all.iter().all(|it| it["status"] == 200)), "{bulk}");
    let csv = format!("code,ferry,guests\nE8,{0},3\nE9,{0},4\n", elba["id"].as_str().expect("a key"));
    let typed = [("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")];
    nia.request("POST", "/api/trips/import", &typed, csv.as_bytes()).ok(200);
    nia.get("/api/trips?format=csv&sort=code").ok(200).shows(&["E1", "E2", "E8", "E9"]);
    sol.get("/api/trips?format=csv").ok(200).lacks(&["E8", "E9"]);
    work(&url, &clock);
    assert_eq!(nia.get("/api/stamps").ok(200).json()["total"], 4);
    let root = Client::signed_in(&base, ROOT);
    root.get("/admin/tenants").ok(200);
    check(&url, &clock);
}

fn model() -> Model {
    analyse(SourceMap::single("ferries.dsl", include_str!("partitions/ferries.dsl"))).model.expect("a model")
}

fn project(tenant_partitions: u32) -> Project {
    Project { history_partitions: HistoryPartitions::Month, tenant_partitions, ..Project::default() }
}

fn apply(url: &str, sql: &str) {
    let mut conn = PgConnection::establish(url).expect("the database");
    // As a migration does, so that the policies of tenants show it every row.
    let system = "SELECT set_config('dz.tenant', '*', true), set_config('dz.members', '*', true)";
    conn.transaction(|conn| conn.batch_execute(&format!("{system};\n{sql}")))
        .unwrap_or_else(|error: diesel::result::Error| panic!("{error}:\n{sql}"));
}

#[test]
fn existing_tables_are_divided_by_a_migration_and_joined_by_the_reverse_one() {
    let (url, clock) = (server::fenced_url(Engine::Postgres, "ferries-upgrade"), clock("2026-01-20T08:00:00Z"));
    let (plain, divided) = (Schema::from_model(&model()), Schema::from_project(&model(), &project(4)));
    let nia = Client::signed_in(&serve(&url, &clock), NIA);
    let elba = ferry(&nia, "Elba");
    trip(&nia, &elba, "E1").ok(201);
    let tables = ["dz_audit_log", "dz_outbox", "ferries", "trips", "crews"];
    let rows = || tables.map(|table| number(&url, table));
    let before = rows();
    assert!(before.iter().all(|count| *count > 0), "{before:?}");

    let there = diff::migration(&plain, &divided, Language::Postgres).expect("a difference");
    let steps: Vec<&str> = there.steps.iter().map(|step| step.what.as_str()).collect();
    assert!(steps.contains(&"divides `dz_audit_log` into partitions by month"), "{steps:?}");
    assert!(steps.contains(&"divides `trips` into 4 partitions by tenant"), "{steps:?}");
    assert!(diff::migration(&plain, &divided, Language::Sqlite).is_none(), "SQLite has no partitions");
    apply(&url, &there.down.sql);
    assert_eq!(rows(), before);
    assert_eq!(number(&url, "pg_inherits"), 0, "no table has partitions");

    apply(&url, &there.up.sql);
    assert_eq!(rows(), before);
    assert_eq!(number(&url, "pg_class WHERE relname LIKE 'dz_audit_log_before_%' AND relkind = 'r' AND relispartition"), 1);
    work(&url, &clock);
    check(&url, &clock);
    let nia = Client::signed_in(&serve(&url, &clock), NIA);
    let later = trip(&nia, &elba, "E2").ok(201).json();
    assert!(later["id"].as_i64().is_some_and(|id| id > 1), "numbers count on: {later}");
    trip(&nia, &elba, "E1").problem(409, "UNIQUE");

    // Another number of partitions.
    let more = Schema::from_project(&model(), &project(8));
    apply(&url, &diff::migration(&divided, &more, Language::Postgres).expect("a difference").up.sql);
    assert_eq!(number(&url, "pg_inherits WHERE inhparent = 'trips'::regclass"), 8);
    assert_eq!(number(&url, "trips"), before[3] + 1);
}

#[test]
fn what_cannot_be_divided_is_refused_with_its_reason() {
    let declared = |text: &str| analyse(SourceMap::single("app.dsl", text)).model.expect("a model");
    let refused = |text: &str| partitions::refusal(&declared(text), &project(4)).unwrap_or_default();
    let text = include_str!("partitions/ferries.dsl");
    assert_eq!(refused(text), "");
    let chosen = text.replace("  id: int pk\n  code: str(20) required unique", "  code: str(20) pk");
    assert!(refused(&chosen).contains("callers choose the key `Trip.code`"), "{}", refused(&chosen));
    let lost = text.replace("  id: uuid pk\n  name: str(60)\n\n", "  id: uuid pk\n  name: str(60)\n  home: ref Ferry\n\n");
    assert!(refused(&lost).contains("`Person.home` refers to a row of a tenant without the tenant"), "{}", refused(&lost));
    let alone = "entity Note:\n  id: uuid pk\n  title: str(80)\n  permit:\n    read: true\n";
    assert!(refused(alone).contains("no entity has `archetype: tenant`"), "{}", refused(alone));
}
