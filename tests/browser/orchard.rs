//! The kinds of pages that the examples do not have (a task of a process, an experience, a graph, keys that are texts), and forms that
//! cannot be saved: they keep the typed text.

use dz::{Engine, serde_json::json};

use crate::{browser::Browser, client::Client, server};

dz::include_dsl!("browser/orchard.dsl", locales = "browser/locales");

pub const KEEPER: (&str, &str) = ("kit@orchard.example", "apples and pears");

fn serve() -> String {
    server::serve(app(), Engine::Sqlite, server::new_file("orchard"))
}

fn new_tree(keeper: &Client, name: &str) -> String {
    let row = keeper.get("/api/rows").ok(200).json()["items"][0]["code"].clone();
    let tree = json!({ "name": name, "row": row, "planted": "2026-03-01" });
    keeper.send("POST", "/api/trees", &tree).ok(201).json()["id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_form_without_an_answer_keeps_its_text_and_asks_again() {
    let base = serve();
    let browser = Browser::signed_in(&base, KEEPER);
    browser.goto("/app/tree_create");
    browser.fill("#name", "Reinette");
    browser.network(true, 0);
    browser.click("#healthy");
    browser.wait("document.querySelector('.dz-form .dz-banner[role=alert] [data-dz-retry]')");
    assert_eq!(browser.js("return document.querySelector('#name').value"), "Reinette");
    // A second failure replaces the message of the first one.
    browser.click(".dz-form [data-dz-retry]");
    browser.wait("document.querySelectorAll('.dz-form .dz-banner[role=alert]').length === 1");
    browser.network(false, 0);
    browser.click(".dz-form [data-dz-retry]");
    browser.wait("document.querySelector('#facts') && !document.querySelector('.dz-form .dz-banner')");
    assert_eq!(browser.js("return document.querySelector('#name').value"), "Reinette");
}

#[test]
fn a_form_of_a_deleted_row_shows_the_typed_text() {
    let base = serve();
    let keeper = Client::signed_in(&base, KEEPER);
    let tree = new_tree(&keeper, "Short-lived");
    let browser = Browser::signed_in(&base, KEEPER);
    browser.goto(&format!("/app/tree_edit/{tree}"));
    keeper.delete(&format!("/api/trees/{tree}")).ok(204);
    browser.fill("#name", "Renamed <at last>");
    browser.fill("#notes", "First line\nsecond line");
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.wait("document.querySelector('.dz-typed')");
    let shown = browser.text(".dz-typed");
    assert!(shown.contains("Renamed <at last>") && shown.contains("First line\nsecond line"), "{shown}");
    browser.is_seen_everywhere("deleted-row");
    // A row that is opened, or deleted, has no text to keep.
    let answer = keeper.request("GET", &format!("/app/tree_edit/{tree}"), &[("Accept", "text/html")], b"");
    assert!(answer.status == 404 && !answer.body.contains("dz-typed"), "{}", answer.body);
}

#[test]
fn a_text_that_is_no_date_stays_in_its_control() {
    let base = serve();
    let keeper = Client::signed_in(&base, KEEPER);
    let answer = keeper.form("/app/tree_create", &[("name", "A"), ("planted", "12 March"), ("weight", "heavy")]).ok(422);
    answer.shows(&[r#"name="planted" type="text" value="12 March""#, r#"name="weight" type="text" value="heavy""#]);
    let answer = keeper.form("/app/tree_create", &[("name", ""), ("planted", "2026-03-12"), ("weight", "2.5")]).ok(422);
    answer.shows(&[r#"name="planted" type="date" value="2026-03-12""#, r#"name="weight" type="number" value="2.5""#]);
}

#[test]
fn keys_that_are_texts_are_in_valid_identifiers_of_elements() {
    let base = serve();
    let keeper = Client::signed_in(&base, KEEPER);
    for path in ["/app/row_list", "/app/trees-rows"] {
        let page = keeper.request("GET", path, &[("Accept", "text/html")], b"").ok(200);
        let ids: Vec<&str> = page.body.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(ids.iter().any(|id| id.ends_with("-N%201%2Fx")), "{path}: {ids:?}");
        assert!(ids.iter().all(|id| !id.contains(char::is_whitespace)), "{path}: {ids:?}");
    }
}
