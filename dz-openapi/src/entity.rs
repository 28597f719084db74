//! The addresses of an entity, and the schemas of its rows.

use crate::{
    Action, Api, Entity, Field,
    document::{content, refer, refusals},
    graph,
    json::{Json, object},
    schema::{self, Way},
};

const OPERATORS: &str = "ne|gt|gte|lt|lte|in|isnull|contains|icontains|startswith";

const REPLACES: &str = "Replaces the row: a required field that the body does not contain gets its default, and an optional one becomes null; the state does not change";

/// True if a new row requires its state; a replacement never does.
fn asks_for_state(entity: &Entity) -> bool {
    let field = entity.states.as_ref().and_then(|machine| entity.fields.get(machine.field));
    field.is_some_and(schema::needed)
}

pub(crate) fn paths(api: &Api, entity: &Entity) -> Vec<(String, Json)> {
    let path = format!("/api/{}", entity.table);
    let id = object! { "name" => "id", "in" => "path", "required" => true, "schema" => schema::key(api, entity) };
    let mut paths = vec![
        (path.clone(), object! { "get" => list(entity), "post" => create(entity) }),
        (
            format!("{path}/{{id}}"),
            object! {
                "parameters" => Json::List(vec![id.clone()]),
                "get" => read(entity),
                "patch" => change(entity, "change", "Changes the fields that the body contains", "Changes"),
                "put" => change(entity, "replace", REPLACES, if asks_for_state(entity) { "Replacement" } else { "Input" }),
                "delete" => delete(entity),
            },
        ),
        (format!("{path}/bulk"), object! { "post" => bulk(entity) }),
        (format!("{path}/import"), object! { "post" => import(entity) }),
    ];
    if entity.soft_delete {
        let restored = object! { "parameters" => Json::List(vec![id.clone()]), "post" => restore(entity) };
        paths.push((format!("{path}/{{id}}/actions/restore"), restored));
    }
    for action in &entity.actions {
        let act = object! { "parameters" => Json::List(vec![id.clone()]), "post" => act(api, entity, action) };
        paths.push((format!("{path}/{{id}}/actions/{}", action.name), act));
    }
    if let Some(states) = states(entity) {
        let to =
            object! { "name" => "state", "in" => "path", "required" => true, "schema" => object! { "type" => "string", "enum" => states } };
        let moves = object! { "parameters" => Json::List(vec![id, to]), "post" => transition(entity) };
        paths.push((format!("{path}/{{id}}/transitions/{{state}}"), moves));
    }
    paths
}

pub(crate) fn schemas(api: &Api, entity: &Entity) -> Vec<(String, Json)> {
    let name = entity.name;
    let pk = entity.key();
    let visible = || entity.fields.iter().filter(|field| field.is_member());
    let row = object! {
        "type" => "object",
        "required" => visible().filter(|field| field.has_value()).map(|field| field.name).collect::<Vec<_>>(),
        "properties" => Json::object(visible().map(|field| (field.name, described(field, schema::answer_value(api, field))))),
    };
    let key = object! {
        "type" => "object",
        "required" => vec![pk.name],
        "properties" => Json::object([(pk.name, schema::key(api, entity))]),
    };
    let writable: Vec<&Field> = schema::writable(entity).collect();
    let properties = Json::object(writable.iter().map(|field| (field.name, described(field, schema::value(api, field, Way::In)))));
    let needed: Vec<&str> = writable.iter().filter(|field| schema::needed(field)).map(|field| field.name).collect();
    let list = object! {
        "type" => "object",
        "required" => vec!["items", "total", "page", "page_size"],
        "properties" => object! {
            "items" => object! { "type" => "array", "items" => refer("schemas", name) },
            "total" => object! { "type" => "integer" },
            "total_capped" => object! { "type" => "boolean" },
            "page" => object! { "type" => "integer" },
            "page_size" => object! { "type" => "integer" },
        },
    };
    let named = |suffix: &str, schema: Json| (format!("{name}{suffix}"), schema);
    let given = |required: Vec<&str>| object! { "type" => "object", "required" => required, "properties" => properties.clone() };
    let state = entity.states.as_ref().and_then(|machine| entity.fields.get(machine.field)).map(|field| field.name);
    let kept = || needed.iter().copied().filter(|name| Some(*name) != state).collect();
    let replacement = asks_for_state(entity).then(|| named("Replacement", given(kept())));
    let all = vec![
        named("", row),
        // The response to a caller who cannot read the written row.
        named("Written", object! { "anyOf" => Json::List(vec![refer("schemas", name), key]) }),
        named("List", list),
        named("Input", given(needed.clone())),
        named("Changes", object! { "type" => "object", "properties" => properties.clone() }),
        named("Filters", filters(api, entity)),
        named("Bulk", bulk_request(entity)),
    ];
    all.into_iter().chain(replacement).collect()
}

fn described(field: &Field, schema: Json) -> Json {
    if field.sensitive { schema.with("description", "Null unless the caller may change the row") } else { schema }
}

