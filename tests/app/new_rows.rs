//! New rows for references: the form of the new row opens from another form, which is then shown again with the row selected.

use dz::serde_json::json;

use crate::{
    client::{Answer, Client},
    form_rows::{hidden, submit},
};

dz::dz! {
    app kennel "Kennel"

    persona desk "Desk"
    persona helper "Helper"

    entity User "Person":
      id: uuid pk
      permit:
        list: true
        read: true

    entity Breed "Breed":
      id: uuid pk
      name: str(40) required unique
      permit:
        list: role(desk, helper)
        read: role(desk, helper)
        create: role(desk)
        delete: role(desk)

    entity Owner "Owner":
      id: uuid pk
      name: str(40) required
      dogs: has_many Dog
      permit:
        list: role(desk, helper)
        read: role(desk, helper)
        create: role(desk)
        delete: role(desk)

    # The desk stores reports, but does not see them.
    entity Report "Report":
      id: uuid pk
      title: str(40) required
      permit:
        list: role(desk)
        read: role(helper)
        create: role(desk)

    entity Dog "Dog":
      id: uuid pk
      name: str(40) required
      owner: ref Owner required
      breed: ref Breed
      mother: ref Dog
      report: ref Report
      note: text
      permit:
        list: role(desk, helper)
        read: role(desk, helper)
        create: role(desk, helper)
        update: role(desk, helper)
        delete: role(desk)

    surface breed_new "New breed":
      uses entity Breed
      mode: create

    surface owner_new "New owner":
      uses entity Owner
      mode: create
      section main:
        field name
      section dogs "Dogs":
        uses entity Dog
        field name
        field breed

    surface owner_view "Owner":
      uses entity Owner
      mode: view

    surface report_new "New report":
      uses entity Report
      mode: create

    surface dog_list "Dogs":
      uses entity Dog
      mode: list

    surface dog_new "New dog":
      uses entity Dog
      mode: create

    surface dog_edit "Change a dog":
      uses entity Dog
      mode: edit
      section main:
        field name
        field owner
        field note

    demo:
      User:
        - email: "dora@kennel.example", password: "at the counter", roles: [desk]
        - email: "hugo@kennel.example", password: "by the gate", roles: [helper]
}

crate::served_on_both! {
    "new_rows", app();
    the_first_form_is_shown_again_with_the_new_row;
    a_stored_row_keeps_its_entries;
    a_row_of_a_form_gets_the_new_row;
    one_form_opens_another;
    only_callers_who_can_create_rows_get_the_button;
    a_row_that_the_caller_cannot_see_is_not_selected;
    a_first_form_that_is_gone_is_left;
    junk_shows_the_form_again;
}

const DESK: (&str, &str) = ("dora@kennel.example", "at the counter");
const HELPER: (&str, &str) = ("hugo@kennel.example", "by the gate");

/// The number of owners with a name.
fn owners(client: &Client, name: &str) -> u64 {
    client.get(&format!("/api/owners?name={name}")).ok(200).json()["total"].as_u64().expect("a number")
}

/// Creates a row by the API.
fn create(client: &Client, path: &str, row: &dz::serde_json::Value) -> String {
    client.send("POST", path, row).ok(201).json()["id"].as_str().expect("an id").to_owned()
}

/// The selected option of a select.
fn selected<'a>(page: &'a Answer, name: &str) -> Option<&'a str> {
    let select = page.body.split(&format!("<select class=\"dz-select\" id=\"{name}\"")).nth(1)?.split("</select>").next()?;
    select.split("<option value=\"").find(|option| option.contains("\" selected"))?.split('"').next()
}

