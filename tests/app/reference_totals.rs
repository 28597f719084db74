//! Invariants over a total of a referenced row: the row that is written is part of it, also when others are written at the same time.

use std::thread;

use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{client::Client, server};

dz::dz! {
    app granary "Granary"

    persona miller "Miller"

    entity User "Person":
      id: uuid pk

    entity Silo "Silo":
      id: uuid pk
      name: str(40) required
      lots: has_many Lot via silo
      stock: computed coalesce(sum(lots.grams), 0)
      permit:
        list: role(miller)
        read: role(miller)
        create: role(miller)

    entity Lot "Lot":
      id: uuid pk
      silo: ref Silo
      entries: has_many Entry via lot
      grams: computed coalesce(sum(entries.grams), 0)
      permit:
        list: role(miller)
        read: role(miller)
        create: role(miller)

    entity Entry "Entry":
      id: uuid pk
      lot: ref Lot required
      grams: decimal(12,2) required
      status: enum[noted, checked] = noted
      margin: computed 1000 - lot.silo.stock
      transitions:
        noted -> checked
      invariant: lot.grams >= 0
        message: "The lot does not have so much"
        code: LOT_EMPTY
      invariant: lot.silo = null or margin >= 0
        message: "The silo is full"
        code: SILO_FULL
      permit:
        list: role(miller)
        read: role(miller)
        create: role(miller)
        update: role(miller)
        delete: role(miller)

    entity Course "Course":
      id: uuid pk
      seats: int required
      bookings: has_many Booking via course
      taken: computed count(bookings where cancelled = false)
      permit:
        list: role(miller)
        read: role(miller)
        create: role(miller)

    entity Booking "Booking":
      id: uuid pk
      course: ref Course required
      cancelled: bool = false
      soft_delete
      invariant: course.taken <= course.seats
        message: "The course is full"
        code: COURSE_FULL
      permit:
        list: role(miller)
        read: role(miller)
        create: role(miller)
        update: role(miller)
        delete: role(miller)
        restore: role(miller)

    demo:
      User:
        - name: "Mo", email: "mo@granary.example", password: "grinds every grain", roles: [miller]
}

const MO: (&str, &str) = ("mo@granary.example", "grinds every grain");

fn open(engine: Engine) -> Client {
    let base = server::serve(app(), engine, server::new_url(engine, "granary"));
    Client::signed_in(&base, MO)
}

#[track_caller]
fn make(client: &Client, table: &str, row: Value) -> String {
    client.send("POST", &format!("/api/{table}"), &row).ok(201).json()["id"].as_str().expect("a key").to_owned()
}

fn entry(client: &Client, lot: &str, grams: &str) -> crate::client::Answer {
    client.send("POST", "/api/entries", &json!({ "lot": lot, "grams": grams }))
}

#[track_caller]
fn grams(client: &Client, lot: &str) -> Value {
    client.get(&format!("/api/lots/{lot}")).ok(200).json()["grams"].clone()
}

