//! Options of fields and actions of surfaces: formats, controls, conditions, buttons, and figures of workspaces above a list.

use dz::serde_json::{Value, json};

use crate::client::{Answer, Client};

dz::dz! {
    app dock "Dock":
      timezone: "Europe/Berlin"

    persona chief "Chief"
    persona hand "Hand"

    entity User "Person":
      id: uuid pk
      permit:
        list: true
        read: true

    entity Berth "Berth":
      id: uuid pk
      name: str(40) required
      secret: bool = false
      permit:
        list: true
        read: role(chief) or secret = false
        create: true
        update: role(chief)

    entity Ship "Ship":
      id: uuid pk
      name: str(40) required
      notes: text
      colour: str(20)
      tons: decimal(12,2) = 0
      load: decimal(5,1)
      crew: int = 0
      site: str(80)
      arrives: date
      seen_at: datetime
      insured: bool = false
      kind: enum[ferry, tug, yacht] = ferry
      berth: ref Berth
      keeper: ref User
      reason: str(80)
      permit:
        list: true
        read: true
        create: true
        update: role(chief) or keeper = current_user
        delete: role(chief)

    surface ship_list "Ships":
      uses entity Ship
      mode: list
      section main:
        field name format: upper
        field tons "Weight" format: compact
        field load format: percent
        field arrives format: long
        field seen_at "Seen" format: date
        field insured format: yes_no
        field kind format: badge
        field site format: link
        field reason "Reason" when: insured = false
        field crew
      action berths "All berths": on click -> surface berth_list
      action berth "Its berth": on click -> surface berth_view
      action change "Change it": on click -> surface ship_edit
      ux:
        sort: name asc
        for chief:
          show_aggregate: large, afloat.all.crews
        for hand:
          hide: crew
          show_aggregate: large, crews

    surface ship_view "Ship":
      uses entity Ship
      mode: view
      section main:
        field colour format: code
        field arrives format: relative
        field reason when: insured = false
      action berth "Its berth": on click -> surface berth_view
      action change "Change it": on click -> surface ship_edit

    surface ship_new "New ship":
      uses entity Ship
      mode: create
      section main:
        field name
        field notes widget=markdown
        field colour widget=color
        field tons widget=number
        field crew widget=range
        field insured widget=switch
        field kind widget=radio
        field berth widget=picker
        field site widget=phone
        field reason when: insured = false help: "Why it has no insurance"
      action save "Save and list": on submit -> surface ship_list
      action open "Save and open": on submit -> surface ship_view

    surface ship_edit "Change a ship":
      uses entity Ship
      mode: edit
      section main:
        field name
        field seen_at widget=date
        field insured widget=select
        field reason when: insured = false
      action save "Keep": on submit -> surface berth_view

    surface berth_list "Berths":
      uses entity Berth
      mode: list
      ux:
        sort: name asc

    surface berth_view "Berth":
      uses entity Berth
      mode: view

    workspace afloat "Afloat":
      access: persona(chief)
      all:
        aggregate:
          large: count(Ship where tons > 100)
          crews: sum(Ship.crew)

    demo:
      User:
        - email: "cy@dock.example", password: "chief of the dock", roles: [chief]
        - email: "hal@dock.example", password: "a hand at the dock", roles: [hand]
}

crate::served_on_both! {
    "surface_options", app();
    values_have_their_formats;
    a_condition_hides_the_field_of_a_row;
    controls_are_as_declared;
    a_date_without_its_time_keeps_it;
    a_form_has_the_fields_that_apply;
    buttons_open_what_the_caller_can_open;
    a_form_opens_the_declared_surface;
    figures_count_the_rows_of_the_list;
}

const CY: (&str, &str) = ("cy@dock.example", "chief of the dock");
const HAL: (&str, &str) = ("hal@dock.example", "a hand at the dock");

fn ship(client: &Client, fields: &Value) -> String {
    client.send("POST", "/api/ships", fields).ok(201).json()["id"].as_str().expect("a key").to_owned()
}

