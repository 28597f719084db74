//! The rows that the inputs of a process name, for callers of two tenants: steps work on them as the system.

use diesel::{Connection, connection::SimpleConnection, sqlite::SqliteConnection};
use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{
    client::{Answer, Client},
    server,
    timed_transitions::eventually,
};

dz::dz! {
    app archives "Archives":
      multi_tenant: true

    persona keeper "Keeper"

    entity Archive "Archive":
      id: uuid pk
      name: str(60) required
      archetype: tenant
      permit:
        list: role(admin)
        read: role(admin) or id = current_user.tenant
        create: role(admin)

    entity Person "Person":
      id: uuid pk
      archetype: user

    entity Seat "Seat":
      id: uuid pk
      archetype: user_membership

    entity Folio "Folio":
      id: uuid pk
      name: str(60) required
      lent: bool = false
      locked: bool = false
      permit:
        list: role(keeper) and locked = false
        read: role(keeper) and locked = false
        create: role(keeper)

    process lending "Lending":
      trigger: manual role(keeper)
      input:
        folio: ref Folio required
        others: list[ref Folio]
      steps:
        - step mark:
          effects:
            - update input.folio:
              lent: true

    process copying "Copying":
      trigger: manual role(keeper)
      input:
        name: str required
      steps:
        - step copy:
          effects:
            - create Folio:
              name: input.name

    process appraising "Appraising":
      trigger: manual role(keeper)
      input:
        by: ref Person required
      steps:
        - step look:
          human_task:
            entity: Folio
            assignee: input.by
            outcomes:
              - done "Done":
                goto: complete

    demo:
      Person:
        - @root name: "Root", email: "root@archives.example", password: "walks all the halls", roles: [admin]
        - @kim name: "Kim", email: "kim@archives.example", password: "keeps the old maps"
      Archive:
        - @north name: "North"
        - @south name: "South"
      Seat:
        - user: @kim, archive: @north, personas: [keeper], accepted_at: now
        - user: @kim, archive: @south, personas: [keeper], accepted_at: now
}

#[test]
fn a_process_gets_only_rows_of_its_tenant_on_sqlite() {
    a_process_gets_only_rows_of_its_tenant(Engine::Sqlite);
}

#[test]
fn a_process_gets_only_rows_of_its_tenant_on_postgres() {
    a_process_gets_only_rows_of_its_tenant(Engine::Postgres);
}

#[test]
fn a_new_row_of_a_process_belongs_to_the_tenant_of_its_run_on_sqlite() {
    a_new_row_belongs_to_the_tenant_of_its_run(Engine::Sqlite);
}

#[test]
fn a_new_row_of_a_process_belongs_to_the_tenant_of_its_run_on_postgres() {
    a_new_row_belongs_to_the_tenant_of_its_run(Engine::Postgres);
}

#[test]
fn a_task_of_an_account_is_in_the_tenant_of_its_run_on_sqlite() {
    a_task_of_an_account_is_in_the_tenant_of_its_run(Engine::Sqlite);
}

#[test]
fn a_task_of_an_account_is_in_the_tenant_of_its_run_on_postgres() {
    a_task_of_an_account_is_in_the_tenant_of_its_run(Engine::Postgres);
}

const ROOT: (&str, &str) = ("root@archives.example", "walks all the halls");
const KIM: (&str, &str) = ("kim@archives.example", "keeps the old maps");

/// A signed-in keeper in one tenant.
fn keeper(base: &str, tenant: &Value) -> Client {
    let kim = Client::signed_in(base, KIM);
    kim.send("POST", "/auth/tenant", &json!({ "tenant": tenant })).ok(200);
    kim
}

fn a_process_gets_only_rows_of_its_tenant(engine: Engine) {
    let base = &server::serve(app(), engine, server::fenced_url(engine, "archives"));
    let root = Client::signed_in(base, ROOT);
    let archives = root.get("/api/archives?sort=name").ok(200).json()["items"].clone();
    let [north, south] = [&archives[0]["id"], &archives[1]["id"]];
    let folio = |tenant, locked: bool| {
        let row = json!({ "name": "Map", "locked": locked });
        keeper(base, tenant).send("POST", "/api/folios", &row).ok(201).json()["id"].clone()
    };
    let (ours, theirs, locked) = (folio(north, false), folio(south, false), folio(north, true));
    let start = |input: Value| -> Answer { root.send("POST", "/api/-/processes/lending", &json!({ "tenant": north, "input": input })) };
    let kim = keeper(base, north);
    let start_with_role = |input: Value| kim.send("POST", "/api/-/processes/lending", &json!({ "input": input }));
    for (input, field) in [
        (json!({ "folio": theirs }), "folio"),
        (json!({ "folio": dz::Uuid::now_v7() }), "folio"),
        (json!({ "folio": ours, "others": [ours, theirs] }), "others"),
    ] {
        let refused = start(input).problem(422, "REFERENCE");
        assert_eq!(refused["field_errors"].as_object().map(|errors| errors.keys().cloned().collect()), Some(vec![field.to_owned()]));
    }
    // The rules hide this row from the keeper, and the step would change it as the system.
    for row in [&theirs, &locked] {
        start_with_role(json!({ "folio": row })).problem(422, "REFERENCE");
    }
    start_with_role(json!({ "folio": ours })).ok(201);
    // The current tenant can be named, and another one only by an administrator of the whole system.
    let named = |tenant: &Value| kim.send("POST", "/api/-/processes/lending", &json!({ "tenant": tenant, "input": { "folio": ours } }));
    named(north).ok(201);
    named(south).problem(403, "FORBIDDEN");
    start(json!({ "folio": locked })).ok(201);
    start(json!({ "folio": 7 })).problem(422, "VALIDATION");
    start(json!({ "folio": ours, "others": [ours, ours] })).ok(201);
}

