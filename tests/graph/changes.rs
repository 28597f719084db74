//! Graphs in memory follow the writes of edges and nodes, and equal a search over what is stored; all edges are read once.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::{TcpListener, TcpStream},
    thread,
    time::Duration,
};

use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{client::Client, random::Numbers, server};

dz::dz! {
    app streets "Streets"

    persona planner "Planner"

    entity User "Account":
      id: uuid pk
      name: str(60) required

    entity Spot "Spot":
      code: str(12) pk
      name: str(40)
      soft_delete
      graph_node:
        edges: Lane
      permit:
        list: role(planner)
        read: role(planner)
        create: role(planner)
        update: role(planner)
        delete: role(planner)
        restore: role(planner)

    entity Lane "Lane":
      id: uuid pk
      source: ref Spot required cascade
      target: ref Spot required cascade
      weight: decimal(6,2)
      soft_delete
      graph_edge:
        source: source
        target: target
        weight: weight
      permit:
        list: role(planner)
        read: role(planner)
        create: role(planner)
        update: role(planner)
        delete: role(planner)
        restore: role(planner)

    entity Knot "Knot":
      id: int pk
      graph_node:
        edges: Rope
      permit:
        list: role(planner)
        read: role(planner)
        create: role(planner)
        delete: role(planner)

    entity Rope "Rope":
      id: int pk
      source: ref Knot required cascade
      target: ref Knot required cascade
      weight: int
      graph_edge:
        source: source
        target: target
        weight: weight
        directed: false
      permit:
        list: role(planner)
        read: role(planner)
        create: role(planner)
        update: role(planner)
        delete: role(planner)

    demo:
      User:
        - name: "Pia", email: "pia@streets.example", password: "plans the streets", roles: [planner]
}

/// The number of writes to each graph.
const WRITES: u64 = 60;

#[derive(Debug, Clone)]
struct Edge {
    source: String,
    target: String,
    weight: u64,
}

/// A position in a list of this length.
fn below(numbers: &mut Numbers, length: usize) -> usize {
    numbers.below(length as u64) as usize
}

/// A graph as it must be.
struct Graph<'c> {
    client: &'c Client,
    nodes: &'static str,
    edges: &'static str,
    /// The start of an id of a node.
    prefix: &'static str,
    directed: bool,
    stored: BTreeMap<String, Edge>,
    keys: Vec<String>,
}

