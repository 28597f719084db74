//! Concurrent writes of the same rows in opposite orders: none of them fails, and results keep the order of the request.

use std::thread;

use dz::serde_json::{Value, json};

use crate::{
    client::{Answer, Client},
    depot::{Depot, KEEPER, count},
};

crate::depot::on_both_depots! {
    bulk_writes_of_the_same_rows_follow_each_other;
    bulk_writes_by_query_follow_each_other;
    deletions_of_the_same_rows_follow_each_other;
    selected_rows_of_pages_follow_each_other;
    imports_of_the_same_rows_follow_each_other;
    imports_of_the_same_unique_values_follow_each_other;
    mutations_of_the_same_rows_follow_each_other;
    typed_writes_of_the_same_rows_follow_each_other;
}

/// The number of concurrent requests.
const CLIENTS: usize = 8;

/// Runs concurrent requests; each gets its number and the rows, of which every second one has the reverse order.
fn cross<T: Clone + Send + Sync>(rows: &[T], run: impl Fn(usize, Vec<T>) + Sync) {
    thread::scope(|scope| {
        for nth in 0..CLIENTS {
            let mut rows = rows.to_vec();
            if nth % 2 == 1 {
                rows.reverse();
            }
            let run = &run;
            scope.spawn(move || run(nth, rows));
        }
    });
}

/// New cases; their names begin with `name`.
#[track_caller]
fn cases(depot: &Depot, client: &Client, name: &str, count: usize) -> Vec<String> {
    depot.insert_cases(name, count);
    let path = format!("/api/cases?name__startswith={}&sort=name&page_size=100", crate::client::encode(name));
    let listed = client.get(&path).ok(200).json();
    let ids: Vec<String> =
        listed["items"].as_array().expect("items").iter().map(|row| row["id"].as_str().expect("an id").to_owned()).collect();
    assert_eq!(ids.len(), count);
    ids
}

fn bulk(client: &Client, body: &Value) -> Answer {
    client.send("POST", "/api/cases/bulk", body)
}

/// Every row has a result with one of these statuses, in the order of the request.
#[track_caller]
fn assert_results(answer: Answer, ids: &[String], statuses: &[u64]) {
    let results = answer.ok(200).json()["results"].as_array().expect("results").clone();
    let order: Vec<&str> = results.iter().map(|result| result["id"].as_str().expect("an id")).collect();
    assert_eq!(order, ids);
    for result in &results {
        assert!(result["status"].as_u64().is_some_and(|status| statuses.contains(&status)), "{result}");
    }
}

fn bulk_writes_of_the_same_rows_follow_each_other(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let ids = cases(depot, &client, "Crossed by bulk", 60);
    cross(&ids, |nth, ids| {
        let body = json!({ "action": "update", "ids": ids, "set": { "label": format!("Writer {nth}") } });
        assert_results(bulk(&client, &body), &ids, &[200]);
    });
    // Each request has written all rows, or its writes are hidden by those of a later one.
    let labels = client.get("/api/cases?name__startswith=Crossed+by+bulk&page_size=100").ok(200).json();
    let labels: Vec<&Value> = labels["items"].as_array().expect("items").iter().map(|row| &row["label"]).collect();
    assert!(labels.iter().all(|label| *label == labels[0] && label.is_string()), "{labels:?}");
    cross(&ids, |_, ids| {
        let body = json!({ "action": "transition", "ids": ids, "to": "packed", "set": { "label": "Packed" } });
        assert_results(bulk(&client, &body), &ids, &[200, 409]);
    });
    assert_eq!(client.get("/api/cases?name__startswith=Crossed+by+bulk&status=packed").ok(200).json()["total"], 60);
}

fn bulk_writes_by_query_follow_each_other(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let ids = cases(depot, &client, "Crossed by query", 60);
    cross(&ids, |nth, ids| {
        let sort = if nth % 2 == 0 { "name" } else { "-name" };
        let query = format!("name__startswith=Crossed by query&sort={sort}");
        let body = json!({ "action": "update", "query": query, "set": { "label": format!("Writer {nth}") } });
        assert_results(bulk(&client, &body), &ids, &[200]);
    });
}

