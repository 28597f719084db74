//! Fields whose names are parameters of pages: no name is reserved.

use dz::serde_json::{Value, json};

use crate::client::Client;

dz::dz! {
    app orchard "Orchard"

    persona grower "Grower"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Sheet "Sheet":
      id: uuid pk
      title: str(60) required
      permit:
        list: role(grower)
        read: role(grower)
        create: role(grower)

    entity Blend "Blend":
      id: uuid pk
      title: str(60) required
      version: str(20) required
      csrf: str(40)
      then: str(40)
      find: str(40)
      keep: str(40)
      done: bool
      page: ref Sheet
      pressed: datetime
      permit:
        list: role(grower)
        read: role(grower)
        create: role(grower)
        update: role(grower)
        delete: role(grower)

    surface blend_list "Blends":
      uses entity Blend
      mode: list
      section main:
        field title
        field version
        field done
        field page
      ux:
        sort: title asc
        filter: done, page, pressed

    surface blend_view "Blend":
      uses entity Blend
      mode: view

    surface blend_new "New blend":
      uses entity Blend
      mode: create

    surface blend_edit "Edit blend":
      uses entity Blend
      mode: edit

    demo:
      User:
        - name: "Ann", email: "ann@orchard.example", password: "press the apples", roles: [grower]
}

const GROWER: (&str, &str) = ("ann@orchard.example", "press the apples");

crate::served_on_both! {
    "field_names", app();
    a_form_saves_fields_with_the_names_of_its_parameters;
    the_buttons_of_a_form_are_no_fields;
    a_change_of_a_field_called_version_detects_conflicts;
    filters_work_for_fields_with_the_names_of_parameters;
    the_presets_of_a_timestamp_select_whole_days;
    a_view_leads_to_the_rows_beside_it;
}

/// The values of the hidden inputs of the form of a page, with their names.
fn hidden(page: &str) -> Vec<(String, String)> {
    let (_, form) = page.split_once("<form class=\"dz-form\"").expect("a form");
    let inputs = form.split("<input type=\"hidden\" name=\"").skip(1);
    let pair = |text: &str| {
        let (name, rest) = text.split_once("\" value=\"")?;
        Some((name.to_owned(), rest.split_once('"')?.0.to_owned()))
    };
    inputs.filter_map(pair).collect()
}

/// Submits the form of a page with these texts.
fn submit(client: &Client, path: &str, typed: &[(&str, &str)]) -> crate::client::Answer {
    let page = client.get(path).ok(200);
    let pairs = hidden(&page.body);
    let sent: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(typed.iter().copied()).collect();
    client.form(path, &sent)
}

#[track_caller]
fn single_row(client: &Client, query: &str) -> Value {
    let found = client.get(&format!("/api/blends?{query}")).ok(200).json();
    assert_eq!(found["total"], 1, "{found}");
    found["items"][0].clone()
}

fn a_form_saves_fields_with_the_names_of_its_parameters(base: &str) {
    let ann = Client::signed_in(base, GROWER);
    let typed = [
        ("title", "Names"),
        ("version", "2.1"),
        ("csrf", "a token"),
        ("then", "new"),
        ("find", "sugar"),
        ("keep", "cold"),
        ("done", "true"),
    ];
    assert_eq!(submit(&ann, "/app/blend_new", &typed).status, 303);
    let row = single_row(&ann, "title=Names");
    for (name, value) in [("version", "2.1"), ("csrf", "a token"), ("then", "new"), ("find", "sugar"), ("keep", "cold")] {
        assert_eq!(row[name], value, "{name}");
    }
    assert_eq!(row["done"], true);
}

fn the_buttons_of_a_form_are_no_fields(base: &str) {
    let ann = Client::signed_in(base, GROWER);
    // The values are those of the buttons.
    let typed = [("title", "Buttons"), ("version", "1"), ("then", "new"), ("find", "-"), ("keep", "mine")];
    let saved = submit(&ann, "/app/blend_new", &typed);
    assert_eq!(saved.status, 303);
    let location = saved.header("Location").unwrap_or_default().to_owned();
    assert!(location.starts_with("/app/blend_view/"), "{location}");
    let another: Vec<_> = [("title", "Another")].into_iter().chain(typed[1..].iter().copied()).chain([("dz.then", "new")]).collect();
    let saved = submit(&ann, "/app/blend_new", &another);
    assert_eq!((saved.status, saved.header("Location")), (303, Some("/app/blend_new")));
    // The button beside a reference shows the form again, and its value is not the text of the field.
    let searched: Vec<_> = [("title", "Searched")].into_iter().chain(typed[1..].iter().copied()).chain([("dz.find", "page")]).collect();
    let shown = submit(&ann, "/app/blend_new", &searched);
    assert_eq!(shown.status, 200);
    shown.shows(&["name=\"find\" type=\"text\" value=\"-\"", "name=\"then\" type=\"text\" value=\"new\""]);
}

