//! Random graphs, compared with a search in memory: directed and undirected, weighted, filtered, and with rows that a caller does not
//! see.

use std::collections::{BTreeMap, BTreeSet};

use dz::serde_json::{Value, json};

use crate::client::{Client, encode};

dz::dz! {
    app net "Net"

    persona full "Full"
    persona part "Part"

    entity User "Account":
      id: uuid pk
      name: str(60) required
      team: int
      permit:
        list: true
        read: true

    entity Spot "Spot":
      code: str(12) pk
      hidden: bool = false
      team: int
      soft_delete
      graph_node:
        edges: Lane
      permit:
        list: role(full) or (hidden = false and team <= current_user.team)
        read: role(full) or (hidden = false and team <= current_user.team)
        create: role(full)
        update: role(full)

    entity Lane "Lane":
      code: str(12) pk
      source: ref Spot required
      target: ref Spot required
      weight: decimal(6,2)
      kind: enum[road, rail] = road
      secret: bool = false
      graph_edge:
        source: source
        target: target
        type: kind
        weight: weight
      permit:
        list: role(full) or secret = false
        read: role(full) or secret = false
        create: role(full)
        update: role(full)

    entity Knot "Knot":
      code: str(12) pk
      hidden: bool = false
      team: int
      graph_node:
        edges: Rope
      permit:
        list: role(full) or (hidden = false and team <= current_user.team)
        read: role(full) or (hidden = false and team <= current_user.team)
        create: role(full)
        update: role(full)

    entity Rope "Rope":
      code: str(12) pk
      source: ref Knot required
      target: ref Knot required
      weight: int
      kind: enum[road, rail] = road
      secret: bool = false
      graph_edge:
        source: source
        target: target
        weight: weight
        directed: false
      permit:
        list: role(full) or secret = false
        read: role(full) or secret = false
        create: role(full)
        update: role(full)

    demo:
      User:
        - name: "Fay", email: "fay@net.example", password: "sees every knot", roles: [full], team: 9
        - name: "Pit", email: "pit@net.example", password: "sees some knots", roles: [part], team: 1
}

const FULL: (&str, &str) = ("fay@net.example", "sees every knot");
const PART: (&str, &str) = ("pit@net.example", "sees some knots");

/// The number of graphs of each kind.
const GRAPHS: u64 = 12;

crate::served_on_both! {
    "net", app();
    results_equal_a_search_in_memory;
}

/// A generator of numbers (xorshift).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn is_one_of(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }
}

#[derive(Debug, Clone)]
struct Node {
    code: String,
    hidden: bool,
    team: u64,
}

#[derive(Debug, Clone)]
struct Edge {
    code: String,
    source: String,
    target: String,
    /// In hundredths.
    weight: Option<u64>,
    rail: bool,
    secret: bool,
}

/// The addresses and entities of a kind of graph.
struct Kind {
    nodes: &'static str,
    edges: &'static str,
    node: &'static str,
    edge: &'static str,
    directed: bool,
    /// The number of decimal places of weights.
    places: usize,
}

const KINDS: [Kind; 2] = [
    Kind { nodes: "spots", edges: "lanes", node: "Spot", edge: "Lane", directed: true, places: 2 },
    Kind { nodes: "knots", edges: "ropes", node: "Knot", edge: "Rope", directed: false, places: 0 },
];

