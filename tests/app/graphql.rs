//! GraphQL over HTTP, on both engines: the operations of the JSON API under the same rules.

mod children;
mod clients;
mod documents;
mod repeated;
mod schema;
mod subscriptions;
mod writes;

use dz::serde_json::{Value, json};

use crate::client::{Answer, CUSTOMER, Client, MANAGER, SURVEYOR};

crate::on_both_engines! {
    a_list_shows_the_values_of_the_json_api;
    filters_search_order_and_pages_select_rows;
    references_and_relations_follow_the_rules_of_their_entities;
    aggregates_count_and_sum_the_visible_rows;
    connections_page_through_all_rows;
    an_invisible_row_is_null_and_a_refused_list_is_an_error;
    a_request_without_a_session_or_from_another_site_is_refused;
}

/// Sends a document with variables.
pub fn send(client: &Client, query: &str, variables: &Value) -> Answer {
    client.send("POST", "/graphql", &json!({ "query": query, "variables": variables }))
}

/// The data of a response without errors.
#[track_caller]
pub fn data(client: &Client, query: &str, variables: &Value) -> Value {
    let mut body = send(client, query, variables).ok(200).json();
    assert!(body.get("errors").is_none(), "{query}: {body}");
    body["data"].take()
}

/// The first error of a response.
#[track_caller]
pub fn first_error(client: &Client, query: &str, variables: &Value) -> Value {
    let body = send(client, query, variables).ok(200).json();
    let error = body["errors"][0].clone();
    assert!(error.is_object(), "{query}: {body}");
    error
}

fn a_list_shows_the_values_of_the_json_api(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    let rows = manager.get("/api/tasks?page_size=100&sort=id").ok(200).json()["items"].take();
    let fields = "id title status priority due hours billable details rate createdAt updatedAt assignedTo { id } project { id }";
    let listed = data(&manager, &format!("{{ tasks(sort: \"id\", limit: 100) {{ {fields} }} }}"), &json!({}));
    let (rows, listed) = (rows.as_array().expect("rows"), listed["tasks"].as_array().expect("rows"));
    assert!(rows.len() >= 40, "{}", rows.len());
    let known: Vec<&Value> = listed.iter().map(|row| &row["id"]).collect();
    for row in rows {
        let at = known.iter().position(|id| **id == row["id"]).expect("the row is listed");
        let shown = &listed[at];
        for (name, other) in [("title", "title"), ("status", "status"), ("due", "due"), ("hours", "hours"), ("rate", "rate")] {
            assert_eq!(shown[other], row[name], "{name}");
        }
        assert_eq!((&shown["billable"], &shown["createdAt"]), (&row["billable"], &row["created_at"]));
        assert_eq!(
            (&shown["project"]["id"], shown["assignedTo"].get("id")),
            (&row["project"], row.get("assigned_to").filter(|it| !it.is_null()))
        );
    }
    let one = data(
        &manager,
        "query One($id: ID!) { task(id: $id) { ...all } } fragment all on Task { id title }",
        &json!({ "id": rows[0]["id"] }),
    );
    assert_eq!(one["task"], json!({ "id": rows[0]["id"], "title": rows[0]["title"] }));
}

