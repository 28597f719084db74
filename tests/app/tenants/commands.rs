//! The command line, API tokens, and how the application starts.

use std::process::Output;

use diesel::{Connection, RunQueryDsl, pg::PgConnection, sql_query};

use super::*;

on_both! {
    the_openapi_document_describes_tenants;
}

/// The command line of the application, in a process of its own: the program of the tests.
#[test]
#[ignore = "the other tests run it, with the words in its environment"]
fn program() {
    server::obey(practices());
}

fn run(engine: Engine, url: &str, words: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = server::command("tenants::commands::program", engine, url, words);
    command.envs(environment.iter().copied()).output().expect("the program runs")
}

/// The standard output of a command.
#[track_caller]
fn check_output(engine: Engine, url: &str, words: &[&str]) -> String {
    let output = run(engine, url, words, &[]);
    let (out, err) = (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned());
    assert!(output.status.success(), "{words:?}: {out}\n{err}");
    out
}

/// The standard error of a refused command.
#[track_caller]
fn check_refusal(engine: Engine, url: &str, words: &[&str], said: &[&str]) {
    let output = run(engine, url, words, &[]);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{words:?} is done");
    for word in said {
        assert!(err.contains(word), "{words:?}: `{word}` is not in {err}");
    }
}

#[test]
fn commands_take_a_tenant_on_sqlite() {
    commands_know_tenants(Engine::Sqlite);
}

#[test]
fn commands_take_a_tenant_on_postgres() {
    commands_know_tenants(Engine::Postgres);
}

fn commands_know_tenants(engine: Engine) {
    let url = server::fenced_url(engine, "commands");
    let base = server::serve(practices(), engine, url.clone());
    check_output(engine, &url, &["user", "create", "dan@vets.example", "--password", "comes from the shell", "--tenant", "South"]);
    let dan = ("dan@vets.example", "comes from the shell");
    let me = |client: &Client| client.get("/auth/me").ok(200).json();
    let south = tenant_of(&Client::signed_in(&base, dan), "South");
    assert_eq!(me(&Client::signed_in(&base, dan))["roles"], json!([]));
    // By name, and by key; a repetition changes nothing.
    check_output(engine, &url, &["user", "grant", "dan@vets.example", "clerk", "--tenant", "South"]);
    check_output(engine, &url, &["user", "grant", "dan@vets.example", "clerk", "--tenant", south.as_str().expect("a key")]);
    assert_eq!(me(&Client::signed_in(&base, dan))["roles"], json!(["clerk"]));
    // An invitation becomes a membership.
    check_output(engine, &url, &["user", "grant", "cy@vets.example", "vet", "--tenant", "North"]);
    assert_eq!(me(&Client::signed_in(&base, CY))["roles"], json!(["vet"]));
    check_refusal(engine, &url, &["user", "grant", "dan@vets.example", "clerk", "--tenant", "East"], &["East"]);
    check_refusal(engine, &url, &["user", "grant", "dan@vets.example", "wizard", "--tenant", "South"], &["wizard"]);

    // A token is bound to one tenant.
    let made = check_output(engine, &url, &["token", "create", "dan@vets.example", "--scope", "write"]);
    let token = made.lines().find(|line| line.starts_with("dz_")).expect("a token").to_owned();
    let by = |token: &str, method: &str, path: &str, body: &str| {
        let bearer = format!("Bearer {token}");
        Client::new(&base).request(method, path, &[("Authorization", &bearer), ("Content-Type", "application/json")], body.as_bytes())
    };
    assert!(by(&token, "GET", "/api/visits", "").ok(200).body.contains("Southern goat"));
    by(&token, "POST", "/api/visits", "{\"title\":\"By a token\"}").ok(201);
    assert_eq!(by(&token, "GET", "/auth/me", "").ok(200).json()["tenant"], south);
    by(&token, "POST", "/auth/tenant", "{\"tenant\":\"x\"}").problem(403, "FORBIDDEN");
    check_refusal(engine, &url, &["token", "create", "bo@vets.example"], &["North, South", "--tenant"]);
    check_refusal(engine, &url, &["token", "create", "bo@vets.example", "--tenant", "West"], &["not a member"]);
    let output = run(engine, &url, &["token", "create", "bo@vets.example", "--tenant", "South", "--roles", "vet"], &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("bo@vets.example does not have vet: the token gets it when the account does"), "{said}");
    let made = String::from_utf8_lossy(&output.stdout).into_owned();
    let narrow = made.lines().find(|line| line.starts_with("dz_")).expect("a token").to_owned();
    assert_eq!(by(&narrow, "GET", "/auth/me", "").ok(200).json()["roles"], json!([]), "of the personas only those it was made for");
    // Without the membership the token is invalid.
    check_output(engine, &url, &["user", "revoke", "dan@vets.example", "clerk", "--tenant", "South"]);
    by(&token, "POST", "/api/visits", "{\"title\":\"By a token\"}").problem(403, "FORBIDDEN");
    check_refusal(engine, &url, &["user", "revoke", "dan@vets.example", "clerk", "--tenant", "South"], &["clerk"]);

    let explained = |words: &[&str]| check_output(engine, &url, &[&["access", "explain"], words].concat());
    assert!(explained(&["bo@vets.example", "list", "Visit"]).contains("no current tenant"));
    let south = explained(&["bo@vets.example", "create", "Room", "--tenant", "South"]);
    assert!(south.contains("is a member of South") && south.contains("yes:"), "{south}");
    assert!(explained(&["bo@vets.example", "create", "Room", "--tenant", "North"]).contains("no:"));
    assert!(explained(&["sue@vets.example", "list", "Practice"]).contains("no:"), "admin of a tenant is none of the system");
}