#[derive(Default)]
struct Stored {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

/// Adds a random graph; returns the codes of its nodes.
fn add_graph(numbers: &mut Numbers, kind: &Kind, at: u64, stored: &mut Stored) -> Vec<String> {
    let codes: Vec<String> = (0..6 + numbers.below(8)).map(|node| format!("n{at}-{node}")).collect();
    for code in &codes {
        stored.nodes.push(Node { code: code.clone(), hidden: numbers.is_one_of(6), team: numbers.below(3) });
    }
    for edge in 0..numbers.below(3 * codes.len() as u64) {
        let mut end = || codes[numbers.below(codes.len() as u64) as usize].clone();
        let (source, target) = (end(), end());
        let step = if kind.places == 2 { 25 } else { 100 };
        let weight = (!numbers.is_one_of(8)).then(|| step * numbers.below(30));
        let (rail, secret) = (numbers.is_one_of(2), numbers.is_one_of(6));
        stored.edges.push(Edge { code: format!("e{at}-{edge}"), source, target, weight, rail, secret });
    }
    codes
}

fn import(client: &Client, path: &str, csv: &str) {
    let headers = [("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")];
    client.request("POST", &format!("/api/{path}/import"), &headers, csv.as_bytes()).ok(200);
}

fn upload(full: &Client, kind: &Kind, stored: &Stored) {
    let mut nodes = "code,hidden,team\r\n".to_owned();
    for Node { code, hidden, team } in &stored.nodes {
        nodes.push_str(&format!("{code},{hidden},{team}\r\n"));
    }
    let mut edges = "code,source,target,weight,kind,secret\r\n".to_owned();
    for Edge { code, source, target, weight, rail, secret } in &stored.edges {
        let weight = weight.map(|it| format!("{:.*}", kind.places, it as f64 / 100.0)).unwrap_or_default();
        let rail = if *rail { "rail" } else { "road" };
        edges.push_str(&format!("{code},{source},{target},{weight},{rail},{secret}\r\n"));
    }
    import(full, kind.nodes, &nodes);
    import(full, kind.edges, &edges);
}

/// A caller, with what it may see.
struct Reader<'c> {
    client: &'c Client,
    all: bool,
}

/// The graph that a caller sees under a filter.
struct Visible<'s> {
    nodes: BTreeSet<&'s str>,
    edges: Vec<&'s Edge>,
    directed: bool,
}

impl<'s> Visible<'s> {
    fn new(stored: &'s Stored, directed: bool, reader: &Reader<'_>, only_rail: bool) -> Visible<'s> {
        let sees = |node: &&Node| reader.all || (!node.hidden && node.team <= 1);
        let nodes: BTreeSet<&str> = stored.nodes.iter().filter(sees).map(|node| node.code.as_str()).collect();
        let has_ends = |edge: &&Edge| nodes.contains(edge.source.as_str()) && nodes.contains(edge.target.as_str());
        let edges = stored.edges.iter().filter(|edge| (reader.all || !edge.secret) && (!only_rail || edge.rail)).filter(has_ends).collect();
        Visible { nodes, edges, directed }
    }

    /// The nodes that one edge separates from a node, each with the weight of the edge in hundredths.
    fn next<'v>(&'v self, from: &'v str) -> impl Iterator<Item = (&'s str, u64)> + 'v {
        self.edges.iter().flat_map(move |edge| {
            let weight = edge.weight.unwrap_or(100);
            let forward = (edge.source == from).then_some((edge.target.as_str(), weight));
            let back = (!self.directed && edge.target == from).then_some((edge.source.as_str(), weight));
            forward.into_iter().chain(back)
        })
    }

    /// The distances of all nodes: rounds over all edges until none changes.
    fn distances(&self, from: &'s str, weigh: impl Fn(u64) -> u64) -> BTreeMap<&'s str, u64> {
        let mut found = BTreeMap::from([(from, 0)]);
        for _ in 0..self.nodes.len() {
            let before = found.clone();
            for (node, distance) in &before {
                for (next, weight) in self.next(node) {
                    let longer = distance + weigh(weight);
                    let known = found.entry(next).or_insert(longer);
                    *known = longer.min(*known);
                }
            }
            if found == before {
                break;
            }
        }
        found
    }

    /// The components as sorted lists, by the relation of each node to the smallest of its nodes.
    fn components(&self) -> BTreeSet<Vec<&'s str>> {
        let mut least: BTreeMap<&str, &str> = self.nodes.iter().map(|node| (*node, *node)).collect();
        for _ in 0..self.nodes.len() {
            for edge in &self.edges {
                let both = [edge.source.as_str(), edge.target.as_str()];
                let smaller = both.iter().map(|end| least[end]).min().expect("two ends");
                for end in both {
                    least.insert(end, smaller);
                }
            }
        }
        let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        least.into_iter().for_each(|(node, of)| groups.entry(of).or_default().push(node));
        groups.into_values().collect()
    }
}

