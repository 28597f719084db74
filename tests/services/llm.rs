//! LLM intents: requests to each API, answers with fields, repetitions, personal data, and providers of an application.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use dz::{
    Engine, Error, LlmFailure, LlmRequest, LlmResponse, SystemCx,
    rocket::{Config, figment::Figment},
    serde_json::{Value, json},
};

use crate::{
    database,
    llm_server::{self, requests_with},
};

dz::dz! {
    app workshop "Workshop"

    entity Repair "Repair":
      id: uuid pk
      title: str(40) required
      hours: int required
      size: enum[small, large] = small
      customer: ref Customer
      added: datetime auto_add
      permit:
        read: true

    entity Customer "Customer":
      id: uuid pk
      name: str(40) required
      permit:
        read: true

    llm_model first "First":
      provider: openai
      model_id: gpt-4o-mini
      max_tokens: 900
      base_url: "http://127.0.0.1:47613/openai"
      api_key_env: PATH
      cost_per_1k_input: 0.5
      cost_per_1k_output: 1.5

    llm_model second "Second":
      provider: anthropic
      model_id: claude
      base_url: "http://127.0.0.1:47613/anthropic"
      api_key_env: PATH

    llm_model third "Third":
      provider: google
      model_id: gemini
      base_url: "http://127.0.0.1:47613/google"

    llm_config:
      default_model: first
      rate_limits:
        third: 600
      logging: true

    llm_intent summary "Summary":
      prompt: "{{ input.text }}"
      timeout: 1s
      max_tokens: 20
      retry: 2

    llm_intent once "Once":
      prompt: "{{ input.text }}"

    llm_intent estimate "Estimate":
      prompt: "{{ input.text }} with {{ input.count }} parts"
      output_schema: Repair
      retry:
        max_attempts: 2
        interval: 1s
      input:
        text: str required
        count: int = 3

    llm_intent estimate_once "Estimate once":
      prompt: "{{ input.text }}"
      output_schema: Repair

    llm_intent estimate_second "Estimate":
      model: second
      prompt: "{{ input.text }}"
      output_schema: Repair

    llm_intent estimate_third "Estimate":
      model: third
      prompt: "{{ input.text }}"
      output_schema: Repair

    llm_intent letter "Letter":
      prompt: "letter to {{ input.repair.customer.name }} about {{ input.repair.title }} and {{ input.repair.hours }} hours"
      input:
        repair: ref Repair required

    llm_intent redacted "Redacted":
      prompt: "{{ input.text }}"
      pii: redact

    llm_intent rejected "Rejected":
      prompt: "{{ input.text }}"
      pii: reject

    llm_intent warned "Warned":
      prompt: "{{ input.text }}"
      pii: true
}

mod without_key {
    dz::dz! {
        entity Note "Note":
          id: uuid pk
          permit:
            read: true

        llm_model first "First":
          provider: mistral
          model_id: small
          api_key_env: DZ_TEST_NO_SUCH_KEY

        llm_intent summary "Summary":
          model: first
          prompt: "{{ input.text }}"
    }
}

mod without_address {
    dz::dz! {
        entity Note "Note":
          id: uuid pk
          permit:
            read: true

        llm_model first "First":
          provider: local
          model_id: small

        llm_intent summary "Summary":
          model: first
          prompt: "{{ input.text }}"
    }
}

fn open(app: dz::App) -> dz::Result<SystemCx> {
    let figment = Figment::from(Config::debug_default());
    app.engine(Engine::Sqlite).database_url(database::sqlite("llm")).figment(figment).system_cx()
}

fn workshop() -> SystemCx {
    llm_server::start();
    open(app()).expect("an application")
}

fn ask(cx: &SystemCx, intent: &str, text: &str) -> dz::Result<Value> {
    cx.ask(intent, json!({ "text": text }))
}

#[track_caller]
fn failure(cx: &SystemCx, intent: &str, text: &str) -> Error {
    ask(cx, intent, text).expect_err("a failure")
}

#[test]
fn a_text_is_answered() {
    let cx = workshop();
    assert_eq!(ask(&cx, "summary", "hello 1").expect("an answer"), json!("answer 1"));
    let request = requests_with("hello 1").remove(0);
    assert_eq!(request.path, "/openai/chat/completions");
    assert!(request.head.iter().any(|line| line.to_lowercase().starts_with("authorization: bearer /")), "{:?}", request.head);
    // The limit of the intent takes precedence over that of the model.
    let expected = json!({ "model": "gpt-4o-mini", "max_tokens": 20, "messages": [{ "role": "user", "content": "hello 1" }] });
    assert_eq!(request.body, expected);
    ask(&cx, "once", "hello 2").expect("an answer");
    assert_eq!(requests_with("hello 2")[0].body["max_tokens"], 900);
}

