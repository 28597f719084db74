//! Services in Python: types, exceptions, workers that end, hang or write junk, and the number of workers.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use dz::{
    Decimal, Engine, Error, SystemCx, Uuid,
    rocket::{Config, figment::Figment},
    serde_json::{self, Value, json},
};

use crate::database;

dz::dz! {
    app bakery "Bakery"

    entity Loaf "Loaf":
      id: uuid pk
      title: str(80) required
      permit:
        read: true

    service bake "Bake":
      input:
        loaf: ref Loaf required
        class: str(10) required
        weights: list[decimal(6, 3)]
        price: money(EUR)
        day: date
        at: datetime
        crust: enum[soft, hard] = soft
        note: json
      output:
        text: text
        weight: decimal(6, 3)
        price: money(EUR)
        day: date
        at: datetime
        crust: enum[soft, hard]
        count: int
        folded: list[list[int]]
      stub: python
}

/// Answers as the input `class` says, which is a reserved word of Python.
const STUB: &str = r#"
from __future__ import annotations
import os, sys, time
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import helper

@dataclass
class BakeOutput:
    text: str | None = None
    weight: Decimal | None = None
    price: Decimal | None = None
    day: date | None = None
    at: datetime | None = None
    crust: str | None = None
    count: int | None = None
    folded: list[list[int]] = field(default_factory=list)

calls = 0

def bake(loaf, class_, weights=None, price=None, day=None, at=None, crust="soft", note=None, *, context):
    global calls
    calls += 1
    print("kneads", class_)
    if class_ == "all":
        return BakeOutput(
            text=f"{context.key} {context.attempt} {type(loaf).__name__} {note['a']}", weight=sum(weights, Decimal(0)),
            price=price * 2, day=day + timedelta(days=1), at=at, crust=crust, count=helper.COUNT, folded=[[1], []],
        )
    if class_ == "calls":
        return {"count": calls, "text": str(os.getpid())}
    if class_ == "raise":
        raise ValueError("no flour")
    if class_ == "junk":
        for descriptor in range(3, 12):
            try:
                os.write(descriptor, b"junk\n")
            except OSError:
                pass
        time.sleep(5)
    if class_ == "end":
        os._exit(3)
    if class_ == "hang":
        open(note["file"], "w").write(str(os.getpid()))
        time.sleep(30)
    if class_ == "slow":
        time.sleep(0.4)
        return {}
    return {
        "naive": {"at": datetime.now()}, "object": {"text": object()}, "enum": {"crust": "none"}, "digits": {"weight": Decimal("1.23456")},
        "unknown": {"txt": "x"}, "number": 3, "nan": {"note": 1, "text": float("nan")}, "type": {"count": "many"},
    }[class_]
"#;

/// A folder with the stub and a module beside it.
fn folder(stub: &str) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let folder = std::env::temp_dir().join(format!("dz-stubs-{}-{}", NEXT.fetch_add(1, Ordering::Relaxed), std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("bake.py"), stub).expect("a stub");
    fs::write(folder.join("helper.py"), "COUNT = 7\n").expect("a module");
    folder
}

fn bare(folder: &Path, settings: &Value) -> dz::App {
    let figment = Figment::from(Config::debug_default()).merge(("dz.services", folder)).merge(("dz", settings.clone()));
    app().engine(Engine::Sqlite).database_url(database::sqlite("bakery")).figment(figment)
}

fn bakery(settings: &Value) -> SystemCx {
    bare(&folder(STUB), settings).system_cx().expect("an application")
}

fn input(class: &str) -> services::BakeInput {
    serde_json::from_value(json!({ "loaf": Uuid::nil(), "class": class })).expect("an input")
}

fn bake(cx: &SystemCx, class: &str) -> dz::Result<services::BakeOutput> {
    cx.call::<dyn services::Bake>("loaf 7", input(class))
}

#[track_caller]
fn failure(cx: &SystemCx, class: &str) -> Error {
    bake(cx, class).expect_err("a failed attempt")
}

/// Waits until a process has ended.
#[track_caller]
fn check_end(pid: &str) {
    let end = Instant::now() + Duration::from_secs(3);
    while is_alive(pid) && Instant::now() < end {
        thread::sleep(Duration::from_millis(5));
    }
    assert!(!is_alive(pid), "the process {pid} still runs");
}

fn is_alive(pid: &str) -> bool {
    // A process that ended and was not waited for is still listed.
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}