fn a_change_of_a_field_called_version_detects_conflicts(base: &str) {
    let ann = Client::signed_in(base, GROWER);
    let row = ann.send("POST", "/api/blends", &json!({ "title": "Versions", "version": "1" })).ok(201).json();
    let id = row["id"].as_str().expect("an id");
    let edit = format!("/app/blend_edit/{id}");
    let page = ann.get(&edit).ok(200);
    assert_eq!(submit(&ann, &edit, &[("title", "Versions"), ("version", "2")]).status, 303);
    assert_eq!(single_row(&ann, "title=Versions")["version"], "2");
    // The form of the first page knows neither the new version of the row nor the new value.
    let pairs = hidden(&page.body);
    let stale: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let stale: Vec<(&str, &str)> = stale.into_iter().chain([("title", "Versions"), ("version", "3")]).collect();
    let refused = ann.form(&edit, &stale);
    assert_eq!(refused.status, 412, "{}", refused.body);
    refused.shows(&["name=\"dz.keep.version\" value=\"mine\"", "name=\"dz.keep.version\" value=\"theirs\""]);
    assert_eq!(single_row(&ann, "title=Versions")["version"], "2");
}

fn filters_work_for_fields_with_the_names_of_parameters(base: &str) {
    let ann = Client::signed_in(base, GROWER);
    let sheet = ann.send("POST", "/api/sheets", &json!({ "title": "Front" })).ok(201).json()["id"].clone();
    for (title, done, page) in [("Filter one", true, &sheet), ("Filter two", false, &Value::Null)] {
        ann.send("POST", "/api/blends", &json!({ "title": title, "version": "1", "done": done, "page": page })).ok(201);
    }
    let rows = |query: &str| {
        let page = ann.get(&format!("/app/blend_list?{query}")).ok(200).body;
        (page.contains("Filter one"), page.contains("Filter two"))
    };
    assert_eq!(rows("done=true"), (true, false));
    assert_eq!(rows("done=false"), (false, true));
    assert_eq!(rows("done=created"), (true, true), "it is not a value of the field");
    let form = ann.get("/app/blend_list").ok(200);
    form.shows(&["name=\"page__in\""]);
    assert_eq!(rows(&format!("page__in={}", sheet.as_str().expect("an id"))), (true, false));
}

fn the_presets_of_a_timestamp_select_whole_days(base: &str) {
    let ann = Client::signed_in(base, GROWER);
    let now = chrono::Utc::now();
    for (title, moment) in [("Pressed now", now), ("Pressed long ago", now - chrono::TimeDelta::days(400))] {
        ann.send("POST", "/api/blends", &json!({ "title": title, "version": "1", "pressed": moment.to_rfc3339() })).ok(201);
    }
    let page = ann.get("/app/blend_list").ok(200);
    let link = |label: &str| {
        let before = page.body.split(&format!(">{label}</a>")).next().expect("a preset");
        let href = before.rsplit("href=\"").next().and_then(|it| it.split('"').next()).expect("an address");
        href.replace("&#38;", "&").replace("&amp;", "&")
    };
    for (preset, this, other) in [("This month", "Pressed now", "Pressed long ago"), ("Before today", "Pressed long ago", "Pressed now")] {
        let chosen = ann.get(&link(preset)).ok(200);
        chosen.shows(&[this, "aria-current=\"true\"", &format!("<b>{preset}</b>")]);
        chosen.lacks(&[other]);
    }
}

fn a_view_leads_to_the_rows_beside_it(base: &str) {
    let ann = Client::signed_in(base, GROWER);
    let ids: Vec<String> = (0..5)
        .map(|at| {
            let row =
                ann.send("POST", "/api/blends", &json!({ "title": format!("Beside {at}"), "version": "b", "find": "beside" })).ok(201);
            row.json()["id"].as_str().expect("an id").to_owned()
        })
        .collect();
    let list = format!("http://{}/app/blend_list?find=beside&page_size=2&page=2&sort=-title", ann.host);
    let open = |id: &str, from: &str| ann.request("GET", &format!("/app/blend_view/{id}"), &[("Referer", from)], b"").ok(200).body;
    let link = |page: &str, rel: &str| {
        let after = page.split(&format!("rel=\"{rel}\" href=\"")).nth(1)?;
        Some(after.split('"').next()?.replace("&#38;", "&").replace("&amp;", "&"))
    };
    // The list is 4 3, 2 1, 0.
    let page = open(&ids[2], &list);
    let (previous, next) = (link(&page, "prev").expect("a row before it"), link(&page, "next").expect("a row after it"));
    assert!(previous.starts_with(&format!("/app/blend_view/{}?in=", ids[3])), "{previous}");
    assert!(next.starts_with(&format!("/app/blend_view/{}?in=", ids[1])), "{next}");
    // The links lead to the ends of the list, over its pages, and back to the page of the list with the row.
    let after = ann.get(&next).ok(200).body;
    let last = ann.get(&link(&after, "next").expect("a row after it")).ok(200).body;
    assert!(last.contains("<h1>Beside 0</h1>") && link(&last, "next").is_none() && last.contains("page=3"), "{last}");
    // Another page, another list, a wrong list and a row that the list does not contain have no neighbours.
    let other = ann.send("POST", "/api/blends", &json!({ "title": "Elsewhere", "version": "b" })).ok(201).json()["id"].clone();
    for (id, from) in [
        (ids[2].as_str(), "http://x/app/nothing?page=1"),
        (ids[2].as_str(), "junk"),
        (ids[2].as_str(), "http://x/app/blend_view/1"),
        (other.as_str().expect("an id"), list.as_str()),
    ] {
        assert!(!open(id, from).contains("dz-neighbours"), "{from}");
    }
}
