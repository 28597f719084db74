//! Steps: services with retry, compensations, branches, other processes, `goto`, refused effects, timeouts.

use chrono::TimeDelta;
use dz::{
    Engine,
    serde_json::{Value, json},
};

use super::{Farm, on_both, statuses, step, text};

on_both! {
    a_service_is_called_again_with_the_same_key;
    a_repeated_run_continues_at_the_failed_step;
    completed_steps_are_undone_in_reverse_order;
    a_cancelled_run_is_compensated;
    a_compensation_that_fails_does_not_stop_the_others;
    one_failed_branch_cancels_the_others;
    all_branches_end_before_the_step_fails;
    completed_branches_are_undone_at_once;
    a_process_runs_another_one;
    an_outcome_goes_back_to_the_same_step;
    an_outcome_can_fail_the_run;
    a_refused_effect_rolls_back_all_effects_of_the_step;
    a_run_has_a_timeout;
}

fn a_service_is_called_again_with_the_same_key(engine: Engine) {
    let farm = Farm::new(engine);
    farm.cranes.fail("blade", 2);
    let id = farm.start("ordering", json!({ "part": "blade", "kind": "blade" }));
    let run = farm.run(&id);
    assert_eq!((&run["status"], &run["input"]), (&json!("waiting"), &json!({ "part": "blade", "count": 1, "kind": "blade" })));
    let order = step(&run, "order");
    assert_eq!((&order["status"], &order["attempts"], &order["error"]["code"]), (&json!("waiting"), &json!(1), &json!("NO_CRANE")));
    assert_eq!(order["error"]["field_errors"], json!({ "what": ["is too heavy"] }));
    // The delay is 10 s, then 20 s.
    for (seconds, attempts) in [(9, 1), (1, 2), (19, 2), (1, 3)] {
        farm.advance(TimeDelta::seconds(seconds));
        assert_eq!(farm.cranes.calls_about("blade").len(), attempts, "after {seconds} s");
    }
    let run = farm.run(&id);
    assert_eq!((&run["status"], &run["output"]), (&json!("completed"), &json!({ "order": "order of blade" })));
    assert_eq!((&step(&run, "order")["attempts"], &step(&run, "order")["error"]), (&json!(3), &Value::Null));
    let calls = farm.cranes.calls_about("blade");
    assert_eq!(calls.iter().map(|(_, attempt)| *attempt).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(calls.iter().all(|(key, _)| *key == calls[0].0), "{calls:?}");
    assert_ne!(farm.cranes.calls_about("first")[0].0, calls[0].0);
}

fn a_repeated_run_continues_at_the_failed_step(engine: Engine) {
    let farm = Farm::new(engine);
    farm.cranes.fail("gear", 3);
    let id = farm.start("ordering", json!({ "part": "gear" }));
    farm.advance(TimeDelta::seconds(10));
    farm.advance(TimeDelta::seconds(20));
    let run = farm.run(&id);
    assert_eq!((&run["status"], &run["error"]["code"], &run["error"]["step"]), (&json!("failed"), &json!("NO_CRANE"), &json!("order")));
    let retry = format!("/api/-/runs/{id}/retry");
    farm.admin().post(&retry, json!({})).assert_status(200);
    farm.settle();
    let run = farm.run(&id);
    assert_eq!((&run["status"], &run["error"]), (&json!("completed"), &Value::Null));
    assert_eq!(farm.cranes.calls_about("first").len(), 1, "a completed step stays completed");
    let calls = farm.cranes.calls_about("gear");
    assert_eq!(calls.iter().map(|(_, attempt)| *attempt).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(calls.iter().all(|(key, _)| *key == calls[0].0), "{calls:?}");
    farm.admin().post(&retry, json!({})).assert_problem(409, "CONFLICT");
}

fn completed_steps_are_undone_in_reverse_order(engine: Engine) {
    let farm = Farm::new(engine);
    farm.cranes.fail("top", 1);
    let id = farm.start("building", json!({ "last": "top" }));
    farm.advance(TimeDelta::hours(1));
    let run = farm.run(&id);
    assert_eq!((&run["status"], &run["error"]["step"]), (&json!("failed"), &json!("top")));
    assert_eq!(farm.cranes.things(), ["base", "mast", "top", "return mast", "return base"]);
    let undone: Vec<&str> = run["compensations"].as_array().expect("a list").iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(undone, ["undo_mast", "undo_base"]);
    assert!(run["compensations"].as_array().expect("a list").iter().all(|it| it["status"] == "completed" && it["attempts"] == 1));

    // It starts again at the first step that was undone, with the same keys.
    farm.admin().post(&format!("/api/-/runs/{id}/retry"), json!({})).assert_status(200);
    farm.settle();
    farm.advance(TimeDelta::hours(1));
    assert_eq!(farm.run(&id)["status"], "completed");
    let base = farm.cranes.calls_about("base");
    assert_eq!((base.len(), &base[0].0), (2, &base[1].0));
    assert_ne!(farm.cranes.calls_about("return base")[0].0, base[0].0, "a compensation has a key of its own");
}

fn a_cancelled_run_is_compensated(engine: Engine) {
    let farm = Farm::new(engine);
    let id = farm.start("building", json!({ "last": "top" }));
    assert_eq!(farm.run(&id)["status"], "waiting");
    let cancelled = farm.admin().post(&format!("/api/-/runs/{id}/cancel"), json!({}));
    cancelled.assert_status(200);
    assert_eq!(cancelled.json()["status"], "compensating");
    farm.settle();
    let run = farm.run(&id);
    assert_eq!((&run["status"], &step(&run, "pause")["status"]), (&json!("cancelled"), &json!("cancelled")));
    assert_eq!(farm.cranes.things(), ["base", "mast", "return mast", "return base"]);
}

fn a_compensation_that_fails_does_not_stop_the_others(engine: Engine) {
    let farm = Farm::new(engine);
    farm.cranes.fail("return mast", 2);
    let id = farm.start("building", json!({ "last": "top" }));
    farm.admin().post(&format!("/api/-/runs/{id}/cancel"), json!({})).assert_status(200);
    farm.settle();
    assert_eq!(farm.run(&id)["status"], "compensating", "the retry of a compensation has a delay");
    farm.advance(TimeDelta::seconds(5));
    let run = farm.run(&id);
    assert_eq!(run["status"], "failed");
    assert_eq!(run["compensations"][0]["error"]["code"], "NO_CRANE");
    assert_eq!(run["compensations"][1]["status"], "completed");
    assert_eq!(farm.cranes.things(), ["base", "mast", "return mast", "return mast", "return base"]);
}

/// The status of each step by its name.
fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, status)| ((*name).to_owned(), (*status).to_owned())).collect()
}

