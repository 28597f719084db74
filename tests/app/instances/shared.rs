//! Two instances with one database: forms, repeated requests, background work, and on PostgreSQL the limits that they share.

use std::collections::BTreeMap;

use dz::{
    Clock, Engine, Event, Happened, Result, SystemCx,
    serde_json::{Value, json},
};

use crate::{
    client::{Answer, Client},
    depot::send_with_key,
    jobs::{Serving, eventually_slowly},
    proxy::Proxy,
    server,
};

dz::dz! {
    app ferry "Ferry"

    persona captain "Captain"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Crossing "Crossing":
      id: uuid pk
      name: str(60) required
      status: enum[boarding, sailing] = boarding
      transitions:
        boarding -> sailing: auto after 1 second
      permit:
        list: true
        read: true
        create: role(captain)
        update: role(captain)

    entity Entry "Entry":
      id: int pk
      text: str(120) required
      permit:
        list: true
        read: true

    surface crossing_list "Crossings":
      uses entity Crossing
      mode: list

    surface crossing_create "New crossing":
      uses entity Crossing
      mode: create
      section main:
        field name

    process logging "Logging a crossing":
      trigger: entity Crossing created
      steps:
        - step first:
          effects:
            - create Entry:
              text: concat("first step ", trigger.entity.name)
        - step second:
          effects:
            - create Entry:
              text: concat("second step ", trigger.entity.name)

    demo:
      User:
        - name: "Ole", email: "ole@ferry.example", password: "knows the tides", roles: [captain]
}

pub(crate) const OLE: (&str, &str) = ("ole@ferry.example", "knows the tides");

fn write(cx: &SystemCx, what: &str, event: &Happened<crossing::Crossing>) -> Result<()> {
    cx.run(|tx| entry::NewEntry { id: None, text: format!("{what} {}", event.row.name) }.create(tx)).map(drop)
}

fn ferry() -> dz::App {
    app()
        .on::<crossing::Crossing>(Event::Created, |cx, event| write(cx, "created", event))
        .named("log created crossings")
        .on::<crossing::Crossing>(Event::Updated, |cx, event| write(cx, "departed", event))
        .named("log departures")
}

/// The program of an instance.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(ferry());
}

pub(crate) fn start(url: &str, variables: &[(&str, &str)]) -> Serving {
    Serving::start_program("instances::shared::child", url, variables)
}

/// The same session at another instance.
fn client_at(base: &str, client: &Client) -> Client {
    Client { cookie: client.cookie.clone(), ..Client::new(base) }
}

#[test]
fn background_work_of_two_instances_is_executed_once_on_sqlite() {
    background_work_once(&server::new_url(Engine::Sqlite, "ferry_once"));
}

#[test]
fn background_work_of_two_instances_is_executed_once_on_postgres() {
    background_work_once(&server::new_url(Engine::Postgres, "ferry_once"));
}

/// Both instances create crossings, deliver their events, run their timers and the steps of their processes.
pub(crate) fn background_work_once(url: &str) {
    let (one, other) = (start(url, &[]), start(url, &[]));
    let here = Client::signed_in(&one.base, OLE);
    work_is_done_once(&here, &client_at(&other.base, &here));
    assert!(one.end() && other.end());
}

/// Clients of two instances create crossings, whose background work is executed once.
fn work_is_done_once(here: &Client, there: &Client) {
    const CROSSINGS: usize = 24;
    let name = |n: usize| format!("Crossing {n}");
    for n in 0..CROSSINGS {
        let client = if n % 2 == 0 { here } else { there };
        client.send("POST", "/api/crossings", &json!({ "name": name(n) })).ok(201);
    }
    let works = ["created", "departed", "first step", "second step"];
    let expected: BTreeMap<String, u32> =
        works.iter().flat_map(|work| (0..CROSSINGS).map(move |n| (format!("{work} {}", name(n)), 1))).collect();
    let texts = || {
        let rows = here.get("/api/entries?format=csv").ok(200).body;
        let mut times: BTreeMap<String, u32> = BTreeMap::new();
        for line in rows.lines().skip(1) {
            let text = line.split_once(',').map_or(line, |(_, text)| text);
            *times.entry(text.to_owned()).or_default() += 1;
        }
        times
    };
    eventually_slowly(expected.len(), || texts().len());
    assert_eq!(texts(), expected, "nothing is executed twice");
}

#[test]
fn a_form_of_one_instance_is_accepted_by_the_other_on_sqlite() {
    forms_and_keys(&server::new_url(Engine::Sqlite, "ferry_forms"));
}

#[test]
fn a_form_of_one_instance_is_accepted_by_the_other_on_postgres() {
    forms_and_keys(&server::new_url(Engine::Postgres, "ferry_forms"));
}

