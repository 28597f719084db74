//! The example of a clinic, on both engines: states, timed transitions, separation of tenants, hooks, a custom route.

use chrono::TimeDelta;
use dz::{
    Clock, Engine,
    serde_json::{Value, json},
};

use crate::{client::Client, server, timed_transitions::eventually, vets};

const DORA: (&str, &str) = ("dora@riverside.example", "plans every day");
const VASCO: (&str, &str) = ("vasco@riverside.example", "holds still, please");
const VERA: (&str, &str) = ("vera@riverside.example", "listens to lungs");
const HUGO: (&str, &str) = ("hugo@hilltop.example", "up on the hill");
const GLORIA: (&str, &str) = ("gloria@riverside.example", "keeps the houses");

#[test]
fn on_sqlite() {
    a_week_at_the_clinic(Engine::Sqlite);
}

#[test]
fn on_postgres() {
    a_week_at_the_clinic(Engine::Postgres);
}

/// The declaration without its Rust code, on tables that are divided.
mod divided {
    dz::include_dsl!("../examples/clinic/app.dsl", history_partitions = "month", tenant_partitions = "4");
}

#[test]
fn on_tables_that_are_divided_by_tenant_and_by_month() {
    let clock = Clock::stopped("2031-05-05T08:00:00Z".parse().expect("a moment"));
    let url = server::fenced_url(Engine::Postgres, "clinic-divided");
    let base = server::serve(divided::app().clock(clock.clone()), Engine::Postgres, url.clone());
    let parts = |table: &str| crate::partitions::number(&url, &format!("pg_inherits WHERE inhparent = '{table}'::regclass"));
    for table in ["owners", "animals", "visits", "treatments", "medicines", "prescriptions"] {
        assert_eq!(parts(table), 4, "{table}");
    }
    assert_eq!(parts("dz_audit_log"), 4, "this month, the next two, and the rest");
    check_demo_data(&base);
    check_rows_of_a_visit(&base, &clock);
}

/// Writes every kind of relation, reads them through each other, and removes them.
fn check_rows_of_a_visit(base: &str, clock: &Clock) {
    let [dora, vasco, hugo] = [DORA, VASCO, HUGO].map(|who| Client::signed_in(base, who));
    let owner = create_row(&dora, "/api/owners", json!({ "name": "Nuno Faria", "mail": "nuno@faria.example" }));
    let animal = create_row(&dora, "/api/animals", json!({ "owner": owner, "name": "Zeca", "kind": "bird" }));
    let vet = vasco.get("/auth/me").json()["id"].clone();
    let at = clock.now() + TimeDelta::hours(6);
    let asked = json!({ "animal": animal, "vet": vet, "planned_for": at.to_rfc3339(), "reason": "Does not sing" });
    let id = create_row(&dora, "/api/visits", asked.clone());
    let visit = format!("/api/visits/{id}");
    let to = |who: &Client, state: &str| who.send("POST", &format!("{visit}/transitions/{state}"), &json!({}));
    for state in ["confirmed", "arrived"] {
        to(&dora, state).ok(200);
    }
    let medicine = create_row(&vasco, "/api/medicines", json!({ "name": "Vitamin drops", "unit": "ml" }));
    create_row(&vasco, "/api/treatments", json!({ "visit": id, "what": "Examination", "price": "38.00" }));
    create_row(&vasco, "/api/treatments", json!({ "visit": id, "what": "Vitamins", "quantity": 3, "price": "4.10" }));
    create_row(&vasco, "/api/prescriptions", json!({ "visit": id, "medicine": medicine, "dosage": "Two drops a day" }));
    vasco.send("PATCH", &visit, &json!({ "findings": "Moulting" })).ok(200);
    assert_eq!(to(&vasco, "treated").ok(200).json()["fee"], "50.30");
    let expanded = dora.get(&format!("{visit}?expand=medicines,treatments")).json();
    assert_eq!((&expanded["medicines"][0]["name"], expanded["treatments"].as_array().map(Vec::len)), (&json!("Vitamin drops"), Some(2)));
    dora.get(&format!("/app/visit_view/{id}")).ok(200).shows(&["Vitamin drops", "Moulting", "50.30"]);
    // Rows of one practice cannot be named or seen in another one.
    hugo.get(&visit).problem(404, "NOT_FOUND");
    hugo.send("POST", "/api/visits", &asked).problem(422, "REFERENCE");
    dora.delete(&format!("/api/owners/{owner}")).problem(409, "REFERENCED");
    // A timed transition finds its rows in every partition.
    clock.advance(TimeDelta::days(14) + TimeDelta::seconds(1));
    let dora = Client::signed_in(base, DORA);
    eventually(json!("overdue"), || dora.get(&visit).ok(200).json()["status"].clone());
}