#[test]
fn a_balance_contains_the_entry_that_is_written() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let client = open(engine);
        let lot = make(&client, "lots", json!({}));
        let first = make(&client, "entries", json!({ "lot": lot, "grams": "245.50" }));
        entry(&client, &lot, "-500.00").problem(422, "LOT_EMPTY");
        entry(&client, &lot, "-245.51").problem(422, "LOT_EMPTY");
        assert_eq!(grams(&client, &lot), "245.50");
        let last = entry(&client, &lot, "-245.50").ok(201).json()["id"].as_str().expect("a key").to_owned();
        assert_eq!(grams(&client, &lot), "0.00");
        // Changes and transitions, too.
        let path = format!("/api/entries/{first}");
        client.send("PATCH", &path, &json!({ "grams": "245.49" })).problem(422, "LOT_EMPTY");
        client.send("PATCH", &path, &json!({ "grams": "300.00" })).ok(200);
        client.send("POST", &format!("{path}/transitions/checked"), &json!({ "grams": "1.00" })).problem(422, "LOT_EMPTY");
        client.send("POST", &format!("{path}/transitions/checked"), &json!({})).ok(200);
        assert_eq!(grams(&client, &lot), "54.50");
        // To another lot: the balance of that one counts.
        let other = make(&client, "lots", json!({}));
        client.send("PATCH", &format!("/api/entries/{last}"), &json!({ "lot": other })).problem(422, "LOT_EMPTY");
        entry(&client, &other, "245.50").ok(201);
        client.send("PATCH", &format!("/api/entries/{last}"), &json!({ "lot": other })).ok(200);
        assert_eq!((grams(&client, &lot), grams(&client, &other)), (json!("300.00"), json!("0.00")));
        // The balance of the lot that an entry leaves counts, too.
        client.send("PATCH", &path, &json!({ "lot": other })).ok(200);
        entry(&client, &other, "-299.00").ok(201);
        client.send("PATCH", &path, &json!({ "lot": lot })).problem(422, "LOT_EMPTY");
        entry(&client, &other, "299.00").ok(201);
        client.send("PATCH", &path, &json!({ "lot": lot })).ok(200);
        assert_eq!((grams(&client, &lot), grams(&client, &other)), (json!("300.00"), json!("0.00")));
        // In a bulk change each row counts those before it.
        let body = json!({ "action": "update", "ids": [first, last], "set": { "grams": "-1.00" } });
        let results = client.send("POST", "/api/entries/bulk", &body).json();
        assert!(results.to_string().contains("LOT_EMPTY"), "{results}");
    }
}

#[test]
fn totals_of_totals_count_too() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let client = open(engine);
        let silo = make(&client, "silos", json!({ "name": "North" }));
        let lots = [(); 2].map(|()| make(&client, "lots", json!({ "silo": silo })));
        entry(&client, &lots[0], "600").ok(201);
        let problem = entry(&client, &lots[1], "400.01").problem(422, "SILO_FULL");
        assert!(problem["detail"].as_str().is_some_and(|it| it.contains("The silo is full")), "{problem}");
        entry(&client, &lots[1], "400").ok(201);
        assert_eq!(client.get(&format!("/api/silos/{silo}")).ok(200).json()["stock"], "1000.00");
    }
}

#[test]
fn the_last_seat_is_booked_once() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let client = open(engine);
        let course = make(&client, "courses", json!({ "seats": 3 }));
        let (course, client) = (&course, &client);
        let book = || client.send("POST", "/api/bookings", &json!({ "course": course }));
        let answers: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..12).map(|_| scope.spawn(book)).collect();
            threads.into_iter().map(|it| it.join().expect("an answer")).collect()
        });
        let (booked, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
        assert_eq!((booked.len(), refused.len()), (3, 9), "{engine:?}");
        refused.iter().for_each(|answer| drop(answer.problem(422, "COURSE_FULL")));
        // A cancelled booking and a deleted one free a seat; a restored one needs a seat.
        let keys: Vec<String> = booked.iter().map(|answer| answer.json()["id"].as_str().expect("a key").to_owned()).collect();
        client.send("PATCH", &format!("/api/bookings/{}", keys[0]), &json!({ "cancelled": true })).ok(200);
        book().ok(201);
        client.send("PATCH", &format!("/api/bookings/{}", keys[0]), &json!({ "cancelled": false })).problem(422, "COURSE_FULL");
        client.delete(&format!("/api/bookings/{}", keys[1])).ok(204);
        let last = book().ok(201).json()["id"].as_str().expect("a key").to_owned();
        let restore = || client.send("POST", &format!("/api/bookings/{}/actions/restore", keys[1]), &json!({}));
        restore().problem(422, "COURSE_FULL");
        client.delete(&format!("/api/bookings/{last}")).ok(204);
        restore().ok(200);
    }
}

#[test]
fn concurrent_withdrawals_leave_no_negative_balance() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let client = open(engine);
        let lot = &make(&client, "lots", json!({}));
        entry(&client, lot, "100").ok(201);
        let client = &client;
        thread::scope(|scope| {
            (0..16).for_each(|_| drop(scope.spawn(move || entry(client, lot, "-15"))));
        });
        assert_eq!(grams(client, lot), "10.00", "{engine:?}");
    }
}

#[test]
fn the_rules_hold() {
    let report = dz::testing::Proof::new(app).cases(2_000).run();
    assert!(report.written >= 50, "{report:?}");
}
