//! Operations that do not belong to an entity, and the schemas of their bodies.

use crate::{
    document::{content, refusals},
    json::{Json, object},
};

/// Refusals of requests that change data.
pub(crate) const CHANGES: &[&str] = &["400", "401", "403", "413", "415", "422"];

pub(crate) fn text() -> Json {
    object! { "type" => "string" }
}

pub(crate) fn object_of(required: &[&str], properties: Vec<(&str, Json)>) -> Json {
    object! { "type" => "object", "required" => required.to_vec(), "properties" => Json::object(properties) }
}

pub(crate) fn list(items: Json) -> Json {
    object! { "type" => "array", "items" => items }
}

/// A body of required texts.
pub(crate) fn text_object(names: &[&str]) -> Json {
    object_of(names, names.iter().map(|name| (*name, text())).collect())
}

pub(crate) fn operation(tag: &str, id: &str, summary: &str, body: Option<(bool, Json)>, done: (&str, Json), refused: &[&str]) -> Json {
    let operation = object! { "operationId" => id, "tags" => vec![tag], "summary" => summary };
    let operation = match body {
        Some((required, schema)) => {
            operation.with("requestBody", object! { "required" => required, "content" => content("application/json", schema) })
        }
        None => operation,
    };
    let answers = [(done.0.to_owned(), done.1)].into_iter().chain(refusals(refused)).chain(refusals(&["429", "503"]));
    operation.with("responses", Json::object(answers))
}

pub(crate) fn json(description: &str, schema: Json) -> (&'static str, Json) {
    ("200", object! { "description" => description, "content" => content("application/json", schema) })
}

pub(crate) fn empty_response(description: &str) -> (&'static str, Json) {
    ("204", object! { "description" => description })
}