fn a_new_row_belongs_to_the_tenant_of_its_run(engine: Engine) {
    let base = &server::serve(app(), engine, server::fenced_url(engine, "archives_copied"));
    let root = Client::signed_in(base, ROOT);
    let archives = root.get("/api/archives?sort=name").ok(200).json()["items"].clone();
    let [north, south] = [&archives[0]["id"], &archives[1]["id"]];
    let (in_north, in_south) = (keeper(base, north), keeper(base, south));
    in_north.send("POST", "/api/-/processes/copying", &json!({ "input": { "name": "Atlas" } })).ok(201);
    root.send("POST", "/api/-/processes/copying", &json!({ "tenant": south, "input": { "name": "Chart" } })).ok(201);
    for (client, name) in [(&in_north, "Atlas"), (&in_south, "Chart")] {
        eventually(true, || {
            let rows = client.get("/api/folios").ok(200).json()["items"].clone();
            rows.as_array().is_some_and(|rows| rows.len() == 1 && rows[0]["name"] == name)
        });
    }
}

fn a_task_of_an_account_is_in_the_tenant_of_its_run(engine: Engine) {
    let base = &server::serve(app(), engine, server::fenced_url(engine, "archive_tasks"));
    let root = Client::signed_in(base, ROOT);
    let archives = root.get("/api/archives?sort=name").ok(200).json()["items"].clone();
    let (north, south) = (keeper(base, &archives[0]["id"]), keeper(base, &archives[1]["id"]));
    let me = north.get("/auth/me").ok(200).json()["id"].clone();
    north.send("POST", "/api/-/processes/appraising", &json!({ "input": { "by": me } })).ok(201);
    let count = |client: &Client| client.get("/api/-/tasks").ok(200).json()["tasks"].as_array().map(Vec::len);
    eventually(Some(1), || count(&north));
    let task = north.get("/api/-/tasks").ok(200).json()["tasks"][0]["id"].clone();
    let decide = format!("/api/-/tasks/{}", task.as_str().expect("an id"));
    assert_eq!(count(&south), Some(0));
    south.send("POST", &decide, &json!({ "outcome": "done" })).problem(404, "NOT_FOUND");
    // A former member has no task.
    let seat = root.get(&format!("/api/seats?archive={}", archives[0]["id"].as_str().expect("an id"))).ok(200).json()["items"][0].clone();
    root.delete(&format!("/api/seats/{}", seat["id"].as_str().expect("an id"))).ok(204);
    south.send("POST", &decide, &json!({ "outcome": "done" })).problem(404, "NOT_FOUND");
    assert_eq!(count(&Client::signed_in(base, KIM)), Some(0));
}

/// A run of an application that was exchanged for an earlier one, which does not know its steps.
#[test]
fn a_run_that_cannot_be_read_hinders_no_other_one_and_can_be_cancelled() {
    let url = server::new_url(Engine::Sqlite, "archives_unread");
    let base = &server::serve(app(), Engine::Sqlite, url.clone());
    let root = Client::signed_in(base, ROOT);
    let north = keeper(base, &root.get("/api/archives?sort=name").ok(200).json()["items"][0]["id"]);
    let me = north.get("/auth/me").ok(200).json()["id"].clone();
    let start = || north.send("POST", "/api/-/processes/appraising", &json!({ "input": { "by": me } })).ok(201).json()["id"].clone();
    let (unread, other) = (start(), start());
    let tasks = || north.get("/api/-/tasks").ok(200).json()["tasks"].as_array().cloned().unwrap_or_default();
    eventually(2, || tasks().len());
    let id = unread.as_str().expect("an id");
    let sql = format!("UPDATE dz_runs SET flow = '{{}}', version = 'another' WHERE id = X'{}'", id.replace('-', ""));
    let sql = format!("PRAGMA busy_timeout = 20000; {sql}");
    SqliteConnection::establish(url.trim_start_matches("sqlite://")).expect("a file").batch_execute(&sql).expect("a run");
    let of = |run: &Value| tasks().into_iter().find(|task| task["run"] == *run).expect("a task");
    assert_eq!((of(&unread)["outcomes"].clone(), of(&other)["outcomes"][0]["name"].clone()), (json!([]), json!("done")));
    let decide = |run: &Value| {
        let task = of(run)["id"].as_str().expect("an id").to_owned();
        north.send("POST", &format!("/api/-/tasks/{task}"), &json!({ "outcome": "done" }))
    };
    decide(&unread).problem(409, "GONE");
    decide(&other).ok(200);
    let shown = |status: &str| {
        let run = root.get(&format!("/api/-/runs/{id}")).ok(200).json();
        assert_eq!((&run["status"], &run["error"]["code"]), (&json!(status), &json!("GONE")));
    };
    shown("waiting");
    root.send("POST", &format!("/api/-/runs/{id}/cancel"), &json!({})).ok(200);
    shown("cancelled");
    assert_eq!(tasks().len(), 0);
}
