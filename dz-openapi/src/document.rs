//! The document as a whole, and its shared parts.

use crate::{
    Api, auth, entity, files, graph,
    json::{Json, object},
    processes,
};

pub(crate) fn document(api: &Api) -> Json {
    let mut paths = vec![("/api/openapi.json".to_owned(), own_path())];
    let mut schemas = shared_schemas();
    for of in &api.entities {
        paths.extend(entity::paths(api, of));
        schemas.extend(entity::schemas(api, of));
        paths.extend(graph::paths(api, of));
        paths.extend(files::paths(api, of));
    }
    schemas.extend(files::schemas(api));
    schemas.extend(graph::schemas(api));
    schemas.extend(processes::schemas(api));
    paths.extend(processes::paths(api));
    paths.extend(auth::paths(api));
    let tags = api.entities.iter().map(|of| {
        let tag = object! { "name" => of.title_plural };
        match of.intent {
            Some(intent) => tag.with("description", intent),
            None => tag,
        }
    });
    object! {
        "openapi" => "3.1.0",
        "info" => info(api.title, api.description),
        "servers" => Json::List(vec![object! { "url" => "/" }]),
        "security" => Json::List(vec![object! { "session" => Json::List(vec![]) }, object! { "token" => Json::List(vec![]) }, object! {}]),
        "tags" => Json::List(tags.collect()),
        "paths" => Json::object(paths),
        "components" => object! {
            "schemas" => Json::object(schemas),
            "parameters" => parameters(),
            "headers" => headers(),
            "responses" => responses(),
            "securitySchemes" => object! {
                "session" => object! {
                    "type" => "apiKey", "in" => "cookie", "name" => "dz_session",
                    "description" => "The cookie that `POST /auth/login` sets; with HTTPS its name is `__Host-dz_session`.",
                },
                "token" => object! { "type" => "http", "scheme" => "bearer", "description" => "An API token, which the command `token create EMAIL` of the application creates." },
            },
        },
    }
}

fn info(title: &str, description: Option<&str>) -> Json {
    let info = object! { "title" => title, "version" => "1" };
    match description {
        Some(text) => info.with("description", text),
        None => info,
    }
}

fn own_path() -> Json {
    object! { "get" => object! {
        "operationId" => "openapi",
        "summary" => "This document, for signed-in callers",
        "responses" => Json::object([
            ("200", object! { "description" => "OpenAPI 3.1", "content" => content("application/json", object! { "type" => "object" }) }),
            ("401", refer("responses", "401")),
        ]),
    } }
}

/// A reference to a shared part.
pub(crate) fn refer(kind: &str, name: &str) -> Json {
    object! { "$ref" => format!("#/components/{kind}/{name}") }
}

pub(crate) fn content(kind: &str, schema: Json) -> Json {
    Json::object([(kind, object! { "schema" => schema })])
}

/// The problem documents of these statuses.
pub(crate) fn refusals(statuses: &[&str]) -> Vec<(String, Json)> {
    statuses.iter().map(|status| ((*status).to_owned(), refer("responses", status))).collect()
}

const REFUSALS: &[(&str, &str)] = &[
    ("400", "The request cannot be understood: a malformed body, an unknown parameter"),
    ("401", "The caller is not signed in"),
    ("403", "The access rules deny the action"),
    ("404", "The row does not exist or is not visible to the caller"),
    ("409", "A conflict with stored rows: a duplicate of a unique value, an undeclared transition, or a row to which other rows refer"),
    ("412", "The row has changed since the server sent its `ETag`"),
    ("413", "The body is too large"),
    ("415", "The content type of the body is not accepted"),
    ("422", "Values are invalid: `field_errors` names the fields"),
    ("429", "Too many requests; `Retry-After` contains the number of seconds to wait"),
    ("503", "The database does not respond; `Retry-After` contains the number of seconds to wait"),
];

fn responses() -> Json {
    let problem =
        |text: &str| object! { "description" => text, "content" => content("application/problem+json", refer("schemas", "Problem")) };
    Json::object(REFUSALS.iter().map(|(status, text)| {
        let response = problem(text);
        let retried = matches!(*status, "429" | "503");
        let response =
            if retried { response.with("headers", Json::object([("Retry-After", refer("headers", "RetryAfter"))])) } else { response };
        (*status, response)
    }))
}

