//! A failover: the primary is killed under load, its replica is promoted, and the instances continue at the new primary.
//!
//! The instances name both servers in one address. With synchronous replication, no acknowledged write is lost. Clients send their
//! requests to the instances directly, or to HAProxy in front of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use dz::serde_json::json;

use crate::{
    client::Client,
    instances::shared::{OLE, start as start_instance},
    jobs::Serving,
    middle::haproxy,
    replicas::cluster::{Server, wait_for},
};

const DATABASE: &str = "ferry";

/// The names of acknowledged rows, the time of the last one at each instance, and the number of refusals by who responded.
type Answers = (BTreeSet<String>, [Option<Instant>; 2], BTreeMap<&'static str, u32>);

/// The acknowledged writes, when each address had one, and the number of refused ones by who responded.
#[derive(Default)]
struct Acknowledged(Mutex<Answers>);

impl Acknowledged {
    fn add(&self, name: String, instance: usize) {
        let mut all = self.0.lock().expect("the writes");
        all.0.insert(name);
        all.1[instance] = Some(Instant::now());
    }

    fn count(&self) -> usize {
        self.0.lock().expect("the writes").0.len()
    }

    fn refuse(&self, by: &'static str) {
        *self.0.lock().expect("the writes").2.entry(by).or_default() += 1;
    }

    fn refused(&self) -> BTreeMap<&'static str, u32> {
        self.0.lock().expect("the writes").2.clone()
    }

    fn last(&self) -> [Option<Instant>; 2] {
        self.0.lock().expect("the writes").1
    }
}