fn the_first_form_is_shown_again_with_the_new_row(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let dog = desk.get("/app/dog_new").ok(200);
    dog.shows(&["name=\"dz.new\" value=\"owner\"", "New owner", "name=\"dz.new\" value=\"mother\"", "New breed"]);
    let typed = [("name", "Rex \"the\" & <dog>"), ("note", "First\nsecond"), ("owner", ""), ("dz.new", "owner")];
    let opened = submit(&desk, "/app/dog_new", &dog, &typed).ok(200);
    opened.shows(&["<h1>New owner</h1>", "action=\"/app/owner_new\"", "the form &#34;New dog&#34; is shown again", "Back without saving"]);
    opened.lacks(&["Save and add more", "Fill this in"]);
    assert_eq!(desk.get("/api/dogs?name__startswith=Rex").json()["total"], 0, "nothing is saved");
    // A refused form still returns to the first one.
    let refused = submit(&desk, "/app/owner_new", &opened, &[("name", "")]).ok(422);
    refused.shows(&["Fill this in", "name=\"dz.back\" value=\"dog_new\"", "Back without saving"]);
    let back = submit(&desk, "/app/owner_new", &refused, &[("name", "Olga")]).ok(200);
    back.shows(&[
        "<h1>New dog</h1>",
        "action=\"/app/dog_new\"",
        "Olga is saved and selected",
        "value=\"Rex &#34;the&#34; &#38; &#60;dog&#62;\"",
        "First\nsecond",
        "name=\"owner\" autofocus",
    ]);
    back.lacks(&["name=\"dz.back\"", "Fill this in"]);
    assert_eq!(owners(&desk, "Olga"), 1);
    // The browser repeats the submission: no second row, and the same page.
    submit(&desk, "/app/owner_new", &refused, &[("name", "Olga")]).ok(200).shows(&["<h1>New dog</h1>", "Olga is saved and selected"]);
    assert_eq!(owners(&desk, "Olga"), 1);
    let owner = selected(&back, "owner").expect("the new owner").to_owned();
    let saved = [("name", "Rex"), ("owner", owner.as_str())];
    submit(&desk, "/app/dog_new", &back, &saved).ok(303);
    assert_eq!(desk.get(&format!("/api/dogs?owner={owner}")).json()["items"][0]["name"], "Rex");
    // The return without a new row.
    let left = submit(&desk, "/app/owner_new", &opened, &[("name", "Left"), ("dz.then", "back")]).ok(200);
    left.shows(&["<h1>New dog</h1>", "value=\"Rex &#34;the&#34;"]);
    left.lacks(&["is saved"]);
    assert_eq!(owners(&desk, "Left"), 0);
}

fn a_stored_row_keeps_its_entries(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let owner = create(&desk, "/api/owners", &json!({ "name": "Otto" }));
    let dog = create(&desk, "/api/dogs", &json!({ "name": "Stored", "owner": owner }));
    let path = format!("/app/dog_edit/{dog}");
    let page = desk.get(&path).ok(200);
    let opened = submit(&desk, &path, &page, &[("name", "Renamed"), ("owner", &owner), ("note", ""), ("dz.new", "owner")]).ok(200);
    opened.shows(&[&format!("name=\"dz.back\" value=\"dog_edit/{dog}\"")]);
    // Meanwhile another user changes the note, and the first form combines the changes.
    desk.send("PATCH", &format!("/api/dogs/{dog}"), &json!({ "note": "Meanwhile" })).ok(200);
    let back = submit(&desk, "/app/owner_new", &opened, &[("name", "Oda")]).ok(200);
    back.shows(&[&format!("action=\"{path}\""), "Oda is saved and selected", "value=\"Renamed\"", "Meanwhile"]);
    let new = selected(&back, "owner").expect("the new owner").to_owned();
    assert_ne!(new, owner);
    submit(&desk, &path, &back, &[("name", "Renamed"), ("owner", &new), ("note", "Meanwhile")]).ok(303);
    let stored = desk.get(&format!("/api/dogs/{dog}")).json();
    assert_eq!((stored["name"].as_str(), stored["note"].as_str()), (Some("Renamed"), Some("Meanwhile")));
    assert_eq!(stored["owner"], new.as_str());
}

fn a_row_of_a_form_gets_the_new_row(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let page = desk.get("/app/owner_new").ok(200);
    let button = "rows-dogs-0-breed";
    page.shows(&[&format!("name=\"dz.new\" value=\"{button}\"")]);
    let opened = submit(&desk, "/app/owner_new", &page, &[("name", "Ole"), ("rows-dogs-0-name", "Bo"), ("dz.new", button)]).ok(200);
    opened.shows(&["<h1>New breed</h1>"]);
    let back = submit(&desk, "/app/breed_new", &opened, &[("name", "Pug")]).ok(200);
    back.shows(&["value=\"Ole\"", "value=\"Bo\"", "Pug is saved and selected"]);
    let breed = selected(&back, button).expect("the new breed").to_owned();
    let values = [("name", "Ole"), ("rows-dogs-0-name", "Bo"), (button, breed.as_str())];
    submit(&desk, "/app/owner_new", &back, &values).ok(303);
    assert_eq!(desk.get(&format!("/api/dogs?breed={breed}")).json()["items"][0]["name"], "Bo");
}

