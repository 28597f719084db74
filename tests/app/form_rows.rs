//! Rows of another entity in a form: a form of a waybill with its parcels, saved in one transaction. Figures over time, and the
//! placeholders of regions.

use dz::serde_json::{Value, json};

use crate::client::{Answer, Client};

dz::dz! {
    app freight "Freight"

    persona clerk "Clerk"
    persona checker "Checker"

    entity User "Person":
      id: uuid pk
      permit:
        list: true
        read: true

    entity Depot "Depot":
      id: uuid pk
      name: str(40) required
      permit:
        list: true
        read: true
        create: true

    entity Waybill "Waybill":
      id: uuid pk
      number: str(20) required unique
      carrier: str(40)
      sent: date
      parcels: has_many Parcel
      permit:
        list: true
        read: true
        create: true
        update: true

    entity Parcel "Parcel":
      id: uuid pk
      waybill: ref Waybill required cascade
      label: str(40) required
      weight: decimal(8,2) required
      fragile: bool = false
      pieces: int = 1
      depot: ref Depot
      sealed: bool = false
      permit:
        list: true
        read: true
        create: role(clerk)
        update: role(clerk) and sealed = false
        delete: role(clerk) and sealed = false
      invariant: weight > 0
        message: "A parcel weighs something"
        code: PARCEL_WITHOUT_WEIGHT
      unique waybill, label

    surface waybill_list "Waybills":
      uses entity Waybill
      mode: list
      ux:
        sort: number asc

    surface waybill_view "Waybill":
      uses entity Waybill
      mode: view

    surface waybill_new "New waybill":
      uses entity Waybill
      mode: create
      section main:
        field number
        field carrier
      section parcels "Parcels":
        uses entity Parcel
        field label
        field weight "Kilograms"
        field fragile
        field pieces
        field depot

    surface waybill_edit "Change a waybill":
      uses entity Waybill
      mode: edit
      section main:
        field number
      section parcels "Parcels":
        uses entity Parcel
        field label
        field weight "Kilograms"

    workspace traffic "Traffic":
      months "By month":
        source: Waybill
        display: metrics
        group_by: bucket(sent, month)
        aggregate:
          waybills: count(Waybill)
      latest "Latest":
        source: Waybill
        sort: number asc
        limit: 2
      lost "Lost":
        source: Waybill
        filter: carrier = "nobody"
        display: table
        empty: "Nothing is lost."

    demo:
      User:
        - email: "cleo@freight.example", password: "weigh the parcel", roles: [clerk]
        - email: "chad@freight.example", password: "look inside it", roles: [checker]
}

crate::served_on_both! {
    "form_rows", app();
    rows_are_saved_with_the_row_of_the_form;
    a_refused_row_saves_nothing;
    rows_are_changed_removed_and_added;
    two_users_change_a_row_of_a_form;
    the_rules_of_the_rows_apply;
    figures_have_a_line_of_their_values;
    placeholders_have_the_rows_of_the_content;
}

const CLERK: (&str, &str) = ("cleo@freight.example", "weigh the parcel");
const CHECKER: (&str, &str) = ("chad@freight.example", "look inside it");

/// The parcels of a waybill: label and weight.
fn parcels(client: &Client, waybill: &str) -> Vec<(String, String)> {
    let all = client.get(&format!("/api/parcels?waybill={waybill}&sort=label")).ok(200).json();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    all["items"].as_array().expect("rows").iter().map(|row| (text(row, "label"), text(row, "weight"))).collect()
}

fn waybill(client: &Client, number: &str, parcels: &[(&str, &str)]) -> String {
    let made = client.send("POST", "/api/waybills", &json!({ "number": number })).ok(201).json();
    let id = made["id"].as_str().expect("an id").to_owned();
    for (label, weight) in parcels {
        client.send("POST", "/api/parcels", &json!({ "waybill": id, "label": label, "weight": weight })).ok(201);
    }
    id
}

