//! Shortest paths and components over HTTP.

use dz::serde_json::{Value, json};

use crate::client::Client;

dz::dz! {
    app roads "Roads"

    persona planner "Planner"
    persona driver "Driver"

    entity User "Account":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Place "Place":
      id: uuid pk
      name: str(60) required
      region: str(20)
      closed: bool = false
      graph_node:
        edges: Road
      permit:
        list: role(planner) or closed = false
        read: role(planner) or closed = false
        create: role(planner)
        update: role(planner)

    entity Road "Road":
      id: uuid pk
      start: ref Place required
      finish: ref Place required
      length: decimal(8,2)
      graph_edge:
        source: start
        target: finish
        weight: length
      permit:
        list: true
        read: true
        create: role(planner)

    entity Town "Town":
      id: int pk
      name: str(60) required
      graph_node:
        edges: Link
        display: name
      permit:
        list: true
        read: true
        create: role(planner)

    entity Link "Link":
      id: uuid pk
      one: ref Town required
      other: ref Town required
      graph_edge:
        source: one
        target: other
        directed: false
      permit:
        list: true
        read: true
        create: role(planner)

    demo:
      User:
        - name: "Pia", email: "pia@roads.example", password: "draws the lines", roles: [planner]
        - name: "Dee", email: "dee@roads.example", password: "takes the wheel", roles: [driver]
}

const PLANNER: (&str, &str) = ("pia@roads.example", "draws the lines");
const DRIVER: (&str, &str) = ("dee@roads.example", "takes the wheel");

crate::served_on_both! {
    "roads", app();
    paths_are_measured_by_hops_or_weights;
    formats_of_a_path;
    nothing_leads_against_a_direction;
    wrong_ends_are_refused;
    a_negative_weight_is_named;
    a_closed_place_is_no_part_of_a_path;
    components_partition_all_rows;
}

