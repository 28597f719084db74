//! Schedules of the declaration: times, intervals, time zones, overlap, and times that passed while the application did not run.

use chrono::TimeDelta;
use dz::{
    Clock, Engine, LlmFailure, LlmRequest, LlmResponse, SystemCx,
    rocket::{Config, figment::Figment},
    testing::TestApp,
};

use crate::database;

dz::dz! {
    app mill "Mill":
      timezone: "UTC"

    entity Line "Line":
      id: int pk
      text: str(120) required
      permit:
        list: true
        read: true

    llm_model small "Small":
      provider: local
      model_id: small

    llm_intent verse "Verse":
      model: small
      prompt: "a verse about {{ input.thing }}"
      input:
        thing: str required

    process grind "Grind":
      trigger: cron "0 6 * * *"
      steps:
        - step note:
          effects:
            - create Line:
              text: "ground"

    process slow "Slow":
      trigger: manual
      overlap: allow
      steps:
        - step note:
          effects:
            - create Line:
              text: "slow"
          goto: pause
        - step pause:
          wait: 3h

    process poem "Poem":
      trigger: manual
      steps:
        - step ask:
          llm_intent: verse
          inputs: "wheat" -> thing
        - step keep:
          effects:
            - create Line:
              text: ask.text

    schedule lisbon "Lisbon":
      cron: "30 2 * * *"
      timezone: "Europe/Lisbon"
      steps:
        - step note:
          effects:
            - create Line:
              text: "lisbon"

    schedule caught "Caught up":
      cron: "15 * * * *"
      catch_up: true
      steps:
        - step note:
          effects:
            - create Line:
              text: "caught"

    schedule missed "Missed":
      cron: "45 * * * *"
      steps:
        - step note:
          effects:
            - create Line:
              text: "missed"

    schedule often "Often":
      interval: 90min
      steps:
        - step note:
          effects:
            - create Line:
              text: "often"

    schedule busy "Busy":
      interval: 1h
      overlap: skip
      process: slow
}

fn application() -> dz::App {
    app().llm_provider(|request: &LlmRequest| -> Result<LlmResponse, LlmFailure> {
        Ok(LlmResponse::text(format!("about: {}", request.messages[0].text)))
    })
}

/// The lines with a text.
fn count(app: &TestApp, text: &str) -> usize {
    let all = app.as_user().get("/api/lines?page_size=100").json();
    all["items"].as_array().expect("rows").iter().filter(|line| line["text"] == text).count()
}

fn start(time: &str) -> TestApp {
    let app = TestApp::builder(application()).at(time).start();
    // The first evaluation is the start of every schedule.
    app.run_due();
    app
}

#[test]
fn a_cron_trigger_starts_a_process() {
    let app = start("2026-03-01T05:58:00Z");
    app.advance(TimeDelta::minutes(1));
    assert_eq!(count(&app, "ground"), 0);
    app.advance(TimeDelta::minutes(1));
    assert_eq!(count(&app, "ground"), 1);
    app.advance(TimeDelta::hours(1));
    assert_eq!(count(&app, "ground"), 1);
    app.advance(TimeDelta::hours(23));
    assert_eq!(count(&app, "ground"), 2);
}

#[test]
fn times_are_those_of_the_time_zone_and_daylight_saving() {
    // On 2026-03-29 the clocks in Lisbon go from 1:00 to 2:00, at 01:00 UTC.
    let app = start("2026-03-28T02:00:00Z");
    app.set_time("2026-03-28T02:30:00Z");
    assert_eq!(count(&app, "lisbon"), 1);
    app.set_time("2026-03-29T01:29:00Z");
    assert_eq!(count(&app, "lisbon"), 1);
    app.set_time("2026-03-29T01:30:00Z");
    assert_eq!(count(&app, "lisbon"), 2);
    // A clock that goes back repeats no time.
    app.set_time("2026-03-29T01:00:00Z");
    app.set_time("2026-03-29T01:31:00Z");
    assert_eq!(count(&app, "lisbon"), 2);
}

#[test]
fn an_interval_counts_from_the_last_run() {
    let app = start("2026-03-01T00:00:00Z");
    app.advance(TimeDelta::minutes(89));
    assert_eq!(count(&app, "often"), 0);
    app.advance(TimeDelta::minutes(1));
    assert_eq!(count(&app, "often"), 1);
    // Missed intervals are not caught up on.
    app.advance(TimeDelta::hours(10));
    assert_eq!(count(&app, "often"), 2);
    app.advance(TimeDelta::minutes(90));
    assert_eq!(count(&app, "often"), 3);
}

#[test]
fn the_overlap_of_the_schedule_applies() {
    let app = start("2026-03-01T00:00:00Z");
    // A run takes three hours, and the process itself allows several at the same time.
    for expected in [1, 1, 1, 2] {
        app.advance(TimeDelta::hours(1));
        assert_eq!(count(&app, "slow"), expected);
    }
}

#[test]
fn a_step_asks_a_language_model() {
    let app = start("2026-03-01T00:00:00Z");
    app.as_role(Role::Admin).post("/api/-/processes/poem", dz::serde_json::json!({ "input": {} })).assert_status(201);
    app.run_due();
    app.run_due();
    assert_eq!(count(&app, "about: a verse about wheat"), 1);
}

#[test]
fn only_catch_up_starts_a_run_for_missed_times() {
    let url = database::sqlite("mill");
    let clock = Clock::stopped("2026-03-01T10:00:00Z".parse().expect("a time"));
    let program = || {
        let figment = Figment::from(Config::debug_default());
        application().engine(Engine::Sqlite).database_url(url.clone()).clock(clock.clone()).figment(figment)
    };
    let run = || {
        let _ = program().run(["jobs", "run"]);
    };
    let count = |text: &str| {
        let cx: SystemCx = program().system_cx().expect("an application");
        cx.read(|tx| line::Line::find_many(tx, 1..=100)).expect("rows").iter().filter(|it| it.text == text).count()
    };
    run();
    clock.set("2026-03-01T13:30:00Z".parse().expect("a time"));
    run();
    run();
    assert_eq!((count("caught"), count("missed")), (1, 0));
    clock.set("2026-03-01T13:45:02Z".parse().expect("a time"));
    run();
    run();
    assert_eq!((count("caught"), count("missed")), (1, 1));
}
