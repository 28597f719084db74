//! What rows reach, degrees, centrality and cycles over HTTP; graphs without cycles; and that a write is seen at once.

use dz::serde_json::{Value, json};

use crate::client::Client;

dz::dz! {
    app tasks_graph "Steps"

    persona planner "Planner"

    entity User "Account":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Page "Page":
      code: str(12) pk
      name: str(60)
      graph_node:
        edges: Link
      permit:
        list: true
        read: true
        create: role(planner)

    entity Link "Link":
      id: uuid pk
      from: ref Page required
      to: ref Page required
      graph_edge:
        source: from
        target: to
      permit:
        list: true
        read: true
        create: role(planner)
        delete: role(planner)

    entity Port "Port":
      code: str(12) pk
      name: str(60)
      graph_node:
        edges: Ferry
      permit:
        list: true
        read: true
        create: role(planner)

    entity Ferry "Ferry":
      id: int pk
      one: ref Port required
      other: ref Port required
      graph_edge:
        source: one
        target: other
        directed: false
      permit:
        list: true
        read: true
        create: role(planner)

    entity Step "Step":
      id: uuid pk
      name: str(60)
      graph_node:
        edges: Requirement
        display: name
      permit:
        list: true
        read: true
        create: role(planner)

    # dz: allow(acyclic-not-enforced) because dz refuses the write
    entity Requirement "Requirement":
      id: uuid pk
      step: ref Step required
      needs: ref Step
      soft_delete
      graph_edge:
        source: step
        target: needs
        acyclic: true
      permit:
        list: true
        read: true
        create: role(planner)
        update: role(planner)
        delete: role(planner)
        restore: role(planner)

    demo:
      User:
        - name: "Pia", email: "pia@steps.example", password: "draws the lines", roles: [planner]
}

const PLANNER: (&str, &str) = ("pia@steps.example", "draws the lines");

crate::served_on_both! {
    "steps", app();
    figures_of_a_directed_graph;
    cycles_of_an_undirected_graph;
    a_cycle_is_refused;
    imported_edges_are_edges_at_once;
}

#[track_caller]
fn create_row(client: &Client, path: &str, row: Value) -> String {
    client.send("POST", path, &row).ok(201).json()["id"].as_str().unwrap_or_default().to_owned()
}

fn link(planner: &Client, from: &str, to: &str) -> String {
    create_row(planner, "/api/links", json!({ "from": from, "to": to }))
}

fn figures_of_a_directed_graph(base: &str) {
    let planner = Client::signed_in(base, PLANNER);
    for code in ["a", "b", "c", "d", "e"] {
        create_row(&planner, "/api/pages", json!({ "code": code }));
    }
    for (from, to) in [("a", "b"), ("b", "c"), ("c", "b"), ("d", "c"), ("d", "d"), ("a", "b")] {
        link(&planner, from, to);
    }
    let get = |path: &str| planner.get(&format!("/api/pages/{path}")).ok(200).json();
    assert_eq!(get("a/graph/reachable?format=raw"), json!({ "count": 3, "nodes": ["Page:a", "Page:b", "Page:c"] }));
    assert_eq!(get("e/graph/reachable?format=raw"), json!({ "count": 1, "nodes": ["Page:e"] }));
    assert_eq!(get("a/graph/reachable")["stats"], json!({ "nodes": 3, "edges": 4 }));
    assert_eq!(get("b/graph/degree"), json!({ "id": "Page:b", "in": 3, "out": 1, "total": 4 }));
    assert_eq!(get("d/graph/degree"), json!({ "id": "Page:d", "in": 1, "out": 2, "total": 3 }));
    assert_eq!(get("e/graph/degree"), json!({ "id": "Page:e", "in": 0, "out": 0, "total": 0 }));
    assert_eq!(get("graph/cycles"), json!({ "acyclic": false, "count": 2, "cycles": [["Page:b", "Page:c"], ["Page:d"]] }));
    let ranks = get("graph/centrality");
    let all = ranks["nodes"].as_array().expect("nodes");
    let score = |id: &str| all.iter().find(|it| it["id"] == id).and_then(|it| it["score"].as_f64()).expect("a score");
    assert_eq!((ranks["count"].as_u64(), all.len()), (Some(5), 5));
    assert!((all.iter().map(|it| it["score"].as_f64().expect("a score")).sum::<f64>() - 1.0).abs() < 1e-6, "{ranks}");
    assert!(score("Page:b") > score("Page:c") && score("Page:c") > score("Page:d") && score("Page:d") > score("Page:e"), "{ranks}");
    assert!((score("Page:a") - score("Page:e")).abs() < 1e-9, "nothing leads to either");
    planner.get("/api/pages/none/graph/degree").problem(404, "NOT_FOUND");
    planner.get("/api/pages/a/graph/degree?depth=1").problem(400, "BAD_REQUEST");
    // In this test, because the figures are those of all pages.
    check_writes_at_once(&planner);
}

