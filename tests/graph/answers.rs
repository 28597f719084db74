//! The shapes of the answers, the parameters, and the rows that a caller does not see.

use dz::serde_json::{Value, json};

use crate::client::Client;

dz::dz! {
    app circle "Circle"

    persona host "Host"
    persona guest "Guest"

    entity User "Account":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Person "Person":
      id: uuid pk
      name: str(60) required
      hidden: bool = false
      phone: str(20) sensitive
      soft_delete
      graph_node:
        edges: Friendship
        display: name
      permit:
        list: role(host) or hidden = false
        read: role(host) or hidden = false
        create: role(host)
        update: role(host)
        delete: role(host)

    entity Friendship "Friendship":
      id: uuid pk
      first: ref Person required
      second: ref Person required
      kind: enum[friend, family, format_like] = friend
      strength: int
      depth: int
      secret: bool = false
      note: str(40) sensitive
      soft_delete
      graph_edge:
        source: first
        target: second
        type: kind
        weight: strength
        directed: false
      permit:
        list: role(host) or secret = false
        read: role(host) or secret = false
        create: role(host)
        update: role(host)
        delete: role(host)

    surface person_list "People":
      uses entity Person
      mode: list
      section main:
        field name

    surface person_view "Person":
      uses entity Person
      mode: view
      section main:
        field name

    workspace circle_desk "Desk":
      people "People":
        source: Person
        display: graph
        filter: starts_with(name, "Net") or name = "Hidden"
        action: person_view
        empty: "Nobody here."
      ties "Ties":
        source: Friendship
        display: graph
        filter: strength > 100
        limit: 2

    demo:
      User:
        - name: "Hana", email: "hana@circle.example", password: "opens the door", roles: [host]
        - name: "Gus", email: "gus@circle.example", password: "rings the bell", roles: [guest]
}

pub const HOST: (&str, &str) = ("hana@circle.example", "opens the door");
pub const GUEST: (&str, &str) = ("gus@circle.example", "rings the bell");

crate::served_on_both! {
    "circle", app();
    a_neighbourhood_has_three_formats;
    the_depth_bounds_the_hops;
    filters_apply_to_edges_before_the_walk;
    wrong_parameters_are_refused;
    hidden_rows_are_neither_shown_nor_followed;
    sensitive_values_are_masked;
    the_list_of_edges_has_formats;
    an_unchanged_answer_is_not_sent_again;
}

/// Creates people by their names; returns their ids.
pub fn people<const N: usize>(host: &Client, names: [&str; N]) -> [String; N] {
    names.map(|name| create_row(host, "/api/people", json!({ "name": name })))
}

#[track_caller]
fn create_row(client: &Client, path: &str, row: Value) -> String {
    client.send("POST", path, &row).ok(201).json()["id"].as_str().expect("an id").to_owned()
}

pub fn befriend(host: &Client, first: &str, second: &str, more: Value) -> String {
    let mut row = json!({ "first": first, "second": second });
    row.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    create_row(host, "/api/friendships", row)
}

/// The ids of the nodes or edges of an answer in the format `cytoscape`.
fn ids(answer: &Value, group: &str) -> Vec<String> {
    let elements = answer["elements"].as_array().expect("elements");
    elements.iter().filter(|it| it["group"] == group).map(|it| it["data"]["id"].as_str().expect("an id").to_owned()).collect()
}

fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort();
    ids
}

fn set<const N: usize>(ids: [&String; N]) -> Vec<String> {
    sorted(ids.into_iter().cloned().collect())
}

fn a_neighbourhood_has_three_formats(base: &str) {
    let host = Client::signed_in(base, HOST);
    let [ann, bob, cid] = people(&host, ["Ann", "Bob", "Cid"]);
    let one = befriend(&host, &ann, &bob, json!({ "strength": 5 }));
    befriend(&host, &bob, &cid, json!({ "strength": null, "kind": "family" }));
    let address = format!("/api/people/{ann}/graph");
    let answer = host.get(&address).ok(200).json();
    assert_eq!(answer["stats"], json!({ "nodes": 2, "edges": 1 }), "{answer}");
    assert_eq!(ids(&answer, "nodes"), [ann.clone(), bob.clone()], "the seed is first");
    let edge = &answer["elements"][2]["data"];
    assert_eq!((&edge["source"], &edge["target"], &edge["type"]), (&json!(ann), &json!(bob), &json!("friend")), "{edge}");
    assert_eq!((&edge["weight"], &edge["strength"], &edge["id"]), (&json!(5), &json!(5), &json!(one)));
    assert_eq!(answer["elements"][0]["data"]["label"], "Ann");
    assert_eq!(answer["elements"][0]["data"]["name"], "Ann");
    assert_eq!(host.get(&format!("{address}?format=cytoscape")).json(), answer);
    let d3 = host.get(&format!("{address}?format=d3&depth=2")).ok(200).json();
    assert_eq!((d3["nodes"].as_array().map(Vec::len), d3["links"].as_array().map(Vec::len)), (Some(3), Some(2)), "{d3}");
    assert_eq!(d3["nodes"][0]["id"], json!(ann));
    let null = d3["links"].as_array().expect("links").iter().find(|it| it["type"] == "family").expect("an edge");
    assert_eq!(null["weight"], Value::Null);
    let raw = host.get(&format!("{address}?format=raw")).ok(200).json();
    assert_eq!(raw["nodes"][0], host.get(&format!("/api/people/{ann}")).json(), "a row as the API shows it");
    assert_eq!(raw["edges"], json!([host.get(&format!("/api/friendships/{one}")).json()]));
    assert_eq!(raw.as_object().map(|it| it.len()), Some(2));
    let [alone] = people(&host, ["Alone"]);
    let alone = host.get(&format!("/api/people/{alone}/graph?depth=3")).ok(200).json();
    assert_eq!(alone["stats"], json!({ "nodes": 1, "edges": 0 }), "the seed is always part of the answer");
}

