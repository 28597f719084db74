//! Other programs read the formats: NetworkX (Python) and d3-force (JavaScript). Without their packages the tests say so and end.

use std::{fs, path::Path, process::Command};

use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{
    answers::{HOST, app, befriend, people},
    client::Client,
    server,
};

/// A served graph with two components; returns the client and a folder for the packages.
fn graph(of: &str) -> (Client, std::path::PathBuf, [String; 4]) {
    let base = server::serve(app(), Engine::Sqlite, server::new_url(Engine::Sqlite, of));
    let host = Client::signed_in(&base, HOST);
    let all = people(&host, ["Ann", "Bob", "Cid", "Dan"]);
    befriend(&host, &all[0], &all[1], json!({ "strength": 4 }));
    befriend(&host, &all[1], &all[2], json!({ "strength": 3 }));
    befriend(&host, &all[0], &all[2], json!({ "strength": 9 }));
    befriend(&host, &all[3], &all[3], json!({ "strength": 1 }));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(of);
    fs::create_dir_all(&folder).expect("a folder");
    (host, folder, all)
}

fn runs(command: &mut Command) -> bool {
    command.output().is_ok_and(|done| done.status.success())
}

#[track_caller]
fn output(command: &mut Command) -> Value {
    let done = command.output().expect("the program runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    dz::serde_json::from_slice(&done.stdout).expect("JSON")
}

const PYTHON: &str = r#"
import json, sys, networkx as nx
folder, start, end = sys.argv[1:]
read = lambda name: json.load(open(f"{folder}/{name}.json"))
links = read("d3")
graph = nx.node_link_graph({"directed": False, "multigraph": True, **links}, edges="links")
flat = read("cytoscape")["elements"]
data = {"data": [], "directed": False, "multigraph": True, "elements": {
    "nodes": [{"data": {**of["data"], "value": of["data"]["id"]}} for of in flat if of["group"] == "nodes"],
    "edges": [{"data": {**of["data"], "key": of["data"]["id"]}} for of in flat if of["group"] == "edges"]}}
same = nx.cytoscape_graph(data)
assert set(same.nodes) == set(graph.nodes) and same.number_of_edges() == graph.number_of_edges()
assert nx.get_node_attributes(same, "label") == nx.get_node_attributes(graph, "label")
groups = sorted((sorted(group) for group in nx.connected_components(graph)), key=lambda group: (-len(group), group[0]))
print(json.dumps({"path": nx.shortest_path(graph, start, end, weight="weight"),
    "weight": nx.shortest_path_length(graph, start, end, weight="weight"), "components": groups, "edges": graph.number_of_edges()}))
"#;

#[test]
fn networkx_reads_both_formats() {
    let (host, folder, all) = graph("networkx");
    let venv = folder.join("venv");
    let is_ready = runs(Command::new("python3").args(["-m", "venv"]).arg(&venv))
        && runs(Command::new(venv.join("bin/pip")).args(["install", "-q", "--disable-pip-version-check", "networkx>=3.4,<4"]));
    if !is_ready {
        eprintln!("SKIPPED: networkx could not be installed from PyPI");
        return;
    }
    for format in ["d3", "cytoscape"] {
        // Components contain the row without another one, too.
        let body = host.get(&format!("/api/people/graph/components?format={format}")).ok(200).body;
        fs::write(folder.join(format!("{format}.json")), body).expect("a file");
    }
    let found = output(Command::new(venv.join("bin/python")).args(["-c", PYTHON]).arg(&folder).args([&all[0], &all[2]]));
    let path = host.get(&format!("/api/people/{}/graph/shortest-path?to={}&weighted=true&format=raw", all[0], all[2])).ok(200).json();
    assert_eq!((&found["path"], &found["weight"], &found["edges"]), (&path["path"], &path["weight"], &json!(4)));
    assert_eq!(found["components"], host.get("/api/people/graph/components?format=raw").ok(200).json()["components"]);
}

const SCRIPT: &str = r#"
const { forceSimulation, forceLink } = await import("d3-force");
const graph = JSON.parse((await import("node:fs")).readFileSync("d3.json"));
const simulation = forceSimulation(graph.nodes).force("link", forceLink(graph.links).id((node) => node.id)).stop();
simulation.tick(5);
const placed = graph.nodes.every((node) => Number.isFinite(node.x) && Number.isFinite(node.y));
console.log(JSON.stringify({ placed, links: graph.links.map((link) => [link.source.label, link.target.label]) }));
"#;

#[test]
fn d3_force_reads_nodes_and_links() {
    let (host, folder, all) = graph("d3_force");
    let install = ["install", "--no-audit", "--no-fund", "--silent", "d3-force@3"];
    if !runs(Command::new("npm").args(install).arg("--prefix").arg(&folder)) {
        eprintln!("SKIPPED: d3-force could not be installed from npm");
        return;
    }
    fs::write(folder.join("d3.json"), host.get(&format!("/api/people/{}/graph?format=d3&depth=2", all[0])).ok(200).body).expect("a file");
    fs::write(folder.join("read.mjs"), SCRIPT).expect("a file");
    let found = output(Command::new("node").arg("read.mjs").current_dir(&folder));
    assert_eq!(found["placed"], true);
    let links = found["links"].as_array().expect("links");
    assert_eq!(links.len(), 3);
    assert!(links.contains(&json!(["Ann", "Bob"])), "{found}");
}
