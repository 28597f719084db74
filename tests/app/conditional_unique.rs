//! Uniqueness under a condition, for every way to write a row, on both engines.

use dz::serde_json::{Value, json};

use crate::client::{Answer, Client};

dz::dz! {
    app library "Library"

    persona desk "Desk"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Loan "Loan":
      id: uuid pk
      copy: int required
      shelf: int
      card: str(20)
      days: int = 14
      contact: email unique
      status: enum[requested, lent, returned, lost] = requested
      soft_delete
      transitions:
        requested -> lent
        lent -> returned
        returned -> lent
        lent -> lost
      unique copy where status in [lent, requested]
      unique card, shelf where days > 7 and status != lost
      index shelf where status = lent
      permit:
        list: role(desk)
        read: role(desk)
        create: role(desk)
        update: role(desk)
        delete: role(desk)
        restore: role(desk)

    surface loan_list "Loans":
      uses entity Loan
      mode: list
      ux:
        sort: copy

    surface loan_create "New loan":
      uses entity Loan
      mode: create
      section main:
        field copy
        field card
        field shelf

    demo:
      User:
        - name: "Dora", email: "dora@library.example", password: "stamps the cards", roles: [desk]
}

const DESK: (&str, &str) = ("dora@library.example", "stamps the cards");
const SENTENCE: &str = "Only one loan can have this Copy while Status is Lent or Requested";
const AT_FIELD: &str = "is taken already while Status is Lent or Requested";

crate::served_on_both! {
    "conditional", app();
    a_copy_has_one_active_loan;
    a_change_and_a_transition_meet_the_condition;
    soft_deleted_loans_keep_no_copy;
    rows_in_bulk_and_in_files_meet_it_too;
    several_fields_and_conditions;
    a_mail_address_is_unique_in_every_form;
    forms_show_the_sentence;
}

fn lend(client: &Client, row: Value) -> Answer {
    client.send("POST", "/api/loans", &row)
}

#[track_caller]
fn check_refusal(answer: &Answer) {
    let problem = answer.problem(409, "UNIQUE");
    assert_eq!(problem["detail"], SENTENCE, "{problem}");
    assert_eq!(problem["field_errors"], json!({ "copy": [AT_FIELD] }), "{problem}");
}

fn transition_to(client: &Client, loan: &Value, state: &str) -> Answer {
    client.send("POST", &format!("/api/loans/{}/transitions/{state}", loan["id"].as_str().expect("a key")), &json!({}))
}

fn a_copy_has_one_active_loan(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let first = lend(&desk, json!({ "copy": 1 })).ok(201).json();
    check_refusal(&lend(&desk, json!({ "copy": 1 })));
    transition_to(&desk, &first, "lent").ok(200);
    check_refusal(&lend(&desk, json!({ "copy": 1 })));
    transition_to(&desk, &first, "returned").ok(200);
    // Any number of ended loans, and one that is not ended.
    let second = lend(&desk, json!({ "copy": 1 })).ok(201).json();
    transition_to(&desk, &second, "lent").ok(200);
    transition_to(&desk, &second, "returned").ok(200);
    lend(&desk, json!({ "copy": 1 })).ok(201);
    check_refusal(&lend(&desk, json!({ "copy": 1 })));
    lend(&desk, json!({ "copy": 2 })).ok(201);
}

fn a_change_and_a_transition_meet_the_condition(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let first = lend(&desk, json!({ "copy": 11 })).ok(201).json();
    transition_to(&desk, &first, "lent").ok(200);
    transition_to(&desk, &first, "returned").ok(200);
    let second = lend(&desk, json!({ "copy": 11 })).ok(201).json();
    check_refusal(&transition_to(&desk, &first, "lent"));
    let other = lend(&desk, json!({ "copy": 12 })).ok(201).json();
    let path = format!("/api/loans/{}", other["id"].as_str().expect("a key"));
    check_refusal(&desk.send("PATCH", &path, &json!({ "copy": 11 })));
    transition_to(&desk, &second, "lent").ok(200);
    transition_to(&desk, &second, "lost").ok(200);
    transition_to(&desk, &first, "lent").ok(200);
}

