//! What a start means while a run exists: it is dropped, it waits, it cancels the earlier run, or both run.

use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use dz::{Engine, serde_json::json};

use super::{Farm, on_both};

on_both! {
    a_second_start_is_dropped;
    a_second_start_waits;
    a_second_start_cancels_the_first_run;
    runs_of_different_rows_do_not_overlap;
    an_event_that_is_delivered_again_cancels_nothing;
}

fn a_second_start_is_dropped(engine: Engine) {
    let farm = Farm::new(engine);
    let id = farm.start("once", json!({}));
    farm.admin().post("/api/-/processes/once", json!({})).assert_problem(409, "OVERLAP");
    assert_eq!(farm.runs("once").len(), 1, "a dropped start leaves no run");
    farm.advance(TimeDelta::hours(1));
    assert_eq!(farm.run(&id)["status"], "completed");
    farm.start("once", json!({}));
    assert_eq!(farm.runs("once").len(), 2);
}

fn a_second_start_waits(engine: Engine) {
    let farm = Farm::new(engine);
    let [first, second, third] = [0; 3].map(|_| farm.start("queued", json!({})));
    let states = |ids: [&String; 3]| ids.map(|id| super::text(&farm.run(id)["status"]));
    assert_eq!(states([&first, &second, &third]), ["waiting", "queued", "queued"]);

    // A queued run keeps a signal, and stays queued.
    let signal = |run: &str| farm.admin().post("/api/-/signals/go", json!({ "run": run })).json()["runs"].clone();
    assert_eq!(signal(&third), 1);
    farm.settle();
    assert_eq!(states([&first, &second, &third]), ["waiting", "queued", "queued"]);

    // The cancellation of a queued run lets no other run begin beside the first one.
    farm.admin().post(&format!("/api/-/runs/{second}/cancel"), json!({})).assert_status(200);
    farm.settle();
    assert_eq!(states([&first, &second, &third]), ["waiting", "cancelled", "queued"]);
    assert_eq!(signal(&first), 1);
    farm.settle();
    assert_eq!(states([&first, &second, &third]), ["completed", "cancelled", "completed"], "the kept signal satisfies its wait");
    assert_eq!(farm.entries("queued one"), 2);
}

fn a_second_start_cancels_the_first_run(engine: Engine) {
    let farm = Farm::new(engine);
    let first = farm.start("latest", json!({}));
    let second = farm.start("latest", json!({}));
    assert_eq!((farm.run(&first)["status"].clone(), farm.run(&second)["status"].clone()), (json!("cancelled"), json!("waiting")));
    assert_eq!(farm.cranes.things().iter().filter(|what| *what == "return latest").count(), 1, "the first run is compensated");
}

fn an_event_that_is_delivered_again_cancels_nothing(engine: Engine) {
    let farm = Farm::new(engine);
    let sql = |sql: &str| {
        farm.app
            .tx_as_system(|tx| {
                tx.as_system("the event is stored again", |conn| {
                    let done = match conn.sqlite() {
                        Some(sqlite) => sqlite.batch_execute(sql),
                        None => conn.postgres().expect("the other engine").batch_execute(sql),
                    };
                    done.map_err(dz::Error::internal)
                })
            })
            .expect("the statement runs");
    };
    let turbine = farm.turbine("plain");
    farm.engineer().patch(&format!("/api/turbines/{turbine}"), json!({ "power": 5 })).assert_status(200);
    // As after a crash between the start of the run and the end of the delivery.
    sql("CREATE TABLE copy AS SELECT * FROM dz_outbox");
    farm.settle();
    let started: Vec<_> = farm.runs("newest");
    assert_eq!((started.len(), &started[0]["status"]), (1, &json!("waiting")));
    sql("INSERT INTO dz_outbox SELECT * FROM copy");
    farm.settle();
    let again = farm.runs("newest");
    assert_eq!((again.len(), &again[0]["id"], &again[0]["status"]), (1, &started[0]["id"], &json!("waiting")));
    sql("DROP TABLE copy");
}

fn runs_of_different_rows_do_not_overlap(engine: Engine) {
    let farm = Farm::new(engine);
    let [one, other] = ["plain", "plain"].map(|name| farm.turbine(name));
    for (turbine, power) in [(&one, 1), (&one, 2), (&other, 3)] {
        farm.engineer().patch(&format!("/api/turbines/{turbine}"), json!({ "power": power })).assert_status(200);
        farm.settle();
    }
    let runs = farm.runs("per_row");
    let of = |turbine: &String| runs.iter().filter(|run| run["trigger"]["id"] == json!(turbine)).count();
    assert_eq!((runs.len(), of(&one), of(&other)), (2, 1, 1));

    // Processes without `overlap` run beside each other.
    let ids = [farm.start("building", json!({ "last": "a" })), farm.start("building", json!({ "last": "b" }))];
    assert!(ids.iter().all(|id| farm.run(id)["status"] == "waiting"));
}
