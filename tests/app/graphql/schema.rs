//! The schema: the command line prints what a running server answers to introspection.

use std::collections::BTreeMap;

use dz::serde_json::{Value, json};
use dz_dsl_file::{SourceMap, analyse, emit::graphql};

use super::{data, first_error};
use crate::{
    client::{Client, MANAGER},
    fieldwork::fieldwork,
    server,
};

crate::on_both_engines! {
    introspection_is_the_schema_of_the_command_line;
}

mod everything {
    crate::served_on_both! { "everything_graphql", crate::openapi::app(); introspection_is_the_schema_of_every_construct; }

    fn introspection_is_the_schema_of_every_construct(base: &str) {
        super::same(include_str!("../openapi.dsl"), &super::Client::signed_in(base, ("ann@every.example", "holds one of each")));
    }
}

fn introspection_is_the_schema_of_the_command_line(base: &str) {
    same(include_str!("../../../examples/tasks/app.dsl"), &Client::signed_in(base, MANAGER));
}

#[test]
fn introspection_can_be_switched_off() {
    let url = server::new_file("graphql_closed");
    let base = server::serve_with(fieldwork(), dz::Engine::Sqlite, url, json!({ "graphql_introspection": false }));
    let manager = Client::signed_in(&base, MANAGER);
    for query in ["{ __schema { types { name } } }", "{ __type(name: \"Task\") { name } }"] {
        let error = first_error(&manager, query, &json!({}));
        assert!(error["message"].as_str().is_some_and(|text| text.contains("introspection is not allowed")), "{error}");
    }
    assert_eq!(data(&manager, "{ tasks(limit: 1) { __typename } }", &json!({}))["tasks"][0]["__typename"], "Task");
}

#[test]
fn only_permitted_documents_are_accepted() {
    let file = std::env::temp_dir().join(format!("dz-documents-{}.json", std::process::id()));
    std::fs::write(&file, json!({ "one": "{ tasks(limit: 1) { __typename } }" }).to_string()).expect("a file");
    let settings = json!({ "graphql_documents": file });
    let base = server::serve_with(fieldwork(), dz::Engine::Sqlite, server::new_file("graphql_permitted"), settings);
    let manager = Client::signed_in(&base, MANAGER);
    let send = |body: Value| manager.send("POST", "/graphql", &body).ok(200).json();
    for body in [
        json!({ "documentId": "one" }),
        json!({ "extensions": { "persistedQuery": { "version": 1, "sha256Hash": "one" } } }),
        json!({ "query": "{ tasks(limit: 1) { __typename } }" }),
    ] {
        assert_eq!(send(body)["data"]["tasks"][0]["__typename"], "Task");
    }
    for body in [
        json!({ "documentId": "two" }),
        json!({ "query": "{ tasks { id } }" }),
        json!({ "documentId": "one", "query": "{ tasks { id } }" }),
    ] {
        assert_eq!(send(body)["errors"][0]["extensions"]["code"], "DOCUMENT_NOT_PERMITTED");
    }
    assert_eq!(manager.get("/graphql?documentId=one").ok(200).json()["data"]["tasks"][0]["__typename"], "Task");
}

#[test]
fn the_editor_is_embedded_in_debug_builds() {
    let base = server::sqlite();
    let anonymous = Client::new(base);
    let page = anonymous.get("/graphiql").ok(200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(!page.body.contains("http"), "{}", page.body);
    let files: Vec<&str> = page.body.split('"').filter(|text| text.starts_with("/graphiql/")).collect();
    assert_eq!(files.len(), 5, "{}", page.body);
    for file in files {
        assert!(anonymous.get(file).ok(200).body.len() > 100, "{file}");
    }
    assert!(page.header("content-security-policy").is_some_and(|policy| policy.starts_with("default-src 'none'; script-src 'self'")));
    anonymous.get("/graphiql/nothing").ok(404);
}

const TYPE: &str = "fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }";

/// The types of both, written in one form.
#[track_caller]
fn same(declaration: &str, client: &Client) {
    let model = analyse(SourceMap::single("app.dsl", declaration)).model.expect("a declaration without errors");
    let query = format!(
        "{{ __schema {{ types {{ kind name description enumValues {{ name description }}
            inputFields {{ name description type {{ ...T }} }}
            fields {{ name description type {{ ...T }} args {{ name description type {{ ...T }} }} }} }} }} }} {TYPE}"
    );
    let answer = data(client, &query, &json!({}));
    let own = types_of(&answer).iter().filter(|ty| !ty["name"].as_str().is_some_and(is_built_in));
    let served: BTreeMap<String, String> = own.map(|ty| (ty["name"].to_string(), write(ty))).collect();
    let schema = graphql::schema(&model);
    same_summary(&schema.summary(), types_of(&answer));
    let printed = parse(&schema.sdl());
    assert_eq!(served.keys().collect::<Vec<_>>(), printed.keys().collect::<Vec<_>>());
    for (name, text) in &printed {
        assert_eq!(&served[name], text, "{name}");
    }
}