fn filters_search_order_and_pages_select_rows(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    let query = "query Rows($stage: ProjectStage, $in: [ProjectStage!], $budget: Decimal) {
        held: projects(stage: on_hold) { name stage }
        same: projects(stage: $stage) { name }
        several: projects(filter: { stage: { in: $in }, budget: { gte: $budget } }, sort: \"-budget\") { name budget }
        found: projects(search: \"harbour\", limit: 1, offset: 1) { name company { name } }
        none: projects(stage: null, limit: 0) { name }
        unfilled: tasks(filter: { assignedTo: { isNull: true } }, sort: \"project.name,title\", limit: 3) { title assignedTo { id } }
    }";
    let found = data(&manager, query, &json!({ "stage": "on_hold", "in": ["active", "on_hold"], "budget": 60000 }));
    assert_eq!(found["held"], json!([{ "name": "Viaduct scan", "stage": "on_hold" }]));
    assert_eq!(found["same"], json!([{ "name": "Viaduct scan" }]));
    let names: Vec<&str> = found["several"].as_array().expect("rows").iter().filter_map(|row| row["name"].as_str()).collect();
    assert_eq!(names, ["Quay wall renewal", "Viaduct scan", "Cutting 14 stability"]);
    assert_eq!(found["several"][0]["budget"], "184000.00");
    assert_eq!(found["found"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["none"], json!([]));
    assert!(found["unfilled"].as_array().is_some_and(|rows| rows.len() == 3 && rows.iter().all(|row| row["assignedTo"].is_null())));

    for (arguments, word) in [
        ("limit: 1001", "from 0 to 1000"),
        ("limit: -1", "from 0 to 1000"),
        ("offset: -1", "at least 0"),
        ("sort: \"titel\"", "did you mean `title`"),
        ("sort: \"rate\"", "unknown field"),
        ("due: \"soon\"", "date"),
        ("id: \"x\"", "identifier"),
        ("status: opne", "the values are open"),
        ("filter: { status: { in: [opne] } }", "the values are open"),
    ] {
        let error = first_error(&manager, &format!("{{ tasks({arguments}) {{ id }} }}"), &json!({}));
        assert!(error.to_string().contains(word), "{arguments}: {error}");
    }
    let error = first_error(&manager, "{ companies(search: \"x\") { id } users(sort: \"passwordHash\") { id } }", &json!({}));
    assert_eq!(error["extensions"]["code"], "BAD_REQUEST", "{error}");
    // A sensitive field is not an argument.
    let error = first_error(&manager, "{ tasks(rate: \"85.00\") { id } }", &json!({}));
    assert_eq!(error["extensions"]["code"], "GRAPHQL_VALIDATION", "{error}");
}

fn references_and_relations_follow_the_rules_of_their_entities(base: &str) {
    let query =
        "{ companies(sort: \"name\") { name projects(limit: 2) { name tasks(limit: 3, offset: 1) { title assignedTo { name } } } } }";
    let manager = data(&Client::signed_in(base, MANAGER), query, &json!({}));
    let harbour = manager["companies"].as_array().expect("rows").iter().find(|row| row["name"] == "Harbour Works").expect("a company");
    assert_eq!(harbour["projects"].as_array().map(Vec::len), Some(2), "{harbour}");
    assert!(
        harbour["projects"].as_array().expect("rows").iter().all(|project| project["tasks"].as_array().is_some_and(|it| it.len() == 3))
    );
    assert!(harbour.to_string().contains("Elin Dahl"), "{harbour}");

    // A customer sees the own company, and no other person.
    let customer = Client::signed_in(base, CUSTOMER);
    let seen = data(&customer, query, &json!({}));
    assert_eq!(seen["companies"].as_array().map(Vec::len), Some(1), "{seen}");
    assert!(seen.to_string().contains("\"assignedTo\":null") && !seen.to_string().contains("Elin Dahl"), "{seen}");
    // The order is that of the list, and pages do not overlap.
    let pages = "{ a: projects(limit: 1, sort: \"name\") { tasks(limit: 2) { id } } b: projects(limit: 1, sort: \"name\") { tasks(limit: 2, offset: 2) { id } } }";
    let pages = data(&Client::signed_in(base, SURVEYOR), pages, &json!({}));
    assert_ne!(pages["a"][0]["tasks"], pages["b"][0]["tasks"]);
    // Masked for callers who cannot update the row.
    let rates = data(&customer, "{ tasks(limit: 1000) { rate } }", &json!({}));
    assert!(rates["tasks"].as_array().expect("rows").iter().all(|row| row["rate"].is_null()), "{rates}");
}

fn aggregates_count_and_sum_the_visible_rows(base: &str) {
    for who in [MANAGER, CUSTOMER] {
        let client = Client::signed_in(base, who);
        let total = client.get("/api/projects").ok(200).json()["total"].clone();
        let found =
            data(&client, "{ projectsAggregate { count budgetSum } held: projectsAggregate(stage: on_hold) { n: count } }", &json!({}));
        assert_eq!(found["projectsAggregate"]["count"], total);
        let rows = client.get("/api/projects?page_size=100").ok(200).json();
        let cents = |text: &str| text.replace('.', "").parse::<i64>().expect("a decimal");
        let sum: i64 = rows["items"].as_array().expect("rows").iter().filter_map(|row| row["budget"].as_str()).map(cents).sum();
        assert_eq!(cents(found["projectsAggregate"]["budgetSum"].as_str().expect("a sum")), sum);
        assert_eq!(found["held"]["n"], if who == MANAGER { 1 } else { 0 });
    }
}

fn connections_page_through_all_rows(base: &str) {
    for who in [MANAGER, CUSTOMER] {
        let client = Client::signed_in(base, who);
        let query = "query P($after: String) { tasksConnection(first: 4, after: $after, sort: \"-priority,project.name\") {
            totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { id project { name } } } nodes { id }
        } }";
        let (mut after, mut found) = (Value::Null, Vec::new());
        loop {
            let page = data(&client, query, &json!({ "after": after }))["tasksConnection"].take();
            let edges = page["edges"].as_array().expect("edges").clone();
            assert_eq!(page["pageInfo"]["hasPreviousPage"], json!(!after.is_null()));
            assert_eq!(edges.iter().map(|edge| &edge["node"]["id"]).collect::<Vec<_>>(), list_ids(&page["nodes"]));
            assert_eq!(edges.last().map(|edge| &edge["cursor"]), Some(&page["pageInfo"]["endCursor"]));
            found.extend(edges.iter().map(|edge| edge["node"]["id"].clone()));
            after = page["pageInfo"]["endCursor"].clone();
            if page["pageInfo"]["hasNextPage"] == false {
                assert_eq!(page["totalCount"], found.len());
                break;
            }
        }
        let all = data(&client, "{ tasks(limit: 1000, sort: \"-priority,project.name\") { id } }", &json!({}));
        assert_eq!(found.iter().collect::<Vec<_>>(), list_ids(&all["tasks"]));
    }
    let manager = Client::signed_in(base, MANAGER);
    for (arguments, word) in [("first: 1001", "from 0 to 1000"), ("after: \"x\"", "cursor"), ("after: \"bm90aGluZw\"", "cursor")] {
        let error = first_error(&manager, &format!("{{ tasksConnection({arguments}) {{ nodes {{ id }} }} }}"), &json!({}));
        assert!(error.to_string().contains(word), "{arguments}: {error}");
    }
}