#[test]
fn answers_have_the_fields_of_the_entity() {
    let cx = workshop();
    let expected = json!({ "title": "Chain", "hours": 2, "size": "small", "customer": null });
    for (intent, text) in
        [("estimate", "fields 1"), ("estimate", "block 1"), ("estimate_second", "fields 2"), ("estimate_third", "fields 3")]
    {
        assert_eq!(ask(&cx, intent, text).expect("an answer"), expected, "{intent} {text}");
    }
    let openai = requests_with("fields 1 with 3 parts").remove(0).body;
    let schema = &openai["response_format"]["json_schema"]["schema"];
    assert_eq!((&schema["required"], &schema["additionalProperties"]), (&json!(["title", "hours"]), &json!(false)));
    assert_eq!(
        schema["properties"],
        json!({
            "title": { "type": "string", "maxLength": 40, "description": "Title" },
            "hours": { "type": "integer", "description": "Hours" },
            "size": { "type": "string", "enum": ["small", "large"], "description": "Size" },
            "customer": { "type": "string", "format": "uuid", "description": "Customer" },
        })
    );
    let anthropic = requests_with("fields 2").remove(0);
    assert_eq!(anthropic.path, "/anthropic/v1/messages");
    assert_eq!((&anthropic.body["tool_choice"]["name"], &anthropic.body["tools"][0]["input_schema"]), (&json!("answer"), schema));
    assert_eq!(anthropic.body["max_tokens"], 4_096);
    for header in ["x-api-key: /", "anthropic-version: 2023-06-01"] {
        assert!(anthropic.head.iter().any(|line| line.to_lowercase().starts_with(header)), "{header}: {:?}", anthropic.head);
    }
    let google = requests_with("fields 3").remove(0);
    assert_eq!(google.path, "/google/models/gemini:generateContent");
    assert_eq!(&google.body["generationConfig"]["responseJsonSchema"], schema);
}

#[test]
fn a_wrong_answer_is_requested_again_with_its_errors() {
    let cx = workshop();
    assert_eq!(ask(&cx, "estimate", "repair 1").expect("an answer")["hours"], 2);
    let again = requests_with("repair 1").remove(1).body;
    assert_eq!(again["messages"].as_array().map(Vec::len), Some(3));
    let errors = again["messages"][2]["content"].as_str().expect("a text");
    for part in ["`hours` must be a whole number", "`size` must be one of small, large", "`sise` does not exist; did you mean `size`?"] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
    let prose = failure(&cx, "estimate", "prose 1");
    assert_eq!((prose.code, prose.detail.as_str()), ("LLM_OUTPUT", "The language model did not answer in JSON"));
    assert_eq!(requests_with("prose 1").len(), 2, "as often as `retry` says");
    assert_eq!(failure(&cx, "estimate_once", "prose 2").code, "LLM_OUTPUT");
    assert_eq!(requests_with("prose 2").len(), 1, "without `retry` once");
    assert_eq!(failure(&cx, "once", "strange 1").code, "LLM_OUTPUT");
}

#[test]
fn temporary_failures_are_repeated_and_others_are_not() {
    let cx = workshop();
    let started = Instant::now();
    assert_eq!(ask(&cx, "summary", "later 1").expect("an answer"), json!("answer 2"));
    assert!(started.elapsed() >= Duration::from_secs(2), "`Retry-After` is longer than the interval");
    assert_eq!(ask(&cx, "summary", "broken 1").expect("an answer"), json!("answer 2"));
    let unavailable = failure(&cx, "once", "broken 2");
    assert_eq!((unavailable.status, unavailable.code), (503, "LLM_UNAVAILABLE"));
    let refused = failure(&cx, "summary", "refuse 1");
    assert_eq!((refused.code, refused.detail.as_str()), ("LLM_REFUSED", "The provider of the language model answered with status 400"));
    assert_eq!(requests_with("refuse 1").len(), 1);
    let late = failure(&cx, "summary", "hang 1");
    assert_eq!((late.code, requests_with("hang 1").len()), ("TIMEOUT", 2));
}

