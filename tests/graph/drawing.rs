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

/// The largest page: 1,000 neighbours, and 1,000 connections.
#[test]
fn a_graph_of_two_thousand_elements_is_drawn_and_listed() {
    const NEIGHBOURS: usize = 999;
    let base = server::serve(app(), Engine::Sqlite, server::new_url(Engine::Sqlite, "drawing_large"));
    let host = Client::signed_in(&base, HOST);
    let import = |path: &str, csv: String| {
        let headers = [("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")];
        host.request("POST", path, &headers, csv.as_bytes()).ok(200);
    };
    let lines = |head: &str, line: &dyn Fn(usize) -> String| format!("{head}\r\n{}", (0..NEIGHBOURS).map(line).collect::<String>());
    let [centre] = people(&host, ["Centre"]);
    import("/api/people/import", lines("name", &|at| format!("Neighbour {at:04}\r\n")));
    let listed =
        |page: usize| host.get(&format!("/api/people?page_size=100&page={page}&sort=name&name__startswith=Neighbour")).ok(200).json();
    let ids: Vec<String> = (1..=10)
        .flat_map(|page| listed(page)["items"].as_array().expect("items").clone())
        .map(|row| row["id"].as_str().expect("an id").to_owned())
        .collect();
    assert_eq!(ids.len(), NEIGHBOURS);
    import("/api/friendships/import", lines("first,second,kind", &|at| format!("{centre},{},friend\r\n", ids[at])));
    // 1,000 rows and 999 connections, and one more connection between two neighbours.
    befriend(&host, &ids[0], &ids[1], json!({}));

    let browser = Browser::signed_in(&base, HOST);
    browser.goto(&format!("/app/person_view/{centre}/graph?depth=1"));
    browser.wait("document.querySelector('[data-dz-ready]')");
    let graph = "document.querySelector('[data-dz-graph]').graph";
    let drawn = browser.js(&format!("return [{graph}.nodes().length, {graph}.edges().length]"));
    assert_eq!(drawn, json!([NEIGHBOURS + 1, NEIGHBOURS + 1]));
    let rows = "return [...document.querySelectorAll('.dz-lists table')].map((table) => table.tBodies[0].rows.length)";
    assert_eq!(browser.js(rows), json!([NEIGHBOURS + 1, NEIGHBOURS + 1]), "the lists have each row and each connection");
    // Nodes have places of their own, and the graph answers a click and a change of its part.
    let places = format!("return new Set({graph}.nodes().map((node) => JSON.stringify(node.position()))).size");
    assert_eq!(browser.js(&places), json!(NEIGHBOURS + 1));
    browser.js(&format!("{graph}.getElementById('{}').emit('tap'); return true", ids[500]));
    assert_eq!(browser.text("[data-dz-graph-name]"), "Neighbour 0500");
    let before = browser.js(&format!("return {graph}.zoom()"));
    browser.js(&format!("{graph}.zoom({graph}.zoom() * 2); {graph}.panBy({{ x: 40, y: 40 }}); return true"));
    let after = browser.js(&format!("return {graph}.zoom()"));
    assert_eq!(after.as_f64().zip(before.as_f64()).map(|(after, before)| after > before), Some(true));
    // How long the browser takes for frames of a moving graph, for readers of the log.
    let frames = format!(
        "const started = performance.now(); \
         for (let at = 0; at < 30; at += 1) {{ {graph}.panBy({{ x: 3, y: 0 }}); {graph}.forceRender(); }} \
         return (performance.now() - started) / 30"
    );
    println!("2,000 elements: {} ms for each frame", browser.js(&frames));
    assert_eq!(browser.complaints(), [] as [String; 0]);
}