#[test]
fn a_role_that_bypasses_policies_is_refused() {
    let url = server::new_database("above");
    let development = run(Engine::Postgres, &url, &["user", "list"], &[]);
    let err = String::from_utf8_lossy(&development.stderr).into_owned();
    assert!(development.status.success() && err.contains("row-level security"), "{err}");
    let production = run(Engine::Postgres, &url, &["user", "list"], &[("ROCKET_PROFILE", "release")]);
    let err = String::from_utf8_lossy(&production.stderr).into_owned();
    assert!(!production.status.success() && err.contains("row-level security") && err.contains("DATABASE_URL"), "{err}");
}

#[test]
fn tables_can_belong_to_another_role() {
    let owner = server::fenced_url(Engine::Postgres, "owner");
    let (server, name) = owner.rsplit_once('/').expect("an address with a database");
    let (_, host) = server.rsplit_once('@').expect("an address with a role");
    let role = format!("dz_serves_{}", std::process::id());
    let superuser = std::env::var("DZ_TEST_POSTGRES").expect("a server");
    let mut conn = PgConnection::establish(&superuser).expect("the server answers");
    let _ = sql_query(format!("CREATE ROLE \"{role}\" LOGIN")).execute(&mut conn);
    let serving = format!("postgres://{role}@{host}/{name}");
    let base = server::serve_with(practices(), Engine::Postgres, serving.clone(), json!({ "migrations_url": owner }));
    let ann = Client::signed_in(&base, ANN);
    assert!(visits(&ann).contains(&"Northern hen".to_owned()));
    ann.send("POST", "/api/visits", &json!({ "title": "By the one that serves" })).ok(201);
    // It cannot disable row-level security.
    let mut conn = PgConnection::establish(&serving).expect("the role may connect");
    let refused = sql_query("ALTER TABLE visits NO FORCE ROW LEVEL SECURITY").execute(&mut conn).expect_err("it owns nothing");
    assert!(refused.to_string().contains("must be owner"), "{refused}");
}

fn the_openapi_document_describes_tenants(base: &str) {
    let ann = Client::signed_in(base, ANN);
    let document = ann.get("/api/openapi.json").ok(200).json();
    assert!(document["paths"]["/auth/tenant"]["post"].is_object());
    let fields = |name: &str| document["components"]["schemas"][name]["properties"].clone();
    assert!(fields("Visit")["practice"].is_object() && fields("VisitInput")["practice"].is_null());
    assert!(fields("MemberInput")["practice"].is_object());
}