#[test]
fn personal_data_leaves_only_as_declared() {
    let cx = workshop();
    let text = "data 1 of ann@example.com, card 4111 1111 1111 1111";
    ask(&cx, "redacted", text).expect("an answer");
    assert_eq!(requests_with("data 1")[0].body["messages"][0]["content"], "data 1 of [email], card [card]");
    let rejected = failure(&cx, "rejected", "data 2 of ann@example.com");
    assert_eq!((rejected.code, rejected.detail.as_str()), ("PII", "The request of `rejected` contains personal data: [email]"));
    assert!(requests_with("data 2").is_empty(), "nothing left the application");
    ask(&cx, "warned", "data 3 of ann@example.com").expect("an answer");
    assert_eq!(requests_with("data 3 of ann@example.com").len(), 1);
}

#[test]
fn a_prompt_contains_values_behind_references() {
    let cx = workshop();
    let id = cx
        .run(|tx| {
            let customer = customer::NewCustomer { id: None, name: "Ann".to_owned() }.create(tx)?;
            let new = repair::NewRepair { title: "wheel".to_owned(), hours: 4, id: None, size: None, customer_id: Some(customer.id) };
            new.create(tx).map(|repair| repair.id)
        })
        .expect("rows");
    cx.ask("letter", json!({ "repair": id })).expect("an answer");
    assert_eq!(requests_with("letter to Ann about wheel and 4 hours").len(), 1);
}

#[test]
fn inputs_and_names_are_checked() {
    let cx = workshop();
    let wrong = cx.ask("estimate", json!({ "count": "x", "txt": 1 })).expect_err("a failure");
    assert_eq!(wrong.code, "LLM_INPUT");
    for part in ["`text` is required", "`count` must be a whole number", "`txt` does not exist; did you mean `text`?"] {
        assert!(wrong.detail.contains(part), "{part}: {}", wrong.detail);
    }
    assert_eq!(failure(&cx, "sumary", "x").code, "INTENT_GONE");
}

#[test]
fn an_application_can_have_a_provider_of_its_own() {
    let calls = Arc::new(AtomicU32::new(0));
    let counted = calls.clone();
    let fake = move |request: &LlmRequest| -> Result<LlmResponse, LlmFailure> {
        counted.fetch_add(1, Ordering::SeqCst);
        assert!(request.messages[0].text != "panic", "the fake is broken");
        Ok(LlmResponse::text(format!("{} {}", request.model, request.messages[0].text)))
    };
    let cx = open(without_key::app().llm_provider(fake)).expect("no key is needed");
    assert_eq!(ask(&cx, "summary", "x").expect("an answer"), json!("small x"));
    assert_eq!(failure(&cx, "summary", "panic").code, "PANIC");
    assert_eq!(calls.load(Ordering::SeqCst), 2);
}

#[test]
fn an_intent_stops_at_its_budget() {
    let calls = Arc::new(AtomicU32::new(0));
    let counted = calls.clone();
    // Two thousand tokens at 0.5 US dollars a thousand cost one dollar.
    let fake = move |_: &LlmRequest| -> Result<LlmResponse, LlmFailure> {
        counted.fetch_add(1, Ordering::SeqCst);
        Ok(LlmResponse { input_tokens: 2_000, ..LlmResponse::text("fine") })
    };
    let limited = |intents: Value| {
        let figment = Figment::from(Config::debug_default()).merge(("dz.intents", intents));
        let app = app().llm_provider(fake.clone()).engine(Engine::Sqlite).database_url(database::sqlite("llm"));
        app.figment(figment).system_cx()
    };
    let cx = limited(json!({ "once": { "budget_usd": 2, "requests_per_minute": 600 } })).expect("an application");
    for _ in 0..2 {
        ask(&cx, "once", "x").expect("an answer within the budget");
    }
    let refused = failure(&cx, "once", "x");
    assert_eq!((refused.status, refused.code), (429, "LLM_BUDGET"));
    assert_eq!(refused.detail, "The calls of `once` have cost their budget of 2 US dollars for this month");
    assert_eq!(calls.load(Ordering::SeqCst), 2, "a refused request is not sent");
    ask(&cx, "summary", "x").expect("another intent has no budget");
    let unknown = limited(json!({ "onec": { "budget_usd": 2 } })).map(drop).expect_err("a refusal").detail;
    assert_eq!(unknown, "`dz.intents.onec` names an intent that the application does not have; did you mean `once`?");
}

#[test]
fn an_application_needs_its_keys_and_addresses() {
    let refusal = |app: dz::App| open(app).map(drop).expect_err("a refusal").detail;
    assert_eq!(
        refusal(without_key::app()),
        "the language model `first` has no API key; set the environment variable `DZ_TEST_NO_SUCH_KEY`"
    );
    assert_eq!(refusal(without_address::app()), "the language model `first` has no address; add `base_url:` to it");
}
