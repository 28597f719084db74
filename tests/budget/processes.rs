//! The pages of processes, human tasks and calls.

use std::{
    thread,
    time::{Duration, Instant},
};

use dz::{
    Engine, LlmFailure, LlmRequest, LlmResponse,
    serde_json::{Value, json},
};

use crate::{
    client::Client,
    server, statements,
    table::{Budget, Found, budget, check},
};

dz::dz! {
    app tide "Tide"

    persona keeper "Keeper"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Buoy "Buoy":
      id: uuid pk
      name: str(60) required
      permit:
        list: role(keeper)
        read: role(keeper)
        create: role(keeper)

    llm_model small "Small":
      provider: local
      model_id: small
      base_url: "http://127.0.0.1:9/none"

    llm_intent describe "Describe":
      model: small
      prompt: "Describe {{ input.name }}"
      trigger:
        on_entity: Buoy
        on_event: created
        input_map:
          name: entity.name

    process checking "Check a buoy":
      trigger: entity Buoy created
      steps:
        - step look "Look at it":
          human_task:
            entity: Buoy
            assignee_role: keeper
            outcomes:
              - done "Done":
                goto: complete

    process towing "Tow a buoy":
      trigger: manual
      steps:
        - step pause:
          wait: 1h

    demo:
      User:
        - name: "Kim", email: "kim@tide.example", password: "lights every lamp", roles: [keeper, admin]
}

const KIM: (&str, &str) = ("kim@tide.example", "lights every lamp");

/// One statement of each loads the session, and one of each page counts the open tasks for the navigation. The page of a run also loads the
/// claims of its tasks.
const BUDGETS: &[Budget] = &[
    budget("inbox", 4),
    budget("task page", 4),
    budget("runs page", 4),
    budget("run page", 6),
    budget("calls page", 5),
    budget("tasks", 3),
    budget("runs", 2),
    budget("run", 2),
];

fn answer(_: &LlmRequest) -> Result<LlmResponse, LlmFailure> {
    Ok(LlmResponse::text("a red one"))
}

/// Measures every request with few rows and with many.
pub fn keep(engine: Engine) {
    let base = server::serve(app().llm_provider(answer), engine, server::new_url(engine, "budget_tide"));
    let kim = Client::signed_in(&base, KIM);
    let few = measure(&kim, 5);
    let many = measure(&kim, 15);
    check(engine, BUDGETS, &few, &many);
}

/// The items of a response of the API.
fn items(kim: &Client, path: &str, name: &str) -> Vec<Value> {
    kim.get(path).ok(200).json()[name].as_array().expect("a list").clone()
}

fn measure(kim: &Client, rows: usize) -> Found {
    for at in 0..rows {
        kim.send("POST", "/api/buoys", &json!({ "name": format!("Buoy {at}") })).ok(201);
    }
    let start = Instant::now();
    let is_settled = || {
        let tasks = items(kim, "/api/-/tasks", "tasks").len();
        let runs = items(kim, "/api/-/runs?limit=1000", "runs");
        tasks >= rows && runs.len() == 2 * tasks && runs.iter().all(|run| run["status"] == "completed" || run["status"] == "waiting")
    };
    while !is_settled() {
        assert!(start.elapsed() < Duration::from_secs(30), "the runs do not start");
        thread::sleep(Duration::from_millis(50));
    }
    let task = items(kim, "/api/-/tasks", "tasks")[0].clone();
    let (id, run) = (task["id"].as_str().expect("an id"), task["run"].as_str().expect("an id"));
    let paths = [
        ("inbox", "/app/-/inbox".to_owned()),
        ("task page", format!("/app/-/inbox/{id}")),
        ("runs page", "/app/-/runs?page_size=100".to_owned()),
        ("run page", format!("/app/-/runs/{run}")),
        ("calls page", "/app/-/calls?page_size=100".to_owned()),
        ("tasks", "/api/-/tasks".to_owned()),
        ("runs", "/api/-/runs?limit=100".to_owned()),
        ("run", format!("/api/-/runs/{run}")),
    ];
    paths.map(|(name, path)| (name, statements(|| drop(kim.get(&path).ok(200))))).into_iter().collect()
}