/// The text of an attribute, as a browser reads it.
fn unescape(text: &str) -> String {
    let signs = [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&#38;", "&")];
    signs.iter().fold(text.to_owned(), |text, (escaped, sign)| text.replace(escaped, sign))
}

/// The hidden inputs of a form with their values.
pub fn hidden(page: &Answer) -> Vec<(String, String)> {
    let inputs = page.body.split("<input type=\"hidden\" name=\"").skip(1);
    let pair = |input: &str| {
        let (name, rest) = input.split_once('"')?;
        let value = rest.strip_prefix(" value=\"")?.split_once('"')?.0;
        Some((name.to_owned(), unescape(value)))
    };
    let mut found: Vec<(String, String)> = Vec::new();
    for (name, value) in inputs.filter_map(pair) {
        // The form that signs out has a token, too.
        if !found.iter().any(|(other, _)| *other == name) {
            found.push((name, value));
        }
    }
    found
}

/// Submits the form of a page with further values.
pub fn submit(client: &Client, path: &str, page: &Answer, values: &[(&str, &str)]) -> Answer {
    let hidden = hidden(page);
    let own = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let pairs: Vec<(&str, &str)> =
        own.filter(|(name, _)| !values.iter().any(|(given, _)| given == name)).chain(values.iter().copied()).collect();
    client.form(path, &pairs)
}

fn rows_are_saved_with_the_row_of_the_form(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let page = clerk.get("/app/waybill_new").ok(200);
    page.shows(&[
        "Parcels",
        "name=\"rows-parcels-0\" value=\"+\"",
        "id=\"rows-parcels-0-label\"",
        "Kilograms",
        "Add parcel",
        "value=\"rows-parcels\"",
    ]);
    page.lacks(&["rows-parcels-1", "rows-parcels-0-waybill", "rows-parcels-0-sealed"]);
    // The button adds a row and keeps the entries.
    let values = [("number", "W-1"), ("rows-parcels-0-label", "Crate"), ("rows-parcels-0-weight", "a lot"), ("dz.find", "rows-parcels")];
    let page = submit(&clerk, "/app/waybill_new", &page, &values).ok(200);
    page.shows(&["value=\"W-1\"", "value=\"Crate\"", "value=\"a lot\"", "id=\"rows-parcels-1-label\""]);
    // A row without entries is not saved, also if its default is cleared.
    let values = [
        ("number", "W-1"),
        ("rows-parcels-0-label", "Crate"),
        ("rows-parcels-0-weight", "12.5"),
        ("rows-parcels-1-label", "Box"),
        ("rows-parcels-1-weight", "3"),
        ("rows-parcels-1-fragile", "true"),
        ("rows-parcels-2", "+"),
        ("rows-parcels-2-label", ""),
        ("rows-parcels-2-weight", ""),
        ("rows-parcels-2-pieces", ""),
        ("rows-parcels-3", "+"),
        ("rows-parcels-3-label", "Not sent"),
        ("rows-parcels-3.gone", "1"),
    ];
    let saved = submit(&clerk, "/app/waybill_new", &page, &values).ok(303);
    let id = saved.header("location").and_then(|it| it.strip_prefix("/app/waybill_view/")?.split('?').next()).expect("its page").to_owned();
    assert_eq!(parcels(&clerk, &id), [("Box".to_owned(), "3.00".to_owned()), ("Crate".to_owned(), "12.50".to_owned())]);
    // The same form again saves nothing.
    submit(&clerk, "/app/waybill_new", &page, &values).ok(303);
    assert_eq!(clerk.get("/api/parcels?label=Crate").ok(200).json()["total"], 1);
}

fn a_refused_row_saves_nothing(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let page = clerk.get("/app/waybill_new").ok(200);
    let attempt = |number: &str, first: (&str, &str), second: (&str, &str)| {
        let values = [
            ("number", number),
            ("rows-parcels-0-label", first.0),
            ("rows-parcels-0-weight", first.1),
            ("rows-parcels-1", "+"),
            ("rows-parcels-1-label", second.0),
            ("rows-parcels-1-weight", second.1),
        ];
        submit(&clerk, "/app/waybill_new", &page, &values)
    };
    // An error is beside its control, and in the summary with the number of the row.
    let refused = attempt("R-1", ("Good", "1"), ("Bad", "heavy")).ok(422);
    refused.shows(&[
        "id=\"rows-parcels-1-weight-error\"",
        "href=\"#rows-parcels-1-weight\"",
        "Parcel 2, Kilograms",
        "value=\"heavy\"",
        "value=\"Good\"",
    ]);
    refused.lacks(&["rows-parcels-0-weight-error"]);
    // All rows are checked, also together with the row of the form.
    let refused = attempt("", ("", "1"), ("Second", "")).ok(422);
    refused.shows(&["id=\"number-error\"", "rows-parcels-0-label-error", "rows-parcels-1-weight-error"]);
    let refused = attempt("R-2", ("Light", "0"), ("Also light", "-1")).ok(422);
    // Beside both controls, and twice in the summary.
    assert_eq!(refused.body.matches("A parcel weighs something").count(), 4, "{}", refused.body);
    let refused = attempt("R-3", ("Same", "1"), ("Same", "2")).ok(409);
    refused.shows(&["value=\"Same\""]);
    assert_eq!(clerk.get("/api/waybills?number__startswith=R-").ok(200).json()["total"], 0);
    assert_eq!(clerk.get("/api/parcels?label__in=Good,Same").ok(200).json()["total"], 0);
    // More rows than a form has.
    let many: Vec<(String, String)> = (0..101).map(|at| (format!("rows-parcels-{at}"), "+".to_owned())).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    submit(&clerk, "/app/waybill_new", &page, &many).ok(422).shows(&["at most 100 rows"]);
}

fn rows_are_changed_removed_and_added(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let id = waybill(&clerk, "C-1", &[("Alpha", "1"), ("Beta", "2"), ("Gamma", "3")]);
    let path = format!("/app/waybill_edit/{id}");
    let page = clerk.get(&path).ok(200);
    page.shows(&["value=\"Alpha\"", "value=\"2.00\"", "name=\"rows-parcels-2.gone\"", "Add parcel"]);
    let values = [
        ("number", "C-1 changed"),
        ("rows-parcels-0-label", "Alpha"),
        ("rows-parcels-0-weight", "1.00"),
        ("rows-parcels-1-label", "Beta two"),
        ("rows-parcels-1-weight", "2.00"),
        ("rows-parcels-2-label", "Gamma"),
        ("rows-parcels-2-weight", "3.00"),
        ("rows-parcels-2.gone", "1"),
        ("rows-parcels-9", "+"),
        ("rows-parcels-9-label", "Delta"),
        ("rows-parcels-9-weight", "4"),
    ];
    submit(&clerk, &path, &page, &values).ok(303);
    let saved = parcels(&clerk, &id);
    let labels: Vec<&str> = saved.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["Alpha", "Beta two", "Delta"]);
    assert_eq!(clerk.get(&format!("/api/waybills/{id}")).ok(200).json()["number"], "C-1 changed");
    // A row that another user deleted is reported, and the others are not saved.
    let page = clerk.get(&path).ok(200);
    let gone =
        clerk.get(&format!("/api/parcels?waybill={id}&label=Delta")).ok(200).json()["items"][0]["id"].as_str().expect("an id").to_owned();
    clerk.delete(&format!("/api/parcels/{gone}")).ok(204);
    let values = [("number", "C-1"), ("rows-parcels-0-label", "Omega"), ("rows-parcels-0-weight", "1.00")];
    submit(&clerk, &path, &page, &values).ok(412).shows(&["Another user deleted a row", "value=\"Omega\""]);
    assert_eq!(parcels(&clerk, &id).len(), 2);
    assert_eq!(parcels(&clerk, &id)[0].0, "Alpha");
    // A row of another waybill cannot be reached.
    let other = waybill(&clerk, "C-2", &[("Foreign", "5")]);
    let foreign = clerk.get(&format!("/api/parcels?waybill={other}")).ok(200).json()["items"][0]["id"].as_str().expect("an id").to_owned();
    let page = clerk.get(&path).ok(200);
    let key = format!("={foreign}");
    let values = [("number", "C-1"), ("rows-parcels-0", key.as_str()), ("rows-parcels-0-label", "Taken"), ("rows-parcels-0.gone", "1")];
    submit(&clerk, &path, &page, &values).ok(412);
    assert_eq!(parcels(&clerk, &other), [("Foreign".to_owned(), "5.00".to_owned())]);
}