fn me(client: &Client) -> Value {
    client.get("/auth/me").ok(200).json()["id"].clone()
}

/// The row of the list with this key.
fn row(page: &Answer, id: &str) -> String {
    let rest = page.body.split(&format!("<tr id=\"ship_list-{id}\"")).nth(1).unwrap_or_else(|| panic!("{id} in {}", page.body));
    rest.split("</tr>").next().unwrap_or_default().to_owned()
}

#[track_caller]
fn contains(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "`{word}` is not in:\n{text}");
    }
}

fn values_have_their_formats(base: &str) {
    let cy = Client::signed_in(base, CY);
    let id = ship(
        &cy,
        &json!({ "name": "Format one", "tons": "12345.60", "load": "62.5", "arrives": "2031-03-07", "seen_at": "2031-03-07T23:30:00Z",
            "insured": true, "kind": "tug", "site": "https://example.com/ship", "colour": "#2f6fdd" }),
    );
    let script = ship(&cy, &json!({ "name": "Format two", "site": "javascript:alert(1)", "kind": "yacht" }));
    let page = cy.get("/app/ship_list?page_size=100").ok(200);
    let of_row = row(&page, &id);
    contains(&of_row, &[">12.3k<", ">62.5%<", "Friday, 7 March 2031", "dz-badge", ">Tug<"]);
    // The date of a timestamp is that of the application's time zone.
    contains(&of_row, &[">8 Mar 2031<", "href=\"https://example.com/ship\"", "FORMAT ONE"]);
    assert!(!of_row.contains(", 00:30"), "{of_row}");
    // An action that opens the form of the row takes the place of the default button.
    assert!(!of_row.contains("</svg>Edit<"), "{of_row}");
    let other = row(&page, &script);
    contains(&other, &["javascript:alert(1)", ">No<"]);
    assert!(!other.contains("href=\"javascript"), "{other}");
    // A file contains the values.
    let file = cy.get("/app/ship_list?format=csv&search=").ok(200);
    file.shows(&["12345.60", "Format one"]);
    cy.get(&format!("/app/ship_view/{id}")).ok(200).shows(&["<code>#2f6fdd</code>", "title=\"7 Mar 2031\"", ">in "]);
}

fn a_condition_hides_the_field_of_a_row(base: &str) {
    let cy = Client::signed_in(base, CY);
    let with = ship(&cy, &json!({ "name": "When insured", "insured": true, "reason": "hidden-reason" }));
    let without = ship(&cy, &json!({ "name": "When not", "reason": "shown-reason" }));
    let page = cy.get("/app/ship_list?page_size=100").ok(200);
    contains(&row(&page, &without), &["shown-reason"]);
    let hidden = row(&page, &with);
    contains(&hidden, &["Does not apply"]);
    assert!(!hidden.contains("hidden-reason"), "{hidden}");
    cy.get(&format!("/app/ship_view/{without}")).ok(200).shows(&["shown-reason", ">Reason<"]);
    cy.get(&format!("/app/ship_view/{with}")).ok(200).lacks(&["hidden-reason", ">Reason<"]);
}

fn controls_are_as_declared(base: &str) {
    let cy = Client::signed_in(base, CY);
    let page = cy.get("/app/ship_new").ok(200);
    page.shows(&[
        "data-dz-palette=\"colour\"",
        "name=\"tons\" type=\"number\"",
        "step=\"0.01\"",
        "data-dz-slider=\"crew\"",
        "role=\"switch\"",
        "type=\"radio\" id=\"kind\" name=\"kind\" value=\"ferry\" checked",
        "id=\"berth-q\"",
        "type=\"tel\"",
        "Markdown:",
    ]);
    // An error is at its control, and the form keeps the choice.
    let refused = cy.form("/app/ship_new", &[("name", ""), ("kind", "tug"), ("insured", "true")]).ok(422);
    refused.shows(&["value=\"tug\" checked", "href=\"#name\""]);
}

