//! Addresses: those of the table, unknown ones, and custom routes beside those of dz.

use diesel::{Connection as _, RunQueryDsl as _, pg::PgConnection, sql_query};
use dz::Engine;

use crate::{
    client::{Client, MANAGER},
    fieldwork::fieldwork,
    server,
};

crate::on_both_engines! {
    an_address_answers_the_methods_of_the_table;
    readiness_is_public;
}

fn an_address_answers_the_methods_of_the_table(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    let origin = [("Origin", base)];
    for (method, path, allow) in [
        ("OPTIONS", "/api/tasks", "GET, POST"),
        ("OPTIONS", "/app/task_list", "GET"),
        ("OPTIONS", "/auth/login", "POST"),
        ("DELETE", "/login", "GET"),
        ("PUT", "/auth/register", "GET, POST"),
        ("GET", "/api/tasks/bulk", "POST"),
        ("POST", "/health/live", "GET"),
    ] {
        let answer = manager.request(method, path, &origin, b"");
        assert_eq!(answer.header("allow"), Some(allow), "{method} {path}");
        assert_eq!(answer.status, if method == "OPTIONS" { 204 } else { 405 }, "{method} {path}");
    }
    for nothing in ["/api/nothing", "/app/nothing", "/auth/nothing", "/api/tasks/1/2/3", "/files/tasks/nothing", "/-/nothing", "/nothing"] {
        for method in ["GET", "OPTIONS", "POST"] {
            assert_eq!(manager.request(method, nothing, &origin, b"").status, 404, "{method} {nothing}");
        }
    }
    // Percent-encoded words are the same words.
    assert_eq!(manager.get("/%61pi/t%61sks").status, 200);
    assert_eq!(manager.get("/api/t%61sks/bulk").status, 405);
}

fn readiness_is_public(base: &str) {
    let nobody = Client::new(base);
    let live = nobody.get("/health/live").ok(200);
    assert_eq!(live.json(), dz::serde_json::json!({ "status": "live" }));
    let ready = nobody.get("/health/ready").ok(200);
    let wanted = dz::serde_json::json!({ "status": "ready", "database": "ok", "migrations": "ok", "worker": "ok" });
    assert_eq!(ready.json(), wanted);
}

/// A database that refuses connections for a time.
#[test]
fn an_application_without_its_database_is_live_but_not_ready() {
    let url = server::new_database("ready");
    let base = server::serve(fieldwork(), Engine::Postgres, url.clone());
    let nobody = Client::new(&base);
    nobody.get("/health/ready").ok(200);
    let name = url.rsplit('/').next().expect("a name").to_owned();
    let mut admin = PgConnection::establish(&std::env::var("DZ_TEST_POSTGRES").expect("a server")).expect("a connection");
    let mut run = |sql: String| sql_query(sql).execute(&mut admin).expect("done");
    run(format!("ALTER DATABASE \"{name}\" WITH ALLOW_CONNECTIONS false"));
    run(format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"));
    nobody.get("/health/live").ok(200);
    // A result is used for a second.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let ready = nobody.get("/health/ready").ok(503).json();
    assert_eq!((&ready["status"], &ready["database"]), (&"not ready".into(), &"failed".into()), "{ready}");
    run(format!("ALTER DATABASE \"{name}\" WITH ALLOW_CONNECTIONS true"));
    let again = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        nobody.get("/health/ready").status == 200
    });
    assert!(again, "it is ready again once its database is there");
}

/// Every address of dz that a page of the documentation names exists in an application that has its construct.
#[test]
fn addresses_of_the_documentation_exist() {
    let apps = [
        fieldwork(),
        crate::openapi::app(),
        crate::experiences::app(),
        crate::processes::app(),
        crate::retention::app().llm_provider(crate::retention::answer),
    ];
    let bases = apps.map(|app| server::serve(app, Engine::Sqlite, server::new_url(Engine::Sqlite, "documented")));
    let clients = bases.each_ref().map(|base| Client::new(base));
    let docs = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs")).expect("the documentation");
    let pages = docs.map(|entry| entry.expect("an entry").path()).filter(|path| path.extension().is_some_and(|it| it == "md"));
    let mut named = std::collections::BTreeMap::new();
    for path in pages {
        let text = std::fs::read_to_string(&path).expect("a page");
        for code in text.split('`').skip(1).step_by(2) {
            let address = code.rsplit(' ').next().unwrap_or_default().split('?').next().unwrap_or_default();
            let of_dz = ["/app/-/", "/admin/", "/auth/", "/api/-/", "/health/"].iter().any(|start| address.starts_with(start));
            if of_dz && !address.contains(['*', '…', '\n']) {
                named.insert(address.to_owned(), path.clone());
            }
        }
    }
    assert!(named.len() > 30, "{named:?}");
    let exists = |address: &str| clients.iter().any(|client| client.request("OPTIONS", address, &[], b"").status != 404);
    let missing: Vec<_> = named.iter().filter(|(address, _)| !exists(&address.replace(['{', '}'], ""))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[rocket::get("/login")]
fn another_sign_in_page() -> &'static str {
    "signed in"
}

#[rocket::get("/api/tasks/<_key>?<_word>")]
fn another_task(_key: &str, _word: Option<&str>) -> &'static str {
    "a task"
}

#[rocket::get("/api/tasks/report")]
fn a_report() -> &'static str {
    "a report"
}

#[rocket::get("/login")]
fn a_chosen_sign_in_page() -> &'static str {
    "chosen"
}

#[rocket::get("/<_path..>")]
fn everything_else(_path: std::path::PathBuf) -> &'static str {
    "everything else"
}

/// Two routes at one address are refused at start, by a sentence that names both.
#[test]
fn a_route_at_an_address_of_dz_is_refused_at_start() {
    for (routes, words) in [
        (rocket::routes![another_sign_in_page], ["GET /login (another_sign_in_page)", "GET /login (Show the sign-in page)"]),
        (rocket::routes![another_task], ["GET /api/tasks/<_key>?<_word> (another_task)", "GET /api/tasks/<id> (Read a row)"]),
    ] {
        let app = fieldwork().engine(Engine::Sqlite).database_url(server::new_file("collision")).mount("/", routes);
        let error = app.rocket().expect_err("a collision");
        assert!(words.iter().all(|word| error.detail.contains(word)), "{}", error.detail);
    }
}

/// A more exact route, a less exact one, and one that replaces a route of dz.
#[test]
fn routes_of_the_application_are_served_beside_those_of_dz() {
    let app = fieldwork().mount("/", rocket::routes![a_report, everything_else]).mount_instead("/", rocket::routes![a_chosen_sign_in_page]);
    let base = server::serve(app, Engine::Sqlite, server::new_file("beside"));
    let manager = Client::signed_in(&base, MANAGER);
    assert_eq!(manager.get("/api/tasks/report").ok(200).body, "a report");
    assert_eq!(manager.get("/login").ok(200).body, "chosen");
    assert_eq!(manager.get("/nothing").ok(200).body, "everything else");
    assert!(manager.get("/api/tasks").ok(200).json()["items"].is_array());
    assert_eq!(manager.get("/api/tasks/not-a-key").status, 404);
}
