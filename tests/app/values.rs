//! Every type of field with valid and invalid values: one table, the same response on both engines.

use dz::serde_json::{Value, json};

use crate::client::{Answer, Client};

dz::dz! {
    app samples "Samples"

    persona clerk "Clerk"

    enum Grade ordered "Grade":
      low "Low"
      mid "Middle"
      high "High"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Sample "Sample":
      id: uuid pk
      code: str(5)
      body: text
      whole: int
      ratio: float
      price: decimal(8,2)
      tiny: decimal(18,18)
      huge: decimal(28,10)
      round: decimal(5,0)
      flag: bool optional
      day: date
      at: datetime
      grade: Grade
      color: enum[red, "deep blue"]
      extra: json
      mail: email
      site: url
      zone: timezone
      slug: slug
      owner: ref User
      permit:
        list: true
        read: true
        create: role(clerk)
        update: role(clerk)
        delete: role(clerk)

    entity Given "Given":
      id: uuid pk
      name: str(20) required
      key: str(20) unique
      mail: email unique?
      room: int
      seat: int
      unique room, seat
      count: int = 7
      share: decimal(5,2) = 2.5
      rate: float = 0.5
      grade: Grade = mid
      tags: json = []
      more: json = {}
      first: date = today
      due: date = today + 14d
      by: ref User = current_user
      on: bool = true
      off: bool required
      text: text = "plain"
      made: datetime auto_add
      made_on: date auto_add
      changed: datetime auto_update
      permit:
        list: true
        read: true
        create: role(clerk)
        update: role(clerk)

    demo:
      User:
        - name: "Clara", email: "clara@samples.example", password: "weighs the rocks", roles: [clerk]
}

const CLERK: (&str, &str) = ("clara@samples.example", "weighs the rocks");

crate::served_on_both! {
    "samples", app();
    invalid_values_are_reported_at_their_field;
    values_come_back_as_they_were_given;
    decimals_are_exact;
    defaults_and_what_the_system_sets;
    unique_fields;
}

/// The field, the value as JSON text, and the error.
const WRONG: &[(&str, &str, &str)] = &[
    ("code", "\"123456\"", "must have at most 5 characters"),
    ("code", "\"äöüßéx\"", "must have at most 5 characters"),
    ("code", "5", "must be text"),
    ("code", "[\"a\"]", "must be text"),
    ("code", "\"a\\u0000b\"", "must not contain the character U+0000"),
    ("body", "true", "must be text"),
    ("body", "\"\\u0000\"", "must not contain the character U+0000"),
    ("whole", "1.5", "must be a whole number"),
    ("whole", "\"1\"", "must be a whole number"),
    ("whole", "1e3", "must be a whole number"),
    ("whole", "9223372036854775808", "must be a whole number from -9223372036854775808 to 9223372036854775807"),
    ("whole", "-9223372036854775809", "must be a whole number from -9223372036854775808 to 9223372036854775807"),
    ("ratio", "\"1.5\"", "must be a number"),
    ("ratio", "1e400", "is out of range"),
    ("price", "\"1.234\"", "may have at most 2 decimals, for example 48.50"),
    ("price", "1.234", "may have at most 2 decimals, for example 48.50"),
    ("price", "\"1000000\"", "may have at most 6 digits before the point"),
    ("price", "\"-1000000.00\"", "may have at most 6 digits before the point"),
    ("price", "\"1,5\"", "must be a decimal, for example 48.50"),
    ("price", "\"\"", "must be a decimal, for example 48.50"),
    ("price", "\"NaN\"", "must be a decimal, for example 48.50"),
    ("price", "\"1e2\"", "must be a decimal, for example 48.50"),
    ("price", "true", "must be a decimal as text, for example \"48.50\""),
    ("tiny", "\"1\"", "may have at most 0 digits before the point"),
    ("huge", "\"1000000000000000000\"", "may have at most 18 digits before the point"),
    ("round", "\"0.5\"", "must be a whole number"),
    ("flag", "1", "must be true or false"),
    ("flag", "\"true\"", "must be true or false"),
    ("day", "\"2026-02-30\"", "must be a date, for example 2026-01-31"),
    ("day", "\"2026-1-1\"", "must be a date, for example 2026-01-31"),
    ("day", "\"0000-01-01\"", "must be a date, for example 2026-01-31"),
    ("day", "\"2026-01-01T00:00:00Z\"", "must be a date, for example 2026-01-31"),
    ("day", "20260101", "must be a date as text, for example \"2026-01-31\""),
    ("at", "\"2026-01-31\"", "must be a timestamp, for example 2026-01-31T09:30:00Z"),
    ("at", "\"2026-01-31T09:30\"", "must be a timestamp, for example 2026-01-31T09:30:00Z"),
    ("at", "\"2026-12-31T23:59:60Z\"", "must be a timestamp, for example 2026-01-31T09:30:00Z"),
    ("at", "0", "must be a timestamp as text, for example \"2026-01-31T09:30:00Z\""),
    ("grade", "\"top\"", "must be one of low, mid, high"),
    ("grade", "\"Low\"", "must be one of low, mid, high"),
    ("color", "\"deep_blue\"", "must be one of red, deep blue"),
    ("color", "0", "must be text"),
    ("extra", "{\"a\":\"\\u0000\"}", "must not contain the character U+0000"),
    ("mail", "\"ann\"", "must be a mail address, for example ann@example.com"),
    ("mail", "\"a b@c.de\"", "must be a mail address, for example ann@example.com"),
    ("site", "\"example.com\"", "must be a web address, for example https://example.com"),
    ("site", "\"javascript:alert(1)\"", "must be a web address, for example https://example.com"),
    ("zone", "\"Mars/Olympus\"", "must be a time zone, for example Europe/Lisbon"),
    ("slug", "\"Not a slug\"", "may contain only the letters a to z, digits and hyphens"),
    ("owner", "\"nobody\"", "is not an identifier"),
    ("owner", "1", "must be an identifier as text"),
    ("id", "\"nobody\"", "is not an identifier"),
    ("colour", "\"red\"", "is not a field; did you mean `color`?"),
    ("made_up", "1", "is not a field"),
];

