//! The OpenAPI document: signed-in callers can read it, it describes the application, and the command line prints the same document.

use dz::serde_json::Value;
use dz_dsl_file::{SourceMap, analyse, emit::openapi};

use crate::client::{CUSTOMER, Client, MANAGER};

dz::include_dsl!("app/openapi.dsl");

crate::on_both_engines! {
    the_openapi_document_requires_a_sign_in;
    the_example_serves_what_the_command_line_prints;
}

mod everything {
    crate::served_on_both! { "everything", super::app(); the_command_line_prints_the_same_bytes; no_address_accepts_an_unknown_parameter; }

    fn the_command_line_prints_the_same_bytes(base: &str) {
        super::same(include_str!("openapi.dsl"), &super::Client::signed_in(base, ("ann@every.example", "holds one of each")));
    }

    fn no_address_accepts_an_unknown_parameter(base: &str) {
        super::refuses_unknown_parameters(&super::Client::signed_in(base, ("ann@every.example", "holds one of each")));
        super::Client::new(base).get("/auth/tokens?nonsense=1").problem(401, "AUTHENTICATION_REQUIRED");
    }
}

/// No address that the document describes accepts an unknown parameter.
#[track_caller]
fn refuses_unknown_parameters(client: &Client) {
    let document = client.get("/api/openapi.json").ok(200).json();
    let mut lists = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        if item.get("get").is_none() {
            continue;
        }
        let refused = client.get(&format!("{}?nonsense=1", path.replace(['{', '}'], "")));
        assert!([400, 403, 404].contains(&refused.status), "{path}: {} {}", refused.status, refused.body);
        if refused.status == 400 {
            assert!(refused.body.contains("unknown parameter") && refused.body.contains("nonsense"), "{path}: {}", refused.body);
            lists.push(path.as_str());
        }
    }
    for path in ["/api/openapi.json", "/auth/me", "/auth/sessions", "/auth/tokens"] {
        assert!(lists.contains(&path), "{path} is not in {lists:?}");
    }
}

fn the_example_serves_what_the_command_line_prints(base: &str) {
    same(include_str!("../../examples/tasks/app.dsl"), &Client::signed_in(base, CUSTOMER));
}

/// The second response equals the first.
#[track_caller]
fn same(declaration: &str, client: &Client) {
    let model = analyse(SourceMap::single("app.dsl", declaration)).model.expect("a declaration without errors");
    let printed = openapi::json(&model);
    for _ in 0..2 {
        let served = client.get("/api/openapi.json").ok(200);
        assert_eq!(served.body, printed);
    }
}

fn the_openapi_document_requires_a_sign_in(base: &str) {
    Client::new(base).get("/api/openapi.json").problem(401, "AUTHENTICATION_REQUIRED");
    let (manager, customer) = (Client::signed_in(base, MANAGER), Client::signed_in(base, CUSTOMER));
    let answer = customer.get("/api/openapi.json").ok(200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.body, manager.get("/api/openapi.json").body);
    let document = answer.json();
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().expect("paths");
    for path in ["/api/tasks", "/api/tasks/{id}", "/api/tasks/bulk", "/api/tasks/import", "/api/companies/{id}", "/auth/me"] {
        assert!(paths.contains_key(path), "{path}");
    }
    // Every reference can be resolved.
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 100);
    for reference in references {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
    refuses_unknown_parameters(&manager);
    customer.send("POST", "/api/openapi.json", &Value::Null).problem(405, "METHOD_NOT_ALLOWED");
}

fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| match value {
            Value::String(text) if name == "$ref" => found.push(text.clone()),
            value => collect(value, found),
        }),
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}
