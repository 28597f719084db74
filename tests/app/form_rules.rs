//! Rules of a row over the rows that its form contains, and conditions of fields in these rows: a form of a tour with its stops.

use dz::serde_json::{Value, json};

use crate::{
    client::{Answer, Client},
    form_rows::submit,
    graphql::{data, first_error},
};

dz::dz! {
    app hiking "Hiking"

    persona guide "Guide"

    entity User "Person":
      id: uuid pk
      permit:
        list: true
        read: true

    entity Tour "Tour":
      id: uuid pk
      name: str(40) required
      state: enum[draft, offered] = draft
      stops: has_many Stop
      distance: computed sum(stops.kilometres)
      transitions:
        draft -> offered "Offer"
          guard: any(stops where overnight = true)
          message: "A tour that is offered has a night"
      invariant: count(stops) > 0
        message: "A tour has at least one stop"
        code: TOUR_WITHOUT_STOPS
      invariant: distance <= 100
        message: "A tour has at most 100 kilometres"
        code: TOUR_TOO_LONG
      permit:
        list: true
        read: true
        create: role(guide)
        update: role(guide)
        delete: role(guide)

    entity Stop "Stop":
      id: uuid pk
      tour: ref Tour required cascade
      place: str(40) required
      kilometres: int = 0
      overnight: bool = false
      hut: str(40)
      noted: datetime
      map: file
      permit:
        list: true
        read: true
        create: role(guide)
        update: role(guide)
        delete: role(guide)
      invariant: overnight = false or hut != null
        message: "A night needs a hut"

    surface tour_list "Tours":
      uses entity Tour
      mode: list

    surface tour_view "Tour":
      uses entity Tour
      mode: view

    surface tour_new "New tour":
      uses entity Tour
      mode: create
      section main:
        field name
      section stops "Stops":
        uses entity Stop
        field place
        field kilometres
        field overnight
        field hut when: overnight = true
        field map

    surface tour_edit "Change a tour":
      uses entity Tour
      mode: edit
      section main:
        field name
        field state
      section stops "Stops":
        uses entity Stop
        field place
        field kilometres
        field overnight
        field hut when: overnight = true
        field noted

    demo:
      User:
        - email: "gina@hiking.example", password: "over the pass", roles: [guide]
      Tour:
        - @ridge name: "Ridge"
      Stop:
        - tour: @ridge, place: "Top", kilometres: 9
}

crate::served_on_both! {
    "form_rules", app();
    a_rule_over_the_rows_is_checked_with_them;
    a_guard_over_the_rows_is_checked_with_them;
    fields_of_rows_have_conditions;
    files_are_offered;
    untouched_times_keep_their_microseconds;
    graphql_checks_the_rules_with_the_rows;
}

const GUIDE: (&str, &str) = ("gina@hiking.example", "over the pass");

/// The stops of a tour: place and hut.
fn stops(client: &Client, tour: &str) -> Vec<(String, String)> {
    let all = client.get(&format!("/api/stops?tour={tour}&sort=place")).ok(200).json();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or("-").to_owned();
    all["items"].as_array().expect("rows").iter().map(|row| (text(row, "place"), text(row, "hut"))).collect()
}

fn tours(client: &Client, name: &str) -> Vec<Value> {
    client.get(&format!("/api/tours?name={name}")).ok(200).json()["items"].as_array().expect("rows").clone()
}

/// A tour with one stop, created by its form.
fn tour(client: &Client, name: &str) -> String {
    let page = client.get("/app/tour_new").ok(200);
    let values = [("name", name), ("rows-stops-0-place", "Start"), ("rows-stops-0-kilometres", "3")];
    submit(client, "/app/tour_new", &page, &values).ok(303);
    tours(client, name)[0]["id"].as_str().expect("an id").to_owned()
}

