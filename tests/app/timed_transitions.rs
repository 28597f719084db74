//! Timed transitions and events, with a clock that the test sets, on both engines.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use chrono::TimeDelta;
use dz::{
    Clock, Engine, Error, Event, SystemCx,
    serde_json::{Value, json},
};

use crate::{client::Client, server};

dz::dz! {
    app kennel "Kennel"

    persona keeper "Keeper"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Stay "Stay":
      id: uuid pk
      name: str(60) required
      status: enum[asked, reserved, expired, here, left, archived] = asked
      deposit: int
      owner: ref User
      transitions:
        asked -> reserved
        asked -> expired: auto after 2 days
        reserved -> here: role(keeper) auto after 3 days or manual
        here -> left: requires deposit auto after 1 month
          guard: deposit > 0
        left -> archived: auto after 90 seconds
      invariant: status != archived or owner = null
        code: ARCHIVED_WITH_OWNER
      permit:
        list: true
        read: true
        create: role(keeper)
        update: role(keeper)
        delete: role(keeper)

    entity Line "Line":
      id: int pk
      text: str(200) required
      stay: str(60) required
      permit:
        list: true
        read: true

    surface stay_view "Stay":
      uses entity Stay
      mode: view

    demo:
      User:
        - name: "Kim", email: "kim@kennel.example", password: "feeds the dogs", roles: [keeper]
}

const KEEPER: (&str, &str) = ("kim@kennel.example", "feeds the dogs");

fn note(cx: &SystemCx, stay: &str, text: String) -> dz::Result<()> {
    cx.run(|tx| line::NewLine { text: text.clone(), stay: stay.to_owned(), id: None }.create(tx)).map(drop)
}

/// While `deaf` is true, one of the subscribers fails.
fn kennel(clock: &Clock, deaf: Arc<AtomicBool>) -> dz::App {
    app()
        .clock(clock.clone())
        .before_update::<stay::Stay>(|_, row, _| match row.name.as_str() {
            "Hooked" => Err(Error::validation("name", "stays where it is")),
            "Wild" => panic!("a hook that does not hold"),
            _ => Ok(()),
        })
        .on::<stay::Stay>(Event::Created, |cx, event| note(cx, &event.row.name, "created".to_owned()))
        .on::<stay::Stay>(Event::Updated, |cx, event| {
            let before = event.before.as_ref().map_or("nothing", |row| row.status.as_str());
            note(cx, &event.row.name, format!("{before} -> {}", event.row.status.as_str()))
        })
        .on::<stay::Stay>(Event::Updated, move |cx, event| {
            if deaf.load(Ordering::SeqCst) && event.row.name.starts_with("Deaf") {
                return Err(Error::internal("not now"));
            }
            note(cx, &event.row.name, format!("second: {}", event.row.status.as_str()))
        })
        .named("note the second")
        .on::<stay::Stay>(Event::Deleted, |cx, event| note(cx, &event.row.name, format!("gone: {}", event.row.status.as_str())))
}

struct Kennel {
    base: String,
    clock: Clock,
    deaf: Arc<AtomicBool>,
}

fn start(engine: Engine) -> Kennel {
    let clock = Clock::stopped("2031-01-31T12:00:00Z".parse().expect("a moment"));
    let deaf = Arc::new(AtomicBool::new(false));
    let base = server::serve(kennel(&clock, deaf.clone()), engine, server::new_url(engine, "kennel"));
    Kennel { base, clock, deaf }
}

#[test]
fn on_sqlite() {
    check_kennel(Engine::Sqlite);
}

#[test]
fn on_postgres() {
    check_kennel(Engine::Postgres);
}

impl Kennel {
    /// Advances the clock by a little more than `by`, because rows are created after the clock was set.
    fn later(&self, by: TimeDelta) {
        self.clock.advance(by + TimeDelta::seconds(1));
    }

    fn client(&self) -> Client {
        Client::signed_in(&self.base, KEEPER)
    }
}

#[track_caller]
fn create_row(client: &Client, fields: Value) -> String {
    client.send("POST", "/api/stays", &fields).ok(201).json()["id"].as_str().expect("an id").to_owned()
}

fn status(client: &Client, id: &str) -> String {
    client.get(&format!("/api/stays/{id}")).ok(200).json()["status"].as_str().expect("a status").to_owned()
}

fn lines(client: &Client, of: &str) -> Vec<String> {
    let rows = client.get(&format!("/api/lines?sort=id&page_size=100&stay={}", crate::client::encode(of))).ok(200).json();
    rows["items"].as_array().expect("rows").iter().map(|row| row["text"].as_str().expect("a text").to_owned()).collect()
}

