//! HAProxy in front of two instances, with the configuration of docs/deployment.md.

use dz::{
    Engine,
    serde_json::{Value, json},
};

use super::{Program, free_port};
use crate::{
    client::Client,
    instances::shared::{OLE, start as start_instance},
    jobs::{Serving, eventually_slowly},
    server,
};

/// HAProxy, which sends each request to the next instance.
pub(crate) fn start(instances: &[&Serving]) -> Option<Program> {
    let port = free_port();
    let documented = include_str!("../../../docs/operation/haproxy.cfg");
    let (before, _) = documented.split_once("    server ").expect("the documented servers");
    let servers: String = instances
        .iter()
        .enumerate()
        .map(|(n, it)| format!("    server tasks{n} {} check inter 200ms fall 1 rise 1\n", it.base.trim_start_matches("http://")))
        .collect();
    let configuration = format!("{}{servers}", before.replace("bind :80", &format!("bind 127.0.0.1:{port}")));
    assert!(configuration.contains(&format!("127.0.0.1:{port}")), "{configuration}");
    Program::start("haproxy", port, &configuration, &["-db", "-f"])
}

#[test]
fn sessions_forms_keys_and_events_work_at_every_instance_behind_haproxy() {
    let url = server::new_url(Engine::Postgres, "ferry_balanced");
    let (one, other) = (start_instance(&url, &[]), start_instance(&url, &[]));
    let Some(balancer) = start(&[&one, &other]) else { return };
    let base = format!("http://127.0.0.1:{}", balancer.port);
    eventually_slowly(200, || Client::new(&base).get("/health/ready").status);
    let client = Client::signed_in(&base, OLE);
    // Requests reach both instances in turn, with one session.
    for n in 0..10 {
        client.get("/auth/me").ok(200);
        client.send("POST", "/api/crossings", &json!({ "name": format!("Balanced {n}") })).ok(201);
    }
    // A form of one instance is sent to the other.
    for _ in 0..3 {
        let page = client.get("/app/crossing_create").ok(200).body;
        let token = page.split("name=\"csrf\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a token");
        let body = format!("csrf={token}&name=By+a+form");
        let form = [("Content-Type", "application/x-www-form-urlencoded")];
        client.request("POST", "/app/crossing_create", &form, body.as_bytes()).ok(303);
        client.get("/auth/me").ok(200);
    }
    // A repeated request is answered once, wherever it arrives.
    let body = json!({ "name": "By a key" });
    let first = crate::depot::send_with_key(&client, "/api/crossings", "balanced", &body).ok(201).json();
    for _ in 0..4 {
        assert_eq!(crate::depot::send_with_key(&client, "/api/crossings", "balanced", &body).ok(201).json()["id"], first["id"]);
    }
    // Each event is delivered once.
    let entries = || {
        let rows = client.get("/api/entries?format=csv").ok(200).body;
        rows.lines().filter(|line| line.contains("created Balanced")).count()
    };
    eventually_slowly(10, entries);
    // Failed sign-ins are counted for both instances together.
    let sign_in = |password: &str| Client::new(&base).send("POST", "/auth/login", &json!({ "email": OLE.0, "password": password }));
    for n in 0..5 {
        assert_eq!(sign_in("not this one").status, 401, "attempt {n}");
    }
    sign_in(OLE.1).problem(429, "RATE_LIMIT");
    assert!(one.end() && other.end());
}

#[test]
fn an_instance_that_ends_loses_no_request_behind_haproxy() {
    let url = server::new_url(Engine::Postgres, "ferry_drained");
    let (one, other) = (start_instance(&url, &[]), start_instance(&url, &[]));
    let Some(balancer) = start(&[&one, &other]) else { return };
    let base = format!("http://127.0.0.1:{}", balancer.port);
    eventually_slowly(200, || Client::new(&base).get("/health/ready").status);
    let client = Client::signed_in(&base, OLE);
    let read = || client.get("/api/crossings").ok(200).json()["total"].clone();
    assert_eq!(read(), Value::from(0));
    let reading = std::thread::scope(|scope| {
        let ended = scope.spawn(|| one.end());
        while !ended.is_finished() {
            read();
        }
        ended.join().expect("the instance ends")
    });
    assert!(reading, "the instance ends as it was asked to");
    for _ in 0..20 {
        read();
    }
    assert!(other.end());
}