fn one_failed_branch_cancels_the_others(engine: Engine) {
    let farm = Farm::new(engine);
    let id = farm.start("lift_fast", json!({}));
    let run = farm.run(&id);
    assert_eq!(run["status"], "completed", "`on_failure` continues");
    let all = [("both", "failed"), ("left", "completed"), ("right", "failed"), ("slow", "cancelled"), ("after", "completed")];
    assert_eq!(statuses(&run), pairs(&all));
    assert_eq!((farm.entries("fast stopped"), run["compensations"].as_array().map(Vec::len)), (1, Some(0)), "nothing is undone");
}

fn all_branches_end_before_the_step_fails(engine: Engine) {
    let farm = Farm::new(engine);
    let id = farm.start("lift_all", json!({}));
    assert_eq!(farm.run(&id)["status"], "waiting");
    farm.advance(TimeDelta::hours(1));
    let run = farm.run(&id);
    assert_eq!((&run["status"], &run["error"]["step"]), (&json!("failed"), &json!("both")));
    assert_eq!(statuses(&run), pairs(&[("both", "failed"), ("left", "completed"), ("right", "failed"), ("slow", "completed")]));
    assert_eq!(run["compensations"][0]["name"], "undo_left");
}

fn completed_branches_are_undone_at_once(engine: Engine) {
    let farm = Farm::new(engine);
    let id = farm.start("lift_back", json!({}));
    farm.advance(TimeDelta::minutes(10));
    let run = farm.run(&id);
    assert_eq!((&run["status"], &step(&run, "right")["error"]["code"]), (&json!("completed"), &json!("TIMEOUT")));
    assert_eq!(farm.cranes.things(), ["left", "return left"]);
    assert_eq!((farm.entries("taken back"), &step(&run, "slow")["status"]), (1, &json!("cancelled")));
}