/// Waits for the worker, which the test has just woken.
#[track_caller]
pub fn eventually<T: PartialEq + std::fmt::Debug>(expected: T, found: impl Fn() -> T) {
    let start = Instant::now();
    loop {
        let now = found();
        if now == expected {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "{now:?} does not become {expected:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|text| (*text).to_owned()).collect()
}

fn check_kennel(engine: Engine) {
    let kennel = start(engine);
    let client = kennel.client();
    check_manual_transitions(&client);
    check_due_transitions(&kennel, &client);
    check_refused_transitions_stay_due(&kennel);
    check_failed_delivery_is_repeated(&kennel);
    check_undeliverable_events_become_dead_letters(engine);
}

fn check_manual_transitions(client: &Client) {
    let id = create_row(client, json!({ "name": "Bello" }));
    let refused = client.send("POST", &format!("/api/stays/{id}/transitions/expired"), &json!({})).problem(409, "TRANSITION_NOT_ALLOWED");
    assert!(
        refused["detail"].as_str().is_some_and(|text| text.contains("allowed are reserved") && !text.contains("expired,")),
        "{refused}"
    );
    client.send("PATCH", &format!("/api/stays/{id}"), &json!({ "status": "expired" })).problem(409, "TRANSITION_NOT_ALLOWED");
    let page = client.get(&format!("/app/stay_view/{id}")).ok(200);
    page.shows(&["Reserved"]);
    assert!(!page.body.contains("Expired"), "{}", page.body);
    client.send("POST", &format!("/api/stays/{id}/transitions/reserved"), &json!({})).ok(200);
    client.send("POST", &format!("/api/stays/{id}/transitions/here"), &json!({})).ok(200);
    eventually(texts(&["created", "asked -> reserved", "reserved -> here"]), || {
        lines(client, "Bello").into_iter().filter(|text| !text.starts_with("second")).collect()
    });
    client.delete(&format!("/api/stays/{id}")).ok(204);
    eventually(Some("gone: here".to_owned()), || lines(client, "Bello").pop());
}

fn check_due_transitions(kennel: &Kennel, client: &Client) {
    let (asked, reserved) = (create_row(client, json!({ "name": "Ada" })), create_row(client, json!({ "name": "Rex", "deposit": 5 })));
    client.send("POST", &format!("/api/stays/{reserved}/transitions/reserved"), &json!({})).ok(200);
    kennel.later(TimeDelta::days(2));
    eventually("expired".to_owned(), || status(client, &asked));
    // Its delay began with the reservation.
    assert_eq!(status(client, &reserved), "reserved");
    let tag = client.get(&format!("/api/stays/{asked}")).header("etag").map(str::to_owned);
    assert_eq!(tag.as_deref(), Some("\"2\""));
    kennel.later(TimeDelta::days(1));
    eventually("here".to_owned(), || status(client, &reserved));
    // Sessions expire on their own.
    kennel.later(TimeDelta::days(32));
    let client = &kennel.client();
    eventually("left".to_owned(), || status(client, &reserved));
    kennel.later(TimeDelta::seconds(90));
    eventually("archived".to_owned(), || status(client, &reserved));
    eventually(texts(&["created", "asked -> reserved", "reserved -> here", "here -> left", "left -> archived"]), || {
        lines(client, "Rex").into_iter().filter(|text| !text.starts_with("second")).collect()
    });
}

fn check_refused_transitions_stay_due(kennel: &Kennel) {
    let client = &kennel.client();
    let here = |name: &str, more: Value| {
        let mut fields = json!({ "name": name });
        fields.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let id = create_row(client, fields);
        client.send("POST", &format!("/api/stays/{id}/transitions/reserved"), &json!({})).ok(200);
        client.send("POST", &format!("/api/stays/{id}/transitions/here"), &json!({})).ok(200);
        id
    };
    let me = client.get("/auth/me").json()["id"].clone();
    let requires = here("Requires", json!({}));
    let guarded = here("Guarded", json!({ "deposit": 0 }));
    let invariant = here("Invariant", json!({ "deposit": 1, "owner": me }));
    let (hooked, wild) = (create_row(client, json!({ "name": "Hooked" })), create_row(client, json!({ "name": "Wild" })));
    let free = create_row(client, json!({ "name": "Free" }));
    kennel.later(TimeDelta::days(32));
    let client = &kennel.client();
    eventually("expired".to_owned(), || status(client, &free));
    eventually("left".to_owned(), || status(client, &invariant));
    kennel.later(TimeDelta::minutes(2));
    // A later due transition was made, so the others were tried before.
    let last = create_row(client, json!({ "name": "Last" }));
    kennel.later(TimeDelta::days(2));
    eventually("expired".to_owned(), || status(client, &last));
    for (id, state) in [(&requires, "here"), (&guarded, "here"), (&invariant, "left"), (&hooked, "asked"), (&wild, "asked")] {
        assert_eq!(status(client, id), state);
    }
    client.send("PATCH", &format!("/api/stays/{requires}"), &json!({ "deposit": 7 })).ok(200);
    client.send("PATCH", &format!("/api/stays/{guarded}"), &json!({ "deposit": 7 })).ok(200);
    client.send("PATCH", &format!("/api/stays/{invariant}"), &json!({ "owner": null })).ok(200);
    kennel.later(TimeDelta::hours(1));
    eventually("left".to_owned(), || status(client, &requires));
    eventually("left".to_owned(), || status(client, &guarded));
    eventually("archived".to_owned(), || status(client, &invariant));
}

fn check_failed_delivery_is_repeated(kennel: &Kennel) {
    let client = &kennel.client();
    kennel.deaf.store(true, Ordering::SeqCst);
    let id = create_row(client, json!({ "name": "Deaf" }));
    for state in ["reserved", "here"] {
        client.send("POST", &format!("/api/stays/{id}/transitions/{state}"), &json!({})).ok(200);
    }
    // The other subscriber and other rows do not wait for it.
    eventually(texts(&["created", "asked -> reserved", "reserved -> here"]), || lines(client, "Deaf"));
    let other = create_row(client, json!({ "name": "Other" }));
    client.send("POST", &format!("/api/stays/{other}/transitions/reserved"), &json!({})).ok(200);
    eventually(true, || lines(client, "Other").contains(&"second: reserved".to_owned()));
    kennel.deaf.store(false, Ordering::SeqCst);
    kennel.later(TimeDelta::minutes(10));
    eventually(texts(&["created", "asked -> reserved", "reserved -> here", "second: reserved", "second: here"]), || lines(client, "Deaf"));
}

/// After the last attempt it is a dead letter, which the command line lists and redelivers.
fn check_undeliverable_events_become_dead_letters(engine: Engine) {
    let attempts = Arc::new(Mutex::new(Vec::new()));
    let noted = attempts.clone();
    let clock = Clock::stopped("2031-01-31T12:00:00Z".parse().expect("a moment"));
    let deaf = app().clock(clock.clone()).on::<stay::Stay>(Event::Created, move |_, event| {
        noted.lock().expect("attempts").push(event.attempt);
        Err(Error::internal("never"))
    });
    let base = server::serve(deaf, engine, server::new_url(engine, "deaf"));
    create_row(&Client::signed_in(&base, KEEPER), json!({ "name": "Luna" }));
    eventually(true, || {
        clock.advance(TimeDelta::minutes(100));
        attempts.lock().expect("attempts").last() == Some(&16)
    });
    clock.advance(TimeDelta::days(30));
    let told = attempts.lock().expect("attempts").clone();
    assert_eq!(told, (1..=16).collect::<Vec<_>>());
}

#[test]
fn check_two_instances_share_the_work() {
    const ROWS: usize = 300;
    let clock = Clock::stopped("2031-01-31T12:00:00Z".parse().expect("a moment"));
    let url = server::new_database("shared");
    let moved = [Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0))];
    let bases = moved.clone().map(|moved| {
        let counts = move |_: &mut dz::Tx<'_>, _: &stay::Stay, after: &stay::Stay| {
            moved.fetch_add(usize::from(after.status == stay::StayStatus::Expired), Ordering::SeqCst);
            Ok(())
        };
        let instance = kennel(&clock, Arc::default()).after_update::<stay::Stay>(counts);
        server::serve(instance, Engine::Postgres, url.clone())
    });
    let client = &Client::signed_in(&bases[0], KEEPER);
    for n in 0..ROWS {
        create_row(client, json!({ "name": format!("Dog {n}") }));
    }
    clock.advance(TimeDelta::days(2) + TimeDelta::seconds(1));
    let total = |path: &str| client.get(path).ok(200).json()["total"].as_u64().expect("a total") as usize;
    eventually(ROWS, || total("/api/stays?status=expired"));
    for text in ["created", "asked -> expired", "second: expired"] {
        eventually(ROWS, || total(&format!("/api/lines?text={}", crate::client::encode(text))));
    }
    eventually(3 * ROWS, || total("/api/lines"));
    let moved = moved.map(|count| count.load(Ordering::SeqCst));
    assert_eq!(moved.iter().sum::<usize>(), ROWS, "{moved:?}");
    println!("moved by each instance: {moved:?}");
}
