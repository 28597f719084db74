//! Tenants on a replica: row-level security applies there, and each transaction sets its tenant.

use dz::{Engine, serde_json::json};

use super::cluster::{Server, wait_for};
use crate::{client::Client, server};

dz::dz! {
    app choirs "Choirs":
      multi_tenant: true

    persona conductor "Conductor"

    entity Choir "Choir":
      id: uuid pk
      name: str(60) required
      archetype: tenant

    entity Person "Person":
      id: uuid pk
      archetype: user

    entity Singer "Singer":
      id: uuid pk
      archetype: user_membership

    entity Song "Song":
      id: uuid pk
      title: str(60) required
      permit:
        list: role(conductor)
        read: role(conductor)
        create: role(conductor)

    demo:
      Choir:
        - @north name: "North"
        - @south name: "South"
      Person:
        - @nora email: "nora@choirs.example", name: "Nora", password: "sings in the north"
        - @sven email: "sven@choirs.example", name: "Sven", password: "sings in the south"
      Singer:
        - choir: @north, user: @nora, personas: [conductor], accepted_at: now
        - choir: @south, user: @sven, personas: [conductor], accepted_at: now
}

const NORA: (&str, &str) = ("nora@choirs.example", "sings in the north");
const SVEN: (&str, &str) = ("sven@choirs.example", "sings in the south");
const DATABASE: &str = "choirs";

#[test]
fn a_replica_shows_the_rows_of_the_tenant() {
    let Some(primary) = Server::primary("replica-tenants") else { return };
    // A role that policies apply to, on both servers.
    primary.run("postgres", "CREATE ROLE singers LOGIN NOSUPERUSER NOBYPASSRLS");
    primary.run("postgres", &format!("CREATE DATABASE {DATABASE} OWNER singers"));
    primary.run(DATABASE, "GRANT ALL ON SCHEMA public TO singers");
    let replica = primary.replica("replica-tenants-copy");
    let url = |server: &Server| server.url(DATABASE).replace("postgres@", "singers@");
    let settings = json!({ "replicas": [url(&replica)], "replica_lag": 600 });
    let base = server::serve_with(app(), Engine::Postgres, url(&primary), settings);
    let (nora, sven) = (Client::signed_in(&base, NORA), Client::signed_in(&base, SVEN));
    primary.run(DATABASE, "UPDATE dz_sessions SET created_at = created_at - interval '1 hour'");
    wait_for("the replica is in use", || Client::new(&base).get("/health/ready").json()["replicas"]["in_use"] == 1);
    nora.send("POST", "/api/songs", &json!({ "title": "Snow" })).ok(201);
    sven.send("POST", "/api/songs", &json!({ "title": "Sun" })).ok(201);
    replica.catch_up(&primary);
    // The primary has another song, which shows which server answers.
    replica.pause(true);
    primary.run(DATABASE, "UPDATE songs SET title = title || ' on the primary'");
    for (client, title) in [(&nora, "Snow"), (&sven, "Sun")] {
        // A machine with much load can make the replica too slow for a read; the primary shows the row of the tenant then.
        wait_for("the replica answers", || {
            let songs = client.get("/api/songs").ok(200).json();
            let found = songs["items"][0]["title"].as_str().unwrap_or_default();
            assert!(songs["total"] == 1 && found.starts_with(title), "{songs}");
            found == title
        });
    }
    replica.pause(false);
}
