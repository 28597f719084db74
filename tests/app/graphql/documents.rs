//! Documents that are refused before anything is loaded, and requests that are none.

use std::time::{Duration, Instant};

use dz::serde_json::{Value, json};

use super::{data, first_error, send};
use crate::client::{Client, MANAGER};

crate::on_both_engines! {
    limits_apply_before_anything_is_loaded;
    a_large_document_of_a_stranger_is_not_validated;
    variables_have_a_limited_number_of_values_and_errors;
    a_long_text_is_not_repeated_without_limit;
    a_malformed_request_is_400;
    directives_and_merged_selections_are_followed;
    random_documents_cause_no_failure;
}

/// Levels of references between companies, projects and tasks.
fn nested(levels: usize) -> String {
    let mut query = "id".to_owned();
    for level in 0..levels {
        query = if level % 2 == 0 { format!("project {{ {query} }}") } else { format!("tasks(limit: 1) {{ {query} }}") };
    }
    if levels.is_multiple_of(2) {
        format!("{{ projects(limit: 1) {{ {query} }} }}")
    } else {
        format!("{{ tasks(limit: 1) {{ {query} }} }}")
    }
}

fn limits_apply_before_anything_is_loaded(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    let many = |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(" ");
    let bomb =
        many(20, &|at| format!("fragment f{at} on Task {{ ...f{next} ...f{next} }}", next = at + 1)) + " fragment f20 on Task { id }";
    for (query, word) in [
        (format!("{{ {} }}", many(10_000, &|at| format!("a{at}: __typename"))), "bytes"),
        (format!("{{ {} }}", many(3_500, &|at| format!("a{at}: __typename"))), "tokens"),
        (format!("{{ {} }}", many(51, &|at| format!("a{at}: tasks {{ id }}"))), "at most 50"),
        (format!("{{ tasks(limit: 1) {{ {} }} }}", many(101, &|at| format!("a{at}: project {{ id }}"))), "references and relations"),
        (nested(40), "nesting"),
        (format!("{{ tasks(filter: {}1{}) {{ id }} }}", "[".repeat(1_000), "]".repeat(1_000)), "nesting"),
        ("{ tasks { ...a } } fragment a on Task { project { tasks { ...b } } } fragment b on Task { ...a }".to_owned(), "fragment"),
        (format!("{{ tasks {{ ...f0 }} }} {bomb}"), "fields"),
        ("{ companies(limit: 1000) { projects(limit: 1000) { tasks(limit: 1000) { title } } } }".to_owned(), "select less"),
        (format!("{{ tasks {{ id }} }} #{}", "x".repeat(70_000)), "bytes"),
    ] {
        let error = first_error(&manager, &query, &json!({}));
        assert!(error["message"].as_str().is_some_and(|text| text.to_lowercase().contains(word)), "{word}: {error}");
        assert!(error["extensions"]["code"].is_string(), "{error}");
    }
    // A text that is searched for is compared with each row.
    let long = json!({ "text": "a".repeat(501) });
    for of in [
        "search: $text",
        "filter: { title: { contains: $text } }",
        "filter: { title: { icontains: $text } }",
        "filter: { title: { startswith: $text } }",
    ] {
        let error = first_error(&manager, &format!("query Q($text: String) {{ tasks({of}) {{ id }} }}"), &long);
        assert!(error["message"].as_str().is_some_and(|text| text.contains("at most 500 letters")), "{error}");
    }
    send(&manager, &"x".repeat(2 << 20), &json!({})).problem(413, "TOO_LARGE");
    // The deepest introspection of the usual tools is possible.
    let types = "type { kind name ofType { kind name ofType { kind name ofType { name ofType { name ofType { name ofType { name ofType { name } } } } } } } }";
    let introspection = format!(
        "{{ __schema {{ types {{ ...F }} }} }} fragment F on __Type {{ fields {{ args {{ ...I }} }} }} fragment I on __InputValue {{ {types} }}"
    );
    assert!(data(&manager, &introspection, &json!({}))["__schema"].is_object());
}

/// The validation compares each selected field with each other one.
fn a_large_document_of_a_stranger_is_not_validated(base: &str) {
    let many = |one: &dyn Fn(usize) -> String| (0..300).map(one).collect::<Vec<_>>().join(" ");
    let spreads = many(&|at| format!("...f{at}"));
    let fragments = many(&|at| format!("fragment f{at} on Task {{ a: id b: title project {{ id }} }}"));
    let body = json!({ "query": format!("{{ tasks {{ {spreads} }} }} {fragments}") }).to_string();
    let (manager, stranger) = (Client::signed_in(base, MANAGER), Client::new(base));
    let headers = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin"), ("Cookie", "dz_session=unknown")];
    let time = |client: &Client, headers: &[(&str, &str)], status: u16| {
        let started = Instant::now();
        client.request("POST", "/graphql", headers, body.as_bytes()).ok(status);
        started.elapsed()
    };
    let rounds = || (0..3).map(|_| (time(&stranger, &headers, 401), time(&manager, &headers[..2], 200)));
    let (refused, validated): (Vec<Duration>, Vec<Duration>) = rounds().unzip();
    assert!(refused.iter().min() < validated.iter().map(|it| *it / 4).min().as_ref(), "{refused:?} {validated:?}");
}

