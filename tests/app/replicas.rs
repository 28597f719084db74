//! Read replicas: which server answers a read, what it must have replayed, and what a replica that is late or down changes.

pub(crate) mod cluster;
mod tenants;

use dz::{
    Engine,
    serde_json::{Value, json},
};

use self::cluster::{Server, wait_for};
use crate::{client::Client, server};

dz::dz! {
    app maproom "Map room"

    persona curator "Curator"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Sheet "Sheet":
      id: uuid pk
      name: str(60) required
      remark: text
      keeper: ref User
      permit:
        list: keeper = current_user or role(curator)
        read: keeper = current_user or role(curator)
        create: role(curator)
        update: role(curator)
        delete: role(curator)
      audit:
        list: role(curator)

    surface sheet_list "Sheets":
      uses entity Sheet
      mode: list

    surface sheet_view "Sheet":
      uses entity Sheet
      mode: view

    demo:
      User:
        - name: "Cora", email: "cora@maproom.example", password: "draws every coast", roles: [curator]
        - name: "Kim", email: "kim@maproom.example", password: "keeps the old maps"
        - name: "Ada", email: "ada@maproom.example", password: "sees the machines", roles: [admin]
}

const CORA: (&str, &str) = ("cora@maproom.example", "draws every coast");
const KIM: (&str, &str) = ("kim@maproom.example", "keeps the old maps");
const ADA: (&str, &str) = ("ada@maproom.example", "sees the machines");
const DATABASE: &str = "maproom";

/// The application on a primary with a replica.
struct Room {
    primary: Server,
    replica: Server,
    base: String,
    metrics: Client,
}

impl Room {
    fn open(of: &str, lag: u64) -> Option<Room> {
        let primary = Server::primary(of)?;
        primary.run("postgres", &format!("CREATE DATABASE {DATABASE}"));
        let replica = primary.replica(&format!("{of}-copy"));
        let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port").port();
        let settings = json!({ "replicas": [replica.url(DATABASE)], "replica_lag": lag, "metrics": port });
        let base = server::serve_with(app(), Engine::Postgres, primary.url(DATABASE), settings);
        wait_for("the port of the metrics", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
        Some(Room { primary, replica, base, metrics: Client::new(&format!("http://127.0.0.1:{port}")) })
    }

    /// A session that is not new: the account of a new one can be too new for a replica.
    fn sign_in(&self, who: (&str, &str)) -> Client {
        let client = Client::signed_in(&self.base, who);
        self.primary.run(DATABASE, "UPDATE dz_sessions SET created_at = created_at - interval '1 hour'");
        client
    }

    /// The replicas in use.
    fn in_use(&self) -> Value {
        let ready = Client::new(&self.base).get("/health/ready").json();
        assert_eq!(ready["replicas"]["configured"], 1, "{ready}");
        ready["replicas"]["in_use"].clone()
    }

    /// Reads that the replica has served.
    fn served(&self) -> u64 {
        let name = format!("dz_replica_reads_total{{replica=\"127.0.0.1:{}\"}} ", self.replica.port);
        let text = self.metrics.get("/metrics").ok(200).body;
        let line = text.lines().find_map(|line| line.strip_prefix(&name));
        line.and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("no `{name}` in {text}"))
    }

    /// Repeats a read until the replica answers it: on a machine with much load, the primary serves a read now and then.
    #[track_caller]
    fn on_replica<T>(&self, read: impl Fn() -> T) -> T {
        let found = std::cell::RefCell::new(None);
        wait_for("the replica answers", || {
            let before = self.served();
            found.replace(Some(read()));
            self.served() > before
        });
        found.into_inner().expect("a read")
    }

    /// Waits until the replica answers this client.
    #[track_caller]
    fn wait_until_served(&self, client: &Client) {
        self.on_replica(|| client.get("/api/sheets").ok(200));
    }
}

fn names(client: &Client) -> Vec<String> {
    let rows = client.get("/api/sheets?sort=name").ok(200).json();
    rows["items"].as_array().into_iter().flatten().filter_map(|row| row["name"].as_str().map(str::to_owned)).collect()
}

fn key(row: &Value) -> String {
    row["id"].as_str().expect("a key").to_owned()
}