/// Two instances with one database accept the forms and the keys of each other.
pub(crate) fn forms_and_keys(url: &str) {
    let (one, other) = (start(url, &[]), start(url, &[]));
    let here = Client::signed_in(&one.base, OLE);
    let there = client_at(&other.base, &here);
    let page = here.get("/app/crossing_create").ok(200).body;
    let token = page.split("name=\"csrf\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a token");
    // Without the headers of a browser, only the token of the form permits the request.
    let submit = |token: &str, name: &str| {
        let body = format!("csrf={token}&name={name}");
        there.request("POST", "/app/crossing_create", &[("Content-Type", "application/x-www-form-urlencoded")], body.as_bytes())
    };
    assert_eq!(submit("another", "Forged").status, 403);
    submit(token, "By+a+form").ok(303);
    let body = json!({ "name": "By a key" });
    let first = send_with_key(&here, "/api/crossings", "key-1", &body).ok(201);
    let again = send_with_key(&there, "/api/crossings", "key-1", &body).ok(201);
    assert_eq!((again.json()["id"].clone(), again.header("idempotency-replayed")), (first.json()["id"].clone(), Some("true")));
    send_with_key(&there, "/api/crossings", "key-1", &json!({ "name": "Other" })).problem(422, "IDEMPOTENCY_KEY_REUSED");
    let names = here.get("/api/crossings?sort=name").ok(200).json();
    let names: Vec<&str> = names["items"].as_array().expect("rows").iter().filter_map(|row| row["name"].as_str()).collect();
    assert_eq!(names, ["By a form", "By a key"]);
    assert!(one.end() && other.end());
}

fn sign_in(base: &str, password: &str) -> Answer {
    Client::new(base).send("POST", "/auth/login", &json!({ "email": OLE.0, "password": password }))
}

#[test]
fn failed_sign_ins_at_two_processes_delay_the_account_together_on_postgres() {
    failed_sign_ins_together(&server::new_url(Engine::Postgres, "ferry_throttle"));
}

/// Two instances with one database count failed sign-ins together.
pub(crate) fn failed_sign_ins_together(url: &str) {
    let (one, other) = (start(url, &[]), start(url, &[]));
    for n in 0..5 {
        let base = if n % 2 == 0 { &one.base } else { &other.base };
        assert_eq!(sign_in(base, "not this one").status, 401, "attempt {n}");
    }
    for base in [&other.base, &one.base] {
        let delayed = sign_in(base, OLE.1);
        delayed.problem(429, "RATE_LIMIT");
        assert_eq!(delayed.header("retry-after").map(|seconds| (1..=2).contains(&seconds.parse().unwrap_or(0))), Some(true));
    }
    std::thread::sleep(std::time::Duration::from_millis(2_100));
    assert_eq!(sign_in(&other.base, OLE.1).status, 200);
    // A success ends the delays at every instance.
    for base in [&one.base, &other.base, &one.base, &other.base] {
        assert_eq!(sign_in(base, "not this one").status, 401);
    }
    assert_eq!(sign_in(&one.base, OLE.1).status, 200);
    assert!(one.end() && other.end());
}

/// Two instances on one PostgreSQL, with one stopped clock.
fn two_instances(of: &str, settings: &Value) -> (String, String, Clock) {
    let clock = Clock::stopped("2026-05-04T06:00:00Z".parse().expect("a time"));
    let url = server::new_url(Engine::Postgres, of);
    let serve = || server::serve_with(ferry().clock(clock.clone()), Engine::Postgres, url.clone(), settings.clone());
    (serve(), serve(), clock)
}

#[test]
fn two_instances_admit_the_rate_together_on_postgres() {
    let limits = json!({ "rate_limits": { "auth": 60, "write": 1_200, "read": 0 } });
    let (one, other, clock) = two_instances("ferry_rates", &limits);
    let (here, there) = (Client::new(&one), Client::new(&other));
    let admitted = |path: &str, body: &Value, requests: usize| {
        let statuses = (0..requests).map(|n| if n % 2 == 0 { &here } else { &there }.send("POST", path, body));
        statuses.filter(|answer| answer.status != 429).count()
    };
    // Each class has its own count: a burst of ten requests to sign in, and of two hundred writes.
    assert_eq!(admitted("/auth/forgot", &json!({ "email": "x@y.example" }), 30), 10);
    assert_eq!(admitted("/api/crossings", &json!({}), 240), 200);
    let refused = there.send("POST", "/auth/forgot", &json!({ "email": "x@y.example" }));
    refused.problem(429, "RATE_LIMIT");
    assert_eq!(refused.header("retry-after"), Some("1"));
    // The rate applies to both together.
    clock.advance(chrono::TimeDelta::seconds(3));
    assert_eq!(admitted("/auth/forgot", &json!({ "email": "x@y.example" }), 20), 3);
    assert_eq!(admitted("/api/crossings", &json!({}), 100), 60);
    // A class without a limit needs no count.
    assert!((0..40).all(|_| here.get("/api/crossings").status == 401));
}

#[test]
fn without_the_shared_counts_no_request_is_admitted() {
    let url = server::new_url(Engine::Postgres, "ferry_cut");
    let (server, name) = url.rsplit_once('/').expect("an address with a database");
    let (user, host) = server.rsplit_once('@').unwrap_or(("", server));
    let user = user.trim_start_matches("postgres://");
    let between = Proxy::start(host.trim_start_matches("postgres://"));
    let through = format!("postgres://{user}@127.0.0.1:{}/{name}", between.port);
    let limits = json!({ "rate_limits": { "auth": 60, "write": 60, "read": 60 } });
    let base = server::serve_with(ferry(), Engine::Postgres, through, limits);
    let client = Client::signed_in(&base, OLE);
    client.get("/api/crossings").ok(200);
    between.cut();
    for _ in 0..12 {
        sign_in(&base, OLE.1).problem(503, "UNAVAILABLE");
    }
    client.send("POST", "/api/crossings", &json!({ "name": "Lost" })).problem(503, "UNAVAILABLE");
    assert_eq!(client.get("/health/live").status, 200, "health checks are not counted");
    between.mend();
    eventually_slowly(200, || sign_in(&base, OLE.1).status);
}