fn a_week_at_the_clinic(engine: Engine) {
    let clock = Clock::stopped("2031-05-05T08:00:00Z".parse().expect("a moment"));
    let base = server::serve(vets::clinic().clock(clock.clone()), engine, server::fenced_url(engine, "clinic"));
    check_demo_data(&base);
    let visit = check_visit_from_booking_to_payment(&base, &clock);
    check_a_vet_has_one_visit_at_a_time(&base);
    check_timed_transitions(&base, &clock, &visit);
}

/// The values of a field in a list of the client.
#[track_caller]
fn texts(client: &Client, path: &str, field: &str) -> Vec<String> {
    let list = client.get(path).ok(200).json();
    let mut all: Vec<String> =
        list["items"].as_array().expect("items").iter().map(|it| it[field].as_str().expect("a text").to_owned()).collect();
    all.sort();
    all
}

#[track_caller]
fn create_row(client: &Client, path: &str, row: Value) -> String {
    client.send("POST", path, &row).ok(201).json()["id"].as_str().expect("an id").to_owned()
}

fn check_demo_data(base: &str) {
    let [dora, vasco, hugo, gloria] = [DORA, VASCO, HUGO, GLORIA].map(|who| Client::signed_in(base, who));
    assert_eq!(texts(&dora, "/api/animals", "name"), ["Bica", "Pixel", "Tosta"]);
    assert_eq!(texts(&hugo, "/api/animals", "name"), ["Norte"]);
    gloria.get("/api/animals").problem(403, "FORBIDDEN");
    assert_eq!(texts(&gloria, "/api/practices", "name"), ["Hilltop", "Riverside"]);
    // A vet sees their own visits and those without a vet.
    assert_eq!(dora.get("/api/visits").json()["total"], 4);
    assert_eq!(texts(&vasco, "/api/visits", "reason"), ["Eats nothing since Sunday", "Teeth cleaned", "Yearly vaccination"]);
    let norte = hugo.get("/api/animals").json()["items"][0]["id"].as_str().expect("an id").to_owned();
    dora.get(&format!("/api/animals/{norte}")).problem(404, "NOT_FOUND");
    // Vera is a member of both practices, and starts in the first.
    let vera = Client::signed_in(base, VERA);
    assert_eq!(vera.get("/api/medicines").json()["total"], 2);
    let me = vera.get("/auth/me").json();
    let hill = me["tenants"].as_array().expect("houses").iter().find(|it| it["name"] == "Hilltop").expect("Hilltop")["id"].clone();
    vera.send("POST", "/auth/tenant", &json!({ "tenant": hill })).ok(200);
    assert_eq!(texts(&vera, "/api/medicines", "name"), ["Meloxicam"]);
    dora.get("/app/visit_list").ok(200).shows(&["Limps on the left hind leg", "Rosa Almeida", "129.00"]);
}