fn deletions_of_the_same_rows_follow_each_other(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let ids = cases(depot, &client, "Crossed by deletion", 60);
    cross(&ids, |_, ids| assert_results(bulk(&client, &json!({ "action": "delete", "ids": ids })), &ids, &[204, 404]));
    assert_eq!(count(&client, "Crossed by deletion"), 0);
}

fn selected_rows_of_pages_follow_each_other(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let ids = cases(depot, &client, "Pagewise", 40);
    cross(&ids, |nth, _| {
        // All rows of the list, sorted in one direction or the other one.
        let order = if nth % 2 == 0 { "name" } else { "-name" };
        let query = format!("search=Pagewise&sort={order}");
        let answer = client.form("/app/case_list/bulk", &[("do", "move.packed"), ("all", "yes"), ("query", &query)]);
        assert!(matches!(answer.status, 200 | 303 | 422), "{}", answer.body);
    });
    assert_eq!(client.get("/api/cases?name__startswith=Pagewise&status=packed").ok(200).json()["total"], 40);
}

fn import(client: &Client, text: &str) -> Answer {
    let headers = [("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")];
    client.request("POST", "/api/cases/import", &headers, text.as_bytes())
}

fn imports_of_the_same_rows_follow_each_other(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let ids = cases(depot, &client, "Crossed by import", 60);
    cross(&ids, |nth, ids| {
        // A bulk request locks the same rows.
        if nth >= CLIENTS - 2 {
            let body = json!({ "action": "update", "ids": ids, "set": { "label": format!("Writer {nth}") } });
            return assert_results(bulk(&client, &body), &ids, &[200]);
        }
        let rows: String = ids.iter().map(|id| format!("{id},Writer {nth}\n")).collect();
        assert_eq!(import(&client, &format!("id,label\n{rows}")).ok(200).json(), json!({ "created": 0, "updated": 60 }));
    });
}

fn imports_of_the_same_unique_values_follow_each_other(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let names: Vec<String> = (0..40).map(|nth| format!("Imported twice {nth}")).collect();
    let stored = std::sync::atomic::AtomicUsize::new(0);
    cross(&names, |_, names| {
        let answer = import(&client, &format!("name\n{}\n", names.join("\n")));
        match answer.status {
            200 => drop(stored.fetch_add(1, std::sync::atomic::Ordering::Relaxed)),
            _ => drop(answer.problem(422, "VALIDATION")),
        }
    });
    assert_eq!((stored.into_inner(), count(&client, "Imported twice")), (1, 40));
}

fn mutations_of_the_same_rows_follow_each_other(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let ids = cases(depot, &client, "Crossed by mutations", 20);
    cross(&ids, |nth, ids| {
        let fields: Vec<String> = (0..)
            .zip(&ids)
            .map(|(at, id)| format!("m{at}: updateCase(id: \"{id}\", input: {{ label: \"Writer {nth}\" }}) {{ id label }}"))
            .collect();
        let query = format!("mutation {{ {} }}", fields.join(" "));
        let body = client.send("POST", "/graphql", &json!({ "query": query })).ok(200).json();
        assert!(body.get("errors").is_none(), "{body}");
        assert!((0..).zip(&ids).all(|(at, id)| body["data"][format!("m{at}")]["id"] == *id), "{body}");
    });
}

fn typed_writes_of_the_same_rows_follow_each_other(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let ids = cases(depot, &client, "Crossed by Rust", 60);
    cross(&ids, |_, ids| assert_eq!(client.send("POST", "/amounts/7", &json!(ids)).ok(200).json(), json!(ids)));
    assert_eq!(client.get("/api/cases?name__startswith=Crossed+by+Rust&amount=7").ok(200).json()["total"], 60);
}
