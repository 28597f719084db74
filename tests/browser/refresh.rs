//! Regions that the configuration refreshes, in a browser: they show new rows, keep their page, and wait for the user.

use dz::{Engine, serde_json::json};

use crate::{browser::Browser, client::Client, regions, server};

const CHIEF: (&str, &str) = ("cara@shop.example", "chief of the shop");
const BODY: &str = "document.getElementById('bench-all-body')";

fn repair(client: &Client, title: &str) {
    client.send("POST", "/api/repairs", &json!({ "title": title })).ok(201);
}

fn shows(title: &str) -> String {
    format!("{BODY} && {BODY}.textContent.includes('{title}')")
}

#[test]
fn a_region_is_loaded_again_unless_it_is_in_use() {
    let settings = json!({ "regions": { "refresh": 5 } });
    let base = server::serve_with(regions::app(), Engine::Sqlite, server::new_file("refresh"), settings);
    let chief = Client::signed_in(&base, CHIEF);
    let browser = Browser::signed_in(&base, CHIEF);
    repair(&chief, "Aged clock");
    browser.goto("/app/bench");
    browser.wait(&shows("Aged clock"));
    repair(&chief, "Agile clock");
    browser.wait(&shows("Agile clock"));
    let doubled = "const all = [...document.querySelectorAll('[id]')].map((it) => it.id); return all.length - new Set(all).size";
    assert_eq!(browser.js(doubled), 0);
    assert_eq!(browser.js("return document.querySelectorAll('[aria-busy=true]').length"), 0, "nothing is dimmed");
    // With the focus in the region nothing changes; afterwards the new row is shown.
    browser.js("document.querySelector('#bench-all-body a, #bench-all a').focus(); return null");
    repair(&chief, "Agreed clock");
    std::thread::sleep(std::time::Duration::from_secs(7));
    assert_eq!(browser.js(&format!("return {}", shows("Agreed clock"))), false);
    assert_eq!(browser.js("return document.getElementById('bench-all').contains(document.activeElement)"), true);
    browser.js("document.activeElement.blur(); return null");
    browser.wait(&shows("Agreed clock"));
    // Without an answer the rows stay, and the next answer has the new one.
    browser.network(true, 0);
    repair(&chief, "Agate clock");
    std::thread::sleep(std::time::Duration::from_secs(7));
    assert_eq!(browser.js(&format!("return {}", shows("Agreed clock"))), true);
    browser.network(false, 0);
    browser.wait(&shows("Agate clock"));
}
