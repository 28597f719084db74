//! The calls of language models: their page, their cost, and answers that cannot be written.

use chrono::TimeDelta;
use dz::{
    Engine,
    serde_json::{Value, json},
};

use super::{Farm, on_both};

on_both! {
    calls_are_shown_with_their_cost;
    a_refused_answer_is_stored_with_its_call;
    a_budget_is_noted_once_a_month;
}

/// The calls, the newest first.
fn calls(farm: &Farm) -> Vec<Value> {
    farm.admin().get("/app/-/calls").json()["calls"].as_array().expect("calls").clone()
}

fn calls_are_shown_with_their_cost(engine: Engine) {
    let farm = Farm::new(engine);
    farm.turbine("north");
    let page = farm.admin().get_page("/app/-/calls");
    page.assert_status(200);
    assert_eq!(page.text().matches(" data-dz-call=\"").count(), 1);
    // A thousand tokens for 1 dollar, and five hundred for 2 dollars a thousand.
    page.assert_contains("data-dz-status=\"completed\"").assert_contains("report").assert_contains("small").assert_contains("1000 + 500");
    page.assert_contains("$2.00")
        .assert_contains("[phone]")
        .assert_contains("[email]")
        .assert_lacks("1234567")
        .assert_lacks("me@wind.example");
    page.assert_contains("The budget of a month is $5.00.");
    let call = &calls(&farm)[0];
    assert_eq!((&call["attempt"], &call["cost_usd"], &call["step"]), (&json!(1), &json!("2"), &json!("report")));
    assert!(call["run"].is_string() && call["duration_ms"].is_u64(), "{call}");
    assert_eq!(farm.engineer().get_page("/app/-/calls").status(), 403);
    farm.admin().get_page("/app/-/account").assert_contains("href=\"/app/-/calls\"");
    assert!(!farm.engineer().get_page("/app/-/account").text().contains("href=\"/app/-/calls\""));
}

fn a_refused_answer_is_stored_with_its_call(engine: Engine) {
    let farm = Farm::new(engine);
    let turbine = farm.turbine("wordy");
    let call = calls(&farm)[0].clone();
    assert_eq!(call["status"], "refused");
    assert!(call["error"]["code"].is_string(), "{call}");
    assert_eq!(farm.engineer().get(&format!("/api/turbines/{turbine}")).json()["report"], Value::Null);
    farm.admin().get_page("/app/-/calls?status=refused").assert_contains("data-dz-status=\"refused\"");
    // Each attempt is a call.
    farm.turbine("unreachable");
    let failed: Vec<Value> = calls(&farm).into_iter().filter(|call| call["status"] == "failed").collect();
    assert_eq!(failed.iter().map(|call| call["attempt"].clone()).collect::<Vec<_>>(), [2, 1]);
    assert_eq!((&failed[0]["error"]["code"], &failed[0]["cost_usd"]), (&json!("LLM_UNAVAILABLE"), &json!("0")));
}

fn a_budget_is_noted_once_a_month(engine: Engine) {
    let farm = Farm::new(engine);
    let banner = || farm.admin().get_page("/app/-/calls").text().contains("data-dz-budget=\"exceeded\"");
    for name in ["a", "b"] {
        farm.turbine(name);
    }
    assert!(!banner(), "4 of 5 dollars");
    farm.turbine("c");
    farm.turbine("d");
    assert!(banner(), "calls continue above the budget");
    farm.advance(TimeDelta::days(40));
    assert!(!banner(), "the next month begins at nothing");
    farm.turbine("e");
    assert_eq!(calls(&farm).len(), 5);
}
