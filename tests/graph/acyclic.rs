//! Graphs without cycles: edges without a direction, parallel edges, and writes at the same time.

use std::{sync::Barrier, thread};

use dz::serde_json::{Value, json};

use crate::client::Client;

dz::dz! {
    app pipes "Pipes"

    persona fitter "Fitter"

    entity User "Account":
      id: uuid pk
      name: str(60) required

    entity Tank "Tank":
      code: str(12) pk
      graph_node:
        edges: Pipe
      permit:
        list: true
        read: true
        create: role(fitter)

    # dz: allow(acyclic-not-enforced) because dz refuses the write
    entity Pipe "Pipe":
      code: str(12) pk
      one: ref Tank required
      other: ref Tank required
      graph_edge:
        source: one
        target: other
        directed: false
        acyclic: true
      permit:
        list: true
        read: true
        create: role(fitter)
        update: role(fitter)
        delete: role(fitter)

    entity Rank "Rank":
      code: str(12) pk
      graph_node:
        edges: Report
      permit:
        list: true
        read: true
        create: role(fitter)

    # dz: allow(acyclic-not-enforced) because dz refuses the write
    entity Report "Report":
      code: str(12) pk
      lower: ref Rank required
      upper: ref Rank required
      graph_edge:
        source: lower
        target: upper
        acyclic: true
      permit:
        list: true
        read: true
        create: role(fitter)
        delete: role(fitter)

    demo:
      User:
        - name: "Fay", email: "fay@pipes.example", password: "joins two ends", roles: [fitter]
}

const FITTER: (&str, &str) = ("fay@pipes.example", "joins two ends");

crate::served_on_both! {
    "pipes", app();
    an_edge_without_a_direction_closes_a_cycle;
    parallel_edges_close_a_cycle_only_without_a_direction;
    writes_at_the_same_time_close_no_cycle;
}

fn nodes(fitter: &Client, table: &str, codes: &[&str]) {
    for code in codes {
        fitter.send("POST", &format!("/api/{table}"), &json!({ "code": code })).ok(201);
    }
}

fn pipe(code: &str, one: &str, other: &str) -> Value {
    json!({ "code": code, "one": one, "other": other })
}

fn an_edge_without_a_direction_closes_a_cycle(base: &str) {
    let fitter = Client::signed_in(base, FITTER);
    nodes(&fitter, "tanks", &["a", "b", "c", "d"]);
    let add = |code: &str, one: &str, other: &str| fitter.send("POST", "/api/pipes", &pipe(code, one, other));
    add("ab", "a", "b").ok(201);
    add("cb", "c", "b").ok(201);
    // From `a` over `b` to `c`, whatever the source of each edge is.
    for (one, other) in [("a", "c"), ("c", "a")] {
        let problem = add("close", one, other).problem(422, "GRAPH_CYCLE");
        assert!(problem["field_errors"]["other"].is_array(), "{problem}");
    }
    add("loop", "d", "d").problem(422, "GRAPH_CYCLE");
    add("cd", "c", "d").ok(201);
    fitter.send("PATCH", "/api/pipes/cd", &json!({ "other": "a" })).problem(422, "GRAPH_CYCLE");
    // An edge does not close a cycle with what it was before.
    fitter.send("PATCH", "/api/pipes/cd", &json!({ "one": "d", "other": "c" })).ok(200);
    fitter.delete("/api/pipes/ab").ok(204);
    add("close", "c", "a").ok(201);
    assert_eq!(fitter.get("/api/tanks/graph/cycles").ok(200).json()["acyclic"], true);
}

fn parallel_edges_close_a_cycle_only_without_a_direction(base: &str) {
    let fitter = Client::signed_in(base, FITTER);
    nodes(&fitter, "tanks", &["p", "q"]);
    nodes(&fitter, "ranks", &["p", "q"]);
    fitter.send("POST", "/api/pipes", &pipe("first", "p", "q")).ok(201);
    for (one, other) in [("p", "q"), ("q", "p")] {
        fitter.send("POST", "/api/pipes", &pipe("second", one, other)).problem(422, "GRAPH_CYCLE");
    }
    let report = |code: &str, lower: &str, upper: &str| {
        fitter.send("POST", "/api/reports", &json!({ "code": code, "lower": lower, "upper": upper }))
    };
    report("first", "p", "q").ok(201);
    report("second", "p", "q").ok(201);
    report("back", "q", "p").problem(422, "GRAPH_CYCLE");
    let degree = fitter.get("/api/ranks/p/graph/degree").ok(200).json();
    assert_eq!((&degree["in"], &degree["out"]), (&json!(0), &json!(2)));
}

fn writes_at_the_same_time_close_no_cycle(base: &str) {
    const WRITERS: usize = 6;
    let fitter = Client::signed_in(base, FITTER);
    let codes: Vec<String> = (0..WRITERS).map(|at| format!("w{at}")).collect();
    nodes(&fitter, "ranks", &codes.iter().map(String::as_str).collect::<Vec<_>>());
    // Each writer adds one edge of a ring; all but one fit.
    let start = Barrier::new(WRITERS);
    let write = |at: usize| {
        let row = json!({ "code": format!("ring{at}"), "lower": codes[at], "upper": codes[(at + 1) % WRITERS] });
        let own = Client::signed_in(base, FITTER);
        start.wait();
        own.send("POST", "/api/reports", &row).status
    };
    let write = &write;
    let statuses: Vec<u16> = thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS).map(|at| scope.spawn(move || write(at))).collect();
        writers.into_iter().map(|writer| writer.join().expect("a response")).collect()
    });
    let count = |status: u16| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((count(201), count(422)), (WRITERS - 1, 1), "{statuses:?}");
    assert_eq!(fitter.get("/api/ranks/graph/cycles").ok(200).json()["acyclic"], true);
}