#[track_caller]
fn send(client: &Client, method: &str, path: &str, body: &str) -> Answer {
    client.request(method, path, &[("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin")], body.as_bytes())
}

fn invalid_values_are_reported_at_their_field(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let id = clerk.send("POST", "/api/samples", &json!({})).ok(201).json()["id"].as_str().expect("an id").to_owned();
    let mut others = Vec::new();
    for (field, value, message) in WRONG {
        let body = format!("{{\"{field}\":{value}}}");
        for (method, path) in [("POST", "/api/samples".to_owned()), ("PATCH", format!("/api/samples/{id}"))] {
            let problem = send(&clerk, method, &path, &body).problem(422, "VALIDATION");
            if problem["field_errors"] != json!({ *field: [message] }) {
                others.push(format!("{method} {body}: {}", problem["field_errors"]));
            }
        }
    }
    assert!(others.is_empty(), "{others:#?}");
    let deep = |levels: usize| format!("{{\"extra\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
    send(&clerk, "POST", "/api/samples", &deep(100)).ok(201);
    let problem = send(&clerk, "POST", "/api/samples", &deep(128)).problem(422, "VALIDATION");
    assert_eq!(problem["field_errors"]["extra"], json!(["is nested too deeply: JSON can have 127 levels"]));
    let nobody = json!({ "owner": "00000000-0000-7000-8000-000000000000" });
    let missing = clerk.send("POST", "/api/samples", &nobody).problem(422, "REFERENCE");
    assert_eq!(missing["field_errors"]["owner"], json!(["does not exist or is not visible to you"]));
    assert_eq!(clerk.get("/api/samples").json()["total"].as_u64().map(|total| total > 0), Some(true));
    // All errors are in one response.
    let both = clerk.send("POST", "/api/samples", &json!({ "whole": "x", "day": "x", "code": "too long" })).problem(422, "VALIDATION");
    assert_eq!(both["field_errors"].as_object().map(|it| it.len()), Some(3), "{both}");
    clerk.send("PATCH", &format!("/api/samples/{id}"), &json!({ "id": "00000000-0000-7000-8000-000000000000" })).problem(422, "VALIDATION");
}

/// The field, the value as JSON text, and as it is returned.
const RIGHT: &[(&str, &str, &str)] = &[
    ("code", "\"äöüßé\"", "\"äöüßé\""),
    ("code", "\"\"", "\"\""),
    ("body", "\"a\\nb\\t\\\"'%_\\\\\"", "\"a\\nb\\t\\\"'%_\\\\\""),
    ("body", "\"👩‍🚀 \\u202e\"", "\"👩‍🚀 \u{202e}\""),
    ("whole", "-9223372036854775808", "-9223372036854775808"),
    ("whole", "9223372036854775807", "9223372036854775807"),
    ("whole", "-0", "0"),
    ("ratio", "0.1", "0.1"),
    ("ratio", "-0.0", "0.0"),
    ("ratio", "5", "5.0"),
    ("ratio", "1.7976931348623157e308", "1.7976931348623157e+308"),
    ("ratio", "5e-324", "5e-324"),
    ("price", "\"1.5\"", "\"1.50\""),
    ("price", "1.50", "\"1.50\""),
    ("price", "\"-0.00\"", "\"0.00\""),
    ("price", "\"+999999.99\"", "\"999999.99\""),
    ("price", "\"007.10\"", "\"7.10\""),
    ("tiny", "\"0.000000000000000001\"", "\"0.000000000000000001\""),
    ("tiny", "\"-0.999999999999999999\"", "\"-0.999999999999999999\""),
    ("huge", "\"999999999999999999.9999999999\"", "\"999999999999999999.9999999999\""),
    ("huge", "\"-999999999999999999.9999999999\"", "\"-999999999999999999.9999999999\""),
    ("round", "\"99999\"", "\"99999\""),
    ("flag", "false", "false"),
    ("flag", "null", "null"),
    ("day", "\"0001-01-01\"", "\"0001-01-01\""),
    ("day", "\"9999-12-31\"", "\"9999-12-31\""),
    ("at", "\"2026-01-31T09:30:00+02:00\"", "\"2026-01-31T07:30:00Z\""),
    ("at", "\"2026-01-31T09:30:00.1234567Z\"", "\"2026-01-31T09:30:00.123456Z\""),
    ("at", "\"0001-01-01T00:00:00Z\"", "\"0001-01-01T00:00:00Z\""),
    ("grade", "\"high\"", "\"high\""),
    ("color", "\"deep blue\"", "\"deep blue\""),
    ("extra", "{\"b\":[1,null,{\"d\":2.5}],\"a\":\"x\"}", "{\"a\":\"x\",\"b\":[1,null,{\"d\":2.5}]}"),
    ("extra", "[]", "[]"),
    ("mail", "\"Ann@EXAMPLE.com\"", "\"Ann@example.com\""),
    ("site", "\"https://example.com/a?b=c#d\"", "\"https://example.com/a?b=c#d\""),
    ("zone", "\"Europe/Lisbon\"", "\"Europe/Lisbon\""),
    ("slug", "\"a-1\"", "\"a-1\""),
];

fn values_come_back_as_they_were_given(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let mut others = Vec::new();
    for (field, value, given_back) in RIGHT {
        let body = format!("{{\"{field}\":{value}}}");
        let made = send(&clerk, "POST", "/api/samples", &body).ok(201);
        let at = made.header("location").expect("a location").to_owned();
        let read = clerk.get(&at).ok(200);
        let held = [",", "}"].iter().any(|end| read.body.contains(&format!("\"{field}\":{given_back}{end}")));
        if !held {
            others.push(format!("{body}: {}", read.body));
        }
        // A representation can be written back, and changes nothing.
        let same = send(&clerk, "PUT", &at, &read.body).ok(200);
        assert_eq!((same.header("etag"), &same.body), (Some("\"1\""), &read.body), "{body}");
    }
    assert!(others.is_empty(), "{others:#?}");
}

fn decimals_are_exact(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let values = ["-999999999999999999.9999999999", "-0.0000000001", "0", "0.0000000001", "2", "10", "999999999999999999.9999999999"];
    for value in values.iter().rev() {
        clerk.send("POST", "/api/samples", &json!({ "code": "huge", "huge": value })).ok(201);
    }
    let listed = |query: &str| -> Vec<String> {
        let list = clerk.get(&format!("/api/samples?code=huge&page_size=100&{query}")).ok(200).json();
        list["items"]
            .as_array()
            .expect("items")
            .iter()
            .map(|it| it["huge"].as_str().expect("a decimal").trim_end_matches('0').trim_end_matches('.').to_owned())
            .collect()
    };
    assert_eq!(listed("sort=huge"), values);
    let last = values[values.len() - 1];
    assert_eq!(listed(&format!("huge={last}")), [last]);
    assert_eq!(listed("huge__lt=0&sort=huge"), values[..2]);
    assert_eq!(listed("huge__gt=0.0000000001&sort=huge"), values[4..]);
    assert_eq!(listed("huge__in=2.0,10&sort=huge"), ["2", "10"]);
    clerk.get("/api/samples?huge=0.00000000001").problem(400, "BAD_REQUEST");
}

fn defaults_and_what_the_system_sets(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let me = clerk.get("/auth/me").json()["id"].clone();
    let row = clerk.send("POST", "/api/givens", &json!({ "name": "Plain" })).ok(201).json();
    let expected = json!({
        "count": 7, "share": "2.50", "rate": 0.5, "grade": "mid", "tags": [], "more": {}, "by": me, "on": true, "off": false,
        "text": "plain", "key": null, "mail": null,
    });
    for (name, value) in expected.as_object().expect("an object") {
        assert_eq!(&row[name], value, "{name}");
    }
    let (first, due) = (day(&row["first"]), day(&row["due"]));
    assert_eq!((due - first).num_days(), 14);
    assert_eq!(row["made_on"], row["first"]);
    assert_eq!((&row["made"], row["made"].is_string()), (&row["changed"], true));
    let at = format!("/api/givens/{}", row["id"].as_str().expect("an id"));
    for (name, value) in [("made", json!("2020-01-01T00:00:00Z")), ("made_on", json!("2020-01-01")), ("changed", Value::Null)] {
        let refused = clerk.send("PATCH", &at, &json!({ name: value })).problem(422, "VALIDATION");
        assert_eq!(refused["field_errors"][name], json!(["is set by the system"]), "{refused}");
        clerk.send("PATCH", &at, &json!({ name: row[name] })).ok(200);
    }
    for name in ["count", "share", "rate", "grade", "tags", "first", "on", "off", "text", "name"] {
        let refused = clerk.send("PATCH", &at, &json!({ name: null })).problem(422, "VALIDATION");
        assert_eq!(refused["field_errors"][name], json!(["is required"]), "{refused}");
    }
    let missing = clerk.send("POST", "/api/givens", &json!({})).problem(422, "VALIDATION");
    assert_eq!(missing["field_errors"], json!({ "name": ["is required"] }));
    let blank = clerk.send("POST", "/api/givens", &json!({ "name": "  " })).problem(422, "VALIDATION");
    assert_eq!(blank["field_errors"], json!({ "name": ["is required"] }));
    let changed = clerk.send("PATCH", &at, &json!({ "count": 8 })).ok(200).json();
    assert_eq!((&changed["made"], &changed["made_on"]), (&row["made"], &row["made_on"]));
    assert!(changed["changed"].as_str() > row["changed"].as_str(), "{changed}");
}

fn unique_fields(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let make = |row: Value| clerk.send("POST", "/api/givens", &row);
    let id = make(json!({ "name": "One", "key": "a", "mail": "a@example.com", "room": 1, "seat": 1 })).ok(201).json()["id"].clone();
    let taken = make(json!({ "name": "Two", "key": "a" })).problem(409, "UNIQUE");
    assert_eq!(taken["field_errors"].as_object().map(|it| it.keys().cloned().collect()), Some(vec!["key".to_owned()]), "{taken}");
    make(json!({ "name": "Two", "mail": "a@EXAMPLE.com" })).problem(409, "UNIQUE");
    let pair = make(json!({ "name": "Two", "room": 1, "seat": 1 })).problem(409, "UNIQUE");
    assert!(pair["field_errors"]["room"].is_array() && pair["field_errors"]["seat"].is_array(), "{pair}");
    let second = make(json!({ "name": "Two", "key": "A", "room": 1, "seat": 2 })).ok(201).json()["id"].clone();
    make(json!({ "name": "Three", "room": 1 })).ok(201);
    make(json!({ "name": "Four", "room": 1 })).ok(201);
    let at = format!("/api/givens/{}", second.as_str().expect("an id"));
    clerk.send("PATCH", &at, &json!({ "key": "a" })).problem(409, "UNIQUE");
    clerk.send("PATCH", &at, &json!({ "seat": 1 })).problem(409, "UNIQUE");
    clerk.send("PATCH", &at, &json!({ "key": "A" })).ok(200);
    let first = format!("/api/givens/{}", id.as_str().expect("an id"));
    clerk.send("PATCH", &first, &json!({ "key": null, "seat": 3 })).ok(200);
    clerk.send("PATCH", &at, &json!({ "key": "a", "seat": 1 })).ok(200);
}

#[track_caller]
fn day(value: &Value) -> dz::NaiveDate {
    value.as_str().and_then(|text| text.parse().ok()).expect("a day")
}
