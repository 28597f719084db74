//! Time that the test sets: sessions, throttling, `today` and `auto_add` use the clock of the application.

use dz::{
    Clock, Engine,
    serde_json::{Value, json},
};

use crate::{client::Client, server};

dz::dz! {
    app hourglass "Hourglass":
      timezone: "Europe/Vienna"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Note "Note":
      id: uuid pk
      name: str(60) required
      written: datetime auto_add
      due: date = today + 2d
      permit:
        list: due >= today
        read: true
        create: true

    demo:
      User:
        - name: "Ida", email: "ida@example.com", password: "a shelf of books"
}

const IDA: (&str, &str) = ("ida@example.com", "a shelf of books");

#[test]
fn on_sqlite() {
    check_application_clock(Engine::Sqlite);
}

#[test]
fn on_postgres() {
    check_application_clock(Engine::Postgres);
}

fn check_application_clock(engine: Engine) {
    let clock = Clock::stopped("2031-03-01T22:30:00Z".parse().expect("a moment"));
    let base = server::serve(app().clock(clock.clone()), engine, server::new_url(engine, "hourglass"));
    let client = Client::signed_in(&base, IDA);
    let note = client.send("POST", "/api/notes", &json!({ "name": "Sand" })).ok(201).json();
    assert_eq!((&note["written"], &note["due"]), (&json!("2031-03-01T22:30:00Z"), &json!("2031-03-03")));
    let total = |client: &Client| client.get("/api/notes").ok(200).json()["total"].clone();
    // Midnight depends on the time zone of the application.
    clock.advance(chrono::TimeDelta::hours(24));
    assert_eq!(total(&client), 1);
    clock.advance(chrono::TimeDelta::hours(25));
    assert_eq!(total(&client), 0);

    clock.advance(chrono::TimeDelta::days(7) + chrono::TimeDelta::seconds(1));
    client.get("/api/notes").problem(401, "AUTHENTICATION_REQUIRED");

    let wrong = || Client::new(&base).send("POST", "/auth/login", &json!({ "email": "ida@example.com", "password": "wrong" }));
    let statuses: Vec<u16> = (0..6).map(|_| wrong().status).collect();
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429]);
    clock.advance(chrono::TimeDelta::seconds(3));
    let again = Client::signed_in(&base, IDA);
    assert!(matches!(again.get("/auth/me").ok(200).json()["id"], Value::String(_)));
}