fn a_date_without_its_time_keeps_it(base: &str) {
    let cy = Client::signed_in(base, CY);
    let id = ship(&cy, &json!({ "name": "Dated", "seen_at": "2031-03-07T14:45:10Z" }));
    let (form, api) = (format!("/app/ship_edit/{id}"), format!("/api/ships/{id}"));
    cy.get(&form).ok(200).shows(&["name=\"seen_at\" type=\"date\" value=\"2031-03-07\""]);
    let fields = [("name", "Dated again"), ("insured", "false"), ("seen_at", "2031-03-07")];
    assert_eq!(cy.form(&form, &fields).status, 303);
    assert_eq!(cy.get(&api).ok(200).json()["seen_at"], "2031-03-07T14:45:10Z");
    let fields = [("name", "Dated again"), ("insured", "false"), ("seen_at", "2031-03-09")];
    assert_eq!(cy.form(&form, &fields).status, 303);
    assert_eq!(cy.get(&api).ok(200).json()["seen_at"], "2031-03-08T23:00:00Z");
}

fn a_form_has_the_fields_that_apply(base: &str) {
    let cy = Client::signed_in(base, CY);
    cy.get("/app/ship_new").ok(200).shows(&["name=\"reason\"", "name=\"reason.shown\"", "data-dz-controls=\"insured\"", "Why it has no"]);
    cy.get("/app/ship_new?insured=true").ok(200).lacks(&["name=\"reason\""]);
    // The form asks for the fields that apply to the values in it, without saving; the text that was typed stays.
    let typed = [("name", "Applying"), ("insured", "true"), ("reason.shown", "1"), ("reason", "typed")];
    let asked: Vec<_> = typed.iter().copied().chain([("dz.find", "-")]).collect();
    let page = cy.form("/app/ship_new", &asked).ok(200);
    page.shows(&["value=\"Applying\""]);
    page.lacks(&["name=\"reason\""]);
    // A field that does not apply is not written.
    assert_eq!(cy.form("/app/ship_new", &typed).status, 303);
    let stored = cy.get("/api/ships?name=Applying").ok(200).json()["items"][0].clone();
    assert_eq!((&stored["insured"], &stored["reason"]), (&json!(true), &Value::Null));
    // A stored value of a field that does not apply is kept, also if the form contains another one.
    let id = ship(&cy, &json!({ "name": "Kept", "insured": true, "reason": "kept" }));
    let form = format!("/app/ship_edit/{id}");
    cy.get(&form).ok(200).lacks(&["name=\"reason\""]);
    let fields = [("name", "Kept"), ("insured", "true"), ("reason.shown", "1"), ("reason", "lost")];
    assert_eq!(cy.form(&form, &fields).status, 303);
    // A field that applies now, and that the form did not have, keeps its value too.
    assert_eq!(cy.form(&form, &[("name", "Kept"), ("insured", "false")]).status, 303);
    assert_eq!(cy.get(&format!("/api/ships/{id}")).ok(200).json()["reason"], "kept");
    let fields = [("name", "Kept"), ("insured", "false"), ("reason.shown", "1"), ("reason", "new")];
    assert_eq!(cy.form(&form, &fields).status, 303);
    assert_eq!(cy.get(&format!("/api/ships/{id}")).ok(200).json()["reason"], "new");
}

