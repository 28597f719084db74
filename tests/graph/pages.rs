//! The page of the graph around a row.

use dz::serde_json::json;

use crate::{
    answers::{GUEST, HOST, app, befriend, people},
    client::Client,
};

crate::served_on_both! {
    "circle_pages", app();
    the_page_lists_rows_and_edges;
    the_page_finds_paths;
    the_page_shows_what_the_caller_may_read;
    a_region_draws_the_graph_of_its_rows;
}

fn the_page_lists_rows_and_edges(base: &str) {
    let host = Client::signed_in(base, HOST);
    let [ann, bob, cid] = people(&host, ["Ann <1>", "Bob", "Cid"]);
    befriend(&host, &ann, &bob, json!({ "kind": "family", "strength": 7 }));
    befriend(&host, &bob, &cid, json!({}));
    let address = format!("/app/person_view/{ann}/graph");
    let page = host.get(&address).ok(200);
    page.shows(&[
        "<h1>Connections of Ann &#60;1&#62;</h1>",
        "Distance 1: 2 rows, 1 connection.",
        &format!("data-dz-graph=\"/api/people/{ann}/graph?depth=1\""),
        &format!("<a href=\"/app/person_view/{bob}\">Bob</a>"),
        &format!("<a href=\"/app/person_view/{bob}/graph\">Connections of Bob</a>"),
        "<td>Family</td><td data-num>7</td>",
        "href=\"/app/person_list\"",
    ]);
    page.lacks(&["Cid"]);
    host.get(&format!("{address}?depth=2")).ok(200).shows(&["Distance 2: 3 rows, 2 connections.", "Cid"]);
    host.get(&format!("{address}?depth=2&kind=family")).ok(200).shows(&[
        "Distance 2: 2 rows, 1 connection.",
        "<option value=\"family\" selected>",
        &format!("/api/people/{ann}/graph?depth=2&#38;edge.kind=family"),
    ]);
    // Pages ignore invalid values.
    host.get(&format!("{address}?depth=9&kind=foe&to=x&other=1")).ok(200).shows(&["Distance 1: 2 rows, 1 connection."]);
    host.get(&format!("/app/person_list/{ann}/graph")).ok(200).shows(&["Distance 1: 2 rows"]);
    host.get(&format!("/app/person_view/{ann}")).ok(200).shows(&[&format!("href=\"{address}\"")]);
    assert_eq!(host.get("/app/person_view/no-key/graph").status, 404);
}

fn the_page_finds_paths(base: &str) {
    let host = Client::signed_in(base, HOST);
    let [ann, bob, cid, dan] = people(&host, ["Ann", "Bob", "Cid", "Dan"]);
    befriend(&host, &ann, &bob, json!({}));
    befriend(&host, &bob, &cid, json!({}));
    let path = |to: &str| host.get(&format!("/app/person_view/{ann}/graph?to={to}")).ok(200);
    path(&cid).shows(&[
        "Path: 2 connections",
        &format!("<option value=\"{cid}\" selected>Cid</option>"),
        &format!("<li><a href=\"/app/person_view/{cid}\">Cid</a></li>"),
        &format!("data-dz-path-source=\"/api/people/{ann}/graph/shortest-path?to={cid}\""),
    ]);
    path(&bob).shows(&["Path: 1 connection"]);
    path(&dan).shows(&["No path leads to this row", "data-dz-path-source=\"\""]);
}

fn the_page_shows_what_the_caller_may_read(base: &str) {
    let [host, guest] = [HOST, GUEST].map(|who| Client::signed_in(base, who));
    let [ann, bob, cid] = people(&host, ["Ann", "Bobby", "Cidney"]);
    befriend(&host, &ann, &bob, json!({}));
    befriend(&host, &ann, &cid, json!({ "secret": true }));
    host.send("PATCH", &format!("/api/people/{bob}"), &json!({ "hidden": true })).ok(200);
    let address = format!("/app/person_view/{ann}/graph?depth=3");
    host.get(&address).ok(200).shows(&["Bobby", "Cidney"]);
    guest.get(&address).ok(200).lacks(&["Bobby", "Cidney"]);
    guest.get(&format!("{address}&to={bob}")).ok(200).lacks(&["Bobby", "Path:", "No path"]);
    assert_eq!(guest.get(&format!("/app/person_view/{bob}/graph")).status, 404);
    let anonymous = Client::new(base).get(&address);
    assert_eq!(anonymous.status, 303);
}

fn a_region_draws_the_graph_of_its_rows(base: &str) {
    let [host, guest] = [HOST, GUEST].map(|who| Client::signed_in(base, who));
    host.exchange("/app/circle_desk-people").ok(200).shows(&["Nobody here."]);
    let [ann, bob, hidden, other] = people(&host, ["Net Ann <b>", "Net Bob", "Hidden", "Outside"]);
    host.send("PATCH", &format!("/api/people/{hidden}"), &json!({ "hidden": true })).ok(200);
    befriend(&host, &ann, &bob, json!({ "kind": "family", "strength": 200 }));
    befriend(&host, &bob, &hidden, json!({ "strength": 300 }));
    befriend(&host, &ann, &other, json!({ "strength": 1 }));
    let drawn = host.exchange("/app/circle_desk-people").ok(200);
    drawn.shows(&[
        "3 rows and 2 connections",
        "Net Ann &#60;b&#62;",
        &format!("<a href=\"/app/person_view/{bob}\""),
        "<td>Family</td>",
        "<circle",
    ]);
    drawn.lacks(&["Outside", "marker-end"]);
    // Neither a node nor an edge that the caller may not list.
    let part = guest.exchange("/app/circle_desk-people").ok(200);
    part.shows(&["2 rows and 1 connection"]);
    part.lacks(&["Hidden"]);
    // A region of edges shows these edges with the nodes at their ends.
    host.exchange("/app/circle_desk-ties").ok(200).shows(&["3 rows and 2 connections", "Net Bob", "Hidden"]);
    guest.exchange("/app/circle_desk-ties").ok(200).shows(&["2 rows and 1 connection"]);
    befriend(&host, &ann, &hidden, json!({ "strength": 400 }));
    host.exchange("/app/circle_desk-ties").ok(200).shows(&["Showing 2 of 3 connections."]);
    // The region is a page too, which needs no script.
    host.get("/app/circle_desk-people").ok(200).shows(&["<svg class=\"dz-network\"", "Show as a list"]);
}