/// A visit with all its rows; returns its address.
fn check_visit_from_booking_to_payment(base: &str, clock: &Clock) -> String {
    let [dora, vasco] = [DORA, VASCO].map(|who| Client::signed_in(base, who));
    let owner = create_row(&dora, "/api/owners", json!({ "name": "Nuno Faria", "mail": "nuno@faria.example" }));
    let animal = create_row(&dora, "/api/animals", json!({ "owner": owner, "name": "Zeca", "kind": "bird" }));
    let vasco_id = vasco.get("/auth/me").json()["id"].clone();
    let at = clock.now() + TimeDelta::hours(6);
    let asked = json!({ "animal": animal, "planned_for": at.to_rfc3339(), "reason": "Does not sing" });
    let visit = format!("/api/visits/{}", create_row(&dora, "/api/visits", asked));
    let to = |who: &Client, state: &str| who.send("POST", &format!("{visit}/transitions/{state}"), &json!({}));
    to(&dora, "confirmed").problem(422, "TRANSITION_REQUIRES");
    dora.send("PATCH", &visit, &json!({ "vet": vasco_id })).ok(200);
    to(&dora, "confirmed").ok(200);
    // The owner of each expected visit gets one reminder.
    eventually(json!(1), || {
        dora.get(&format!("/api/reminders?visit={}", visit.rsplit('/').next().unwrap_or_default())).json()["total"].clone()
    });
    dora.get(&format!("{visit}?expand=reminders")).ok(200).shows(&["2031-05-05 14:00 UTC: Does not sing"]);
    let board = vasco.get("/board").ok(200).json();
    let reasons: Vec<&str> = board["visits"].as_array().expect("visits").iter().filter_map(|it| it["reason"].as_str()).collect();
    assert!(reasons.contains(&"Does not sing"), "{board}");
    to(&dora, "arrived").ok(200);
    to(&vasco, "treated").problem(422, "TRANSITION_REQUIRES");
    vasco.send("PATCH", &visit, &json!({ "findings": "Moulting" })).ok(200);
    to(&vasco, "treated").problem(422, "VISIT_WITHOUT_TREATMENT");
    let id = visit.rsplit('/').next().expect("a key");
    create_row(&vasco, "/api/treatments", json!({ "visit": id, "what": "Examination", "price": "38.00" }));
    create_row(&vasco, "/api/treatments", json!({ "visit": id, "what": "Vitamins", "quantity": 3, "price": "4.10" }));
    let medicine = create_row(&vasco, "/api/medicines", json!({ "name": "Vitamin drops", "unit": "ml" }));
    create_row(&vasco, "/api/prescriptions", json!({ "visit": id, "medicine": medicine, "dosage": "Two drops a day" }));
    dora.send("POST", "/api/prescriptions", &json!({ "visit": id, "medicine": medicine, "dosage": "More" })).problem(403, "FORBIDDEN");
    to(&dora, "treated").problem(403, "TRANSITION_FORBIDDEN");
    let treated = to(&vasco, "treated").ok(200).json();
    assert_eq!(treated["fee"], "50.30");
    let expanded = dora.get(&format!("{visit}?expand=medicines,treatments")).json();
    assert_eq!((&expanded["medicines"][0]["name"], expanded["treatments"].as_array().map(Vec::len)), (&json!("Vitamin drops"), Some(2)));
    dora.get(&format!("/app/visit_view/{id}")).ok(200).shows(&["Vitamin drops", "Moulting", "50.30", "Reminders"]);
    dora.get(&format!("/app/medicine_view/{medicine}")).ok(200).shows(&["Given in", "Zeca"]);
    dora.delete(&visit).problem(403, "FORBIDDEN");
    visit
}

fn check_a_vet_has_one_visit_at_a_time(base: &str) {
    let [dora, hugo] = [DORA, HUGO].map(|who| Client::signed_in(base, who));
    let visits = dora.get("/api/visits?reason__startswith=Yearly").json();
    let (planned, vet, animal) = (&visits["items"][0]["planned_for"], &visits["items"][0]["vet"], &visits["items"][0]["animal"]);
    let twin = json!({ "animal": animal, "vet": vet, "planned_for": planned, "reason": "Twice" });
    let refused = dora.send("POST", "/api/visits", &twin).problem(422, "VALIDATION");
    assert_eq!(refused["field_errors"]["planned_for"], json!(["the vet has another visit then"]));
    let at = |minutes: i64| {
        let planned: chrono::DateTime<chrono::Utc> = planned.as_str().and_then(|it| it.parse().ok()).expect("a moment");
        json!((planned + TimeDelta::minutes(minutes)).to_rfc3339())
    };
    let later = json!({ "animal": animal, "vet": vet, "planned_for": at(30), "reason": "Right after" });
    let made = create_row(&dora, "/api/visits", later);
    dora.send("PATCH", &format!("/api/visits/{made}"), &json!({ "planned_for": at(29) })).problem(422, "VALIDATION");
    dora.send("PATCH", &format!("/api/visits/{made}"), &json!({ "reason": "Right after that" })).ok(200);
    dora.delete(&format!("/api/visits/{made}")).ok(204);
    // Rows of another practice cannot be named.
    hugo.send("POST", "/api/visits", &json!({ "animal": animal, "planned_for": planned, "reason": "Not here" })).problem(422, "REFERENCE");
}

/// Without a request, unconfirmed visits lapse and unpaid ones become overdue.
fn check_timed_transitions(base: &str, clock: &Clock, visit: &str) {
    let status = |client: &Client, path: &str| client.get(path).ok(200).json()["status"].clone();
    let dora = Client::signed_in(base, DORA);
    let lapsing = dora.get("/api/visits?reason__startswith=Eats").json()["items"][0]["id"].as_str().expect("an id").to_owned();
    clock.advance(TimeDelta::days(2) + TimeDelta::seconds(1));
    eventually(json!("lapsed"), || status(&dora, &format!("/api/visits/{lapsing}")));
    assert_eq!(status(&dora, visit), "treated");
    clock.advance(TimeDelta::days(12));
    let dora = Client::signed_in(base, DORA);
    eventually(json!("overdue"), || status(&dora, visit));
    dora.send("POST", &format!("{visit}/transitions/paid"), &json!({})).ok(200);
    assert_eq!(dora.get("/board").ok(200).json()["visits"], json!([]));
}