/// Creates rows until the end; a refused request is not repeated.
fn write(client: &Client, instance: usize, writer: usize, acknowledged: &Acknowledged, ends: &AtomicBool) {
    for n in 0.. {
        if ends.load(Ordering::Relaxed) {
            return;
        }
        let name = format!("{instance} {writer} {n}");
        match client.try_send("POST", "/api/crossings", &json!({ "name": name })) {
            Some(answer) if answer.status == 201 => acknowledged.add(name, instance),
            Some(answer) => {
                assert_eq!(answer.status, 503, "{}", answer.body);
                let is_problem = answer.header("content-type") == Some("application/problem+json");
                acknowledged.refuse(if is_problem { "an instance" } else { "HAProxy" });
                thread::sleep(Duration::from_millis(20));
            }
            None => {
                acknowledged.refuse("nobody");
                thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

/// A primary with a synchronous replica, and two instances that name both.
struct Pair {
    primary: Server,
    standby: Server,
    instances: [Serving; 2],
}

impl Pair {
    /// `None` if PostgreSQL is not installed.
    fn start(of: &str) -> Option<Pair> {
        let primary = Server::primary(of)?;
        primary.run("postgres", &format!("CREATE DATABASE {DATABASE}"));
        let standby = primary.replica(&format!("{of}-standby"));
        // Only the primary waits for a replica; the promoted one has none.
        primary.run("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'");
        primary.run("postgres", "SELECT pg_reload_conf()");
        wait_for("synchronous replication", || primary.holds("EXISTS (SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync')"));
        let hosts = format!("127.0.0.1:{},127.0.0.1:{}", primary.port, standby.port);
        let url = format!("postgres://postgres@{hosts}/{DATABASE}?target_session_attrs=read-write");
        let instances = [start_instance(&url, &[]), start_instance(&url, &[])];
        Some(Pair { primary, standby, instances })
    }

    /// Two clients write at each address, the primary is killed and its replica promoted, and both addresses continue.
    fn fail_over(&self, bases: [&str; 2], acknowledged: &Acknowledged) {
        let signed_in = Client::signed_in(bases[0], OLE);
        let client = |at: usize| Client { cookie: signed_in.cookie.clone(), ..Client::new(bases[at]) };
        let ends = AtomicBool::new(false);
        thread::scope(|scope| {
            for (at, writer) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let (client, ends) = (client(at), &ends);
                scope.spawn(move || write(&client, at, writer, acknowledged, ends));
            }
            // A failed check ends the writers, which the scope waits for.
            let _end = EndOnDrop(&ends);
            wait_for("writes before the failure", || acknowledged.count() > 40);
            self.primary.kill();
            wait_for("the failure is noticed", || !self.primary.holds("true"));
            let before = acknowledged.count();
            self.standby.promote();
            let promoted = Instant::now();
            let continued = || acknowledged.last().map(|last| last.is_some_and(|at| at > promoted));
            wait_for("each address continues", || continued() == [true, true]);
            println!("both addresses wrote {} ms after the promotion", promoted.elapsed().as_millis());
            wait_for("writes after the failure", || acknowledged.count() > before + 40);
            for instance in &self.instances {
                wait_for("the instance is ready", || Client::new(&instance.base).get("/health/ready").json()["database"] == "ok");
            }
        });
    }

    /// Checks that every acknowledged row is stored once, and ends the instances.
    fn check_and_end(self, acknowledged: Acknowledged) {
        let all = Client::signed_in(&self.instances[1].base, OLE).get("/api/crossings?format=csv").ok(200).body;
        let mut stored: BTreeMap<&str, u32> = BTreeMap::new();
        for value in all.split([',', '\r', '\n']) {
            *stored.entry(value).or_default() += 1;
        }
        let names = acknowledged.0.into_inner().expect("the writes").0;
        let wrong: Vec<&String> = names.iter().filter(|name| stored.get(name.as_str()) != Some(&1)).collect();
        assert!(wrong.is_empty(), "acknowledged, and not stored exactly once: {wrong:?}");
        println!("{} acknowledged writes were found", names.len());
        let [one, other] = self.instances;
        assert!(one.end() && other.end());
    }
}

#[test]
fn instances_continue_at_a_promoted_replica_and_no_acknowledged_write_is_lost() {
    let Some(pair) = Pair::start("failover") else { return };
    let acknowledged = Acknowledged::default();
    pair.fail_over([&pair.instances[0].base, &pair.instances[1].base], &acknowledged);
    pair.check_and_end(acknowledged);
}

/// While no instance is ready, HAProxy itself responds with 503; it repeats no write, so that none is stored twice.
#[test]
fn clients_of_haproxy_continue_at_a_promoted_replica_and_no_acknowledged_write_is_lost() {
    let Some(pair) = Pair::start("failover-haproxy") else { return };
    let Some(balancer) = haproxy::start(&[&pair.instances[0], &pair.instances[1]]) else { return };
    let base = format!("http://127.0.0.1:{}", balancer.port);
    wait_for("an instance behind HAProxy", || Client::new(&base).get("/health/ready").status == 200);
    let acknowledged = Acknowledged::default();
    pair.fail_over([&base, &base], &acknowledged);
    println!("refused, by who responded: {:?}", acknowledged.refused());
    pair.check_and_end(acknowledged);
}

/// Ends the writers.
struct EndOnDrop<'e>(&'e AtomicBool);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn an_instance_whose_server_hangs_is_not_ready_until_the_server_continues() {
    let Some(server) = Server::primary("hanging") else { return };
    server.run("postgres", &format!("CREATE DATABASE {DATABASE}"));
    let instance = start_instance(&server.url(DATABASE), &[]);
    let client = Client::signed_in(&instance.base, OLE);
    let is_ready = || client.get("/health/ready").status == 200;
    wait_for("the instance is ready", is_ready);
    server.hang(true);
    wait_for("the instance is not ready", || !is_ready());
    for _ in 0..3 {
        let begun = Instant::now();
        let report = client.get("/health/ready");
        assert_eq!((report.status, &report.json()["database"]), (503, &json!("failed")));
        assert!(begun.elapsed() < Duration::from_secs(30), "a probe has an answer: {:?}", begun.elapsed());
    }
    client.get("/health/live").ok(200);
    server.hang(false);
    wait_for("the instance is ready again", is_ready);
    client.send("POST", "/api/crossings", &json!({ "name": "after the hang" })).ok(201);
    assert!(instance.end());
}