/// The query parameters that filter a list.
fn filters(api: &Api, entity: &Entity) -> Json {
    let fields: Vec<&Field> = entity.fields.iter().filter(|field| field.has_value() && !field.secret && !field.sensitive).collect();
    let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
    let refs: Vec<&str> = fields.iter().filter(|field| field.kind.is_ref()).map(|field| field.name).collect();
    let mut patterns = vec![(format!("^({})__({OPERATORS})$", names.join("|")), object! { "type" => "string" })];
    if !refs.is_empty() {
        patterns.push((format!("^({})\\.[a-z0-9_.]+$", refs.join("|")), object! { "type" => "string" }));
    }
    object! {
        "type" => "object",
        "properties" => Json::object(fields.iter().map(|field| (field.name, schema::filter_value(api, field)))),
        "patternProperties" => Json::object(patterns),
        "additionalProperties" => false,
    }
}

/// The states of a row.
fn states<'a>(entity: &Entity<'a>) -> Option<Vec<&'a str>> {
    let machine = entity.states.as_ref()?;
    entity.fields.get(machine.field)?.kind.values().map(<[_]>::to_vec)
}

/// The common members of an operation of an entity.
fn operation(entity: &Entity, verb: &str, summary: &str) -> Json {
    object! { "operationId" => format!("{verb}{}", entity.name), "tags" => vec![entity.title_plural], "summary" => summary }
}

fn body(kind: &str, schema: Json, required: bool) -> Json {
    object! { "required" => required, "content" => content(kind, schema) }
}

pub(crate) fn parameters(names: &[&str]) -> Vec<Json> {
    names.iter().map(|name| refer("parameters", name)).collect()
}

/// A response with a row.
fn row(entity: &Entity, text: &str, schema: &str, headers: &[&str]) -> Json {
    object! {
        "description" => text,
        "headers" => Json::object(headers.iter().map(|name| (*name, refer("headers", name)))),
        "content" => content("application/json", refer("schemas", &format!("{}{schema}", entity.name))),
    }
}

fn responses(first: (&str, Json), refused: &[&str]) -> Json {
    Json::object([(first.0.to_owned(), first.1)].into_iter().chain(refusals(refused)).chain(refusals(&["429", "503"])))
}

fn list(entity: &Entity) -> Json {
    let mut all = parameters(&["page", "page_size", "sort", "search", "expand"]);
    all.push(match entity.is_edge {
        true => graph::format_of_list(),
        false => refer("parameters", "format"),
    });
    if entity.temporal {
        let query = |name: &str, text: &str, kind: &str| object! { "name" => name, "in" => "query", "description" => text, "schema" => object! { "type" => kind } };
        all.push(query("include_closed", "Includes rows that have ended", "boolean"));
        all.push(query(
            "as_of",
            "Selects the rows that are valid at this date, or at this timestamp if the validity is measured in timestamps",
            "string",
        ));
    }
    all.push(object! {
        "name" => "filters", "in" => "query", "style" => "form", "explode" => true,
        "description" => "`field=value`, `field__operator=value`, and fields of referenced rows: `project.name=…`",
        "schema" => refer("schemas", &format!("{}Filters", entity.name)),
    });
    let found = object! {
        "description" => "The rows that the caller may list",
        "content" => Json::object([
            ("application/json", object! { "schema" => graph::list_schema(entity) }),
            ("text/csv", object! { "schema" => object! { "type" => "string" } }),
        ]),
    };
    operation(entity, "list", &format!("Lists {}", entity.title_plural))
        .with("parameters", all)
        .with("responses", responses(("200", found), &["400", "401", "403", "422"]))
}

fn create(entity: &Entity) -> Json {
    let made = row(entity, "The new row; only its key if the caller may not read it", "Written", &["ETag", "Location"]);
    operation(entity, "create", &format!("Creates a {}", entity.title))
        .with("parameters", parameters(&["IdempotencyKey"]))
        .with("requestBody", body("application/json", refer("schemas", &format!("{}Input", entity.name)), true))
        .with("responses", responses(("201", made), &["400", "401", "403", "409", "413", "415", "422"]))
}

fn read(entity: &Entity) -> Json {
    operation(entity, "read", &format!("Reads a {}", entity.title))
        .with("parameters", parameters(&["expand"]))
        .with("responses", responses(("200", row(entity, "The row", "", &["ETag"])), &["400", "401", "403", "404"]))
}

fn change(entity: &Entity, verb: &str, summary: &str, schema: &str) -> Json {
    let changed = row(entity, "The stored row; only its key if the caller may not read it", "Written", &["ETag"]);
    operation(entity, verb, summary)
        .with("parameters", parameters(&["IfMatch"]))
        .with("requestBody", body("application/json", refer("schemas", &format!("{}{schema}", entity.name)), true))
        .with("responses", responses(("200", changed), &["400", "401", "403", "404", "409", "412", "413", "415", "422"]))
}

fn delete(entity: &Entity) -> Json {
    let gone = object! { "description" => "Deleted" };
    operation(entity, "delete", &format!("Deletes a {}", entity.title))
        .with("parameters", parameters(&["IfMatch"]))
        .with("responses", responses(("204", gone), &["400", "401", "403", "404", "409", "412", "413", "415", "422"]))
}

