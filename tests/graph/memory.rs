//! Graphs in memory: read in the background, at the start, after many writes and for callers whose rules exclude rows; and what these
//! callers see of them.

use std::{
    net::{TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

use chrono::Utc;
use diesel::{Connection, connection::SimpleConnection, pg::PgConnection, sqlite::SqliteConnection};
use dz::{
    Clock, Engine,
    serde_json::{Value, json},
};

use crate::{client::Client, server};

dz::dz! {
    app wires "Wires"

    persona fitter "Fitter"
    persona guest "Guest"

    entity User "Account":
      id: uuid pk
      name: str(60) required

    entity Pole "Pole":
      code: str(12) pk
      closed: bool = false
      graph_node:
        edges: Wire
      permit:
        list: role(fitter) or closed = false
        read: role(fitter) or closed = false
        create: role(fitter)
        update: role(fitter)

    entity Wire "Wire":
      code: str(12) pk
      one: ref Pole required
      other: ref Pole required
      weight: int
      hidden: bool = false
      graph_edge:
        source: one
        target: other
        weight: weight
      permit:
        list: role(fitter) or hidden = false
        read: role(fitter) or hidden = false
        create: role(fitter)
        update: role(fitter)
        delete: role(fitter)

    # No caller sees all rows of this graph.
    entity Mast "Mast":
      code: str(12) pk
      closed: bool = false
      graph_node:
        edges: Cable
      permit:
        list: closed = false
        read: closed = false
        create: role(fitter)

    entity Cable "Cable":
      code: str(12) pk
      one: ref Mast required
      other: ref Mast required
      hidden: bool = false
      graph_edge:
        source: one
        target: other
      permit:
        list: role(fitter, guest)
        read: role(fitter, guest)
        create: role(fitter)

    demo:
      User:
        - name: "Fay", email: "fay@wires.example", password: "climbs the poles", roles: [fitter]
        - name: "Gus", email: "gus@wires.example", password: "walks below them", roles: [guest]
}

const FITTER: (&str, &str) = ("fay@wires.example", "climbs the poles");
const GUEST: (&str, &str) = ("gus@wires.example", "walks below them");

/// The number of rows of a graph that is read in the background.
const EDGES: u32 = 12_000;

/// An instance of the application.
struct Instance {
    base: String,
    metrics: Client,
}

impl Instance {
    fn start(engine: Engine, url: &str) -> Instance {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
        // With a stopped clock no graph becomes too old, so that the reads can be counted.
        let app = app().clock(Clock::stopped(Utc::now()));
        let base = server::serve_with(app, engine, url.to_owned(), json!({ "metrics": port, "worker": false }));
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            thread::sleep(Duration::from_millis(20));
        }
        Instance { base, metrics: Client::new(&format!("http://127.0.0.1:{port}")) }
    }

    fn metric(&self, name: &str) -> u64 {
        let text = self.metrics.get("/metrics").ok(200).body;
        let start = format!("{name} ");
        text.lines().find_map(|line| line.strip_prefix(&start)?.parse().ok()).expect("the metric")
    }

    /// How often all edges of a graph were read.
    fn loads(&self) -> u64 {
        self.metric("dz_graph_loads_total{edges=\"all\"}")
    }

    /// Waits until all edges were read this often, which no request causes.
    #[track_caller]
    fn wait_for_loads(&self, wanted: u64) {
        let started = Instant::now();
        while self.loads() < wanted {
            assert!(started.elapsed() < Duration::from_secs(60), "{} and not {wanted} reads of all edges", self.loads());
            thread::sleep(Duration::from_millis(100));
        }
        assert_eq!(self.loads(), wanted);
    }
}

fn run(engine: Engine, url: &str, sql: &str) {
    match engine {
        Engine::Sqlite => SqliteConnection::establish(url.trim_start_matches("sqlite://"))
            .expect("a file")
            .batch_execute(&format!("PRAGMA busy_timeout = 20000; {sql}")),
        Engine::Postgres => PgConnection::establish(url).expect("a server").batch_execute(sql),
    }
    .expect("rows");
}

/// A line of rows: an edge leads from each to the next.
fn fill(engine: Engine, url: &str, nodes: &str, edges: &str) {
    let count = format!("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n <= {EDGES})");
    let sql = format!(
        "INSERT INTO {nodes} (code, closed) {count} SELECT CAST(n AS TEXT), FALSE FROM c;
         INSERT INTO {edges} (code, one, other, hidden) {count}
           SELECT CAST(n AS TEXT), CAST(n AS TEXT), CAST(n + 1 AS TEXT), FALSE FROM c WHERE n <= {EDGES};"
    );
    run(engine, url, &sql);
}

fn reached(client: &Client, table: &str, from: u32) -> Value {
    client.get(&format!("/api/{table}/{from}/graph/reachable?format=raw")).ok(200).json()["count"].clone()
}

fn check_background(engine: Engine) {
    let url = server::new_url(engine, "wires");
    // The first start creates the tables.
    drop(Instance::start(engine, &url));
    fill(engine, &url, "poles", "wires");
    let wires = Instance::start(engine, &url);
    wires.wait_for_loads(1);
    assert_eq!(wires.metric("dz_graph_edges"), u64::from(EDGES));
    let [fitter, guest] = [FITTER, GUEST].map(|who| Client::signed_in(&wires.base, who));
    let all = EDGES + 1;
    assert_eq!((reached(&fitter, "poles", 1), reached(&guest, "poles", 1)), (json!(all), json!(all)));
    check_part(&fitter, &guest);
    assert_eq!(wires.loads(), 1, "neither the first request nor one with rules reads all edges");

    // More writes than a request follows.
    let rows: String = (0..1_001).map(|at| format!("new{at},{},1\r\n", at + 2)).collect();
    let headers = [("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")];
    fitter.request("POST", "/api/wires/import", &headers, format!("code,one,other\r\n{rows}").as_bytes()).ok(200);
    wires.wait_for_loads(2);
    assert_eq!(wires.metric("dz_graph_edges"), u64::from(EDGES) + 1_001);
    assert_eq!(guest.get("/api/poles/1/graph/degree").ok(200).json()["in"], 1_001);
    assert_eq!(wires.loads(), 2, "the request uses what was read before it");

    // A graph that no role sees whole is read after a request that needed many of its edges.
    fill(engine, &url, "masts", "cables");
    assert_eq!(reached(&guest, "masts", 2), json!(EDGES));
    wires.wait_for_loads(3);
    assert_eq!(reached(&guest, "masts", 2), json!(EDGES));
    run(engine, &url, &format!("UPDATE masts SET closed = TRUE WHERE code = '{}'", EDGES / 2));
    assert_eq!(reached(&guest, "masts", 2), json!(EDGES / 2 - 2), "the rules are those of the rows as they are now");
    assert_eq!(wires.loads(), 3);
}

/// What a caller with rules sees of the graph in memory.
fn check_part(fitter: &Client, guest: &Client) {
    let set = |path: &str, row: Value| drop(fitter.send("PATCH", &format!("/api/{path}"), &row).ok(200));
    set("wires/5000", json!({ "hidden": true }));
    assert_eq!(reached(guest, "poles", 1), json!(5_000), "a hidden edge is not followed");
    set("poles/3000", json!({ "closed": true }));
    assert_eq!(reached(guest, "poles", 1), json!(2_999), "neither is a closed node");
    assert_eq!(reached(fitter, "poles", 1), json!(EDGES + 1));
    let path = |client: &Client, to: u32| {
        client.get(&format!("/api/poles/1/graph/shortest-path?to={to}&weighted=true&format=raw")).ok(200).json()["weight"].clone()
    };
    assert_eq!((path(guest, 2_999), path(guest, 5_000), path(fitter, 5_000)), (json!(2_998), Value::Null, json!(4_999)));
    let count = |client: &Client| client.get("/api/poles/graph/components?format=raw").ok(200).json()["count"].clone();
    assert_eq!((count(guest), count(fitter)), (json!(3), json!(1)));
    // Filters apply to what is in memory too.
    set("wires/2", json!({ "weight": 7 }));
    let degree = |client: &Client, filter: &str| client.get(&format!("/api/poles/2/graph/degree?{filter}")).ok(200).json()["out"].clone();
    assert_eq!(
        (degree(guest, "weight=7"), degree(guest, "weight__isnull=true"), degree(fitter, "weight__isnull=true")),
        (json!(1), json!(0), json!(0))
    );
    for (path, row) in [("wires/5000", json!({ "hidden": false })), ("poles/3000", json!({ "closed": false }))] {
        set(path, row);
    }
    assert_eq!(reached(guest, "poles", 1), json!(EDGES + 1));
}

#[test]
fn graphs_are_read_in_the_background_on_sqlite() {
    check_background(Engine::Sqlite);
}

#[test]
fn graphs_are_read_in_the_background_on_postgres() {
    check_background(Engine::Postgres);
}