fn cycles_of_an_undirected_graph(base: &str) {
    let planner = Client::signed_in(base, PLANNER);
    for code in ["a", "b", "c", "d", "e", "f"] {
        create_row(&planner, "/api/ports", json!({ "code": code }));
    }
    let ferry = |one: &str, other: &str| create_row(&planner, "/api/ferries", json!({ "one": one, "other": other }));
    let cycles = || planner.get("/api/ports/graph/cycles").ok(200).json();
    for (one, other) in [("a", "b"), ("b", "c"), ("d", "c")] {
        ferry(one, other);
    }
    assert_eq!(cycles(), json!({ "acyclic": true, "count": 0, "cycles": [] }), "there and back over one edge is not a cycle");
    ferry("c", "a");
    ferry("e", "f");
    ferry("f", "e");
    let wanted = json!([["Port:a", "Port:b", "Port:c"], ["Port:e", "Port:f"]]);
    assert_eq!(cycles(), json!({ "acyclic": false, "count": 2, "cycles": wanted }), "and parallel edges are one");
}

fn a_cycle_is_refused(base: &str) {
    let planner = Client::signed_in(base, PLANNER);
    let [a, b, c] = ["A", "B", "C"].map(|name| create_row(&planner, "/api/steps", json!({ "name": name })));
    let require = |step: &str, needs: &str| planner.send("POST", "/api/requirements", &json!({ "step": step, "needs": needs }));
    let first = require(&a, &b).ok(201).json()["id"].as_str().expect("an id").to_owned();
    let second = require(&b, &c).ok(201).json()["id"].as_str().expect("an id").to_owned();
    require(&a, &c).ok(201);
    let problem = require(&c, &a).problem(422, "GRAPH_CYCLE");
    assert!(problem["field_errors"]["needs"].is_array(), "{problem}");
    require(&a, &a).problem(422, "GRAPH_CYCLE");
    let open = planner.send("POST", "/api/requirements", &json!({ "step": c, "needs": null })).ok(201).json();
    let address = format!("/api/requirements/{}", open["id"].as_str().expect("an id"));
    planner.send("PATCH", &address, &json!({ "needs": b })).problem(422, "GRAPH_CYCLE");
    assert_eq!(planner.get(&address).json()["needs"], Value::Null, "a refused write changes nothing");
    // A deleted edge closes no cycle, and cannot be restored into one.
    planner.delete(&format!("/api/requirements/{second}")).ok(204);
    planner.send("PATCH", &address, &json!({ "needs": b })).ok(200);
    planner.send("POST", &format!("/api/requirements/{second}/actions/restore"), &json!({})).problem(422, "GRAPH_CYCLE");
    assert_eq!(planner.get("/api/steps/graph/cycles").ok(200).json()["acyclic"], true);
    planner.delete(&format!("/api/requirements/{first}")).ok(204);
}

fn imported_edges_are_edges_at_once(base: &str) {
    let planner = Client::signed_in(base, PLANNER);
    let [a, b, c] = ["Dig", "Pour", "Build"].map(|name| create_row(&planner, "/api/steps", json!({ "name": name })));
    let length = || planner.get(&format!("/api/steps/{a}/graph/shortest-path?to={c}&format=raw")).ok(200).json()["length"].clone();
    let headers = [("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")];
    let import = |rows: &str| planner.request("POST", "/api/requirements/import", &headers, format!("step,needs\r\n{rows}").as_bytes());
    assert_eq!(length(), Value::Null);
    import(&format!("{a},{b}\r\n{b},{c}\r\n")).ok(200);
    assert_eq!(length(), 2, "the topology in memory is not that before the import");
    let refused = import(&format!("{c},{a}\r\n"));
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert_eq!(planner.get("/api/steps/graph/cycles").ok(200).json()["acyclic"], true);
}

/// Topologies in memory are used for one version of the edges.
fn check_writes_at_once(planner: &Client) {
    for code in ["p", "q", "r"] {
        create_row(planner, "/api/pages", json!({ "code": code }));
    }
    let length = || planner.get("/api/pages/p/graph/shortest-path?to=r&format=raw").ok(200).json()["length"].clone();
    for _ in 0..3 {
        assert_eq!(length(), Value::Null);
        link(planner, "p", "q");
        let edge = link(planner, "q", "r");
        assert_eq!((length(), length()), (json!(2), json!(2)));
        let short = link(planner, "p", "r");
        assert_eq!(length(), 1);
        for edge in [edge, short] {
            planner.delete(&format!("/api/links/{edge}")).ok(204);
        }
    }
}