fn results_equal_a_search_in_memory(base: &str) {
    let [full, part] = [FULL, PART].map(|who| Client::signed_in(base, who));
    for kind in &KINDS {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        let mut stored = Stored::default();
        let graphs: Vec<Vec<String>> = (0..GRAPHS).map(|at| add_graph(&mut numbers, kind, at, &mut stored)).collect();
        upload(&full, kind, &stored);
        for reader in [Reader { client: &full, all: true }, Reader { client: &part, all: false }] {
            for only_rail in [false, true] {
                let visible = Visible::new(&stored, kind.directed, &reader, only_rail);
                compare_components(kind, &reader, &visible, only_rail);
                compare_list(kind, &reader, &visible, only_rail);
                compare_cycles(kind, &reader, &visible, only_rail);
                compare_centrality(kind, &reader, &visible, only_rail);
                for codes in &graphs {
                    for code in codes.iter().filter(|code| code.ends_with(['0', '3', '5'])) {
                        compare_neighbourhoods(kind, &reader, &visible, code, only_rail);
                        compare_reached(kind, &reader, &visible, code, only_rail);
                        compare_paths(kind, &reader, &visible, code, codes, only_rail);
                    }
                }
            }
        }
    }
}

fn filter(only_rail: bool) -> &'static str {
    if only_rail { "&kind=rail" } else { "" }
}

fn codes(rows: &Value) -> BTreeSet<&str> {
    rows.as_array().expect("rows").iter().map(|row| row["code"].as_str().expect("a code")).collect()
}

fn compare_neighbourhoods(kind: &Kind, reader: &Reader<'_>, visible: &Visible<'_>, code: &str, only_rail: bool) {
    for depth in 1..=3 {
        let address = format!("/api/{}/{code}/graph?depth={depth}&format=raw{}", kind.nodes, filter(only_rail));
        let answer = reader.client.get(&address);
        let Some(start) = visible.nodes.get(code) else {
            answer.problem(404, "NOT_FOUND");
            continue;
        };
        let answer = answer.ok(200).json();
        let distances = visible.distances(start, |_| 1);
        let near: BTreeSet<&str> = distances.into_iter().filter(|(_, edges)| *edges <= depth).map(|(node, _)| node).collect();
        let is_near = |edge: &&&Edge| near.contains(edge.source.as_str()) && near.contains(edge.target.as_str());
        let between: BTreeSet<&str> = visible.edges.iter().filter(is_near).map(|edge| edge.code.as_str()).collect();
        assert_eq!((codes(&answer["nodes"]), codes(&answer["edges"])), (near, between), "{address}, all: {}", reader.all);
    }
}

fn compare_paths(kind: &Kind, reader: &Reader<'_>, visible: &Visible<'_>, from: &str, codes: &[String], only_rail: bool) {
    let Some(start) = visible.nodes.get(from) else { return };
    let (lengths, weights) = (visible.distances(start, |_| 1), visible.distances(start, |weight| weight));
    for to in codes.iter().step_by(2) {
        for weighted in [false, true] {
            let address = format!("/api/{}/{from}/graph/shortest-path?to={to}&weighted={weighted}{}", kind.nodes, filter(only_rail));
            let answer = reader.client.get(&format!("{address}&format=raw"));
            if !visible.nodes.contains(to.as_str()) {
                answer.problem(404, "NOT_FOUND");
                continue;
            }
            let answer = answer.ok(200).json();
            let Some(shortest) = lengths.get(to.as_str()) else {
                assert_eq!(answer, json!({ "path": [], "length": null }), "{address}");
                continue;
            };
            let path: Vec<&str> = answer["path"].as_array().expect("a path").iter().map(|id| id.as_str().expect("an id")).collect();
            let path: Vec<&str> = path.into_iter().map(|id| id.strip_prefix(&format!("{}:", kind.node)).expect("an id")).collect();
            assert_eq!((path.first(), path.last()), (Some(&from), Some(&to.as_str())), "{address}");
            assert_eq!(answer["length"], path.len() - 1, "{address}");
            // The lightest edge of each step.
            let step = |pair: &[&str]| visible.next(pair[0]).filter(|(next, _)| *next == pair[1]).map(|(_, weight)| weight).min();
            let steps: Vec<u64> = path.windows(2).map(|pair| step(pair).unwrap_or_else(|| panic!("{address}: no edge {pair:?}"))).collect();
            if weighted {
                let sum: u64 = steps.iter().sum();
                assert_eq!(sum, weights[to.as_str()], "{address}");
                assert_eq!(answer["weight"].as_f64(), Some(sum as f64 / 100.0), "{address}");
            } else {
                assert_eq!(steps.len() as u64, *shortest, "{address}");
                assert_eq!(answer.get("weight"), None);
            }
        }
    }
}