fn a_rule_over_the_rows_is_checked_with_them(base: &str) {
    let guide = Client::signed_in(base, GUIDE);
    // Also the demo rows were created.
    assert_eq!(tours(&guide, "Ridge")[0]["distance"], 9);
    let page = guide.get("/app/tour_new").ok(200);
    // Without a stop the form is shown again with the entries.
    let refused = submit(&guide, "/app/tour_new", &page, &[("name", "Alone")]).ok(422);
    refused.shows(&["A tour has at least one stop", "value=\"Alone\""]);
    assert_eq!(refused.body.matches("A tour has at least one stop").count(), 1, "{}", refused.body);
    let long = [
        ("name", "Alone"),
        ("rows-stops-0-place", "Here"),
        ("rows-stops-0-kilometres", "60"),
        ("rows-stops-1", "+"),
        ("rows-stops-1-place", "There"),
        ("rows-stops-1-kilometres", "41"),
    ];
    let refused = submit(&guide, "/app/tour_new", &page, &long).ok(422);
    refused.shows(&["A tour has at most 100 kilometres", "value=\"There\"", "value=\"41\""]);
    refused.lacks(&["distance:", "Distance:"]);
    assert!(tours(&guide, "Alone").is_empty(), "a refused form saves nothing");
    assert_eq!(guide.get("/api/stops?place__in=Here,There").ok(200).json()["total"], 0);
    let id = tour(&guide, "Alone");
    assert_eq!(stops(&guide, &id), [("Start".to_owned(), "-".to_owned())]);
    // An edit that removes all stops, or adds too many kilometres, is refused as a whole.
    let path = format!("/app/tour_edit/{id}");
    let page = guide.get(&path).ok(200);
    let own = [("rows-stops-0-place", "Start"), ("rows-stops-0-kilometres", "3"), ("state", "draft")];
    let with = |more: &[(&'static str, &'static str)]| -> Answer {
        let values: Vec<(&str, &str)> = own.iter().chain(more).copied().collect();
        submit(&guide, &path, &page, &values)
    };
    with(&[("name", "Alone 2"), ("rows-stops-0.gone", "1")]).ok(422).shows(&["A tour has at least one stop", "value=\"Alone 2\""]);
    with(&[("name", "Alone"), ("rows-stops-0.gone", "1")]).ok(422).shows(&["A tour has at least one stop"]);
    with(&[("name", "Alone"), ("rows-stops-4", "+"), ("rows-stops-4-place", "Far"), ("rows-stops-4-kilometres", "98")]).ok(422);
    assert_eq!(stops(&guide, &id).len(), 1);
    assert_eq!(tours(&guide, "Alone").len(), 1, "the name is unchanged");
    // One stop can replace another.
    with(&[("name", "Alone"), ("rows-stops-0.gone", "1"), ("rows-stops-4", "+"), ("rows-stops-4-place", "Far")]).ok(303);
    assert_eq!(stops(&guide, &id)[0].0, "Far");
    // Both rules are reported by the API, which stores one row at a time.
    let refused = guide.send("POST", "/api/tours", &json!({ "name": "Bare" })).ok(422).json();
    assert_eq!(refused["code"], "TOUR_WITHOUT_STOPS");
    assert_eq!(refused["field_errors"]["stops"][0], "A tour has at least one stop");
}

fn a_guard_over_the_rows_is_checked_with_them(base: &str) {
    let guide = Client::signed_in(base, GUIDE);
    let id = tour(&guide, "Guarded");
    let path = format!("/app/tour_edit/{id}");
    let page = guide.get(&path).ok(200);
    let own = [("name", "Guarded"), ("state", "offered"), ("rows-stops-0-place", "Start"), ("rows-stops-0-kilometres", "3")];
    let refused = submit(&guide, &path, &page, &own).ok(422);
    refused.shows(&["A tour that is offered has a night"]);
    let more = [
        ("rows-stops-2", "+"),
        ("rows-stops-2-place", "Night"),
        ("rows-stops-2-overnight", "true"),
        ("rows-stops-2-hut.shown", "1"),
        ("rows-stops-2-hut", "Top hut"),
    ];
    let values: Vec<(&str, &str)> = own.iter().chain(&more).copied().collect();
    submit(&guide, &path, &page, &values).ok(303);
    assert_eq!(tours(&guide, "Guarded")[0]["state"], "offered");
    assert_eq!(stops(&guide, &id)[0], ("Night".to_owned(), "Top hut".to_owned()));
}

