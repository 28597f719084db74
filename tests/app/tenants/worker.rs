//! Background work, in the tenant of each row.

use std::{
    thread,
    time::{Duration, Instant},
};

use dz::Clock;

use super::*;

#[test]
fn the_worker_acts_in_the_tenant_of_the_row_on_sqlite() {
    check_worker_acts_in_the_tenant_of_the_row(Engine::Sqlite);
}

#[test]
fn the_worker_acts_in_the_tenant_of_the_row_on_postgres() {
    check_worker_acts_in_the_tenant_of_the_row(Engine::Postgres);
}

#[track_caller]
fn soon(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < end, "{what} did not happen");
        thread::sleep(Duration::from_millis(50));
    }
}

fn check_worker_acts_in_the_tenant_of_the_row(engine: Engine) {
    let clock = Clock::stopped("2031-01-31T12:00:00Z".parse().expect("a moment"));
    let base = server::serve(practices().clock(clock.clone()), engine, server::fenced_url(engine, "worker"));
    let clients = [("North", working(&base, BO, "North")), ("West", Client::signed_in(&base, PAM))];
    let root = Client::signed_in(&base, ROOT);
    let mut running = Vec::new();
    for (name, client) in &clients {
        let visit = client.send("POST", "/api/visits", &json!({ "title": format!("Order {name}") })).ok(201).json();
        let path = format!("/api/visits/{}", visit["id"].as_str().expect("a key"));
        client.send("POST", &format!("{path}/transitions/running"), &json!({})).ok(200);
        running.push(path);
    }
    clock.advance(chrono::TimeDelta::minutes(61));
    for ((name, client), path) in clients.iter().zip(&running) {
        soon("the timed move", || client.get(path).ok(200).json()["state"] == "done");
        let rooms = || client.get("/api/rooms?page_size=100").ok(200).json()["items"].clone();
        let named = |rooms: &Value, name: &str| {
            rooms.as_array().is_some_and(|all| all.iter().any(|room| room["name"] == format!("Room for {name}")))
        };
        soon("the event", || named(&rooms(), name));
        let foreign = if *name == "North" { "West" } else { "North" };
        assert!(!named(&rooms(), foreign), "what follows from a visit stays in its practice");
        let id = path.rsplit('/').next().expect("a key");
        let moved = audit::records(&root, &format!("row_id={id}&action=transition"));
        assert_eq!((moved.len(), &moved[0]["account"], &moved[0]["tenant"]), (2, &Value::Null, &tenant_of(client, name)), "{moved:?}");
    }
}