#[test]
fn values_have_the_types_of_python() {
    let cx = bakery(&json!({}));
    let given = json!({
        "loaf": Uuid::nil(), "class": "all", "weights": ["1.250", "0.5"], "price": { "amount": "3.20", "currency": "EUR" },
        "day": "2026-02-28", "at": "2026-01-31T09:30:00.5Z", "crust": "hard", "note": { "a": "ö\n" },
    });
    let given = serde_json::from_value(given).expect("an input");
    let output = cx.call::<dyn services::Bake>("loaf 7", given).expect("an output");
    assert_eq!(
        serde_json::to_value(&output).expect("JSON"),
        json!({
            "text": "loaf 7 1 str ö\n", "weight": "1.750", "price": { "amount": "6.40", "currency": "EUR" }, "day": "2026-03-01",
            "at": "2026-01-31T09:30:00.500000Z", "crust": "hard", "count": 7, "folded": [[1], []],
        })
    );
    assert_eq!(output.weight, Some("1.75".parse::<Decimal>().expect("a number")));
}

#[test]
fn one_worker_answers_many_calls() {
    let cx = bakery(&json!({}));
    let first = bake(&cx, "calls").expect("an output");
    assert_eq!(failure(&cx, "raise").detail, "ValueError: no flour");
    let third = bake(&cx, "calls").expect("an output");
    assert_eq!((first.count, third.count, first.text == third.text), (Some(1), Some(3), true), "an exception does not end the worker");
    let pid = third.text.expect("a process");
    assert!(is_alive(&pid));
    drop(cx);
    // The worker ends with the application.
    check_end(&pid);
}

#[test]
fn wrong_outputs_name_the_field() {
    let cx = bakery(&json!({}));
    for (class, code, part) in [
        ("naive", "SERVICE_EXCEPTION", "output `at`: a datetime needs a time zone"),
        ("object", "SERVICE_EXCEPTION", "output `text`: Object of type object is not JSON serializable"),
        ("nan", "SERVICE_EXCEPTION", "output `text`: Out of range float values"),
        ("number", "SERVICE_EXCEPTION", "`bake` must return its output dataclass or a dict, not int"),
        ("enum", "SERVICE_OUTPUT", "`crust` must be one of soft, hard"),
        ("digits", "SERVICE_OUTPUT", "`weight` may have at most 3 decimals"),
        ("unknown", "SERVICE_OUTPUT", "`txt` does not exist; did you mean `text`?"),
        ("type", "SERVICE_OUTPUT", "`count` must be a whole number"),
    ] {
        let error = failure(&cx, class);
        assert!(error.code == code && error.detail.contains(part), "{class}: {error}");
    }
}

#[test]
fn a_worker_that_ends_or_writes_junk_is_replaced() {
    let cx = bakery(&json!({}));
    let ended = failure(&cx, "end");
    assert_eq!((ended.code, ended.detail.contains("exit status: 3")), ("SERVICE_ENDED", true), "{ended}");
    assert_eq!(bake(&cx, "calls").expect("a new worker").count, Some(1));
    let junk = failure(&cx, "junk");
    assert_eq!(junk.code, "SERVICE_PROTOCOL", "{junk}");
    assert_eq!(bake(&cx, "calls").expect("a new worker").count, Some(1));
    // The first end has no delay; the second has 0.2 s, the third 0.4 s.
    (0..3).for_each(|_| drop(failure(&cx, "end")));
    let started = Instant::now();
    bake(&cx, "calls").expect("a new worker");
    assert!(started.elapsed() >= Duration::from_millis(350), "{:?}", started.elapsed());
}

#[test]
fn a_worker_that_does_not_respond_is_replaced_before_a_call() {
    let cx = bakery(&json!({}));
    let stopped = bake(&cx, "calls").expect("a worker").text.expect("a process");
    let sent = Command::new("kill").args(["-STOP", &stopped]).status().expect("kill runs");
    assert!(sent.success());
    // A worker that was used within the last second is not asked for a sign of life.
    thread::sleep(Duration::from_millis(1_200));
    let started = Instant::now();
    let next = bake(&cx, "calls").expect("another worker");
    assert_eq!((next.count, next.text.as_ref() == Some(&stopped)), (Some(1), false));
    assert!(started.elapsed() < Duration::from_secs(30), "the call does not wait for its timeout: {:?}", started.elapsed());
    check_end(&stopped);
    // An idle worker that responds is kept.
    thread::sleep(Duration::from_millis(1_200));
    let kept = bake(&cx, "calls").expect("an output");
    assert_eq!((kept.count, kept.text), (Some(2), next.text));
}