fn the_depth_bounds_the_hops(base: &str) {
    let host = Client::signed_in(base, HOST);
    let all = people(&host, ["P0", "P1", "P2", "P3", "P4"]);
    for pair in all.windows(2) {
        befriend(&host, &pair[1], &pair[0], json!({}));
    }
    // A loop and a parallel edge change no distance.
    befriend(&host, &all[0], &all[0], json!({}));
    befriend(&host, &all[0], &all[1], json!({}));
    for (depth, nodes, edges) in [(1, 2, 3), (2, 3, 4), (3, 4, 5)] {
        let answer = host.get(&format!("/api/people/{}/graph?depth={depth}", all[0])).ok(200).json();
        assert_eq!(answer["stats"], json!({ "nodes": nodes, "edges": edges }), "{depth}");
        assert_eq!(ids(&answer, "nodes"), all[..nodes], "by their distance");
    }
}

fn filters_apply_to_edges_before_the_walk(base: &str) {
    let host = Client::signed_in(base, HOST);
    let [ann, bob, cid, dan] = people(&host, ["Ann", "Bob", "Cid", "Dan"]);
    befriend(&host, &ann, &bob, json!({ "kind": "family", "strength": 3, "depth": 7 }));
    befriend(&host, &bob, &cid, json!({ "kind": "friend", "strength": 4 }));
    befriend(&host, &cid, &dan, json!({ "kind": "family", "strength": 9 }));
    let nodes = |query: &str| sorted(ids(&host.get(&format!("/api/people/{ann}/graph?depth=3&{query}")).ok(200).json(), "nodes"));
    assert_eq!(nodes("kind=family"), set([&ann, &bob]), "an edge that does not match is not followed");
    assert_eq!(nodes("strength__lte=4"), set([&ann, &bob, &cid]));
    assert_eq!(nodes("strength__in=3,4,9"), set([&ann, &bob, &cid, &dan]));
    assert_eq!(nodes("edge.depth=7"), set([&ann, &bob]), "the field, not the parameter");
    assert_eq!(nodes("edge.kind__ne=family"), set([&ann]));
    assert_eq!(nodes("depth__isnull=true"), set([&ann]), "an operator makes the name unambiguous");
    assert_eq!(nodes(&format!("first={ann}")), set([&ann, &bob]));
    assert_eq!(nodes("secret=true"), set([&ann]));
}

fn wrong_parameters_are_refused(base: &str) {
    let host = Client::signed_in(base, HOST);
    let [ann] = people(&host, ["Ann"]);
    let get = |query: &str| host.get(&format!("/api/people/{ann}/graph?{query}"));
    for depth in ["0", "4", "-1", "x", "", "1.5"] {
        let problem = get(&format!("depth={depth}")).problem(422, "VALIDATION");
        assert!(problem["field_errors"]["depth"].is_array(), "{problem}");
    }
    for query in
        ["format=dot", "format=", "dept=2", "note=x", "first.name=Ann", "kind=foe", "depth=1&depth=2", "strength__near=3", "to=1", "page=1"]
    {
        get(query).problem(400, "BAD_REQUEST");
    }
    assert!(get("format=cytoscap").json()["detail"].as_str().is_some_and(|it| it.contains("`cytoscape`")));
    host.get("/api/people/no-key/graph").problem(404, "NOT_FOUND");
    host.get("/api/people/00000000-0000-4000-8000-000000000000/graph").problem(404, "NOT_FOUND");
    host.get(&format!("/api/friendships/{ann}/graph")).problem(404, "NOT_FOUND");
    host.send("POST", &format!("/api/people/{ann}/graph"), &json!({})).problem(405, "METHOD_NOT_ALLOWED");
    Client::new(base).get(&format!("/api/people/{ann}/graph")).problem(401, "AUTHENTICATION_REQUIRED");
}