fn list_ids(rows: &Value) -> Vec<&Value> {
    rows.as_array().expect("rows").iter().map(|row| &row["id"]).collect()
}

fn an_invisible_row_is_null_and_a_refused_list_is_an_error(base: &str) {
    let (manager, customer) = (Client::signed_in(base, MANAGER), Client::signed_in(base, CUSTOMER));
    let rows = data(&manager, "{ companies(name: \"Northline Rail\") { id } }", &json!({}));
    let id = &rows["companies"][0]["id"];
    for id in [id, &json!("0191f2a4-0000-7000-8000-000000000000"), &json!("nonsense"), &json!(7)] {
        let found = data(&customer, "query Q($id: ID!) { company(id: $id) { name } }", &json!({ "id": id }));
        assert_eq!(found, json!({ "company": null }));
    }
    let body = send(&customer, "{ users { name } companies { name } }", &json!({})).ok(200).json();
    let error = &body["errors"][0];
    assert_eq!(body["data"], Value::Null, "{body}");
    assert_eq!((&error["path"], &error["extensions"]["code"]), (&json!(["users"]), &json!("FORBIDDEN")), "{body}");
    assert_eq!((&error["extensions"]["category"], &error["extensions"]["statusCode"]), (&json!("AUTHORIZATION"), &json!(403)), "{body}");
    assert_eq!(error["extensions"]["service"], "tasks");
    assert_eq!(error["extensions"]["requestId"].as_str().map(str::len), Some(32));
}

fn a_request_without_a_session_or_from_another_site_is_refused(base: &str) {
    let anonymous = Client::new(base);
    for query in ["{ tasks { id } }", "{ nonsense", "{ __schema { types { name } } }", "mutation { deleteTask(id: \"1\") }"] {
        send(&anonymous, query, &json!({})).problem(401, "AUTHENTICATION_REQUIRED");
    }
    let mut expired = Client::new(base);
    expired.cookie = Some("dz_session=unknown".to_owned());
    send(&expired, "{ nonsense", &json!({})).problem(401, "AUTHENTICATION_REQUIRED");
    let manager = Client::signed_in(base, MANAGER);
    let body = json!({ "query": "{ tasks { id } }" }).to_string();
    let headers = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "cross-site")];
    manager.request("POST", "/graphql", &headers, body.as_bytes()).problem(403, "CSRF");
    assert_eq!(manager.get("/graphql?query=%7B%20tasks%28limit%3A%201%29%20%7B%20id%20%7D%20%7D").ok(200).json()["errors"], Value::Null);
    manager.get("/graphql?query=mutation%20%7B%20deleteTask%28id%3A%20%221%22%29%20%7D").problem(405, "METHOD_NOT_ALLOWED");
}
