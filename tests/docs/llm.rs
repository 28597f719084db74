//! The code in docs/llm.md.

use dz::{LlmFailure, LlmRequest, LlmResponse, Result, SystemCx, Uuid, rocket::figment::Figment, serde_json::json};

dz::dz! {
    app workshop "Workshop"

    entity Repair "Repair":
      id: uuid pk
      title: str(80) required
      notes: text
      permit:
        read: true

    entity Estimate "Estimate":
      id: uuid pk
      hours: int required
      effort: enum[low, high] required
      permit:
        read: true

    llm_model small "Small":
      provider: openai
      model_id: gpt-4o-mini
      api_key_env: OPENAI_API_KEY

    llm_intent estimate "Estimate":
      model: small
      prompt: "How long does this repair take? {{ input.repair.title }}: {{ input.repair.notes }}"
      input:
        repair: ref Repair required
      output_schema: Estimate
      pii: redact
      retry: 3
}

fn estimate_hours(cx: &SystemCx, repair: Uuid) -> Result<i64> {
    let answer = cx.ask("estimate", json!({ "repair": repair }))?;
    Ok(answer["hours"].as_i64().unwrap_or_default())
}

fn answer(request: &LlmRequest) -> Result<LlmResponse, LlmFailure> {
    assert!(request.messages[0].text.contains("chain"));
    Ok(LlmResponse::text(r#"{"hours": 2, "effort": "low"}"#))
}

#[test]
fn the_example_estimates() {
    let folder = std::env::temp_dir().join(format!("dz-docs-llm-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let figment = Figment::from(dz::rocket::Config::debug_default());
    let database = format!("sqlite://{}", folder.join("workshop.db").display());
    let app = app().llm_provider(answer);
    let cx = app.engine(dz::Engine::Sqlite).database_url(database).figment(figment).system_cx().expect("an application");
    let new = repair::NewRepair { id: None, title: "chain".to_owned(), notes: None };
    let repair = cx.run(|tx| new.clone().create(tx)).expect("a row");
    assert_eq!(estimate_hours(&cx, repair.id).expect("an answer"), 2);
}

#[test]
fn recorded_answers_are_played_back() {
    let folder = std::env::temp_dir().join(format!("dz-docs-recorded-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("answers.json");
    let prompt = "How long does this repair take? chain: rusty";
    let schema = json!({
        "type": "object",
        "properties": {
            "hours": { "type": "integer", "description": "Hours" },
            "effort": { "type": "string", "enum": ["low", "high"], "description": "Effort" },
        },
        "required": ["hours", "effort"],
        "additionalProperties": false,
    });
    let request = json!({
        "intent": "estimate", "model": "gpt-4o-mini", "messages": [{ "role": "user", "text": prompt }], "schema": schema,
    });
    let answer_of = json!({ "text": "{\"hours\": 7, \"effort\": \"high\"}", "input_tokens": 9, "output_tokens": 4 });
    let recording = json!({ "calls": [{ "request": request, "answer": answer_of }] });
    std::fs::write(&file, recording.to_string()).expect("a recording");
    let figment = Figment::from(dz::rocket::Config::debug_default());
    let database = format!("sqlite://{}", folder.join("workshop.db").display());
    // Without `DZ_RECORD_LLM` the provider is not asked.
    let app = app().llm_provider(answer).recorded_llm(&file);
    let cx = app.engine(dz::Engine::Sqlite).database_url(database).figment(figment).system_cx().expect("an application");
    let repair = |notes: &str| {
        let new = repair::NewRepair { id: None, title: "chain".to_owned(), notes: Some(notes.to_owned()) };
        cx.run(|tx| new.clone().create(tx)).expect("a row").id
    };
    assert_eq!(estimate_hours(&cx, repair("rusty")).expect("an answer"), 7);
    assert_eq!(estimate_hours(&cx, repair("broken")).expect_err("not recorded").code, "NOT_RECORDED");
    let _ = std::fs::remove_dir_all(&folder);
}
