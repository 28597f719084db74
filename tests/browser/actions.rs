//! Buttons of custom actions.

use std::sync::OnceLock;

use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{browser::Browser, client::Client, server};

dz::dz! {
    app desk "Desk"

    persona boss "Boss"
    persona clerk "Clerk"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Claim "Claim":
      id: uuid pk
      title: str(60) required
      paid: bool = false
      permit:
        list: true
        read: true
        create: true
        update: role(boss)
        pay_out: role(boss) and paid = false

    surface claim_view "Claim":
      uses entity Claim
      mode: view

    demo:
      User:
        - name: "Bo", email: "bo@example.com", password: "the boss of it", roles: [boss]
        - name: "Cleo", email: "cleo@example.com", password: "a clerk of it", roles: [clerk]
}

const BOSS: (&str, &str) = ("bo@example.com", "the boss of it");
const CLERK: (&str, &str) = ("cleo@example.com", "a clerk of it");

fn application() -> dz::App {
    app().action::<claim::Claim>("pay_out", |tx, claim, _| {
        claim.update(tx, claim::ClaimChanges { paid: Some(true), ..Default::default() })?;
        Ok(Value::Null)
    })
}

fn check_action_button(base: &str) {
    let client = Client::signed_in(base, CLERK);
    let id = client.send("POST", "/api/claims", &json!({ "title": "Broken window" })).ok(201).json()["id"].clone();
    let page = format!("/app/claim_view/{}", id.as_str().expect("an id"));
    let browser = Browser::signed_in(base, CLERK);
    browser.goto(&page);
    assert_eq!(browser.js("return document.querySelector('button[name=action]')"), Value::Null, "a clerk pays nothing out");
    browser.becomes(BOSS);
    browser.goto(&page);
    assert_eq!(browser.text("button[name=action]"), "Pay out");
    browser.click("button[name=action]");
    browser.wait("document.body.textContent.includes('Done.')");
    assert_eq!(client.get(&format!("/api/claims/{}", id.as_str().expect("an id"))).ok(200).json()["paid"], true);
    assert_eq!(browser.js("return document.querySelector('button[name=action]')"), Value::Null, "it is paid");
}

#[test]
fn an_action_is_run_by_its_button_on_sqlite() {
    static AT: OnceLock<String> = OnceLock::new();
    check_action_button(AT.get_or_init(|| server::serve(application(), Engine::Sqlite, server::new_url(Engine::Sqlite, "browser_desk"))));
}

#[test]
fn an_action_is_run_by_its_button_on_postgres() {
    static AT: OnceLock<String> = OnceLock::new();
    check_action_button(
        AT.get_or_init(|| server::serve(application(), Engine::Postgres, server::new_url(Engine::Postgres, "browser_desk"))),
    );
}