fn headers() -> Json {
    let header = |text: &str, schema: Json| object! { "description" => text, "schema" => schema };
    Json::object([
        ("ETag", header("The version of the row, for `If-Match`", object! { "type" => "string" })),
        ("Location", header("The address of the new row", object! { "type" => "string" })),
        ("RetryAfter", header("Seconds to wait", object! { "type" => "integer" })),
    ])
}

fn parameters() -> Json {
    let query =
        |name: &str, text: &str, schema: Json| object! { "name" => name, "in" => "query", "description" => text, "schema" => schema };
    let header =
        |name: &str, text: &str, schema: Json| object! { "name" => name, "in" => "header", "description" => text, "schema" => schema };
    let text = || object! { "type" => "string" };
    Json::object([
        ("page", query("page", "The page, from 1", object! { "type" => "integer", "minimum" => 1, "default" => 1 })),
        (
            "page_size",
            query("page_size", "Rows of a page", object! { "type" => "integer", "minimum" => 1, "maximum" => 100, "default" => 20 }),
        ),
        ("sort", query("sort", "Fields to sort by, with `-` for descending order: `-due,title`", text())),
        ("search", query("search", "Words to search for", text())),
        ("expand", query("expand", "References and relations whose rows the response contains: `project,assigned_to`", text())),
        (
            "format",
            query(
                "format",
                "`csv` returns the rows of all pages as CSV",
                object! { "type" => "string", "enum" => vec!["json", "csv"], "default" => "json" },
            ),
        ),
        ("IfMatch", header("If-Match", "The `ETag` of the row that the client has; 412 if the stored row has another one", text())),
        (
            "IdempotencyKey",
            header(
                "Idempotency-Key",
                "A request with the same key is executed once in 24 hours",
                object! { "type" => "string", "minLength" => 1, "maxLength" => 255, "pattern" => "^[ -~]+$" },
            ),
        ),
    ])
}

fn shared_schemas() -> Vec<(String, Json)> {
    let text = || object! { "type" => "string" };
    let whole = || object! { "type" => "integer", "minimum" => 0 };
    let messages = object! { "type" => "object", "additionalProperties" => object! { "type" => "array", "items" => text() } };
    let row_error = object! {
        "type" => "object", "required" => vec!["row", "code", "detail", "field_errors"],
        "properties" => object! { "row" => whole(), "code" => text(), "detail" => text(), "field_errors" => messages.clone() },
    };
    let problem = object! {
        "type" => "object",
        "description" => "RFC 9457",
        "required" => vec!["type", "title", "status", "detail", "code", "category", "severity", "request_id"],
        "properties" => object! {
            "type" => text(),
            "title" => text(),
            "status" => object! { "type" => "integer", "minimum" => 400, "maximum" => 599 },
            "detail" => text(),
            "code" => object! { "type" => "string", "pattern" => "^[A-Z][A-Z0-9_]*$" },
            "category" => text(),
            "severity" => object! { "type" => "string", "enum" => vec!["INFO", "WARNING", "ERROR", "CRITICAL"] },
            "field_errors" => messages,
            "rows" => object! { "type" => "array", "items" => row_error },
            "request_id" => text(),
        },
    };
    let result = object! {
        "type" => "object", "required" => vec!["id", "status"],
        "properties" => object! {
            "id" => object! {},
            "status" => object! { "type" => "integer" },
            "problem" => refer("schemas", "Problem"),
        },
    };
    let results = object! {
        "type" => "object", "required" => vec!["results"],
        "properties" => object! { "results" => object! { "type" => "array", "items" => result } },
    };
    let imported = object! {
        "type" => "object", "required" => vec!["created", "updated"],
        "properties" => object! { "created" => whole(), "updated" => whole() },
    };
    [("Problem", problem), ("BulkResults", results), ("Imported", imported)].map(|(name, schema)| (name.to_owned(), schema)).into()
}
