//! The system page for administrators, on both engines.

use dz::{
    Engine, Event,
    serde_json::{Value, json},
};

use crate::{
    client::Client,
    jobs::{Serving, check_output_of, eventually_slowly},
    server,
};

dz::dz! {
    app quarry "Quarry"

    persona mason "Mason"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Block "Block":
      id: uuid pk
      name: str(60) required
      permit:
        list: role(mason)
        read: role(mason)
        create: role(mason)

    surface block_list "Blocks":
      uses entity Block
      mode: list

    demo:
      User:
        - name: "Ada", email: "ada@quarry.example", password: "splits the stone", roles: [admin]
        - name: "Max", email: "max@quarry.example", password: "lifts the stone", roles: [mason]
}

const ADA: (&str, &str) = ("ada@quarry.example", "splits the stone");
const MAX: (&str, &str) = ("max@quarry.example", "lifts the stone");
const ADDRESS: &str = "/app/-/system";

fn quarry() -> dz::App {
    app().on::<block::Block>(Event::Created, |_, _| Err(dz::Error::internal("the crane is away"))).named("lift blocks")
}

#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(quarry());
}

fn report(client: &Client) -> Value {
    client.request("GET", ADDRESS, &[("Accept", "application/json")], b"").ok(200).json()
}

#[test]
fn administrators_see_the_state_of_all_instances_on_sqlite() {
    check_system(Engine::Sqlite);
}

#[test]
fn administrators_see_the_state_of_all_instances_on_postgres() {
    check_system(Engine::Postgres);
}

fn check_system(engine: Engine) {
    let url = server::new_url(engine, "quarry");
    let start = || Serving::start_program("system::child", &url, &[]);
    let (one, other) = (start(), start());
    let ada = Client::signed_in(&one.base, ADA);
    let max = Client::signed_in(&other.base, MAX);
    max.send("POST", "/api/blocks", &json!({ "name": "Marble" })).ok(201);
    for _ in 0..4 {
        ada.get("/auth/me").ok(200);
    }
    eventually_slowly(2, || report(&ada)["instances"].as_array().map_or(0, Vec::len));
    let found = report(&ada);
    let instances = found["instances"].as_array().expect("instances");
    assert_eq!(instances.iter().filter(|it| it["current"] == true).count(), 1);
    for it in instances {
        assert!(it["version"] == env!("CARGO_PKG_VERSION") && it["process"].as_i64().is_some_and(|it| it > 0), "{it}");
        assert!(!it["host"].as_str().unwrap_or_default().is_empty() && it["schema"].as_str().is_some_and(|it| it.len() == 8), "{it}");
    }
    assert_eq!(found["events"], json!({ "pending": 1, "dead": 0 }));
    assert_eq!(found["jobs"], json!({ "queued": 0, "running": 0, "dead": 0 }));
    assert_eq!((&found["last_backup"], &found["runs"]), (&Value::Null, &json!({})));
    assert!(found["storage"]["database_bytes"].as_i64().is_some_and(|it| it > 10_000), "{found}");
    assert_eq!(found["storage"]["files"], 0);
    let main = if engine == Engine::Sqlite { "readers" } else { "main" };
    assert!(found["pools"].as_array().expect("pools").iter().any(|it| it["name"] == main && it["max"].as_i64() > Some(1)), "{found}");
    let routes = found["routes"].as_array().expect("routes");
    assert!(routes.iter().any(|it| it["route"] == "/auth/login" && it["method"] == "POST" && it["requests"] == 1), "{found}");

    // The page shows the same, and the navigation links to it.
    let page = ada.get(ADDRESS).ok(200);
    page.shows(&[
        "<h1>System</h1>",
        "Slowest routes",
        "Pending events",
        "Never",
        "This one",
        "POST /auth/login",
        &format!("href=\"{ADDRESS}\""),
    ]);
    ada.get("/app/-/account").ok(200).shows(&[&format!("href=\"{ADDRESS}\"")]);

    // A backup is recorded.
    let folder = std::env::temp_dir().join(format!("dz-quarry-backup-{engine:?}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    if engine == Engine::Sqlite {
        check_output_of("system::child", &url, &format!("backup {}", folder.display()), true, &["backed up"]);
        assert!(report(&ada)["last_backup"].as_str().is_some_and(|at| at.starts_with("20")), "{}", report(&ada));
        let _ = std::fs::remove_dir_all(&folder);
    }

    // Others are refused, and see no link.
    assert_eq!(max.get(ADDRESS).status, 403);
    max.request("GET", ADDRESS, &[("Accept", "application/json")], b"").problem(403, "FORBIDDEN");
    Client::new(&one.base).request("GET", ADDRESS, &[("Accept", "application/json")], b"").problem(401, "AUTHENTICATION_REQUIRED");
    max.get("/app/-/account").ok(200).lacks(&[ADDRESS]);

    // An instance that ends is removed.
    assert!(other.end());
    assert_eq!(report(&ada)["instances"].as_array().map_or(0, Vec::len), 1);
    assert!(one.end());
}
