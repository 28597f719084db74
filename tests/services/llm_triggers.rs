//! LLM intents that events of rows start: their conditions, their inputs, and what they write to the row.

use std::sync::{Arc, Mutex};

use chrono::TimeDelta;
use dz::{
    LlmFailure, LlmRequest, LlmResponse,
    serde_json::{Value, json},
    testing::TestApp,
};

dz::dz! {
    app desk "Desk"

    persona clerk "Clerk"

    entity Ticket "Ticket":
      id: uuid pk
      title: str(80) required
      body: text
      summary: str(40)
      urgency: enum[low, high]
      reading: json
      hours: int
      changed: datetime auto_update
      invariant: hours = null or hours < 100
        message: "Less than 100 hours"
        code: TOO_LONG
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)
        update: role(clerk)
        delete: role(clerk)

    entity Reading "Reading":
      id: uuid pk
      effort: int required
      permit:
        read: role(clerk)

    llm_model small "Small":
      provider: local
      model_id: small

    llm_config:
      default_model: small

    llm_intent summary "Summary":
      prompt: "sum up {{ input.text }}"
      trigger:
        on_entity: Ticket
        on_event: created
        when: body != null
        input_map:
          text: entity.body
        write_back:
          summary: output

    llm_intent urgency "Urgency":
      prompt: "urgency of {{ input.title }}"
      trigger:
        on_entity: Ticket
        on_event: updated
        input_map:
          title: entity.title
        write_back:
          urgency: output

    llm_intent reading "Reading":
      prompt: "read {{ input.title }}"
      output_schema: Reading
      trigger:
        on_entity: Ticket
        on_event: created
        when: title = "estimate" or title = "endless"
        input_map:
          title: entity.title
        write_back:
          hours: output.effort
          reading: output

    llm_intent farewell "Farewell":
      prompt: "farewell to {{ input.title }}"
      trigger:
        on_entity: Ticket
        on_event: deleted
        when: title != "kept"
        input_map:
          title: entity.title
}

/// The application with a model, and the prompts that the model got.
fn start() -> (TestApp, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let prompts = Arc::clone(&asked);
    let app = app().llm_provider(move |request: &LlmRequest| -> Result<LlmResponse, LlmFailure> {
        let prompt = request.messages[0].text.clone();
        let answer = match prompt.as_str() {
            "urgency of odd" => "soon",
            prompt if prompt.starts_with("urgency") => "high",
            "read endless" => r#"{"effort": 400}"#,
            prompt if prompt.starts_with("read") => r#"{"effort": 4}"#,
            _ => "in short",
        };
        prompts.lock().expect("no panic").push(prompt);
        Ok(LlmResponse::text(answer))
    });
    (TestApp::new(app), asked)
}

fn settle(app: &TestApp) {
    for _ in 0..6 {
        app.advance(TimeDelta::seconds(1));
    }
}

fn create(app: &TestApp, ticket: Value) -> String {
    let created = app.as_role(Role::Clerk).post("/api/tickets", ticket).assert_status(201).json();
    settle(app);
    created["id"].as_str().expect("a key").to_owned()
}

fn read(app: &TestApp, id: &str) -> Value {
    app.as_role(Role::Clerk).get(&format!("/api/tickets/{id}")).assert_status(200).json()
}

/// The runs of an intent, the latest first.
fn runs(app: &TestApp, intent: &str) -> Vec<Value> {
    let all = app.as_role(Role::Admin).get(&format!("/api/-/runs?process=llm_intent:{intent}")).assert_status(200).json();
    all["runs"].as_array().expect("runs").clone()
}

fn sorted(asked: &Mutex<Vec<String>>) -> Vec<String> {
    let mut prompts = std::mem::take(&mut *asked.lock().expect("no panic"));
    prompts.sort();
    prompts
}

#[test]
fn a_new_row_that_meets_the_condition_gets_an_answer() {
    let (app, asked) = start();
    let id = create(&app, json!({ "title": "a", "body": "a long story" }));
    let other = create(&app, json!({ "title": "b" }));
    assert_eq!((&read(&app, &id)["summary"], &read(&app, &other)["summary"]), (&json!("in short"), &Value::Null));
    // What the system writes back is an update, and that of another intent: it starts `urgency` once.
    assert_eq!(sorted(&asked), ["sum up a long story", "urgency of a"]);
    let run = &runs(&app, "summary")[0];
    assert_eq!((&run["status"], &run["trigger"]["id"]), (&json!("completed"), &json!(id)));
}

#[test]
fn its_own_write_starts_it_no_second_time() {
    let (app, asked) = start();
    let id = create(&app, json!({ "title": "a" }));
    let change = |title: &str| {
        app.as_role(Role::Clerk).patch(&format!("/api/tickets/{id}"), json!({ "title": title })).assert_status(200);
        settle(&app);
    };
    change("b");
    assert_eq!(read(&app, &id)["urgency"], "high");
    change("c");
    assert_eq!(sorted(&asked), ["urgency of b", "urgency of c"]);
}

#[test]
fn answers_with_fields_are_written_as_fields_and_as_a_whole() {
    let (app, _) = start();
    let row = read(&app, &create(&app, json!({ "title": "estimate" })));
    assert_eq!((&row["hours"], &row["reading"]), (&json!(4), &json!({ "effort": 4 })));
}

#[test]
fn a_refused_write_leaves_the_row_as_it_was() {
    let (app, _) = start();
    let id = create(&app, json!({ "title": "endless" }));
    let row = read(&app, &id);
    assert_eq!((&row["hours"], &row["reading"]), (&Value::Null, &Value::Null));
    let failed = &runs(&app, "reading")[0];
    let details = app.as_role(Role::Admin).get(&format!("/api/-/runs/{}", failed["id"].as_str().expect("an id"))).json();
    assert_eq!((&details["status"], &details["error"]["code"]), (&json!("failed"), &json!("TOO_LONG")), "{details}");
    // A text that is not a value of the enum.
    app.as_role(Role::Clerk).patch(&format!("/api/tickets/{id}"), json!({ "title": "odd" })).assert_status(200);
    settle(&app);
    assert_eq!(read(&app, &id)["urgency"], Value::Null);
    assert_eq!(runs(&app, "urgency")[0]["status"], "failed");
}

#[test]
fn a_deleted_row_is_known_with_its_last_values() {
    let (app, asked) = start();
    for title in ["gone", "kept"] {
        let id = create(&app, json!({ "title": title }));
        app.as_role(Role::Clerk).delete(&format!("/api/tickets/{id}")).assert_status(204);
    }
    settle(&app);
    assert_eq!(sorted(&asked), ["farewell to gone"]);
}