impl Graph<'_> {
    fn key(&self, key: &str) -> Value {
        key.parse::<i64>().map_or_else(|_| json!(key), |number| json!(number))
    }

    fn add_node(&mut self, row: &Value) {
        let stored = self.client.send("POST", &format!("/api/{}", self.nodes), row).ok(201).json();
        let key = if stored["code"].is_string() { &stored["code"] } else { &stored["id"] };
        self.keys.push(key.as_str().map_or_else(|| key.to_string(), str::to_owned));
    }

    fn random_edge(&self, numbers: &mut Numbers) -> Edge {
        let mut end = || self.keys[below(numbers, self.keys.len())].clone();
        let (source, target) = (end(), end());
        Edge { source, target, weight: 1 + numbers.below(20) }
    }

    fn row(&self, edge: &Edge) -> Value {
        let weight = if self.directed { json!(format!("{}.00", edge.weight)) } else { json!(edge.weight) };
        json!({ "source": self.key(&edge.source), "target": self.key(&edge.target), "weight": weight })
    }

    fn add_edge(&mut self, numbers: &mut Numbers) {
        let edge = self.random_edge(numbers);
        let stored = self.client.send("POST", &format!("/api/{}", self.edges), &self.row(&edge)).ok(201).json();
        let id = stored["id"].as_str().map_or_else(|| stored["id"].to_string(), str::to_owned);
        self.stored.insert(id, edge);
    }

    /// Adds, moves or deletes an edge, or deletes a node with its edges.
    fn write(&mut self, numbers: &mut Numbers) {
        let ids: Vec<String> = self.stored.keys().cloned().collect();
        let choice = if ids.len() < 6 { 0 } else { numbers.below(8) };
        match choice {
            0..=2 => self.add_edge(numbers),
            3 | 4 => {
                let id = &ids[below(numbers, ids.len())];
                // Another weight, because a write of the same values is no change.
                let edge = Edge { weight: self.stored[id].weight % 20 + 1, ..self.random_edge(numbers) };
                self.client.send("PATCH", &format!("/api/{}/{id}", self.edges), &self.row(&edge)).ok(200);
                self.stored.insert(id.clone(), edge);
            }
            5 | 6 => {
                let id = &ids[below(numbers, ids.len())];
                self.client.delete(&format!("/api/{}/{id}", self.edges)).ok(204);
                let edge = self.stored.remove(id).expect("an edge");
                if self.directed && choice == 6 {
                    self.client.send("POST", &format!("/api/{}/{id}/actions/restore", self.edges), &json!({})).ok(200);
                    self.stored.insert(id.clone(), edge);
                }
            }
            _ if self.keys.len() < 6 => self.add_edge(numbers),
            _ => {
                let key = self.keys.remove(below(numbers, self.keys.len()));
                self.client.delete(&format!("/api/{}/{key}", self.nodes)).ok(204);
                self.stored.retain(|_, edge| edge.source != key && edge.target != key);
            }
        }
    }

    /// The distances of all nodes from one: rounds over all edges until none changes.
    fn distances(&self, from: &str) -> BTreeMap<String, u64> {
        let mut found = BTreeMap::from([(from.to_owned(), 0)]);
        loop {
            let before = found.clone();
            for edge in self.stored.values() {
                let back = (!self.directed).then_some((&edge.target, &edge.source));
                for (source, target) in [(&edge.source, &edge.target)].into_iter().chain(back) {
                    let Some(distance) = found.get(source).map(|distance| distance + edge.weight) else { continue };
                    let known = found.entry(target.clone()).or_insert(distance);
                    *known = distance.min(*known);
                }
            }
            if found == before {
                return found;
            }
        }
    }

    fn compare(&self, numbers: &mut Numbers) {
        let from = &self.keys[below(numbers, self.keys.len())];
        let wanted = self.distances(from);
        let address = format!("/api/{}/{from}/graph", self.nodes);
        let answer = self.client.get(&format!("{address}/reachable")).ok(200).json();
        let elements = answer["elements"].as_array().expect("elements").iter().filter(|it| it["group"] == "nodes");
        let reached: BTreeSet<&str> = elements.map(|it| it["data"]["id"].as_str().expect("an id")).collect();
        let prefixed: Vec<String> = wanted.keys().map(|key| format!("{}:{key}", self.prefix)).collect();
        assert_eq!(reached, prefixed.iter().map(String::as_str).collect(), "from {from}");
        let to = &self.keys[below(numbers, self.keys.len())];
        let answer = self.client.get(&format!("{address}/shortest-path?to={to}&weighted=true&format=raw")).ok(200).json();
        let weight = wanted.get(to).map(|weight| *weight as f64);
        assert_eq!(answer.get("weight").and_then(Value::as_f64), weight, "from {from} to {to}: {answer}");
        let starts = self.stored.values().filter(|edge| edge.source == *from).count();
        let ends = self.stored.values().filter(|edge| edge.target == *from).count();
        let degree = self.client.get(&format!("{address}/degree")).ok(200).json();
        assert_eq!(degree["total"], starts + ends, "{from}: {degree}");
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port()
}

/// How often edges were read: all of a graph, or those that had changed.
fn loads(metrics: &Client) -> (u64, u64) {
    let text = metrics.get("/metrics").ok(200).body;
    let count = |read: &str| {
        let start = format!("dz_graph_loads_total{{edges=\"{read}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&start)?.parse().ok()).expect("the metric")
    };
    (count("all"), count("changed"))
}

fn check_changes(engine: Engine) {
    let port = free_port();
    let base = server::serve_with(app(), engine, server::new_url(engine, "streets"), json!({ "metrics": port }));
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        thread::sleep(Duration::from_millis(20));
    }
    let client = Client::signed_in(&base, ("pia@streets.example", "plans the streets"));
    let metrics = Client::new(&format!("http://127.0.0.1:{port}"));
    let graph = |nodes, edges, prefix, directed| Graph {
        client: &client,
        nodes,
        edges,
        prefix,
        directed,
        stored: BTreeMap::new(),
        keys: Vec::new(),
    };
    for (mut graph, number) in [(graph("spots", "lanes", "Spot", true), 1), (graph("knots", "ropes", "Knot", false), 2)] {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15 + number);
        for at in 0..12 {
            graph.add_node(&if graph.directed { json!({ "code": format!("s{at}") }) } else { json!({}) });
        }
        (0..10).for_each(|_| graph.add_edge(&mut numbers));
        graph.compare(&mut numbers);
        let (before, followed) = loads(&metrics);
        assert_eq!(before, number, "all edges are read by the first request");
        for _ in 0..WRITES {
            graph.write(&mut numbers);
            if graph.directed {
                let spot = &graph.keys[0];
                graph.client.send("PATCH", &format!("/api/spots/{spot}"), &json!({ "name": "renamed" })).ok(200);
            }
            graph.compare(&mut numbers);
        }
        // No write is followed twice, and a new name of a node is no change of the graph.
        assert_eq!(loads(&metrics), (number, followed + WRITES));
    }
}

#[test]
fn graphs_in_memory_follow_writes_on_sqlite() {
    check_changes(Engine::Sqlite);
}

#[test]
fn graphs_in_memory_follow_writes_on_postgres() {
    check_changes(Engine::Postgres);
}
