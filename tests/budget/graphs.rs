//! The addresses of graphs: for a caller who sees all edges, and for one whose rules exclude rows.

use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{
    client::Client,
    server, statements,
    table::{Budget, Found, budget, check},
};

dz::dz! {
    app lines "Lines"

    persona planner "Planner"
    persona rider "Rider"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Halt "Halt":
      id: uuid pk
      name: str(60) required
      hidden: bool = false
      graph_node:
        edges: Track
        display: name
      permit:
        list: role(planner) or hidden = false
        read: role(planner) or hidden = false
        create: role(planner)

    entity Track "Track":
      id: uuid pk
      one: ref Halt required
      other: ref Halt required
      weight: int
      secret: bool = false
      graph_edge:
        source: one
        target: other
        weight: weight
        directed: false
      permit:
        list: role(planner) or secret = false
        read: role(planner) or secret = false
        create: role(planner)

    demo:
      User:
        - name: "Pia", email: "pia@lines.example", password: "draws the lines", roles: [planner]
        - name: "Rob", email: "rob@lines.example", password: "rides the lines", roles: [rider]
}

const PLANNER: (&str, &str) = ("pia@lines.example", "draws the lines");
const RIDER: (&str, &str) = ("rob@lines.example", "rides the lines");

/// For a caller who sees all edges: the session, the checks of the rows in the address, the version of the edges, and the rows of the
/// result. A caller with rules also reads the keys of the visible edges, those of the visible nodes, and the version again.
const BUDGETS: &[Budget] = &[
    budget("neighbourhood", 4),
    budget("neighbourhood by rules", 4),
    budget("list of edges", 3),
    budget("list of edges by rules", 3),
    budget("path", 6),
    budget("path by rules", 9),
    budget("reachable", 5),
    budget("reachable by rules", 8),
    budget("degree", 3),
    budget("degree by rules", 6),
    budget("components", 3),
    budget("components by rules", 6),
    budget("components with their rows", 5),
    budget("components with their rows by rules", 8),
    budget("centrality", 3),
    budget("centrality by rules", 6),
    budget("cycles", 2),
    budget("cycles by rules", 5),
];

/// The names of the budgets of an address for both callers, with its path.
fn addresses(start: &str, end: &str) -> [(&'static str, &'static str, String); 9] {
    let one = |path: &str| format!("/api/halts/{start}/graph{path}");
    let all = |path: &str| format!("/api/halts/graph/{path}");
    [
        ("neighbourhood", "neighbourhood by rules", one("?depth=3")),
        ("list of edges", "list of edges by rules", "/api/tracks?format=cytoscape".to_owned()),
        ("path", "path by rules", one(&format!("/shortest-path?to={end}&weighted=true"))),
        ("reachable", "reachable by rules", one("/reachable")),
        ("degree", "degree by rules", one("/degree")),
        ("components", "components by rules", all("components?format=raw")),
        ("components with their rows", "components with their rows by rules", all("components")),
        ("centrality", "centrality by rules", all("centrality")),
        ("cycles", "cycles by rules", all("cycles")),
    ]
}

struct Lines {
    planner: Client,
    rider: Client,
    halts: Vec<String>,
}

impl Lines {
    #[track_caller]
    fn make(&self, table: &str, row: Value) -> String {
        self.planner.send("POST", &format!("/api/{table}"), &row).ok(201).json()["id"].as_str().expect("an id").to_owned()
    }

    /// Extends the line. Few rows are hidden, so that the rider sees most of the graph.
    fn extend(&mut self, count: usize) {
        for _ in 0..count {
            let at = self.halts.len();
            self.halts.push(self.make("halts", json!({ "name": format!("Halt {at}") })));
            if at > 0 {
                self.make("tracks", json!({ "one": self.halts[at - 1], "other": self.halts[at], "weight": at }));
            }
        }
        let hidden = self.make("halts", json!({ "name": "Depot", "hidden": true }));
        self.make("tracks", json!({ "one": self.halts[0], "other": hidden }));
        self.make("tracks", json!({ "one": self.halts[1], "other": self.halts[0], "secret": true }));
    }

    fn measure(&self) -> Found {
        let (start, end) = (&self.halts[0], &self.halts[2]);
        let mut found = Vec::new();
        for (open, by_rules, path) in addresses(start, end) {
            found.push((open, statements(|| drop(self.planner.get(&path).ok(200)))));
            found.push((by_rules, statements(|| drop(self.rider.get(&path).ok(200)))));
        }
        found
    }
}

/// Measures each address with a short line and with a long one.
pub fn keep(engine: Engine) {
    let base = server::serve_with(app(), engine, server::new_url(engine, "budget_lines"), json!({ "worker": false }));
    let [planner, rider] = [PLANNER, RIDER].map(|who| Client::signed_in(&base, who));
    let mut lines = Lines { planner, rider, halts: Vec::new() };
    lines.extend(12);
    let few = lines.measure();
    lines.extend(28);
    let many = lines.measure();
    check(engine, BUDGETS, &few, &many);
}