/// Juniper finds an error for each wrong value, and each error is described with its place and its extensions.
fn variables_have_a_limited_number_of_values_and_errors(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    let query = "query T($filter: TaskFilter) { tasks(filter: $filter) { id } }";
    let unknown =
        |count: usize| -> Value { (0..count).map(|at| (format!("k{at}"), json!(1))).collect::<dz::serde_json::Map<_, _>>().into() };
    for variables in [json!({ "filter": { "id": vec!["x"; 30_000] } }), json!({ "filter": unknown(60_000) })] {
        let refused = send(&manager, query, &variables);
        let errors = refused.json()["errors"].as_array().expect("errors").clone();
        assert_eq!(errors[0]["extensions"]["code"], "GRAPHQL_VALIDATION", "{}", errors[0]);
        let message = errors[0]["message"].as_str().unwrap_or_default();
        assert!(errors.len() == 1 && message.contains("at most 20000 values"), "{} errors: {message}", errors.len());
    }
    let refused = send(&manager, query, &json!({ "filter": unknown(5_000) }));
    assert_eq!(refused.json()["errors"].as_array().map(Vec::len), Some(100), "the first errors are described");
    let document = (0..3_000).map(|at| format!("f{at}")).collect::<Vec<_>>().join(" ");
    let refused = send(&manager, &format!("{{ tasks {{ {document} }} }}"), &json!({}));
    assert!(refused.body.len() < 100_000, "{} bytes", refused.body.len());
    // A stranger's variables are not read.
    let body = json!({ "query": query, "variables": { "filter": unknown(60_000) } }).to_string();
    let headers = [("Content-Type", "application/json"), ("Authorization", "Bearer unknown")];
    Client::new(base).request("POST", "/graphql", &headers, body.as_bytes()).problem(401, "AUTHENTICATION_REQUIRED");
    // A body of the JSON API has a limited number of members too.
    manager.send("POST", "/api/tasks", &unknown(2_000)).problem(400, "BAD_REQUEST");
}

/// One row with a long text would otherwise need gigabytes of memory.
fn a_long_text_is_not_repeated_without_limit(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    let project = manager.get("/api/projects?page_size=1").ok(200).json()["items"][0]["id"].clone();
    let task = json!({ "title": "A long text", "project": project, "details": "x".repeat(600_000) });
    let task = manager.send("POST", "/api/tasks", &task).ok(201).json()["id"].as_str().expect("an id").to_owned();
    let many = |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(" ");
    let read = |fields: &str| format!("{{ task(id: \"{task}\") {{ {fields} }} }}");
    assert!(data(&manager, &read("a: details b: details"), &json!({}))["task"]["b"].is_string());
    for query in [
        read(&many(40, &|at| format!("a{at}: details"))),
        format!("{{ {} }}", many(40, &|at| format!("a{at}: task(id: \"{task}\") {{ details }}"))),
    ] {
        assert_eq!(first_error(&manager, &query, &json!({}))["extensions"]["code"], "TOO_COMPLEX");
    }
    manager.delete(&format!("/api/tasks/{task}")).ok(204);
}

