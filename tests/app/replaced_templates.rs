//! Templates of the application in place of those of the runtime: the folder `templates` of this package.

use std::sync::OnceLock;

use dz::{Engine, serde_json::json};

use crate::client::Client;

dz::dz! {
    app shelves "Shelves"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Shelf "Shelf":
      id: uuid pk
      name: str(60) required
      secret: str(20) sensitive
      permit:
        list: true
        read: true
        create: true

    surface shelf_list "Shelves":
      uses entity Shelf
      mode: list
      section main:
        field name
      ux:
        sort: name

    surface shelf_view "Shelf":
      uses entity Shelf
      mode: view

    surface shelf_new "New shelf":
      uses entity Shelf
      mode: create

    demo:
      User:
        - name: "Ida", email: "ida@example.com", password: "a shelf of books"
      Shelf:
        - name: "Maps <old>"
}

const IDA: (&str, &str) = ("ida@example.com", "a shelf of books");

fn base() -> &'static str {
    static AT: OnceLock<String> = OnceLock::new();
    AT.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("dz-shelves-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        crate::server::serve(app(), Engine::Sqlite, format!("sqlite://{}", folder.join("shelves.db").display()))
    })
}

#[test]
fn a_template_of_the_application_replaces_a_list() {
    let client = Client::signed_in(base(), IDA);
    let page = client.get("/app/shelf_list").ok(200);
    page.shows(&[
        "<h1>Shelves in the hall</h1>",
        "<li data-shelf>Maps &#60;old&#62;</li>",
        "<ol id=\"shelf_list-body\">",
        "<!doctype html>",
    ]);
    assert!(!page.body.contains("<table"), "{}", page.body);
}

#[test]
fn an_htmx_request_uses_the_template_of_the_application() {
    let client = Client::signed_in(base(), IDA);
    for n in 0..21 {
        client.send("POST", "/api/shelves", &json!({ "name": format!("Shelf {n:02}") })).ok(201);
    }
    let rows = client.exchange("/app/shelf_list?page=2").ok(200);
    rows.shows(&["<li data-shelf>Shelf "]);
    assert!(!rows.body.contains("<ol") && !rows.body.contains("<tr"), "{}", rows.body);
}

#[test]
fn a_replaced_view_leaves_other_pages_unchanged() {
    let client = Client::signed_in(base(), IDA);
    let made = client.send("POST", "/api/shelves", &json!({ "name": "Atlas" })).ok(201).json();
    client.get(&format!("/app/shelf_view/{}", made["id"].as_str().unwrap_or_default())).ok(200).shows(&["<article>A shelf called "]);
    client.get("/app/shelf_new").ok(200).shows(&["<form"]);
}