fn a_process_runs_another_one(engine: Engine) {
    let farm = Farm::new(engine);
    let id = farm.start("outer", json!({ "part": "hub" }));
    let run = farm.run(&id);
    assert_eq!((&run["status"], &run["output"]), (&json!("completed"), &json!({ "order": "order of hub" })));
    let inner = &farm.runs("ordering")[0];
    assert_eq!((&inner["parent"], &inner["trigger"]["kind"], &inner["trigger"]["name"]), (&json!(id), &json!("process"), &json!("outer")));

    let failed = farm.start("outer", json!({ "part": "broken hub" }));
    farm.advance(TimeDelta::seconds(10));
    farm.advance(TimeDelta::seconds(20));
    let run = farm.run(&failed);
    assert_eq!((&run["status"], &run["error"]["code"], &run["error"]["step"]), (&json!("failed"), &json!("NO_CRANE"), &json!("inner")));
}

/// The task of the only run of `inspecting` that waits.
#[track_caller]
fn task(farm: &Farm) -> String {
    let tasks = farm.engineer().get("/api/-/tasks").json();
    assert_eq!(tasks["tasks"].as_array().map(Vec::len), Some(1), "{tasks}");
    text(&tasks["tasks"][0]["id"])
}

#[track_caller]
fn stop(farm: &Farm, turbine: &str) {
    farm.engineer().patch(&format!("/api/turbines/{turbine}"), json!({ "status": "stopped" })).assert_status(200);
    farm.settle();
}

fn an_outcome_goes_back_to_the_same_step(engine: Engine) {
    let farm = Farm::new(engine);
    let turbine = farm.turbine("plain");
    stop(&farm, &turbine);
    let first = task(&farm);
    let decided = farm.engineer().post(&format!("/api/-/tasks/{first}"), json!({ "outcome": "again" }));
    decided.assert_status(200);
    assert_eq!(decided.json()["outcome"], "again");
    farm.settle();
    let second = task(&farm);
    assert_ne!(first, second, "each visit of the step has a task");
    farm.engineer().post(&format!("/api/-/tasks/{first}"), json!({ "outcome": "fine" })).assert_problem(409, "CONFLICT");
    let wrong = farm.engineer().post(&format!("/api/-/tasks/{second}"), json!({ "outcome": "wrong" }));
    wrong.assert_problem(422, "NEGATIVE");
    farm.engineer().post(&format!("/api/-/tasks/{second}"), json!({ "outcome": "fine" })).assert_status(200);
    farm.settle();
    assert_eq!(farm.runs("inspecting")[0]["status"], "completed");
    assert_eq!(farm.engineer().get(&format!("/api/turbines/{turbine}")).json()["status"], "repaired");
}

fn an_outcome_can_fail_the_run(engine: Engine) {
    let farm = Farm::new(engine);
    let turbine = farm.turbine("plain");
    stop(&farm, &turbine);
    farm.engineer().post(&format!("/api/-/tasks/{}", task(&farm)), json!({ "outcome": "scrap" })).assert_status(200);
    farm.settle();
    assert_eq!(farm.runs("inspecting")[0]["status"], "failed");
    assert_eq!(farm.entries("nobody looked"), 0, "`on_failure` is for timeouts and errors");

    // The timeout of a task is a failure that `on_failure` treats, and the task is no longer open.
    let other = farm.turbine("plain");
    stop(&farm, &other);
    task(&farm);
    farm.advance(TimeDelta::days(2));
    assert_eq!((farm.runs("inspecting")[0]["status"].clone(), farm.entries("nobody looked")), (json!("completed"), 1));
    assert_eq!(farm.engineer().get("/api/-/tasks").json()["tasks"], json!([]));
}

fn a_refused_effect_rolls_back_all_effects_of_the_step(engine: Engine) {
    let farm = Farm::new(engine);
    let turbine = farm.turbine("plain");
    let id = farm.start("refused", json!({ "turbine": turbine }));
    let run = farm.run(&id);
    assert_eq!((&run["status"], &step(&run, "wrong")["error"]["code"]), (&json!("failed"), &json!("NEGATIVE")));
    assert_eq!(farm.entries("before the refusal"), 0);
}

fn a_run_has_a_timeout(engine: Engine) {
    let farm = Farm::new(engine);
    let id = farm.start("slow", json!({}));
    farm.advance(TimeDelta::hours(2));
    let run = farm.run(&id);
    assert_eq!((&run["status"], &run["error"]["code"], &run["error"]["step"]), (&json!("failed"), &json!("TIMEOUT"), &Value::Null));
    assert_eq!(step(&run, "long")["status"], "cancelled");
}