fn a_malformed_request_is_400(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    for body in [
        json!([]),
        json!([{ "query": "{ tasks { id } }" }]),
        json!({}),
        json!({ "query": 7 }),
        json!({ "query": "" }),
        json!({ "query": "{ tasks { id } }", "variables": [] }),
        json!({ "query": "{ tasks { id } }", "variables": "x" }),
        json!({ "query": "{ tasks { id } }", "operationName": 7 }),
        json!({ "query": "{ tasks { id } }", "extensions": 7 }),
        json!("x"),
    ] {
        manager.send("POST", "/graphql", &body).problem(400, "BAD_REQUEST");
    }
    let headers = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin")];
    manager.request("POST", "/graphql", &headers, b"{").problem(400, "BAD_REQUEST");
    manager.get("/graphql").problem(400, "BAD_REQUEST");
    manager.get("/graphql?query=%7B%20tasks%20%7B%20id%20%7D%20%7D&variables=x").problem(400, "BAD_REQUEST");
    manager.send("DELETE", "/graphql", &json!({})).problem(405, "METHOD_NOT_ALLOWED");

    // Errors of the document are 200, or 400 for clients that accept the media type of GraphQL.
    let body = json!({ "query": "{ tasks { nonsense } }" }).to_string();
    assert_eq!(manager.request("POST", "/graphql", &headers, body.as_bytes()).status, 200);
    let headers = [headers[0], headers[1], ("Accept", "application/graphql-response+json")];
    let answer = manager.request("POST", "/graphql", &headers, body.as_bytes()).ok(400);
    assert_eq!(answer.header("content-type"), Some("application/graphql-response+json"));
    assert!(answer.json()["errors"][0]["locations"].is_array(), "{}", answer.body);

    let two = "query A { tasks(limit: 1) { id } } query B { projects(limit: 1) { id } }";
    let named = |name: &str| manager.send("POST", "/graphql", &json!({ "query": two, "operationName": name })).ok(200).json();
    assert!(named("B")["data"]["projects"].is_array());
    assert!(named("C")["errors"].is_array() && send(&manager, two, &json!({})).ok(200).json()["errors"].is_array());
    assert!(send(&manager, "subscription { x }", &json!({})).ok(200).json()["errors"].is_array());
    for variables in [json!({ "id": null }), json!({}), json!({ "id": [1] }), json!({ "id": { "x": 1 } })] {
        let error = first_error(&manager, "query Q($id: ID!) { task(id: $id) { id } }", &variables);
        assert_eq!(error["extensions"]["code"], "GRAPHQL_VALIDATION", "{error}");
    }
}

fn directives_and_merged_selections_are_followed(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    let query = "query Q($yes: Boolean!, $n: Int = 2) {
        __typename
        tasks(limit: $n, sort: \"title\") { id @skip(if: $yes) ...T }
        tasks(limit: $n, sort: \"title\") { project { company { name } } }
        ... on Query { again: tasks(limit: 1) @include(if: $yes) { __typename t: title } }
        left: tasks @skip(if: $yes) { id }
    } fragment T on Task { title project { name } ... @include(if: $yes) { status } }";
    let found = data(&manager, query, &json!({ "yes": true }));
    assert_eq!((&found["__typename"], found.get("left")), (&json!("Query"), None));
    let row = &found["tasks"][1];
    assert_eq!(found["tasks"].as_array().map(Vec::len), Some(2));
    assert!(row.get("id").is_none() && row["status"].is_string() && row["title"].is_string(), "{row}");
    assert!(row["project"]["name"].is_string() && row["project"]["company"]["name"].is_string(), "{row}");
    assert!(found["again"][0]["t"].is_string() && found["again"][0]["__typename"] == "Task", "{found}");
}

/// Documents of random parts: whatever they mean, the response is not a failure of the server.
fn random_documents_cause_no_failure(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    let parts = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ":",
        "!",
        "...",
        "@include(if: true)",
        "@skip(if: $a)",
        "tasks",
        "task",
        "id",
        "title",
        "project",
        "projects",
        "limit: 1",
        "offset: 99999999999",
        "id: \"x\"",
        "filter: { title: { eq: \"%\" } }",
        "search: \"\\u0000\"",
        "sort: \"-title\"",
        "query",
        "mutation",
        "fragment F on Task",
        "...F",
        "$a",
        "$a: Int",
        "\"",
        "\"\"\"",
        "#",
        "\u{0}",
        "null",
        "1e400",
        "-0",
        "9223372036854775808",
        "createTask",
        "input: {}",
        "status: done",
        "__schema",
        "__typename",
        "types",
        "name",
        "tasksAggregate",
        "count",
        "hoursSum",
        "é",
        "\\",
    ];
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("64 bits") % bound
    };
    let seeds =
        ["{ tasks { id } }", "query Q($a: Int) { tasks(limit: $a) { id project { name } } }", "{ tasksAggregate { count hoursSum } }"];
    for at in 0..300 {
        let mut words: Vec<String> = seeds[at % seeds.len()].split(' ').map(str::to_owned).collect();
        for _ in 0..=next(4) {
            let place = next(words.len() + 1);
            match next(3) {
                0 if place < words.len() => words[place] = parts[next(parts.len())].to_owned(),
                1 if place < words.len() && words.len() > 1 => drop(words.remove(place)),
                _ => words.insert(place, parts[next(parts.len())].to_owned()),
            }
        }
        let query = words.join(" ");
        let variables = [json!({}), json!({ "a": 1 }), json!({ "a": "x" }), json!({ "a": 1e300 }), Value::Null];
        let answer = send(&manager, &query, &variables[next(5)]);
        assert!(answer.status < 500, "{}: {query}\n{}", answer.status, answer.body);
        assert!(!answer.body.contains("INTERNAL"), "{query}\n{}", answer.body);
    }
}
