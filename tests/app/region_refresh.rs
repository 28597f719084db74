//! Regions that the configuration refreshes: their attributes, their identifiers, and the rules at each load.

use std::collections::BTreeSet;

use dz::{Engine, serde_json::json};

use crate::{
    client::{Answer, Client},
    server,
};

dz::dz! {
    app harbour "Harbour"

    persona pilot "Pilot"
    persona clerk "Clerk"

    entity User "Person":
      id: uuid pk
      permit:
        list: true
        read: true

    entity Ship "Ship":
      id: uuid pk
      name: str(40) required
      arrives: date
      pilot: ref User
      permit:
        list: role(clerk) or pilot = current_user
        read: role(clerk) or pilot = current_user
        create: role(clerk)
        update: role(clerk)

    surface ship_list "Ships":
      uses entity Ship
      mode: list

    workspace quay "Quay":
      ships "Ships":
        source: Ship
        display: table
        sort: name asc
        action: ship_list
      figures "Figures":
        display: metrics
        aggregate:
          all_ships: count(Ship)
      days "Days":
        source: Ship
        display: calendar
        date_field: arrives

    demo:
      User:
        - email: "clara@harbour.example", password: "ropes and bollards", roles: [clerk]
        - @petra email: "petra@harbour.example", password: "up the ladder", roles: [pilot]
      Ship:
        - name: "Anna", arrives: "2026-03-02", pilot: @petra
        - name: "Berta", arrives: "2026-03-03"
}

const CLERK: (&str, &str) = ("clara@harbour.example", "ropes and bollards");
const PILOT: (&str, &str) = ("petra@harbour.example", "up the ladder");

fn serve(of: &str, engine: Engine, settings: dz::serde_json::Value) -> String {
    server::serve_with(app(), engine, server::new_url(engine, of), settings)
}

/// The identifiers of elements, which occur only once.
#[track_caller]
fn ids(page: &Answer) -> BTreeSet<String> {
    let all: Vec<String> = page.body.split(" id=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect();
    let once: BTreeSet<String> = all.iter().cloned().collect();
    assert_eq!(once.len(), all.len(), "{all:?}");
    once
}

#[test]
fn regions_are_loaded_again_on_sqlite() {
    check(Engine::Sqlite);
}

#[test]
fn regions_are_loaded_again_on_postgres() {
    check(Engine::Postgres);
}

fn check(engine: Engine) {
    let base = serve("harbour", engine, json!({ "regions": { "refresh": 30 } }));
    let clerk = Client::signed_in(&base, CLERK);
    let page = clerk.get("/app/quay").ok(200);
    for region in ["ships", "figures", "days"] {
        let target = format!("hx-target=\"#quay-{region}-body\" hx-swap=\"morph:innerHTML\" data-dz-refresh-every=\"30\"");
        page.shows(&[&format!("hx-get=\"/app/quay-{region}\" hx-trigger=\"load, dz:poll\" {target}")]);
        // A region as a page has its content.
        clerk.get(&format!("/app/quay-{region}")).ok(200).shows(&[&format!("hx-trigger=\"dz:poll\" {target}")]);
        // The content of a load has no identifier of the page around it, except those that it replaces.
        let (around, first) = (ids(&page), clerk.exchange(&format!("/app/quay-{region}")).ok(200));
        let replaced = format!("quay-{region}-footer");
        let doubled: Vec<String> = ids(&first).intersection(&around).filter(|id| **id != replaced).cloned().collect();
        assert!(doubled.is_empty(), "{doubled:?}");
        let second = clerk.exchange(&format!("/app/quay-{region}")).ok(200);
        assert_eq!(ids(&first), ids(&second), "a second load replaces the same elements");
    }
    // The rules apply at each load.
    let pilot = Client::signed_in(&base, PILOT);
    pilot.exchange("/app/quay-ships").ok(200).shows(&["Anna"]);
    let anna = clerk.get("/api/ships?name=Anna").ok(200).json()["items"][0]["id"].as_str().expect("a key").to_owned();
    clerk.send("PATCH", &format!("/api/ships/{anna}"), &json!({ "pilot": null })).ok(200);
    pilot.exchange("/app/quay-ships").ok(200).lacks(&["Anna", "Berta"]);
    pilot.form("/auth/logout", &[]).ok(303);
    let ended = pilot.exchange("/app/quay-ships");
    assert_eq!((ended.status, ended.header("hx-redirect").is_some()), (401, true));
}

#[test]
fn without_the_key_regions_are_loaded_once() {
    let base = serve("harbour", Engine::Sqlite, json!({}));
    let page = Client::signed_in(&base, CLERK).get("/app/quay").ok(200);
    page.shows(&["hx-trigger=\"load\" hx-target=\"#quay-ships-body\" hx-swap=\"morph:innerHTML\">", "data-dz-region"]);
    page.lacks(&["data-dz-refresh-every", "dz:poll"]);
}
