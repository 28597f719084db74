//! Background work, in the tenant of each row.

use std::{
    thread,
    time::{Duration, Instant},
};

use dz::{
    Clock, Cx, Job, JobCx, JobOptions, Result,
    serde::{Deserialize, Serialize},
};

use super::*;

on_both! {
    unique_keys_of_jobs_belong_to_a_tenant;
}

/// A job that a practice orders once at a time.
#[derive(Serialize, Deserialize)]
#[serde(crate = "dz::serde")]
pub(super) struct Tidy {
    room: String,
}

impl Job for Tidy {
    const NAME: &'static str = "tidy";

    fn unique_key(&self) -> Option<String> {
        Some(self.room.clone())
    }
}

pub(super) fn tidy(_: &JobCx, _: Tidy) -> Result<()> {
    Ok(())
}

/// Stores a job that waits for a time in the future; the response is whether it is new.
#[rocket::post("/tidy/<room>")]
pub(super) async fn order_tidying(cx: Cx, room: String) -> Result<String> {
    let run_at = "2999-01-01T00:00:00Z".parse().ok();
    cx.run(move |tx| tx.spawn_job_with(&Tidy { room: room.clone() }, JobOptions { run_at, ..JobOptions::default() }))
        .await
        .map(|job| job.is_new.to_string())
}

fn unique_keys_of_jobs_belong_to_a_tenant(base: &str) {
    let (north, west, root) = (working(base, BO, "North"), Client::signed_in(base, PAM), Client::signed_in(base, ROOT));
    let room = fresh("Hall").replace(' ', "-");
    let path = format!("/typed/tidy/{room}");
    let order = |client: &Client| client.form(&path, &[]).ok(200).body;
    assert_eq!([order(&north), order(&north), order(&west), order(&west)], ["true", "false", "true", "false"]);
    let jobs = root.request("GET", "/app/-/jobs", &[("Accept", "application/json")], b"").ok(200).json();
    let shown = jobs["jobs"].as_array().expect("jobs").iter().filter(|job| job["unique_key"] == room).count();
    assert_eq!(shown, 2, "{jobs}");
}

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