fn fields_of_rows_have_conditions(base: &str) {
    let guide = Client::signed_in(base, GUIDE);
    let page = guide.get("/app/tour_new").ok(200);
    page.shows(&["name=\"rows-stops-0-overnight\"", "data-dz-controls=\"rows-stops-0-overnight\""]);
    page.lacks(&["rows-stops-0-hut"]);
    // A changed control shows the form again with the fields that apply, without a check of the entries.
    let values = [("name", "Conditional"), ("rows-stops-0-place", ""), ("rows-stops-0-overnight", "true"), ("dz.find", "-")];
    let shown = submit(&guide, "/app/tour_new", &page, &values).ok(200);
    shown.shows(&["name=\"rows-stops-0-hut\"", "name=\"rows-stops-0-hut.shown\"", "value=\"Conditional\""]);
    shown.lacks(&["rows-stops-0-place-error"]);
    // Each row has its own fields.
    let rows = [
        ("name", "Conditional"),
        ("rows-stops-0-place", "Camp"),
        ("rows-stops-0-overnight", "true"),
        ("rows-stops-0-hut", "Old hut"),
        ("rows-stops-1", "+"),
        ("rows-stops-1-place", "Lunch"),
        ("rows-stops-1-hut.shown", "1"),
        ("rows-stops-1-hut", "does not apply"),
    ];
    submit(&guide, "/app/tour_new", &shown, &rows).ok(303);
    let id = tours(&guide, "Conditional")[0]["id"].as_str().expect("an id").to_owned();
    assert_eq!(stops(&guide, &id), [("Camp".to_owned(), "Old hut".to_owned()), ("Lunch".to_owned(), "-".to_owned())]);
    let path = format!("/app/tour_edit/{id}");
    let page = guide.get(&path).ok(200);
    // The order of the rows is not declared, so the row of the camp is found by its control.
    let camp = if page.body.contains("name=\"rows-stops-0-hut\"") { 0 } else { 1 };
    let name = |row: usize, field: &str| format!("rows-stops-{row}-{field}");
    page.shows(&[&name(camp, "hut"), "value=\"Old hut\""]);
    page.lacks(&[&name(1 - camp, "hut")]);
    // A field that no longer applies keeps its value.
    let values = [
        ("name".to_owned(), "Conditional"),
        ("state".to_owned(), "draft"),
        (name(camp, "place"), "Camp"),
        (name(camp, "kilometres"), "0"),
        (name(camp, "hut"), "changed"),
        (name(1 - camp, "place"), "Lunch"),
        (name(1 - camp, "kilometres"), "0"),
    ];
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    submit(&guide, &path, &page, &values).ok(303);
    assert_eq!(stops(&guide, &id)[0], ("Camp".to_owned(), "Old hut".to_owned()));
    // A rule about a field that the form does not have is explained at the row.
    let page = guide.get("/app/tour_new").ok(200);
    let rows = [("name", "No hut"), ("rows-stops-0-place", "Camp"), ("rows-stops-0-overnight", "true")];
    let refused = submit(&guide, "/app/tour_new", &page, &rows).ok(422);
    refused.shows(&["A night needs a hut", "name=\"rows-stops-0-hut\""]);
}

fn files_are_offered(base: &str) {
    let guide = Client::signed_in(base, GUIDE);
    guide.get("/app/tour_new").ok(200).shows(&["enctype=\"multipart/form-data\"", "id=\"rows-stops-0-map\"", "type=\"file\""]);
}

fn untouched_times_keep_their_microseconds(base: &str) {
    let guide = Client::signed_in(base, GUIDE);
    let id = tour(&guide, "Timed");
    let stop = guide.get(&format!("/api/stops?tour={id}")).ok(200).json()["items"][0]["id"].as_str().expect("an id").to_owned();
    let stop = format!("/api/stops/{stop}");
    guide.send("PATCH", &stop, &json!({ "noted": "2030-05-05T05:05:05.123456Z" })).ok(200);
    let path = format!("/app/tour_edit/{id}");
    let page = guide.get(&path).ok(200);
    // Browsers discard a time with more than three digits, and would send none.
    let control = "name=\"rows-stops-0-noted\" type=\"datetime-local\" value=\"2030-05-05T05:05:05.123\"";
    page.shows(&[control]);
    let mut values = vec![
        ("name", "Timed"),
        ("state", "draft"),
        ("rows-stops-0-place", "Later"),
        ("rows-stops-0-kilometres", "3"),
        ("rows-stops-0-noted", "2030-05-05T05:05:05.123"),
    ];
    submit(&guide, &path, &page, &values).ok(303);
    let saved = guide.get(&stop).ok(200).json();
    let noted = |row: &Value| row["noted"].as_str().unwrap_or_default().to_owned();
    assert_eq!(saved["place"], "Later");
    assert!(noted(&saved).starts_with("2030-05-05T05:05:05.123456"), "{saved}");
    values[4].1 = "2030-05-05T05:05:05.124";
    submit(&guide, &path, &guide.get(&path).ok(200), &values).ok(303);
    let saved = guide.get(&stop).ok(200).json();
    assert!(noted(&saved).starts_with("2030-05-05T05:05:05.124"), "{saved}");
}

fn graphql_checks_the_rules_with_the_rows(base: &str) {
    let guide = Client::signed_in(base, GUIDE);
    let create =
        "mutation C($children: TourChildren!) { createTourWithChildren(input: { name: \"Query\" }, children: $children) { distance } }";
    let with = |stops: Value| json!({ "children": { "stops": stops } });
    let made = data(&guide, create, &with(json!([{ "place": "A", "kilometres": 4 }, { "place": "B", "kilometres": 5 }])));
    assert_eq!(made["createTourWithChildren"]["distance"], 9);
    assert_eq!(first_error(&guide, create, &with(json!([])))["extensions"]["code"], "TOUR_WITHOUT_STOPS");
    let long = first_error(&guide, create, &with(json!([{ "place": "C", "kilometres": 101 }])));
    assert_eq!(long["extensions"]["code"], "TOUR_TOO_LONG");
    assert_eq!(tours(&guide, "Query").len(), 1);
}