#[test]
fn a_timeout_ends_the_worker() {
    let cx = bakery(&json!({ "service_timeout": 2 }));
    let file = std::env::temp_dir().join(format!("dz-baker-{}", std::process::id()));
    let _ = fs::remove_file(&file);
    let slow = services::BakeInput { note: Some(json!({ "file": file })), ..input("hang") };
    let error = cx.call::<dyn services::Bake>("loaf 7", slow).expect_err("a timeout");
    assert_eq!(error.code, "TIMEOUT");
    let pid = fs::read_to_string(&file).expect("a process");
    check_end(&pid);
    assert_eq!(bake(&cx, "calls").expect("a new worker").count, Some(1));
}

#[test]
fn the_number_of_workers_limits_calls_at_the_same_time() {
    let three = |cx: &SystemCx| {
        bake(cx, "calls").expect("a started worker");
        let started = Instant::now();
        let calls: Vec<_> = (0..3)
            .map(|_| {
                let cx = cx.clone();
                thread::spawn(move || bake(&cx, "slow").map(drop))
            })
            .collect();
        calls.into_iter().for_each(|call| call.join().expect("no panic").expect("an output"));
        started.elapsed()
    };
    let alone = three(&bakery(&json!({})));
    assert!(alone >= Duration::from_millis(1_150), "one worker runs one call at a time: {alone:?}");
    let cx = bakery(&json!({ "python_workers": 3 }));
    three(&cx);
    let together = three(&cx);
    assert!(together < Duration::from_millis(1_000), "three workers: {together:?}");
}

#[test]
fn a_call_waits_for_a_busy_worker() {
    let cx = bakery(&json!({ "service_timeout": 3 }));
    let file = std::env::temp_dir().join(format!("dz-baker-busy-{}", std::process::id()));
    let busy = {
        let cx = cx.clone();
        let slow = services::BakeInput { note: Some(json!({ "file": file })), ..input("hang") };
        thread::spawn(move || cx.call::<dyn services::Bake>("first", slow).map(drop))
    };
    // What remains of the timeout of the waiting call is the time in which a new worker starts.
    thread::sleep(Duration::from_millis(1_500));
    let started = Instant::now();
    // The busy worker is ended at its timeout, and the waiting call gets a new one.
    assert_eq!(bake(&cx, "calls").expect("an output").count, Some(1));
    assert!(started.elapsed() >= Duration::from_millis(500), "{:?}", started.elapsed());
    assert_eq!(busy.join().expect("no panic").expect_err("a timeout").code, "TIMEOUT");
}

#[test]
fn files_and_interpreters_that_do_not_work_are_named() {
    let missing = std::env::temp_dir().join("dz-no-such-folder");
    let refused = bare(&missing, &json!({})).system_cx().map(drop).expect_err("a refusal").detail;
    assert_eq!(
        refused,
        format!(
            "the service `bake` has `stub: python`, and there is no file {}; write it with `dz stubs generate`, or name its folder with `dz.services`",
            missing.join("bake.py").display()
        )
    );
    let start = |stub: &str, settings: &Value| {
        let error = failure(&bare(&folder(stub), settings).system_cx().expect("an application"), "calls");
        assert_eq!(error.code, "SERVICE_START");
        error.detail
    };
    assert!(start("def bake(:\n", &json!({})).contains("SyntaxError"));
    assert!(start("import nothing_of_this_name\n", &json!({})).contains("ModuleNotFoundError: No module named 'nothing_of_this_name'"));
    assert!(start("def boke(): pass\n", &json!({})).contains("has no function `bake`"));
    let detail = start(STUB, &json!({ "python": "no-such-python" }));
    assert!(detail.contains("no-such-python") && detail.contains("`dz.python` names the interpreter"), "{detail}");
}

#[test]
fn a_stub_and_an_implementation_in_rust_are_two() {
    struct Oven;
    impl services::Bake for Oven {
        fn call(&self, _: &dz::ServiceCx, _: services::BakeInput) -> dz::Result<services::BakeOutput> {
            Err(Error::not_found())
        }
    }
    let refused = bare(&folder(STUB), &json!({})).service(Oven).system_cx().map(drop).expect_err("a refusal").detail;
    assert_eq!(refused, "the service `bake` has `stub: python` and an implementation in Rust; remove one of them");
}
