//! Triggers of every kind, the callers of `manual`, and signals.

use chrono::TimeDelta;
use dz::{
    Engine,
    serde_json::{Value, json},
};

use super::{Farm, VITO, on_both};

on_both! {
    events_of_rows_start_processes;
    signals_processes_and_times_start_processes;
    the_roles_of_a_process_start_it;
    rust_starts_a_process_in_its_transaction;
}

fn events_of_rows_start_processes(engine: Engine) {
    let farm = Farm::new(engine);
    let turbine = farm.turbine("plain");
    let path = format!("/api/turbines/{turbine}");
    assert_eq!(farm.entries("created plain"), 1);
    let run = &farm.runs("created")[0];
    let trigger = json!({ "kind": "entity", "entity": "Turbine", "event": "created", "id": turbine, "name": Value::Null });
    assert_eq!(run["trigger"], trigger);
    // Only this change starts the process.
    farm.engineer().patch(&path, json!({ "power": 3 })).assert_status(200);
    farm.settle();
    assert_eq!((farm.runs("inspecting").len(), farm.runs("per_row").len()), (0, 1));
    farm.engineer().patch(&path, json!({ "status": "stopped" })).assert_status(200);
    farm.settle();
    assert_eq!(farm.runs("inspecting").len(), 1);
    farm.engineer().delete(&path).assert_status(204);
    farm.settle();
    assert_eq!(farm.entries("deleted plain"), 1, "the run reads the row with its last values");
}

fn signals_processes_and_times_start_processes(engine: Engine) {
    let farm = Farm::new(engine);
    let sent = farm.admin().post("/api/-/signals/storm", json!({ "payload": { "speed": 90 } }));
    assert_eq!(sent.json(), json!({ "signal": "storm", "runs": 1 }));
    farm.settle();
    assert_eq!(farm.entries("a storm"), 1);
    let run = &farm.runs("heard")[0];
    assert_eq!((&run["trigger"]["kind"], &run["trigger"]["name"]), (&json!("signal"), &json!("storm")));
    farm.admin().post("/api/-/signals/strom", json!({})).assert_problem(404, "NOT_FOUND");
    let unknown = json!({ "run": dz::Uuid::now_v7() });
    farm.admin().post("/api/-/signals/go", &unknown).assert_problem(404, "NOT_FOUND");

    farm.start("ordering", json!({ "part": "rope" }));
    assert_eq!(farm.entries("followed order of rope"), 1);
    assert_eq!(farm.runs("followed")[0]["trigger"]["name"], "ordering");

    farm.app.set_time("2026-11-03T05:59:00Z");
    assert_eq!(farm.entries("daily"), 0);
    farm.advance(TimeDelta::minutes(1));
    assert_eq!((farm.entries("daily"), farm.runs("daily").len()), (1, 1));
}

fn the_roles_of_a_process_start_it(engine: Engine) {
    let farm = Farm::new(engine);
    let visitor = farm.app.sign_in(VITO.0);
    let body = json!({ "input": { "part": "bolt" } });
    farm.engineer().post("/api/-/processes/ordering", &body).assert_status(201);
    visitor.post("/api/-/processes/ordering", &body).assert_problem(403, "FORBIDDEN");
    farm.app.anonymous().post("/api/-/processes/ordering", &body).assert_problem(401, "AUTHENTICATION_REQUIRED");
    // Without roles, administrators of the whole system start it.
    farm.engineer().post("/api/-/processes/building", json!({ "input": { "last": "a" } })).assert_problem(403, "FORBIDDEN");
    for unknown in ["orderin", "created"] {
        farm.admin().post(&format!("/api/-/processes/{unknown}"), json!({})).assert_problem(404, "NOT_FOUND");
    }
    let wrong = json!({ "input": { "count": "many", "kind": "roof", "parts": 1 } });
    let problem = farm.engineer().post("/api/-/processes/ordering", &wrong);
    problem.assert_problem(422, "VALIDATION");
    for field in ["part", "count", "kind", "parts"] {
        assert!(problem.json()["field_errors"][field].is_array(), "{field}");
    }
}

fn rust_starts_a_process_in_its_transaction(engine: Engine) {
    let farm = Farm::new(engine);
    let user = farm.engineer();
    let id = user.tx(|tx| tx.start("ordering", json!({ "part": "nut" }))).expect("a run");
    farm.settle();
    assert_eq!(farm.run(&id.to_string())["status"], "completed");
    let refused = user.tx(|tx| tx.start("ordering", json!({ "prat": "nut" }))).expect_err("refused");
    assert_eq!((refused.status, refused.field_errors.len()), (422, 2));
    assert_eq!(user.tx(|tx| tx.start("orderin", json!({}))).expect_err("refused").status, 404);
    // A rollback starts nothing.
    let before = farm.runs("ordering").len();
    let failed: dz::Result<()> = user.tx(|tx| {
        tx.start("ordering", json!({ "part": "nut" }))?;
        Err(dz::Error::not_found())
    });
    assert_eq!((failed.expect_err("refused").status, farm.runs("ordering").len()), (404, before));
}