fn buttons_open_what_the_caller_can_open(base: &str) {
    let (cy, hal) = (Client::signed_in(base, CY), Client::signed_in(base, HAL));
    let berth = |name: &str, secret: bool| {
        cy.send("POST", "/api/berths", &json!({ "name": name, "secret": secret })).ok(201).json()["id"].as_str().expect("a key").to_owned()
    };
    let (open, closed) = (berth("Open berth", false), berth("Closed berth", true));
    let own = ship(&cy, &json!({ "name": "Button own", "berth": open, "keeper": me(&hal) }));
    let other = ship(&cy, &json!({ "name": "Button other", "berth": closed }));
    let page = hal.get("/app/ship_list?page_size=100").ok(200);
    page.shows(&["href=\"/app/berth_list\"", "All berths"]);
    let (mine, others) = (row(&page, &own), row(&page, &other));
    contains(&mine, &[&format!("href=\"/app/berth_view/{open}\""), "Its berth", &format!("href=\"/app/ship_edit/{own}\""), "Change it"]);
    // Neither a row that the caller cannot read, nor a form that the rule of the row refuses.
    assert!(!others.contains("Its berth") && !others.contains("Change it") && !others.contains("/app/ship_edit"), "{others}");
    let all = row(&cy.get("/app/ship_list?page_size=100").ok(200), &other);
    contains(&all, &["Its berth", "Change it", "/delete"]);
    let view = hal.get(&format!("/app/ship_view/{own}")).ok(200);
    view.shows(&["Its berth", "Change it", &format!("href=\"/app/ship_edit/{own}\"")]);
    view.lacks(&["/delete"]);
    hal.get(&format!("/app/ship_view/{other}")).ok(200).lacks(&["Its berth", "Change it", "/app/ship_edit", "/delete"]);
}

fn a_form_opens_the_declared_surface(base: &str) {
    let (cy, hal) = (Client::signed_in(base, CY), Client::signed_in(base, HAL));
    cy.get("/app/ship_new").ok(200).shows(&["Save and list", "value=\"open.1\">Save and open"]);
    let first = cy.form("/app/ship_new", &[("name", "Opens the list"), ("insured", "true")]);
    assert_eq!((first.status, first.header("location")), (303, Some("/app/ship_list?done=created")));
    let second = cy.form("/app/ship_new", &[("name", "Opens itself"), ("insured", "true"), ("dz.then", "open.1")]);
    let id = cy.get("/api/ships?name=Opens%20itself").ok(200).json()["items"][0]["id"].as_str().expect("a key").to_owned();
    assert_eq!((second.status, second.header("location")), (303, Some(format!("/app/ship_view/{id}?done=created").as_str())));
    for junk in ["open.9", "open.", "open.x", "x"] {
        assert_eq!(cy.form("/app/ship_new", &[("name", "Opens junk"), ("insured", "true"), ("dz.then", junk)]).status, 303, "{junk}");
    }
    // The row to which the reference of the saved row refers; without one, the default page.
    let berth = cy.send("POST", "/api/berths", &json!({ "name": "After", "secret": true })).ok(201).json()["id"].clone();
    let id = ship(&cy, &json!({ "name": "Opens its berth", "berth": berth, "keeper": me(&hal) }));
    let fields = [("name", "Opens its berth now"), ("insured", "true")];
    let saved = cy.form(&format!("/app/ship_edit/{id}"), &fields);
    let expected = format!("/app/berth_view/{}?done=changed", berth.as_str().expect("a key"));
    assert_eq!((saved.status, saved.header("location")), (303, Some(expected.as_str())));
    let saved = hal.form(&format!("/app/ship_edit/{id}"), &fields);
    assert_eq!((saved.status, saved.header("location")), (303, Some(format!("/app/ship_view/{id}?done=changed").as_str())));
}

fn figures_count_the_rows_of_the_list(base: &str) {
    let (cy, hal) = (Client::signed_in(base, CY), Client::signed_in(base, HAL));
    for (name, tons, crew) in [("Figure a", "50", 3), ("Figure b", "150", 4), ("Figure c", "200", 5)] {
        ship(&cy, &json!({ "name": name, "tons": tons, "crew": crew }));
    }
    let list = "/app/ship_list?name__startswith=Figure";
    cy.get(list).ok(200).shows(&["<dt>Large</dt><dd>2</dd>", "<dt>Crews</dt><dd>12</dd>"]);
    cy.get(&format!("{list}&tons__gt=160&page_size=1")).ok(200).shows(&["<dt>Large</dt><dd>1</dd>", "<dt>Crews</dt><dd>5</dd>"]);
    // No figure discloses a hidden field. The workspace of the figures is another page, with an audience of its own.
    let shown = hal.get(list).ok(200);
    shown.shows(&["<dt>Large</dt><dd>2</dd>"]);
    shown.lacks(&["Crews"]);
    hal.get("/app/afloat").ok(403);
}
