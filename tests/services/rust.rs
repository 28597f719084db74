//! Services in Rust: types, the start, timeouts, panics, guarantees, and wrong values.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use dz::{
    Decimal, Engine, Error, Json, Result, ServiceCx, SystemCx, Uuid,
    rocket::{Config, figment::Figment},
    serde_json::{self, json},
};

use crate::database;

dz::dz! {
    app workshop "Workshop"

    enum Size:
      small
      large

    entity Repair "Repair":
      id: uuid pk
      title: str(80) required
      permit:
        read: true

    service quote "Quote":
      input:
        repair: ref Repair required
        discounts: list[decimal(4, 2)]
        hours: int = 2
        day: date = today
        note: str(10)
      output:
        fee: money(EUR) required
        effort: enum[low, high] required
        size: Size
        parts: list[list[int]]
        at: datetime
      guarantees:
        - "The fee is never below zero"
        - "A large repair has high effort"
      stub: rust

    service ping "Ping":
      input:
        text: str
      output:
        text: str required
      stub: rust
}

/// Behaves as the note of its input says.
#[derive(Default)]
struct Prices {
    calls: Arc<AtomicU32>,
}

impl services::Quote for Prices {
    fn call(&self, cx: &ServiceCx, input: services::QuoteInput) -> Result<services::QuoteOutput> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let discount: Decimal = input.discounts.iter().sum();
        let mut output = services::QuoteOutput {
            fee: Decimal::from(input.hours.unwrap_or(0) * 40) - discount,
            effort: enums::QuoteOutputEffort::Low,
            size: None,
            parts: vec![vec![1, 2], Vec::new()],
            at: Some(cx.system().clock().now()),
        };
        match input.note.as_deref() {
            Some("refuse") => {
                return Err(Error::new(409, "CLOSED", "The workshop is closed").at("day", "is a holiday"));
            }
            Some("panic") => panic!("the hammer fell"),
            Some("hang") => thread::sleep(Duration::from_millis(1_500)),
            Some("digits") => output.fee = "1.005".parse().expect("a number"),
            Some("large") => output.size = Some(enums::Size::Large),
            Some("key") => {
                assert!((cx.key(), cx.attempt()) == ("quote of 12", 1) && cx.remaining() <= Duration::from_secs(60));
                // The system reads and writes rows; the call itself holds no connection.
                cx.system().run(|tx| repair::NewRepair { id: Some(input.repair_id), title: cx.key().to_owned() }.create(tx))?;
                // A future runs on the runtime of the application, or on one of its own.
                cx.system().block_on(async {})?;
            }
            _ => {}
        }
        Ok(output)
    }
}

struct Echo;

impl services::Ping for Echo {
    fn call(&self, _: &ServiceCx, input: services::PingInput) -> Result<services::PingOutput> {
        Ok(services::PingOutput { text: input.text.unwrap_or_else(|| "pong".to_owned()) })
    }
}

fn figment() -> Figment {
    Figment::from(Config::debug_default()).merge(("dz.service_timeout", 1))
}

fn bare() -> dz::App {
    app().engine(Engine::Sqlite).database_url(database::sqlite("workshop")).figment(figment())
}

fn workshop() -> SystemCx {
    bare()
        .service(Prices::default())
        .service(Echo)
        .guarantee::<dyn services::Quote>(1, |_, output| output.fee >= Decimal::ZERO)
        .guarantee::<dyn services::Quote>(2, |_, output| {
            output.size != Some(enums::Size::Large) || output.effort == enums::QuoteOutputEffort::High
        })
        .system_cx()
        .expect("an application")
}

fn input(note: &str) -> services::QuoteInput {
    let json = json!({ "repair": Uuid::nil(), "note": note });
    serde_json::from_value(json).expect("an input")
}

#[track_caller]
fn failure(cx: &SystemCx, input: services::QuoteInput) -> Error {
    cx.call::<dyn services::Quote>("quote of 12", input).expect_err("a failed attempt")
}

#[test]
fn a_call_has_types_a_key_and_the_system() {
    let cx = workshop();
    let id = Uuid::now_v7();
    let input = services::QuoteInput {
        repair_id: id,
        discounts: vec!["1.50".parse().expect("a number"), "0.25".parse().expect("a number")],
        note: Some("key".to_owned()),
        ..input("")
    };
    let output = cx.call::<dyn services::Quote>("quote of 12", input).expect("a quote");
    assert_eq!((output.fee.to_string(), output.effort), ("78.25".to_owned(), enums::QuoteOutputEffort::Low));
    assert_eq!(output.parts, [vec![1, 2], vec![]]);
    assert!(output.at.is_some());
    let title = cx.read(|tx| repair::Repair::find(tx, id)).expect("a row").title;
    assert_eq!(title, "quote of 12");
    let text = cx.call::<dyn services::Ping>("ping", services::PingInput { text: None }).expect("an answer").text;
    assert_eq!(text, "pong");
}