fn soft_deleted_loans_keep_no_copy(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let first = lend(&desk, json!({ "copy": 21 })).ok(201).json();
    let path = format!("/api/loans/{}", first["id"].as_str().expect("a key"));
    desk.delete(&path).ok(204);
    lend(&desk, json!({ "copy": 21 })).ok(201);
    check_refusal(&desk.send("POST", &format!("{path}/actions/restore"), &json!({})));
}

fn rows_in_bulk_and_in_files_meet_it_too(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let import = |text: &str| {
        desk.request("POST", "/api/loans/import", &[("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")], text.as_bytes())
    };
    let wrong = import("copy\n31\n32\n31\n").problem(422, "VALIDATION").to_string();
    assert!(wrong.contains(AT_FIELD), "{wrong}");
    import("copy\n31\n32\n").ok(200);
    // A row with a key is updated, and is checked against the others.
    let rows = desk.get("/api/loans?copy=32").ok(200).json();
    let key = rows["items"][0]["id"].as_str().expect("a key").to_owned();
    let wrong = import(&format!("id,copy\n{key},31\n")).problem(422, "VALIDATION").to_string();
    assert!(wrong.contains(AT_FIELD), "{wrong}");
    import(&format!("id,copy\n{key},33\n")).ok(200);

    let over = lend(&desk, json!({ "copy": 34 })).ok(201).json();
    transition_to(&desk, &over, "lent").ok(200);
    transition_to(&desk, &over, "returned").ok(200);
    lend(&desk, json!({ "copy": 34 })).ok(201);
    let ids = json!({ "action": "transition", "to": "lent", "ids": [over["id"], key] });
    let done = desk.send("POST", "/api/loans/bulk", &ids).json();
    let results = done.to_string();
    assert!(results.contains("UNIQUE") && results.contains("200"), "each row by itself: {results}");
}

fn several_fields_and_conditions(base: &str) {
    let desk = Client::signed_in(base, DESK);
    lend(&desk, json!({ "copy": 41, "card": "C1", "shelf": 4 })).ok(201);
    let problem = lend(&desk, json!({ "copy": 42, "card": "C1", "shelf": 4 })).problem(409, "UNIQUE");
    let condition = "Days is more than 7 and Status is not Lost";
    assert_eq!(problem["detail"], format!("Only one loan can have this Card and Shelf while {condition}"));
    let at = format!("is taken already while {condition}");
    assert_eq!(problem["field_errors"], json!({ "card": [at], "shelf": [at] }));
    lend(&desk, json!({ "copy": 43, "card": "C1", "shelf": 4, "days": 7 })).ok(201);
    lend(&desk, json!({ "copy": 44, "card": "C1" })).ok(201);
    lend(&desk, json!({ "copy": 45, "card": "C1" })).ok(201);
}

fn forms_show_the_sentence(base: &str) {
    let desk = Client::signed_in(base, DESK);
    lend(&desk, json!({ "copy": 51 })).ok(201);
    let page = desk.form("/app/loan_create", &[("copy", "51"), ("card", ""), ("shelf", "")]);
    assert_eq!(page.status, 409, "{}", page.body);
    // Sentences on a page begin with a capital letter.
    page.shows(&[&AT_FIELD[1..]]);
}

fn a_mail_address_is_unique_in_every_form(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let first = lend(&desk, json!({ "copy": 61, "contact": "Jo\u{308}rg@XN--BCHER-KVA.example" })).ok(201).json();
    assert_eq!(first["contact"], "J\u{f6}rg@b\u{fc}cher.example");
    for form in ["J\u{f6}rg@b\u{fc}cher.example", "Jo\u{308}rg@bu\u{308}cher.example", "J\u{f6}rg@xn--bcher-kva.example"] {
        let problem = lend(&desk, json!({ "copy": 62, "contact": form })).problem(409, "UNIQUE");
        assert_eq!(problem["field_errors"], json!({ "contact": ["is taken already"] }), "{form:?}");
        let found = desk.get(&format!("/api/loans?contact={}", crate::client::encode(form))).ok(200).json();
        assert_eq!(found["total"], 1, "{form:?}");
    }
}