fn two_users_change_a_row_of_a_form(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let id = waybill(&clerk, "T-1", &[("Lamp", "1")]);
    let path = format!("/app/waybill_edit/{id}");
    let page = clerk.get(&path).ok(200);
    let parcel = clerk.get(&format!("/api/parcels?waybill={id}")).ok(200).json()["items"][0]["id"].as_str().expect("an id").to_owned();
    // Another user changes the weight: the change of the label is combined with it.
    clerk.send("PATCH", &format!("/api/parcels/{parcel}"), &json!({ "weight": "7.00" })).ok(200);
    let values = [("number", "T-1"), ("rows-parcels-0-label", "Lantern"), ("rows-parcels-0-weight", "1.00")];
    submit(&clerk, &path, &page, &values).ok(303);
    assert_eq!(parcels(&clerk, &id), [("Lantern".to_owned(), "7.00".to_owned())]);
    // Both change the weight: the form shows both values, and saves at the second submission.
    let page = clerk.get(&path).ok(200);
    clerk.send("PATCH", &format!("/api/parcels/{parcel}"), &json!({ "weight": "8.00" })).ok(200);
    let values = [("number", "T-1"), ("rows-parcels-0-label", "Lantern"), ("rows-parcels-0-weight", "9")];
    let conflict = submit(&clerk, &path, &page, &values).ok(412);
    conflict.shows(&["Another user saved &#34;8.00&#34; here", "value=\"9\""]);
    submit(&clerk, &path, &conflict, &values).ok(303);
    assert_eq!(parcels(&clerk, &id), [("Lantern".to_owned(), "9.00".to_owned())]);
}