#[test]
fn structs_have_the_json_of_the_declaration() {
    let id = Uuid::now_v7();
    let input: services::QuoteInput = serde_json::from_value(json!({ "repair": id, "day": "2026-01-31" })).expect("an input");
    assert_eq!((input.repair_id, input.hours, input.discounts.len(), &input.note), (id, Some(2), 0, &None));
    assert_eq!(
        serde_json::to_value(&input).expect("JSON"),
        json!({ "repair": id, "discounts": [], "hours": 2, "day": "2026-01-31", "note": null })
    );
    let output: services::QuoteOutput =
        serde_json::from_value(json!({ "fee": { "amount": "3.5", "currency": "EUR" }, "effort": "high", "size": "small" }))
            .expect("an output");
    let json = serde_json::to_value(&output).expect("JSON");
    assert_eq!(json["fee"], json!({ "amount": "3.50", "currency": "EUR" }));
    assert_eq!((&json["effort"], &json["size"], &json["parts"], &json["at"]), (&json!("high"), &json!("small"), &json!([]), &Json::Null));
}

#[test]
fn every_wrong_member_is_named() {
    let wrong = json!({ "discounts": ["1.234", null, "x"], "hours": "two", "day": "tomorrow", "note": "far too long a note", "nite": 1 });
    let error = serde_json::from_value::<services::QuoteInput>(wrong).expect_err("an error").to_string();
    for part in [
        "`repair` is required",
        "`discounts` item 1: may have at most 2 decimals",
        "`hours` must be a whole number",
        "`day` must be a date",
        "`note` must have at most 10 characters",
        "`nite` does not exist; did you mean `note`?",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    let error = serde_json::from_value::<services::QuoteOutput>(json!({ "fee": null, "effort": "medium" })).expect_err("an error");
    assert!(error.to_string().contains("`fee` is required") && error.to_string().contains("`effort` must be one of low, high"), "{error}");
}

#[test]
fn errors_panics_and_timeouts_are_failures_with_a_code() {
    let cx = workshop();
    let refused = failure(&cx, input("refuse"));
    assert_eq!((refused.status, refused.code, refused.detail.as_str()), (409, "CLOSED", "The workshop is closed"));
    assert_eq!(refused.field_errors["day"], ["is a holiday"]);
    let panicked = failure(&cx, input("panic"));
    assert_eq!(panicked.code, "PANIC");
    assert!(!panicked.detail.contains("hammer") && panicked.internal.as_deref() == Some("panic: the hammer fell"));
    let started = Instant::now();
    let late = failure(&cx, input("hang"));
    assert_eq!((late.code, late.detail.as_str()), ("TIMEOUT", "The service `quote` did not answer within 1 s"));
    assert!(started.elapsed() < Duration::from_millis(1_400), "the caller waits no longer than the timeout");
}

#[test]
fn outputs_and_guarantees_are_checked() {
    let cx = workshop();
    let wrong = failure(&cx, input("digits"));
    assert_eq!(
        (wrong.code, &wrong.field_errors["fee"]),
        ("SERVICE_OUTPUT", &vec!["may have at most 2 decimals, for example 48.50".to_owned()])
    );
    let wrong = failure(&cx, services::QuoteInput { note: Some("longer than ten".to_owned()), ..input("") });
    assert_eq!((wrong.code, wrong.field_errors.contains_key("note")), ("SERVICE_INPUT", true));
    let broken = failure(&cx, services::QuoteInput { hours: Some(-1), ..input("") });
    assert_eq!((broken.code, broken.detail.as_str()), ("GUARANTEE", "The fee is never below zero"));
    assert_eq!(failure(&cx, input("large")).detail, "A large repair has high effort");
}

#[test]
fn an_application_starts_only_with_one_implementation_of_each_service() {
    let refusal = |app: dz::App| app.system_cx().map(drop).expect_err("a refusal").detail;
    assert_eq!(
        refusal(bare().service(Echo)),
        "the service `quote` has no implementation; implement the trait of `quote` in the module `services`, and add it with `app().service(…)`"
    );
    let twice = || bare().service(Prices::default()).service(Echo).service(Echo);
    assert_eq!(refusal(twice()), "the service `ping` has 2 implementations; keep one");
    let with = |number| bare().service(Prices::default()).service(Echo).guarantee::<dyn services::Quote>(number, |_, _| true);
    assert_eq!(refusal(with(3)), "there is no guarantee 3 of the service `quote`; `quote` has 2, which count from 1");
    assert_eq!(refusal(with(0)), "there is no guarantee 0 of the service `quote`; `quote` has 2, which count from 1");
}

#[test]
fn calls_that_hang_are_limited() {
    let calls = Arc::new(AtomicU32::new(0));
    let cx = bare().service(Prices { calls: calls.clone() }).service(Echo).system_cx().expect("an application");
    let waiting: Vec<_> = (0..64)
        .map(|_| {
            let cx = cx.clone();
            thread::spawn(move || failure(&cx, input("hang")).code)
        })
        .collect();
    let end = Instant::now() + Duration::from_secs(5);
    while calls.load(Ordering::SeqCst) < 64 && Instant::now() < end {
        thread::sleep(Duration::from_millis(5));
    }
    let busy = failure(&cx, input("")).code;
    assert_eq!((busy, calls.load(Ordering::SeqCst)), ("SERVICE_BUSY", 64));
    waiting.into_iter().for_each(|call| assert_eq!(call.join().expect("no panic"), "TIMEOUT"));
    thread::sleep(Duration::from_millis(1_000));
    cx.call::<dyn services::Quote>("after", input("")).expect("a free slot");
}
