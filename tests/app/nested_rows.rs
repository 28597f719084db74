//! The menus of rows in the sections of a view: each row offers what its own rules permit.

use dz::serde_json::json;

use crate::client::Client;

dz::dz! {
    app cellar "Cellar"

    persona keeper "Keeper"

    entity User "Person":
      id: uuid pk
      name: str(40)

    entity Cask "Cask":
      id: uuid pk
      name: str(40) required
      labels: has_many Label
      permit:
        list: true
        read: true
        create: role(keeper)

    entity Label "Label":
      id: uuid pk
      cask: belongs_to Cask required
      text: str(40) required
      permit:
        list: true
        read: true
        create: role(keeper)
        update: role(keeper) and text != "printed"
        delete: role(keeper)
      forbid:
        delete: text = "kept"

    surface cask_view "Cask":
      uses entity Cask
      mode: view
      section main:
        field name
      section labels "Labels":
        uses entity Label
        filter: cask = this
        field text

    surface label_view "Label":
      uses entity Label
      mode: view

    surface label_edit "Change label":
      uses entity Label
      mode: edit

    demo:
      User:
        - name: "Ina Holt", email: "ina@cellar.example", password: "keeper of the casks", roles: [keeper]
}

crate::served_on_both! {
    "nested_rows", app();
    rows_offer_what_their_rules_permit;
}

fn rows_offer_what_their_rules_permit(base: &str) {
    let ina = Client::signed_in(base, ("ina@cellar.example", "keeper of the casks"));
    let create =
        |table: &str, row| ina.send("POST", &format!("/api/{table}"), &row).ok(201).json()["id"].as_str().expect("a key").to_owned();
    let cask = create("casks", json!({ "name": "Oak" }));
    let label = |text: &str| create("labels", json!({ "cask": cask, "text": text }));
    let (free, kept, printed) = (label("free"), label("kept"), label("printed"));
    let page = ina.get(&format!("/app/cask_view/{cask}")).ok(200);
    let (edit, delete) = (|id: &str| format!("\"/app/label_edit/{id}\""), |id: &str| format!("\"/app/label_view/{id}/delete\""));
    page.shows(&[&edit(&free), &edit(&kept), &delete(&free), &delete(&printed)]);
    page.lacks(&[&edit(&printed), &delete(&kept)]);
}