#[track_caller]
fn create_row(client: &Client, path: &str, row: Value) -> String {
    let id = client.send("POST", path, &row).ok(201).json()["id"].clone();
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

fn places<const N: usize>(planner: &Client, names: [&str; N]) -> [String; N] {
    names.map(|name| create_row(planner, "/api/places", json!({ "name": name })))
}

fn road(planner: &Client, start: &str, finish: &str, length: Value) -> String {
    create_row(planner, "/api/roads", json!({ "start": start, "finish": finish, "length": length }))
}

fn path(client: &Client, from: &str, query: &str) -> Value {
    client.get(&format!("/api/places/{from}/graph/shortest-path?{query}&format=raw")).ok(200).json()
}

fn paths_are_measured_by_hops_or_weights(base: &str) {
    let planner = Client::signed_in(base, PLANNER);
    let [a, b, c, d] = places(&planner, ["A", "B", "C", "D"]);
    road(&planner, &a, &d, json!("9.50"));
    road(&planner, &a, &b, json!("0.10"));
    road(&planner, &b, &c, json!("7.00"));
    road(&planner, &b, &c, json!("0.20"));
    road(&planner, &b, &b, json!("0.00"));
    road(&planner, &c, &d, Value::Null);
    assert_eq!(path(&planner, &a, &format!("to={d}")), json!({ "path": [a, d], "length": 1 }));
    let light = json!({ "path": [a, b, c, d], "length": 3, "weight": 1.3 });
    assert_eq!(path(&planner, &a, &format!("to={d}&weighted=true")), light, "the lightest of parallel edges; null counts as 1");
    assert_eq!(path(&planner, &a, &format!("to={d}&weighted=false")), json!({ "path": [a, d], "length": 1 }));
    assert_eq!(path(&planner, &a, &format!("to={d}&length__lt=5")), json!({ "path": [], "length": null }), "filters exclude null");
    assert_eq!(path(&planner, &a, &format!("to={d}&length__gt=5&weighted=1")), json!({ "path": [a, d], "length": 1, "weight": 9.5 }));
    assert_eq!(path(&planner, &b, &format!("to={b}")), json!({ "path": [b], "length": 0 }));
    assert_eq!(path(&planner, &b, &format!("to={b}&weighted=true")), json!({ "path": [b], "length": 0, "weight": 0 }));
}

fn formats_of_a_path(base: &str) {
    let planner = Client::signed_in(base, PLANNER);
    let [a, b, c] = places(&planner, ["A", "B", "C"]);
    let first = road(&planner, &a, &b, json!("2.00"));
    road(&planner, &b, &c, json!("3.00"));
    let get = |query: &str| planner.get(&format!("/api/places/{a}/graph/shortest-path?{query}")).ok(200).json();
    let found = get(&format!("to={c}&weighted=true"));
    assert_eq!(found["stats"], json!({ "nodes": 3, "edges": 2 }), "{found}");
    assert_eq!(found["shortest_path"], json!({ "path": [a, b, c], "length": 2, "weight": 5 }));
    assert_eq!((&found["elements"][1]["data"]["id"], &found["elements"][3]["data"]["id"]), (&json!(b), &json!(first)), "in order");
    let d3 = get(&format!("to={c}&format=d3"));
    assert_eq!((&d3["links"][1]["target"], &d3["shortest_path"]), (&json!(c), &json!({ "path": [a, b, c], "length": 2 })));
    let back = planner.get(&format!("/api/places/{c}/graph/shortest-path?to={a}")).ok(200).json();
    let nothing = json!({ "elements": [], "stats": { "nodes": 0, "edges": 0 }, "shortest_path": { "path": [], "length": null } });
    assert_eq!(back, nothing);
    let back = planner.get(&format!("/api/places/{c}/graph/shortest-path?to={a}&format=d3")).ok(200).json();
    assert_eq!(back, json!({ "nodes": [], "links": [], "shortest_path": { "path": [], "length": null } }));
}

fn nothing_leads_against_a_direction(base: &str) {
    let planner = Client::signed_in(base, PLANNER);
    let [a, b] = places(&planner, ["A", "B"]);
    road(&planner, &a, &b, json!("1.00"));
    assert_eq!(path(&planner, &b, &format!("to={a}")), json!({ "path": [], "length": null }));
    assert_eq!(path(&planner, &b, &format!("to={a}&weighted=true")), json!({ "path": [], "length": null }));
    let [one, two, three] =
        ["One", "Two", "Three"].map(|name| create_row(&planner, "/api/towns", json!({ "name": name })).parse::<i64>().expect("a number"));
    for (from, to) in [(two, one), (two, three)] {
        create_row(&planner, "/api/links", json!({ "one": from, "other": to }));
    }
    let ids = [one, two, three].map(|id| format!("Town:{id}"));
    for to in [three.to_string(), ids[2].clone()] {
        let found = planner.get(&format!("/api/towns/{one}/graph/shortest-path?to={to}&format=raw")).ok(200).json();
        assert_eq!(found, json!({ "path": ids, "length": 2 }), "either direction");
    }
}

fn wrong_ends_are_refused(base: &str) {
    let planner = Client::signed_in(base, PLANNER);
    let [a] = places(&planner, ["A"]);
    let get = |query: &str| planner.get(&format!("/api/places/{a}/graph/shortest-path?{query}"));
    for (query, field) in [("", "to"), ("to=", "to"), ("to=x", "to"), (&*format!("to={a}&weighted=maybe"), "weighted")] {
        let problem = get(query).problem(422, "VALIDATION");
        assert!(problem["field_errors"][field].is_array(), "{query}: {problem}");
    }
    get("to=00000000-0000-4000-8000-000000000000").problem(404, "NOT_FOUND");
    get(&format!("to={a}&depth=2")).problem(400, "BAD_REQUEST");
    get(&format!("to={a}&format=dot")).problem(400, "BAD_REQUEST");
    planner.get(&format!("/api/places/x/graph/shortest-path?to={a}")).problem(404, "NOT_FOUND");
    planner.get(&format!("/api/places/00000000-0000-4000-8000-000000000000/graph/shortest-path?to={a}")).problem(404, "NOT_FOUND");
    let town = create_row(&planner, "/api/towns", json!({ "name": "T" }));
    let problem = planner.get(&format!("/api/towns/{town}/graph/shortest-path?to={town}&weighted=true")).problem(422, "VALIDATION");
    assert!(problem["field_errors"]["weighted"].is_array(), "{problem}");
}

fn a_negative_weight_is_named(base: &str) {
    let planner = Client::signed_in(base, PLANNER);
    let [a, b, c] = places(&planner, ["A", "B", "C"]);
    road(&planner, &a, &b, json!("1.00"));
    let edge = road(&planner, &b, &c, json!("-1.00"));
    let address = |from: &str, to: &str| format!("/api/places/{from}/graph/shortest-path?to={to}&weighted=true&format=raw");
    let problem = planner.get(&address(&a, &c)).problem(422, "VALIDATION");
    assert!(problem["field_errors"]["weighted"][0].as_str().is_some_and(|it| it.contains(&edge)), "{problem}");
    assert_eq!(path(&planner, &a, &format!("to={c}"))["length"], 2, "without weights it is an edge as any other");
    assert_eq!(planner.get(&address(&c, &a)).ok(200).json()["length"], Value::Null, "no search from `c` uses it");
}

fn a_closed_place_is_no_part_of_a_path(base: &str) {
    let [planner, driver] = [PLANNER, DRIVER].map(|who| Client::signed_in(base, who));
    let [a, b, c, d] = places(&planner, ["A", "B", "C", "D"]);
    for (from, to) in [(&a, &b), (&b, &d), (&a, &c), (&c, &c), (&d, &a)] {
        road(&planner, from, to, json!("1.00"));
    }
    assert_eq!(path(&driver, &a, &format!("to={d}"))["path"], json!([a, b, d]));
    planner.send("PATCH", &format!("/api/places/{b}"), &json!({ "closed": true })).ok(200);
    assert_eq!(path(&driver, &a, &format!("to={d}"))["path"], json!([]));
    assert_eq!(path(&planner, &a, &format!("to={d}"))["path"], json!([a, b, d]));
    driver.get(&format!("/api/places/{a}/graph/shortest-path?to={b}")).problem(404, "NOT_FOUND");
    driver.get(&format!("/api/places/{b}/graph/shortest-path?to={a}")).problem(404, "NOT_FOUND");
}

fn components_partition_all_rows(base: &str) {
    let planner = Client::signed_in(base, PLANNER);
    let towns: Vec<i64> =
        (0..6).map(|at| create_row(&planner, "/api/towns", json!({ "name": format!("Town {at}") })).parse().expect("a number")).collect();
    for (from, to) in [(0, 1), (2, 1), (3, 4), (5, 5)] {
        create_row(&planner, "/api/links", json!({ "one": towns[from], "other": towns[to] }));
    }
    let groups = |answer: &Value| -> Vec<Vec<String>> {
        let all = answer["components"].as_array().expect("components");
        let text = |ids: &Value| ids.as_array().expect("ids").iter().map(|id| id.as_str().expect("an id").to_owned()).collect();
        all.iter().map(text).collect()
    };
    let found = planner.get("/api/towns/graph/components?format=raw").ok(200).json();
    let id = |at: usize| format!("Town:{}", towns[at]);
    let all = groups(&found);
    assert_eq!(found["count"], all.len());
    for wanted in [vec![id(0), id(1), id(2)], vec![id(3), id(4)], vec![id(5)]] {
        let mut wanted = wanted;
        wanted.sort();
        assert!(all.contains(&wanted), "{wanted:?} in {all:?}");
    }
    let order: Vec<(std::cmp::Reverse<usize>, String)> = all.iter().map(|ids| (std::cmp::Reverse(ids.len()), ids[0].clone())).collect();
    assert!(order.is_sorted(), "{all:?}");
    let elements = planner.get("/api/towns/graph/components").ok(200).json();
    assert_eq!(groups(&elements), all);
    assert_eq!(elements["stats"]["nodes"], all.iter().map(Vec::len).sum::<usize>(), "isolated rows are nodes");
    let d3 = planner.get("/api/towns/graph/components?format=d3").ok(200).json();
    assert_eq!(d3["nodes"].as_array().map(Vec::len).map(Value::from), Some(elements["stats"]["nodes"].clone()));
    planner.get("/api/towns/graph/components?depth=2").problem(400, "BAD_REQUEST");
    Client::new(base).get("/api/towns/graph/components").problem(401, "AUTHENTICATION_REQUIRED");
}
