//! The retention of the audit log, dead letters, runs and calls of language models, on both engines.

use std::process::ExitCode;

use chrono::TimeDelta;
use dz::{
    Clock, Engine, LlmFailure, LlmRequest, LlmResponse,
    serde_json::{Value, json},
};

use crate::{
    client::Client,
    personal_data::{count, execute},
    server,
};

dz::dz! {
    app harbour "Harbour"

    persona pilot "Pilot"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Ship "Ship":
      id: uuid pk
      name: str(60) required
      audit: all
      permit:
        list: role(pilot)
        read: role(pilot)
        create: role(pilot)

    llm_model small "Small":
      provider: openai
      model_id: gpt-4o-mini
      api_key_env: HARBOUR_KEY

    llm_intent greet "Greet a ship":
      model: small
      prompt: "Greet {{ input.ship.name }}"
      input:
        ship: ref Ship required

    process arriving "Arriving":
      trigger: entity Ship created
      steps:
        - step greeting:
          llm_intent: greet
          inputs: trigger.entity -> ship

    demo:
      User:
        - name: "Pia", email: "pia@harbour.example", password: "knows the shallows", roles: [pilot]
}

const PIA: (&str, &str) = ("pia@harbour.example", "knows the shallows");

pub(crate) fn answer(_: &LlmRequest) -> Result<LlmResponse, LlmFailure> {
    Ok(LlmResponse::text("Welcome"))
}

fn settings() -> Value {
    json!({ "worker": false, "audit_days": 5, "call_days": 5, "dead_letter_days": 20, "run_days": 20 })
}

/// Does all due work, with the clean-up.
fn work(engine: Engine, url: &str, clock: &Clock) {
    let figment = server::figment(0).merge(("dz", settings()));
    let harbour = app().llm_provider(answer).engine(engine).database_url(url).clock(clock.clone()).figment(figment);
    assert!(harbour.run(["jobs", "run"]) == ExitCode::SUCCESS, "the work is done");
}

/// The number of rows: records of the audit log, calls, dead letters, dead jobs, runs, steps.
fn rows(engine: Engine, url: &str) -> [i64; 6] {
    let jobs = "dz_jobs WHERE state = 'dead'";
    ["dz_audit_log", "dz_calls", "dz_dead_letters", jobs, "dz_runs", "dz_run_steps"]
        .map(|from| count(engine, url, &format!("SELECT count(*) AS count FROM {from}")))
}

fn check_retention(engine: Engine) {
    let url = server::new_url(engine, "harbour");
    let clock = Clock::stopped("2026-03-20T08:00:00Z".parse().expect("a time"));
    let harbour = app().llm_provider(answer).clock(clock.clone());
    let pia = Client::signed_in(&server::serve_with(harbour, engine, url.clone(), settings()), PIA);
    for name in ["Seagull", "Heron"] {
        pia.send("POST", "/api/ships", &json!({ "name": name })).ok(201);
    }
    work(engine, &url, &clock);
    execute(
        engine,
        &url,
        "INSERT INTO dz_dead_letters (id, subscriber, event, entity, row_id, payload, attempts, created_at, died_at, error) \
         SELECT id, 'gone', 'created', 'Ship', 'x', '{}', 16, started_at, started_at, 'no' FROM dz_runs",
    );
    execute(
        engine,
        &url,
        "INSERT INTO dz_jobs (id, name, payload, state, priority, attempts, max_attempts, created_at, run_at, progress_done, progress_total, \
         note, error, ended_at) SELECT id, 'gone', 'null', 'dead', 0, 16, 16, started_at, started_at, 0, 0, '', 'no', started_at FROM dz_runs",
    );
    let [records, calls, letters, jobs, runs, steps] = rows(engine, &url);
    assert!(records >= 2 && jobs >= 2 && steps >= 2, "{records} {jobs} {steps}");
    assert_eq!((calls, letters, runs), (2, 2, 2));

    // Calls of the current month are kept, because their cost counts for the budget.
    clock.advance(TimeDelta::days(6));
    work(engine, &url, &clock);
    assert_eq!(rows(engine, &url), [0, calls, letters, jobs, runs, steps]);
    clock.advance(TimeDelta::days(6));
    work(engine, &url, &clock);
    assert_eq!(rows(engine, &url), [0, 0, letters, jobs, runs, steps]);
    clock.advance(TimeDelta::days(9));
    work(engine, &url, &clock);
    assert_eq!(rows(engine, &url), [0; 6]);
    assert_eq!(count(engine, &url, "SELECT count(*) AS count FROM dz_audit_horizon"), 0, "the audit log is append-only again");
}

#[test]
fn old_records_are_removed_after_their_days_on_sqlite() {
    check_retention(Engine::Sqlite);
}

#[test]
fn old_records_are_removed_after_their_days_on_postgres() {
    check_retention(Engine::Postgres);
}

/// An application that asks a language model from its own Rust and declares no process.
mod without_processes {
    use super::{Clock, Engine, TimeDelta, answer, count, json, server, settings};

    dz::dz! {
        app berth "Berth"

        entity Ship "Ship":
          id: uuid pk
          name: str(60) required
          permit:
            list: authenticated
            read: authenticated

        llm_model small "Small":
          provider: openai
          model_id: gpt-4o-mini
          api_key_env: HARBOUR_KEY

        llm_intent greet "Greet a ship":
          model: small
          prompt: "Greet {{ input.name }}"
          input:
            name: str(60) required
    }

    #[test]
    fn calls_are_removed_after_their_days() {
        let url = server::new_file("berth");
        let clock = Clock::stopped("2026-03-20T08:00:00Z".parse().expect("a time"));
        let berth = || {
            let figment = server::figment(0).merge(("dz", settings()));
            app().llm_provider(answer).engine(Engine::Sqlite).database_url(&url).clock(clock.clone()).figment(figment)
        };
        berth().system_cx().expect("an application").ask("greet", json!({ "name": "Heron" })).expect("an answer");
        let calls = || count(Engine::Sqlite, &url, "SELECT count(*) AS count FROM dz_calls");
        assert_eq!(calls(), 1);
        clock.advance(TimeDelta::days(16));
        assert!(berth().run(["jobs", "run"]) == std::process::ExitCode::SUCCESS);
        assert_eq!(calls(), 0);
    }
}

#[test]
fn more_rows_than_one_transaction_removes_are_removed() {
    let url = server::new_file("harbour-many");
    let clock = Clock::stopped("2026-03-20T08:00:00Z".parse().expect("a time"));
    work(Engine::Sqlite, &url, &clock);
    execute(
        Engine::Sqlite,
        &url,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) INSERT INTO dz_dead_letters \
         (id, subscriber, event, entity, row_id, payload, attempts, created_at, died_at, error) \
         SELECT randomblob(16), 'gone', 'created', 'Ship', i, '{}', 16, '2025-01-01 00:00:00.000000', '2025-01-01 00:00:00.000000', '' FROM n",
    );
    work(Engine::Sqlite, &url, &clock);
    assert_eq!(count(Engine::Sqlite, &url, "SELECT count(*) AS count FROM dz_dead_letters"), 0);
}