#[test]
fn reads_of_a_replica_see_the_writes_of_their_session_and_no_withdrawn_row() {
    let Some(room) = Room::open("replica-reads", 600) else { return };
    let (cora, kim) = (room.sign_in(CORA), room.sign_in(KIM));
    wait_for("the replica is in use", || room.in_use() == 1);
    let me = key(&kim.get("/auth/me").ok(200).json());
    let coast = cora.send("POST", "/api/sheets", &json!({ "name": "Coast", "keeper": me })).ok(201).json();
    room.replica.catch_up(&room.primary);
    room.wait_until_served(&kim);
    room.wait_until_served(&cora);
    assert_eq!(names(&kim), ["Coast"]);
    // Pages and GraphQL are read there, too.
    room.on_replica(|| kim.get("/app/sheet_list").ok(200)).shows(&["Coast"]);
    let query = json!({ "query": "{ sheets(limit: 5) { name } }" });
    room.on_replica(|| kim.send("POST", "/graphql", &query).ok(200)).shows(&["Coast"]);

    room.replica.pause(true);
    let harbour = cora.send("POST", "/api/sheets", &json!({ "name": "Harbour", "keeper": me })).ok(201).json();
    // The session sees its own write everywhere, although the replica does not have it.
    assert_eq!(names(&cora), ["Coast", "Harbour"]);
    cora.get(&format!("/api/sheets/{}", key(&harbour))).ok(200).shows(&["Harbour"]);
    cora.get("/app/sheet_list").ok(200).shows(&["Harbour"]);
    cora.send("POST", "/graphql", &json!({ "query": "{ sheets(limit: 5) { name } }" })).ok(200).shows(&["Harbour"]);
    // Another session reads the replica, which is behind. A row that is not found there is looked for on the primary.
    assert_eq!(room.on_replica(|| names(&kim)), ["Coast"]);
    kim.get(&format!("/api/sheets/{}", key(&harbour))).ok(200).shows(&["Harbour"]);
    // A change that no rule reads withdraws nothing.
    let path = format!("/api/sheets/{}", key(&coast));
    cora.send("PATCH", &path, &json!({ "remark": "torn" })).ok(200);
    assert_eq!(room.on_replica(|| names(&kim)), ["Coast"]);
    // After a row is withdrawn, no replica without this write is read, and so it stays for a deletion.
    let before = room.served();
    cora.send("PATCH", &path, &json!({ "keeper": Value::Null })).ok(200);
    assert_eq!(names(&kim), ["Harbour"]);
    kim.get(&path).problem(404, "NOT_FOUND");
    cora.delete(&format!("/api/sheets/{}", key(&harbour))).ok(204);
    assert!(names(&kim).is_empty());
    assert_eq!(room.served(), before);
    // Sessions are read from the primary.
    let other = room.sign_in(KIM);
    kim.send("POST", "/auth/logout", &json!({})).ok(204);
    kim.get("/api/sheets").problem(401, "AUTHENTICATION_REQUIRED");

    room.replica.pause(false);
    room.wait_until_served(&other);
    room.wait_until_served(&cora);
    assert_eq!(names(&cora), ["Coast"]);
    // The audit records of reads are written on the primary.
    let records = room.sign_in(ADA).request("GET", "/admin/audit?action=list", &[("Accept", "application/json")], b"").ok(200);
    records.shows(&["Sheet", "list"]);
}

#[test]
fn a_replica_that_is_late_or_down_is_out_of_use_until_it_recovers() {
    let Some(room) = Room::open("replica-late", 1) else { return };
    let (cora, ada) = (room.sign_in(CORA), room.sign_in(ADA));
    // The system page shows the replica with its state.
    let check_replica = |in_use: bool, reason: &str| {
        wait_for(reason, || {
            let system = ada.request("GET", "/app/-/system", &[("Accept", "application/json")], b"").ok(200).json();
            let replica = &system["replicas"][0];
            assert_eq!(replica["name"], format!("127.0.0.1:{}", room.replica.port), "{system}");
            let page = ada.get("/app/-/system").ok(200).body;
            replica["in_use"] == in_use && page.contains("Replicas") && page.contains(reason)
        });
    };
    wait_for("the replica is in use", || room.in_use() == 1);
    check_replica(true, "In use");
    let mut written = 0;
    let mut write = || {
        cora.send("POST", "/api/sheets", &json!({ "name": format!("Sheet {written}") })).ok(201);
        written += 1;
        assert_eq!(cora.get("/api/sheets").ok(200).json()["total"], written);
    };
    room.replica.pause(true);
    write();
    while room.in_use() == 1 {
        write();
    }
    check_replica(false, "behind the primary");
    let before = room.served();
    for _ in 0..5 {
        write();
    }
    assert_eq!(room.served(), before);
    room.replica.pause(false);
    wait_for("the replica is in use again", || room.in_use() == 1);
    room.wait_until_served(&cora);

    room.replica.stop();
    while room.in_use() == 1 {
        cora.get("/api/sheets").ok(200);
    }
    write();
    check_replica(false, "cannot connect");
    room.replica.start();
    wait_for("the replica is in use once more", || room.in_use() == 1);
    room.wait_until_served(&cora);
}

#[test]
fn only_a_replica_of_the_primary_is_used() {
    let Some(room) = Room::open("replica-other", 60) else { return };
    let ada = room.sign_in(ADA);
    wait_for("the replica is in use", || room.in_use() == 1);
    // A promoted replica has a history of its own.
    room.replica.promote();
    wait_for("it is out of use", || room.in_use() == 0);
    wait_for("the reason", || ada.get("/app/-/system").ok(200).body.contains("the server is not a replica"));
    let before = room.served();
    ada.get("/api/sheets");
    assert_eq!(room.served(), before);
}