fn compare_components(kind: &Kind, reader: &Reader<'_>, visible: &Visible<'_>, only_rail: bool) {
    let address = format!("/api/{}/graph/components?format=raw{}", kind.nodes, filter(only_rail));
    let answer = reader.client.get(&address).ok(200).json();
    let wanted: BTreeSet<Vec<String>> =
        visible.components().into_iter().map(|ids| ids.into_iter().map(|id| format!("{}:{id}", kind.node)).collect()).collect();
    let group =
        |ids: &Value| -> Vec<String> { ids.as_array().expect("ids").iter().map(|id| id.as_str().expect("an id").to_owned()).collect() };
    let list: Vec<Vec<String>> = answer["components"].as_array().expect("components").iter().map(group).collect();
    assert!(list.is_sorted_by_key(|ids| (std::cmp::Reverse(ids.len()), ids[0].clone())), "{address}");
    assert_eq!(answer["count"], wanted.len(), "{address}");
    assert_eq!(list.into_iter().collect::<BTreeSet<_>>(), wanted, "{address}, all: {}", reader.all);
}

fn compare_list(kind: &Kind, reader: &Reader<'_>, visible: &Visible<'_>, only_rail: bool) {
    let address = format!("/api/{}?format=d3{}", kind.edges, filter(only_rail));
    let answer = reader.client.get(&address).ok(200).json();
    let edges: BTreeSet<&str> = visible.edges.iter().map(|edge| edge.code.as_str()).collect();
    let nodes: BTreeSet<&str> = visible.edges.iter().flat_map(|edge| [edge.source.as_str(), edge.target.as_str()]).collect();
    assert_eq!((codes(&answer["nodes"]), codes(&answer["links"])), (nodes, edges), "{address}");
    let first = &answer["links"][0];
    assert_eq!(first["id"], format!("{}:{}", kind.edge, encode(first["code"].as_str().expect("a code")).replace("%2D", "-")));
}

/// What a node reaches, and its degree.
fn compare_reached(kind: &Kind, reader: &Reader<'_>, visible: &Visible<'_>, code: &str, only_rail: bool) {
    let get = |of: &str| reader.client.get(&format!("/api/{}/{code}/graph/{of}?{}", kind.nodes, filter(only_rail).trim_start_matches('&')));
    let Some(start) = visible.nodes.get(code) else {
        get("reachable").problem(404, "NOT_FOUND");
        get("degree").problem(404, "NOT_FOUND");
        return;
    };
    let reached: BTreeSet<&str> = visible.distances(start, |_| 1).into_keys().collect();
    assert_eq!(codes_of_nodes(&get("reachable").ok(200).json()), reached, "{code}, all: {}", reader.all);
    let count = |at: fn(&Edge) -> &str| visible.edges.iter().filter(|edge| at(edge) == code).count();
    let (out, into) = (count(|edge| &edge.source), count(|edge| &edge.target));
    let wanted = if kind.directed { (into, out) } else { (into + out, into + out) };
    let degree = get("degree").ok(200).json();
    assert_eq!((&degree["in"], &degree["out"], &degree["total"]), (&json!(wanted.0), &json!(wanted.1), &json!(into + out)), "{code}");
}

