//! The drawing of a graph in headless Chromium.

use dz::{Engine, serde_json::json};

use crate::{
    answers::{HOST, app, befriend, people},
    browser::Browser,
    client::Client,
    server,
};

#[test]
fn a_graph_is_drawn_and_expanded() {
    let base = server::serve(app(), Engine::Sqlite, server::new_url(Engine::Sqlite, "drawing"));
    let host = Client::signed_in(&base, HOST);
    let all = people(&host, ["Nadia Haddad", "Oskar Nilsson", "Brightside Bakery", "Lena Fischer", "Tern Support", "Kestrel Labs"]);
    for (from, to, kind) in [(5, 0, "friend"), (5, 1, "family"), (5, 2, "friend"), (2, 3, "friend"), (1, 4, "family"), (3, 4, "friend")] {
        befriend(&host, &all[from], &all[to], json!({ "kind": kind, "strength": from }));
    }
    let browser = Browser::signed_in(&base, HOST);
    for (width, scheme) in [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")] {
        browser.looks(width, scheme);
        browser.goto(&format!("/app/person_view/{}/graph?depth=1&to={}", all[5], all[3]));
        browser.wait("document.querySelector('[data-dz-ready]')");
        browser.fits("graph", width);
        browser.keep_picture("graph", width, scheme);
    }
    assert_eq!(browser.complaints(), [] as [String; 0], "neither a refused style nor an error of a script");
    let count = "document.querySelector('[data-dz-graph]').graph.nodes().length";
    assert_eq!(browser.js(&format!("return {count}")), 5, "the neighbours, and the path");
    assert_eq!(browser.js("return document.querySelector('[data-dz-graph]').graph.nodes('.path').length"), 3);
    // A row is selected and expanded; the list of the page stays.
    browser.js(&format!(
        "const graph = document.querySelector('[data-dz-graph]').graph; graph.getElementById('{}').emit('tap'); return true",
        all[3]
    ));
    assert_eq!(browser.text("[data-dz-graph-name]"), "Lena Fischer");
    assert_eq!(browser.js("return document.querySelector('[data-dz-graph-open]').pathname"), format!("/app/person_view/{}", all[3]));
    browser.click("[data-dz-graph-expand]");
    browser.wait(&format!("{count} === 6"));
    assert_eq!(browser.js("return document.querySelector('[data-dz-graph-status]').textContent"), "1 row added");
    assert_eq!(browser.js("return document.querySelector('[data-dz-graph-png]').hidden"), false);
    assert_eq!(browser.js("return document.querySelectorAll('.dz-lists table').length"), 2);
}