fn hidden_rows_are_neither_shown_nor_followed(base: &str) {
    let [host, guest] = [HOST, GUEST].map(|who| Client::signed_in(base, who));
    let [ann, bob, cid, dan, eve] = people(&host, ["Ann", "Bob", "Cid", "Dan", "Eve"]);
    let open = befriend(&host, &ann, &bob, json!({}));
    befriend(&host, &bob, &cid, json!({}));
    let last = befriend(&host, &cid, &dan, json!({}));
    befriend(&host, &ann, &eve, json!({ "secret": true }));
    host.send("PATCH", &format!("/api/people/{cid}"), &json!({ "hidden": true })).ok(200);
    let around = |client: &Client, who: &str| client.get(&format!("/api/people/{who}/graph?depth=3"));
    assert_eq!(ids(&around(&host, &ann).ok(200).json(), "nodes").len(), 5);
    let seen = around(&guest, &ann).ok(200).json();
    assert_eq!(sorted(ids(&seen, "nodes")), set([&ann, &bob]), "neither over a hidden node nor over a secret edge");
    assert_eq!(ids(&seen, "edges"), [open], "no edge names a hidden node");
    around(&guest, &cid).problem(404, "NOT_FOUND");
    host.delete(&format!("/api/people/{dan}")).problem(409, "REFERENCED");
    host.delete(&format!("/api/friendships/{last}")).ok(204);
    assert_eq!(sorted(ids(&around(&host, &ann).ok(200).json(), "nodes")), set([&ann, &bob, &cid, &eve]), "a deleted edge is not followed");
    host.delete(&format!("/api/people/{dan}")).ok(204);
    around(&host, &dan).problem(404, "NOT_FOUND");
}

fn sensitive_values_are_masked(base: &str) {
    let [host, guest] = [HOST, GUEST].map(|who| Client::signed_in(base, who));
    let [ann, bob] = people(&host, ["Ann", "Bob"]);
    host.send("PATCH", &format!("/api/people/{ann}"), &json!({ "phone": "555-0199" })).ok(200);
    befriend(&host, &ann, &bob, json!({ "note": "met in the harbour" }));
    for format in ["cytoscape", "d3", "raw"] {
        let get = |client: &Client| client.get(&format!("/api/people/{ann}/graph?format={format}")).ok(200);
        get(&host).shows(&["555-0199", "met in the harbour"]);
        get(&guest).lacks(&["555-0199", "met in the harbour"]);
        get(&guest).shows(&["\"phone\":null", "\"note\":null"]);
    }
}

fn the_list_of_edges_has_formats(base: &str) {
    let [host, guest] = [HOST, GUEST].map(|who| Client::signed_in(base, who));
    let [ann, bob, cid] = people(&host, ["Ann", "Bob", "Cid"]);
    let one = befriend(&host, &ann, &bob, json!({ "strength": 811 }));
    befriend(&host, &bob, &cid, json!({ "strength": 811, "secret": true }));
    let get = |client: &Client, query: &str| client.get(&format!("/api/friendships?strength=811&{query}"));
    let all = get(&host, "format=cytoscape").ok(200).json();
    assert_eq!(all["stats"], json!({ "nodes": 3, "edges": 2 }), "{all}");
    let seen = get(&guest, "format=cytoscape").ok(200).json();
    assert_eq!((sorted(ids(&seen, "nodes")), ids(&seen, "edges")), (set([&ann, &bob]), vec![one.clone()]), "without isolated nodes");
    let d3 = get(&guest, "format=d3").ok(200).json();
    assert_eq!((&d3["links"][0]["source"], &d3["links"][0]["weight"]), (&json!(ann), &json!(811)));
    assert_eq!(get(&guest, "format=raw").ok(200).json()["edges"][0]["id"], json!(one));
    assert_eq!(get(&guest, "format=json").ok(200).json()["total"], 1, "the list itself");
    assert_eq!(get(&guest, "").ok(200).json()["total"], 1);
    assert_eq!(get(&host, "format=cytoscape&edge.secret=true").ok(200).json()["stats"]["edges"], 1);
    host.send("PATCH", &format!("/api/people/{bob}"), &json!({ "hidden": true })).ok(200);
    assert_eq!(get(&guest, "format=cytoscape").ok(200).json(), json!({ "elements": [], "stats": { "nodes": 0, "edges": 0 } }));
    for wrong in
        ["format=dot", "format=cytoscape&page=2", "format=cytoscape&strenth=1", "format=cytoscape&edge.nothing=1", "edge.secret=true"]
    {
        get(&host, wrong).problem(400, "BAD_REQUEST");
    }
    get(&guest, "format=csv").ok(200);
    host.get("/api/people?format=cytoscape").problem(400, "BAD_REQUEST");
}

fn an_unchanged_answer_is_not_sent_again(base: &str) {
    let [host, guest] = [HOST, GUEST].map(|who| Client::signed_in(base, who));
    let [ann, bob] = people(&host, ["Ann", "Bob"]);
    let edge = befriend(&host, &ann, &bob, json!({}));
    let address = format!("/api/people/{ann}/graph");
    let tag = guest.get(&address).ok(200).header("etag").expect("a tag").to_owned();
    let again = |client: &Client| client.request("GET", &address, &[("If-None-Match", &tag)], b"");
    let kept = again(&guest).ok(304);
    assert_eq!((kept.body.as_str(), kept.header("etag")), ("", Some(tag.as_str())));
    host.send("PATCH", &format!("/api/friendships/{edge}"), &json!({ "secret": true })).ok(200);
    again(&guest).ok(200);
}