fn codes_of_nodes(answer: &Value) -> BTreeSet<&str> {
    let elements = answer["elements"].as_array().expect("elements").iter();
    elements.filter(|it| it["group"] == "nodes").map(|it| it["data"]["code"].as_str().expect("a code")).collect()
}

/// The groups of nodes on common cycles, by a search from each end of each edge without that edge.
fn compare_cycles(kind: &Kind, reader: &Reader<'_>, visible: &Visible<'_>, only_rail: bool) {
    let mut groups: BTreeMap<&str, &str> = BTreeMap::new();
    for at in 0..visible.edges.len() {
        let mut others = Visible { nodes: visible.nodes.clone(), edges: visible.edges.clone(), directed: visible.directed };
        let edge = others.edges.remove(at);
        if edge.source != edge.target && !others.distances(&edge.target, |_| 1).contains_key(edge.source.as_str()) {
            continue;
        }
        // Both ends of an edge on a cycle are in one group.
        let [one, other] = [&edge.source, &edge.target].map(|end| *groups.entry(end).or_insert(end));
        groups.values_mut().filter(|of| **of == other).for_each(|of| *of = one);
    }
    let mut wanted: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (node, of) in &groups {
        wanted.entry(of).or_default().insert(format!("{}:{node}", kind.node));
    }
    let wanted: BTreeSet<BTreeSet<String>> = wanted.into_values().collect();
    let address = format!("/api/{}/graph/cycles?{}", kind.nodes, filter(only_rail).trim_start_matches('&'));
    let answer = reader.client.get(&address).ok(200).json();
    let found: BTreeSet<BTreeSet<String>> = dz::serde_json::from_value(answer["cycles"].clone()).expect("groups of ids");
    assert_eq!(found, wanted, "{address}, all: {}", reader.all);
    assert_eq!((&answer["acyclic"], &answer["count"]), (&json!(wanted.is_empty()), &json!(wanted.len())), "{address}");
}

/// PageRank by 200 rounds over all edges.
fn compare_centrality(kind: &Kind, reader: &Reader<'_>, visible: &Visible<'_>, only_rail: bool) {
    let count = visible.nodes.len() as f64;
    let mut ranks: BTreeMap<&str, f64> = visible.nodes.iter().map(|node| (*node, 1.0 / count)).collect();
    // A loop of an undirected graph leads to its node once.
    let leads = |from: &str| -> Vec<&str> {
        let to = |edge: &&Edge| match (edge.source == from, !visible.directed && edge.target == from) {
            (true, _) => visible.nodes.get(edge.target.as_str()).copied(),
            (false, true) => visible.nodes.get(edge.source.as_str()).copied(),
            (false, false) => None,
        };
        visible.edges.iter().filter_map(to).collect()
    };
    let next: BTreeMap<&str, Vec<&str>> = visible.nodes.iter().map(|node| (*node, leads(node))).collect();
    for _ in 0..200 {
        let idle: f64 = next.iter().filter(|(_, to)| to.is_empty()).map(|(node, _)| ranks[node]).sum();
        let mut later: BTreeMap<&str, f64> = visible.nodes.iter().map(|node| (*node, (0.15 + 0.85 * idle) / count)).collect();
        for (node, to) in &next {
            to.iter().for_each(|other| *later.entry(other).or_default() += 0.85 * ranks[node] / to.len() as f64);
        }
        ranks = later;
    }
    let address = format!("/api/{}/graph/centrality?{}", kind.nodes, filter(only_rail).trim_start_matches('&'));
    let answer = reader.client.get(&address).ok(200).json();
    let found = answer["nodes"].as_array().expect("nodes");
    assert_eq!((answer["count"].as_u64(), found.len()), (Some(ranks.len() as u64), ranks.len()), "{address}, all: {}", reader.all);
    for node in found {
        let code = node["id"].as_str().and_then(|id| id.split_once(':')).expect("an id").1;
        let rank = ranks.get(code).unwrap_or_else(|| panic!("{address}: `{code}` is not visible"));
        assert!((node["score"].as_f64().expect("a score") - rank).abs() < 1e-6, "{address}: {code} {rank} {node}");
    }
}
