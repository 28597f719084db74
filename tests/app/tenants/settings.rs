//! Singletons.

use std::thread;

use super::*;

on_both! {
    the_first_access_creates_the_row;
    a_refused_caller_creates_nothing;
    rust_reads_a_singleton_under_the_rules;
    a_second_row_is_the_error_of_its_mutation;
}

#[test]
fn there_is_never_a_second_row_on_sqlite() {
    there_is_never_a_second_row(Engine::Sqlite);
}

#[test]
fn there_is_never_a_second_row_on_postgres() {
    there_is_never_a_second_row(Engine::Postgres);
}

fn the_first_access_creates_the_row(base: &str) {
    let (root, ann, sue) = (Client::signed_in(base, ROOT), Client::signed_in(base, ANN), Client::signed_in(base, SUE));
    let list = root.get("/api/platforms").ok(200).json();
    assert_eq!((&list["total"], &list["items"][0]["calls"]), (&json!(1), &json!(100)));
    let page = root.get("/admin/settings/platform").ok(200);
    page.shows(&["<h1>Platform</h1>", "name=\"calls\"", "action=\"/admin/settings/platform\""]);
    // Each tenant has its own row.
    let (north, south) = (ann.get("/api/offices").ok(200).json(), sue.get("/api/offices").ok(200).json());
    assert_eq!((&north["total"], &south["total"]), (&json!(1), &json!(1)));
    assert_ne!(north["items"][0]["id"], south["items"][0]["id"]);
    let csrf = |html: &str| html.split("name=\"csrf\" value=\"").nth(1).and_then(|it| it.split('"').next()).expect("a token").to_owned();
    let form = ann.get("/settings/office").ok(200).body;
    let version = form.split("name=\"version\" value=\"").nth(1).and_then(|it| it.split('"').next()).expect("a version").to_owned();
    let saved = ann.form("/settings/office", &[("csrf", &csrf(&form)), ("opens", "07:30"), ("version", &version)]);
    assert_eq!((saved.status, saved.header("location")), (303, Some("/settings/office?done=changed")), "{}", saved.body);
    assert_eq!(ann.get("/api/offices").ok(200).json()["items"][0]["opens"], "07:30");
    assert_eq!(sue.get("/api/offices").ok(200).json()["items"][0]["opens"], "08:00");
}

fn rust_reads_a_singleton_under_the_rules(base: &str) {
    let opens = |who| Client::signed_in(base, who).request("POST", "/typed/opens", &[("Sec-Fetch-Site", "same-origin")], b"");
    // An administrator of a tenant sees its office, and nothing of the system.
    let told = opens(SUE).ok(200).body;
    assert!(told.starts_with("08:00 ") && told.ends_with("FORBIDDEN"), "{told}");
    assert_eq!((opens(WES).status, opens(ROOT).status), (403, 403));
}

fn a_refused_caller_creates_nothing(base: &str) {
    let (wes, bo) = (Client::signed_in(base, WES), Client::signed_in(base, BO));
    for refused in ["/api/platforms", "/api/offices"] {
        wes.get(refused).problem(403, "FORBIDDEN");
        bo.get(refused).problem(403, "FORBIDDEN");
    }
    for refused in ["/settings/office", "/admin/settings/platform"] {
        assert_eq!(wes.get(refused).status, 403);
        assert_eq!(Client::new(base).get(refused).status, 303, "to the sign-in page");
    }
    // An administrator of the system is not an administrator of a tenant.
    Client::signed_in(base, ROOT).get("/api/offices").problem(403, "FORBIDDEN");
}

fn a_second_row_is_the_error_of_its_mutation(base: &str) {
    let root = Client::signed_in(base, ROOT);
    root.get("/api/platforms").ok(200);
    let (first, last) = (fresh("Practice before"), fresh("Practice after"));
    let query = format!(
        "mutation {{ a: createPractice(input: {{ name: \"{first}\" }}) {{ name }} b: createPlatform(input: {{ calls: 5 }}) {{ id }} \
         c: createPractice(input: {{ name: \"{last}\" }}) {{ name }} }}"
    );
    let body = root.send("POST", "/graphql", &json!({ "query": query })).ok(200).json();
    assert_eq!(body["data"], json!({ "a": { "name": first }, "b": null, "c": { "name": last } }), "{body}");
    let errors = body["errors"].as_array().expect("errors");
    assert_eq!((errors.len(), &errors[0]["path"]), (1, &json!(["b"])), "{body}");
    assert_eq!((&errors[0]["extensions"]["code"], &errors[0]["extensions"]["statusCode"]), (&json!("UNIQUE"), &json!(409)), "{body}");
    for name in [first, last] {
        let found = root.get(&format!("/api/practices?name={}", crate::client::encode(&name))).ok(200).json();
        assert_eq!(found["total"], 1, "{found}");
    }
}

fn there_is_never_a_second_row(engine: Engine) {
    let base = server::serve(practices(), engine, server::fenced_url(engine, "race"));
    let (root, sue) = (Client::signed_in(&base, ROOT), Client::signed_in(&base, SUE));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                root.get("/api/platforms").ok(200);
                assert!(matches!(root.send("POST", "/api/platforms", &json!({})).status, 201 | 409));
            });
            scope.spawn(|| {
                sue.get("/settings/office").ok(200);
                assert!(matches!(sue.send("POST", "/api/offices", &json!({})).status, 201 | 409));
            });
        }
    });
    for (client, path) in [(&root, "/api/platforms"), (&sue, "/api/offices")] {
        assert_eq!(client.get(path).ok(200).json()["total"], 1, "{path}");
        client.send("POST", path, &json!({})).problem(409, "UNIQUE");
    }
    // No field is at fault, since the index that allows one row has no column.
    assert!(root.send("POST", "/api/platforms", &json!({})).problem(409, "UNIQUE").get("field_errors").is_none());
}
