//! `Idempotency-Key`: a mutation that is sent twice runs once.

use std::thread;

use dz::serde_json::{Value, json};

use crate::{
    client::{Answer, Client},
    depot::{CLERK, Depot, KEEPER, count, send_with_key},
};

crate::depot::on_both_depots! {
    a_mutation_that_is_sent_twice_runs_once;
    another_document_with_the_same_key_is_refused;
    refused_fields_are_repeated_and_a_refused_mutation_is_not_stored;
    deletions_and_transitions_are_repeated;
    a_key_of_a_query_is_ignored;
    concurrent_mutations_with_one_key_run_once;
}

fn send(client: &Client, key: &str, query: &str) -> Answer {
    send_with_key(client, "/graphql", key, &json!({ "query": query }))
}

/// The data of a response without errors.
#[track_caller]
fn data(answer: Answer) -> Value {
    let mut body = answer.ok(200).json();
    assert!(body.get("errors").is_none(), "{body}");
    body["data"].take()
}

fn create(name: &str) -> String {
    format!("mutation {{ createCase(input: {{ name: \"{name}\", amount: 3 }}) {{ name amount id }} }}")
}

fn a_mutation_that_is_sent_twice_runs_once(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let first = send(&client, "mutation-1", &create("Mutated once"));
    assert_eq!(first.header("idempotency-replayed"), None);
    let first = data(first)["createCase"].clone();
    let path = format!("/api/cases/{}", first["id"].as_str().expect("an id"));
    client.send("PATCH", &path, &json!({ "amount": 4 })).ok(200);
    let again = send(&client, "mutation-1", &create("Mutated once"));
    assert_eq!((again.header("idempotency-replayed"), count(&client, "Mutated once")), (Some("true"), 1));
    assert!(again.body.contains("{\"name\":\"Mutated once\",\"amount\":4,\"id\":"), "the row is read again: {}", again.body);
    // Another session of the account repeats the response, and another account has keys of its own.
    assert_eq!(data(send(&depot.signed_in(KEEPER), "mutation-1", &create("Mutated once")))["createCase"]["id"], first["id"]);
    let other = send(&depot.signed_in(CLERK), "mutation-1", &create("Mutated by another account"));
    assert_eq!(other.header("idempotency-replayed"), None);
    assert_ne!(data(other)["createCase"]["id"], first["id"]);
    // A row that is gone is not shown.
    client.delete(&path).ok(204);
    let gone = send(&client, "mutation-1", &create("Mutated once"));
    assert_eq!(gone.header("idempotency-replayed"), Some("true"));
    assert_eq!(data(gone), json!({ "createCase": null }));
}

fn another_document_with_the_same_key_is_refused(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    data(send(&client, "mutation-body", &create("Document one")));
    send(&client, "mutation-body", &create("Document two")).problem(422, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!((count(&client, "Document one"), count(&client, "Document two")), (1, 0));
    // The address is part of the scope of a key.
    send_with_key(&client, "/api/cases", "mutation-body", &json!({ "name": "Document three" })).ok(201);
    send(&client, &"k".repeat(256), &create("Document four")).problem(400, "BAD_REQUEST");
    send_with_key(&Client::new(&depot.base), "/graphql", "mutation-body", &json!({ "query": create("x") }))
        .problem(401, "AUTHENTICATION_REQUIRED");
}

fn refused_fields_are_repeated_and_a_refused_mutation_is_not_stored(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let query = "mutation { a: createCase(input: { name: \"Partly a\" }) { id } b: createCase(input: { name: \"\" }) { id } \
                 c: createCase(input: { name: \"Partly c\" }) { id } }";
    let first = send(&client, "mutation-partly", query).ok(200).json();
    assert_eq!((first["errors"].as_array().map(Vec::len), &first["data"]["b"]), (Some(1), &Value::Null), "{first}");
    let again = send(&client, "mutation-partly", query);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let again = again.ok(200).json();
    assert_eq!((&again, count(&client, "Partly ")), (&first, 2));

    // After a refusal the same key can be used with a corrected document.
    let refused = send(&client, "mutation-refused", &create("")).ok(200).json();
    assert_eq!(refused["errors"][0]["extensions"]["code"], "VALIDATION", "{refused}");
    let corrected = send(&client, "mutation-refused", &create("Corrected mutation"));
    assert_eq!(corrected.header("idempotency-replayed"), None);
    data(corrected);
}

fn deletions_and_transitions_are_repeated(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let id = |name: &str| {
        let row = client.send("POST", "/api/cases", &json!({ "name": name })).ok(201).json();
        row["id"].as_str().expect("an id").to_owned()
    };
    let (gone, packed) = (id("Deleted by a mutation"), id("Packed by a mutation"));
    let query =
        format!("mutation {{ gone: deleteCase(id: \"{gone}\") packed: transitionCase(id: \"{packed}\", to: packed) {{ status name }} }}");
    let first = data(send(&client, "mutation-writes", &query));
    assert_eq!(first, json!({ "gone": true, "packed": { "status": "packed", "name": "Packed by a mutation" } }));
    let again = send(&client, "mutation-writes", &query);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(data(again), first);
}

fn a_key_of_a_query_is_ignored(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    for query in ["{ casesAggregate { count } }", "{ cases(limit: 1) { id } }"] {
        let answer = send(&client, "query", query);
        assert_eq!(answer.header("idempotency-replayed"), None);
        data(answer);
    }
    data(send(&client, "query", &create("After a query")));
}

fn concurrent_mutations_with_one_key_run_once(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let query = create("Slow mutation");
    let answers = thread::scope(|scope| {
        let twins: Vec<_> = (0..4).map(|_| scope.spawn(|| send(&client, "mutation-twin", &query))).collect();
        twins.into_iter().map(|twin| twin.join().expect("an answer")).collect::<Vec<_>>()
    });
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        refused.problem(409, "IDEMPOTENCY_KEY_IN_USE");
    }
    assert!(answers.iter().any(|answer| answer.status == 200), "{answers:?}");
    assert_eq!(count(&client, "Slow mutation"), 1);
}