fn one_form_opens_another(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let page = desk.get("/app/dog_new").ok(200);
    let second = submit(&desk, "/app/dog_new", &page, &[("name", "Deep & deeper"), ("dz.new", "owner")]).ok(200);
    let values = [("name", "Odin"), ("rows-dogs-0-name", "Puppy"), ("dz.new", "rows-dogs-0-breed")];
    let third = submit(&desk, "/app/owner_new", &second, &values).ok(200);
    let second = submit(&desk, "/app/breed_new", &third, &[("name", "Spitz")]).ok(200);
    second.shows(&["<h1>New owner</h1>", "value=\"Odin\"", "value=\"Puppy\"", "name=\"dz.back\" value=\"dog_new\"", "Spitz is saved"]);
    let breed = selected(&second, "rows-dogs-0-breed").expect("the breed").to_owned();
    let values = [("name", "Odin"), ("rows-dogs-0-name", "Puppy"), ("rows-dogs-0-breed", breed.as_str())];
    submit(&desk, "/app/owner_new", &second, &values).ok(200).shows(&["<h1>New dog</h1>", "value=\"Deep &#38; deeper\"", "Odin is saved"]);
}

fn only_callers_who_can_create_rows_get_the_button(base: &str) {
    let helper = Client::signed_in(base, HELPER);
    let page = helper.get("/app/dog_new").ok(200);
    page.shows(&["name=\"dz.new\" value=\"mother\""]);
    page.lacks(&["value=\"owner\" formnovalidate", "New owner", "New breed"]);
    // A forged button shows the form again, and a forged form of the other entity is refused.
    let shown = submit(&helper, "/app/dog_new", &page, &[("name", "Forged"), ("dz.new", "owner")]).ok(200);
    shown.shows(&["<h1>New dog</h1>", "value=\"Forged\""]);
    let forged = [("name", "Forged"), ("dz.back", "dog_new"), ("dz.back.control", "owner"), ("dz.back.values", "name=Forged")];
    assert_eq!(helper.form("/app/owner_new", &forged).status, 403);
    assert_eq!(owners(&helper, "Forged"), 0);
    // Nor does the return open a form that the caller may not open.
    let closed = [("dz.then", "back"), ("dz.back", "breed_new"), ("dz.back.control", "x"), ("dz.back.values", "")];
    let answer = helper.form("/app/dog_new", &closed).ok(303);
    assert_eq!(answer.header("location"), Some("/app/breed_new"));
    helper.get("/app/breed_new").ok(403);
}

fn a_row_that_the_caller_cannot_see_is_not_selected(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let page = desk.get("/app/dog_new").ok(200);
    let opened = submit(&desk, "/app/dog_new", &page, &[("name", "Hidden"), ("dz.new", "report")]).ok(200);
    let back = submit(&desk, "/app/report_new", &opened, &[("title", "Secret")]).ok(200);
    back.shows(&["<h1>New dog</h1>", "value=\"Hidden\"", "You cannot see it, so it is not selected"]);
    back.lacks(&["Secret"]);
}

fn a_first_form_that_is_gone_is_left(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let owner = create(&desk, "/api/owners", &json!({ "name": "Gone" }));
    let dog = create(&desk, "/api/dogs", &json!({ "name": "Gone", "owner": owner }));
    let path = format!("/app/dog_edit/{dog}");
    let opened = submit(&desk, &path, &desk.get(&path).ok(200), &[("name", "Gone"), ("dz.new", "owner")]).ok(200);
    desk.delete(&format!("/api/dogs/{dog}")).ok(204);
    // The new row is saved, and its own page follows.
    let answer = submit(&desk, "/app/owner_new", &opened, &[("name", "Onward")]).ok(303);
    assert!(answer.header("location").is_some_and(|to| to.starts_with("/app/owner_view/")), "{:?}", answer.header("location"));
    assert_eq!(owners(&desk, "Onward"), 1);
}

fn junk_shows_the_form_again(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let page = desk.get("/app/dog_new").ok(200);
    for junk in ["", "name", "nothing", "rows-dogs-0-breed", "rows-", "owner.q", "id"] {
        let shown = submit(&desk, "/app/dog_new", &page, &[("name", "Junk"), ("dz.new", junk)]).ok(200);
        shown.shows(&["<h1>New dog</h1>", "value=\"Junk\""]);
    }
    // A form that names no first form is a form of its own.
    for junk in ["", "nothing", "dog_list", "dog_new/1", "dog_edit"] {
        let name = format!("Own {junk}");
        let values = [("name", name.as_str()), ("dz.back", junk), ("dz.back.control", "owner"), ("dz.back.values", "%zz&=&&")];
        desk.form("/app/owner_new", &values).ok(303);
    }
    let long = "x".repeat(300_000);
    let shown = submit(&desk, "/app/dog_new", &page, &[("name", "Long"), ("note", &long), ("dz.new", "owner")]).ok(200);
    shown.shows(&["<h1>New dog</h1>", "too much text to open another one"]);
    assert!(hidden(&shown).iter().all(|(name, _)| !name.starts_with("dz.back")));
}
