//! A failover: the primary is killed under load, its replica is promoted, and the instances continue at the new primary.
//!
//! The instances name both servers in one address. With synchronous replication, no acknowledged write is lost.

use std::{
    collections::BTreeSet,
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
    replicas::cluster::{Server, wait_for},
};

const DATABASE: &str = "ferry";

/// The acknowledged writes, and when each instance had one.
#[derive(Default)]
struct Acknowledged(Mutex<(BTreeSet<String>, [Option<Instant>; 2])>);

impl Acknowledged {
    fn add(&self, name: String, instance: usize) {
        let mut all = self.0.lock().expect("the writes");
        all.0.insert(name);
        all.1[instance] = Some(Instant::now());
    }

    fn count(&self) -> usize {
        self.0.lock().expect("the writes").0.len()
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
                thread::sleep(Duration::from_millis(20));
            }
            None => thread::sleep(Duration::from_millis(20)),
        }
    }
}

#[test]
fn instances_continue_at_a_promoted_replica_and_no_acknowledged_write_is_lost() {
    let Some(primary) = Server::primary("failover") else { return };
    primary.run("postgres", &format!("CREATE DATABASE {DATABASE}"));
    let standby = primary.replica("failover-standby");
    // Only the primary waits for a replica; the promoted one has none.
    primary.run("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'");
    primary.run("postgres", "SELECT pg_reload_conf()");
    wait_for("synchronous replication", || primary.holds("EXISTS (SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync')"));
    let url =
        format!("postgres://postgres@127.0.0.1:{},127.0.0.1:{}/{DATABASE}?target_session_attrs=read-write", primary.port, standby.port);
    let instances = [start_instance(&url, &[]), start_instance(&url, &[])];
    let signed_in = Client::signed_in(&instances[0].base, OLE);
    let client = |instance: usize| Client { cookie: signed_in.cookie.clone(), ..Client::new(&instances[instance].base) };
    let (acknowledged, ends) = (Acknowledged::default(), AtomicBool::new(false));
    thread::scope(|scope| {
        for (instance, writer) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let (client, acknowledged, ends) = (client(instance), &acknowledged, &ends);
            scope.spawn(move || write(&client, instance, writer, acknowledged, ends));
        }
        // A failed check ends the writers, which the scope waits for.
        let _end = EndOnDrop(&ends);
        wait_for("writes before the failure", || acknowledged.count() > 40);
        primary.kill();
        wait_for("the failure is noticed", || !primary.holds("true"));
        let before = acknowledged.count();
        standby.promote();
        let promoted = Instant::now();
        let continued = || acknowledged.last().map(|last| last.is_some_and(|at| at > promoted));
        wait_for("each instance continues", || continued() == [true, true]);
        println!("both instances wrote {} ms after the promotion", promoted.elapsed().as_millis());
        wait_for("writes after the failure", || acknowledged.count() > before + 40);
        for instance in [0, 1] {
            wait_for("the instance is ready", || client(instance).get("/health/ready").json()["database"] == "ok");
        }
    });
    let all = Client::signed_in(&instances[1].base, OLE).get("/api/crossings?format=csv").ok(200).body;
    let stored: BTreeSet<&str> = all.split([',', '\r', '\n']).collect();
    let names = acknowledged.0.into_inner().expect("the writes").0;
    let lost: Vec<&String> = names.iter().filter(|name| !stored.contains(name.as_str())).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    println!("{} acknowledged writes were found", names.len());
    let [one, other] = instances;
    assert!(one.end() && other.end());
}

/// Ends the writers.
struct EndOnDrop<'e>(&'e AtomicBool);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