fn the_rules_of_the_rows_apply(base: &str) {
    let (clerk, checker) = (Client::signed_in(base, CLERK), Client::signed_in(base, CHECKER));
    let id = waybill(&clerk, "A-1", &[("Open", "1")]);
    let sealed = json!({ "waybill": id, "label": "Sealed", "weight": "2", "sealed": true });
    clerk.send("POST", "/api/parcels", &sealed).ok(201);
    let path = format!("/app/waybill_edit/{id}");
    // A protected row has no controls, and cannot be changed or removed by a request.
    let page = clerk.get(&path).ok(200);
    page.shows(&["name=\"rows-parcels-0-label\"", "name=\"rows-parcels-0.gone\"", "Sealed"]);
    page.lacks(&["name=\"rows-parcels-1-label\"", "name=\"rows-parcels-1.gone\""]);
    let values = [("number", "A-1"), ("rows-parcels-0-label", "Open"), ("rows-parcels-0-weight", "1.00"), ("rows-parcels-1.gone", "1")];
    submit(&clerk, &path, &page, &values).ok(403);
    let values = [
        ("number", "A-1"),
        ("rows-parcels-0-label", "Open"),
        ("rows-parcels-0-weight", "1.00"),
        ("rows-parcels-1-label", "Broken"),
        ("rows-parcels-1-weight", "2.00"),
    ];
    submit(&clerk, &path, &page, &values).ok(403);
    // A user who cannot create rows has no button, and a request for a new row is refused as a whole.
    let page = checker.get(&path).ok(200);
    page.shows(&["Sealed"]);
    page.lacks(&["Add parcel", "name=\"rows-parcels-0-label\""]);
    let values = [("number", "A-1 checked"), ("rows-parcels-5", "+"), ("rows-parcels-5-label", "Smuggled"), ("rows-parcels-5-weight", "1")];
    submit(&checker, &path, &page, &values).ok(403);
    assert_eq!(clerk.get(&format!("/api/waybills/{id}")).ok(200).json()["number"], "A-1");
    checker.get("/app/waybill_new").ok(200).lacks(&["rows-parcels"]);
    assert_eq!(parcels(&clerk, &id), [("Open".to_owned(), "1.00".to_owned()), ("Sealed".to_owned(), "2.00".to_owned())]);
}

fn figures_have_a_line_of_their_values(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    for (number, sent) in [
        ("M-1", "2030-01-05"),
        ("M-2", "2030-02-01"),
        ("M-3", "2030-02-28"),
        ("M-4", "2030-02-28"),
        ("M-5", "2030-03-09"),
        ("M-6", "2030-03-09"),
    ] {
        clerk.send("POST", "/api/waybills", &json!({ "number": number, "sent": sent })).ok(201);
    }
    let figures = clerk.exchange("/app/traffic-months").ok(200);
    figures.shows(&["points=\"0.0,22.0 50.0,2.0 100.0,12.0\"", "Waybills: 3 values, the last one is 2", "−33 % against Feb 2030"]);
}

fn placeholders_have_the_rows_of_the_content(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    for number in ["P-1", "P-2", "P-3"] {
        waybill(&clerk, number, &[]);
    }
    let page = clerk.get("/app/traffic").ok(200);
    assert_eq!(page.body.matches("class=\"dz-waits\"").count(), 2, "{}", page.body);
    page.shows(&["Nothing is lost.", "class=\"dz-spark\"", "hx-get=\"/app/traffic-latest\"", "aria-busy=\"true\""]);
    let lost = clerk.exchange("/app/traffic-lost").ok(200);
    lost.shows(&["Nothing is lost."]);
}