fn types_of(answer: &Value) -> &[Value] {
    answer["__schema"]["types"].as_array().expect("types")
}

/// The summary in JSON, compared with the types of the introspection.
#[track_caller]
fn same_summary(summary: &Value, types: &[Value]) {
    let find = |name: &str| types.iter().find(|ty| text(ty) == name);
    let argument = |of: &Value| json!({ "name": text(of), "type": reference(&of["type"]) });
    let field = |of: &Value| {
        let mut described = json!({ "name": text(of), "type": reference(&of["type"]) });
        if list(of, "args").next().is_some() {
            described["arguments"] = list(of, "args").map(argument).collect();
        }
        described
    };
    let fields = |name: &str| -> Value { find(name).into_iter().flat_map(|ty| list(ty, "fields")).map(field).collect() };
    let mut counted = 0;
    for (part, name) in [("queries", "Query"), ("mutations", "Mutation"), ("subscriptions", "Subscription")] {
        assert_eq!(summary[part], fields(name), "{part}");
        assert_eq!(summary["stats"][part], list(summary, part).count(), "{part}");
    }
    for entity in list(summary, "entities") {
        assert_eq!(entity["fields"], fields(text(entity)), "{}", text(entity));
        counted += list(entity, "fields").count();
    }
    let entities = list(summary, "entities").count();
    assert_eq!((&summary["stats"]["entities"], &summary["stats"]["fields"]), (&json!(entities), &json!(counted)));
    assert!(entities > 0 && counted > entities, "{summary}");
    let values = |ty: &Value| -> Value { list(ty, "enumValues").map(|value| value["name"].clone()).collect() };
    let is_own_enum = |ty: &&Value| ty["kind"] == "ENUM" && !is_built_in(text(ty));
    let served: BTreeMap<&str, Value> = types.iter().filter(is_own_enum).map(|ty| (text(ty), values(ty))).collect();
    let printed: BTreeMap<&str, Value> = list(summary, "enums").map(|ty| (text(ty), ty["values"].clone())).collect();
    assert_eq!((&printed, &summary["stats"]["enums"]), (&served, &json!(served.len())));
}

fn is_built_in(name: &str) -> bool {
    name.starts_with("__") || matches!(name, "String" | "Int" | "Float" | "Boolean" | "ID")
}

/// The definitions of a schema by their names.
fn parse(sdl: &str) -> BTreeMap<String, String> {
    let definitions = sdl.split("\n\n").map(str::trim_end);
    let name = |text: &str| {
        let line = text.lines().find(|line| !line.starts_with('"')).expect("a definition");
        format!("\"{}\"", line.split(' ').nth(1).expect("a name"))
    };
    definitions.map(|text| (name(text), text.to_owned())).collect()
}

fn describe(of: &Value, indent: &str) -> String {
    if of["description"].is_null() { String::new() } else { format!("{indent}{}\n", of["description"]) }
}

fn reference(ty: &Value) -> String {
    match ty["kind"].as_str() {
        Some("NON_NULL") => format!("{}!", reference(&ty["ofType"])),
        Some("LIST") => format!("[{}]", reference(&ty["ofType"])),
        _ => ty["name"].as_str().expect("a name").to_owned(),
    }
}

fn list<'v>(of: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    of[name].as_array().into_iter().flatten()
}

fn text(of: &Value) -> &str {
    of["name"].as_str().expect("a name")
}

/// A type of the introspection as a definition.
fn write(ty: &Value) -> String {
    let argument = |of: &Value| format!("{}: {}", text(of), reference(&of["type"]));
    let (word, body): (&str, Vec<String>) = match ty["kind"].as_str() {
        Some("SCALAR") => ("scalar", Vec::new()),
        Some("ENUM") => ("enum", list(ty, "enumValues").map(|of| format!("{}  {}\n", describe(of, "  "), text(of))).collect()),
        Some("INPUT_OBJECT") => {
            ("input", list(ty, "inputFields").map(|of| format!("{}  {}\n", describe(of, "  "), argument(of))).collect())
        }
        _ => {
            let field = |of: &Value| {
                let arguments: Vec<String> = list(of, "args").map(argument).collect();
                let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
                format!("{}  {}{arguments}: {}\n", describe(of, "  "), text(of), reference(&of["type"]))
            };
            ("type", list(ty, "fields").map(field).collect())
        }
    };
    let head = format!("{}{word} {}", describe(ty, ""), text(ty));
    if word == "scalar" { head } else { format!("{head} {{\n{}}}", body.concat()) }
}
