//! The addresses of accounts and sessions.

use super::{
    super::json::{Json, object},
    content, refusals,
};

pub(super) fn paths() -> Vec<(String, Json)> {
    let text = || object! { "type" => "string" };
    let texts = |names: &[&str]| {
        object! {
            "type" => "object", "required" => names.to_vec(),
            "properties" => Json::of(names.iter().map(|name| (*name, text()))),
        }
    };
    let roles = || object! { "type" => "array", "items" => text() };
    let account = object! { "type" => "object", "required" => vec!["id", "email"], "properties" => object! { "id" => object! {}, "email" => text() } };
    let signed_in = object! { "type" => "object", "required" => vec!["account", "roles"], "properties" => object! { "account" => account, "roles" => roles() } };
    let me = object! {
        "type" => "object", "required" => vec!["id", "email", "roles"],
        "properties" => object! { "id" => object! {}, "email" => text(), "roles" => roles() },
    };
    let operation = |id: &str, summary: &str, body: Option<Json>, done: (&str, Json), refused: &[&str]| {
        let operation = object! { "operationId" => id, "tags" => vec!["Sign-in"], "summary" => summary };
        let operation = match body {
            Some(schema) => operation.with("requestBody", object! { "required" => true, "content" => content("application/json", schema) }),
            None => operation,
        };
        let answers = [(done.0.to_owned(), done.1)].into_iter().chain(refusals(refused)).chain(refusals(&["429", "503"]));
        operation.with("responses", Json::of(answers))
    };
    let json = |text: &str, schema: Json| object! { "description" => text, "content" => content("application/json", schema) };
    let nothing = |text: &str| object! { "description" => text };
    let unsafe_ones = ["400", "401", "403", "413", "415", "422"];
    vec![
        (
            "/auth/login".to_owned(),
            object! { "post" => operation("login", "Signs in and sets the session cookie", Some(texts(&["email", "password"])), ("200", json("Signed in", signed_in)), &unsafe_ones) },
        ),
        (
            "/auth/logout".to_owned(),
            object! { "post" => operation("logout", "Ends the session", None, ("204", nothing("Signed out")), &["403", "413", "415"]) },
        ),
        (
            "/auth/me".to_owned(),
            object! { "get" => operation("me", "Who is signed in", None, ("200", json("The account and its roles", me)), &["401"]) },
        ),
        (
            "/auth/password".to_owned(),
            object! { "post" => operation("password", "Changes the password and ends all other sessions", Some(texts(&["current", "new"])), ("204", nothing("Changed")), &unsafe_ones) },
        ),
    ]
}