fn transition(entity: &Entity) -> Json {
    let names = states(entity).unwrap_or_default();
    let moves = entity.states.iter().flat_map(|machine| &machine.transitions);
    let lines = moves.map(|it| {
        let by = if it.roles.is_empty() { String::new() } else { format!(" by {}", it.roles.join(" or ")) };
        let label = it.label.map_or_else(String::new, |label| format!(" \"{label}\""));
        format!("{} → {}{label}{by}", names.get(it.from).unwrap_or(&""), names.get(it.to).unwrap_or(&""))
    });
    let ends = |word: &str, states: &[usize]| {
        let states: Vec<&str> = states.iter().filter_map(|at| names.get(*at).copied()).collect();
        (!states.is_empty()).then(|| format!("{word}: {}", states.join(", ")))
    };
    let machine = entity.states.as_ref();
    let finals = machine.and_then(|machine| ends("final", &machine.finals));
    let failures = machine.and_then(|machine| ends("failed", &machine.failures));
    let lines = lines.chain(finals).chain(failures);
    let moved = row(entity, "The stored row; only its key if the caller may not read it", "Written", &["ETag"]);
    operation(entity, "move", &format!("Makes a transition of a {}, and sets the fields that the body contains", entity.title))
        .with("description", lines.collect::<Vec<_>>().join("; "))
        .with("parameters", parameters(&["IfMatch", "IdempotencyKey"]))
        .with("requestBody", body("application/json", refer("schemas", &format!("{}Changes", entity.name)), false))
        .with("responses", responses(("200", moved), &["400", "401", "403", "404", "409", "412", "413", "415", "422"]))
}

fn restore(entity: &Entity) -> Json {
    let back = row(entity, "The restored row; only its key if the caller may not read it", "Written", &["ETag"]);
    operation(entity, "restore", &format!("Restores a deleted {}", entity.title))
        .with("parameters", parameters(&["IfMatch", "IdempotencyKey"]))
        .with("responses", responses(("200", back), &["400", "401", "403", "404", "409", "412", "413", "415", "422"]))
}

fn act(api: &Api, entity: &Entity, action: &Action) -> Json {
    let inputs = || action.inputs.iter();
    let input = object! {
        "type" => "object",
        "required" => inputs().filter(|field| field.required && !field.default).map(|field| field.name).collect::<Vec<_>>(),
        "properties" => Json::object(inputs().map(|field| (field.name, schema::value(api, field, Way::In)))),
        "additionalProperties" => false,
    };
    let done = object! { "description" => "The result of the action, or the row", "content" => content("application/json", object! {}) };
    operation(entity, &format!("action_{}_", action.name), &format!("Runs the action `{}` on a {}", action.name, entity.title))
        .with("parameters", parameters(&["IfMatch", "IdempotencyKey"]))
        .with("requestBody", body("application/json", input, true))
        .with("responses", responses(("200", done), &["400", "401", "403", "404", "409", "412", "413", "415", "422"]))
}

fn bulk(entity: &Entity) -> Json {
    let done =
        object! { "description" => "The result for each row", "content" => content("application/json", refer("schemas", "BulkResults")) };
    operation(entity, "bulk", &format!("Changes or deletes many {}, each row independently of the others", entity.title_plural))
        .with("parameters", parameters(&["IdempotencyKey"]))
        .with("requestBody", body("application/json", refer("schemas", &format!("{}Bulk", entity.name)), true))
        .with("responses", responses(("200", done), &["400", "401", "403", "409", "413", "415", "422"]))
}

fn bulk_request(entity: &Entity) -> Json {
    let mut actions = vec!["delete", "update"];
    let mut properties = vec![
        ("ids", object! { "type" => "array", "maxItems" => 10_000, "items" => object! {} }),
        (
            "query",
            object! { "type" => "string", "description" => "In place of `ids`: the parameters of a list, for example `status=open`" },
        ),
        ("set", refer("schemas", &format!("{}Changes", entity.name))),
    ];
    if let Some(states) = states(entity) {
        actions.push("transition");
        properties.push(("to", object! { "type" => "string", "enum" => states }));
    }
    properties.push(("action", object! { "type" => "string", "enum" => actions }));
    object! { "type" => "object", "required" => vec!["action"], "properties" => Json::object(properties), "additionalProperties" => false }
}

fn import(entity: &Entity) -> Json {
    let done = object! { "description" => "Every row is stored", "content" => content("application/json", refer("schemas", "Imported")) };
    let text = "The first row contains the names of fields. A row with a key updates the row with this key, and a row without a key is \
                created. If a row has an error, no row is stored, and `rows` lists the errors; rows are numbered as in a spreadsheet, with \
                the header as row 1";
    operation(entity, "import", &format!("Imports {} from CSV, all rows or none", entity.title_plural))
        .with("description", text)
        .with("parameters", parameters(&["IdempotencyKey"]))
        .with("requestBody", body("text/csv", object! { "type" => "string" }, true))
        .with("responses", responses(("200", done), &["400", "401", "403", "409", "413", "415", "422"]))
}
