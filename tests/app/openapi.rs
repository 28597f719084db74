//! The document of the API: whoever is signed in reads it, and it names what there is.

use dz::serde_json::Value;

use crate::client::{CUSTOMER, Client, MANAGER};

crate::on_both_engines! {
    the_document_is_for_whoever_is_signed_in;
}

fn the_document_is_for_whoever_is_signed_in(base: &str) {
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
    // Every reference leads somewhere.
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 100);
    for reference in references {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
    customer.get("/api/openapi.json?x=1").problem(400, "BAD_REQUEST");
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
