//! Mutations: the writes of the JSON API, each refused or stored on its own.

use dz::serde_json::{Value, json};

use super::{data, first_error, send};
use crate::client::{CUSTOMER, Client, MANAGER, SURVEYOR};

crate::on_both_engines! {
    a_row_is_created_updated_transitioned_and_deleted;
    refusals_are_those_of_the_json_api;
    a_refused_mutation_leaves_the_others;
}

fn project(client: &Client) -> Value {
    data(client, "{ projects(limit: 1, name: \"Quay wall renewal\") { id } }", &json!({}))["projects"][0]["id"].clone()
}

const CREATE: &str =
    "mutation Create($input: TaskInput!) { createTask(input: $input) { id title status hours project { name } assignedTo { id } } }";

fn a_row_is_created_updated_transitioned_and_deleted(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    let me = manager.get("/auth/me").ok(200).json()["id"].clone();
    let input =
        json!({ "title": "Written by a mutation", "project": project(&manager), "hours": "1.50", "assignedTo": me, "priority": "high" });
    let created = data(&manager, CREATE, &json!({ "input": input }))["createTask"].clone();
    assert_eq!(
        (&created["title"], &created["hours"], &created["status"]),
        (&json!("Written by a mutation"), &json!("1.50"), &json!("open"))
    );
    assert_eq!((&created["project"]["name"], &created["assignedTo"]["id"]), (&json!("Quay wall renewal"), &me));
    let id = &created["id"];

    // Absent fields stay, and null clears an optional one.
    let update = "mutation U($id: ID!) { updateTask(id: $id, input: { hours: 2.25, details: \"x\", assignedTo: null }) { title hours details assignedTo { id } } }";
    let updated = data(&manager, update, &json!({ "id": id }))["updateTask"].clone();
    assert_eq!(updated, json!({ "title": "Written by a mutation", "hours": "2.25", "details": "x", "assignedTo": null }));

    let transition =
        "mutation T($id: ID!, $to: TaskStatus!, $input: TaskInput) { transitionTask(id: $id, to: $to, input: $input) { status } }";
    let error = first_error(&manager, transition, &json!({ "id": id, "to": "doing" }));
    assert_eq!(error["extensions"]["code"], "TRANSITION_REQUIRES", "{error}");
    assert!(error["extensions"]["fieldErrors"]["assignedTo"].is_array(), "{error}");
    let transitioned = data(&manager, transition, &json!({ "id": id, "to": "doing", "input": { "assignedTo": me } }));
    assert_eq!(transitioned["transitionTask"]["status"], "doing");
    assert_eq!(first_error(&manager, transition, &json!({ "id": id, "to": "open" }))["extensions"]["code"], "TRANSITION_NOT_ALLOWED");

    assert_eq!(data(&manager, "mutation D($id: ID!) { deleteTask(id: $id) }", &json!({ "id": id })), json!({ "deleteTask": true }));
    assert_eq!(data(&manager, "query Q($id: ID!) { task(id: $id) { id } }", &json!({ "id": id })), json!({ "task": null }));
    assert_eq!(
        first_error(&manager, "mutation D($id: ID!) { deleteTask(id: $id) }", &json!({ "id": id }))["extensions"]["code"],
        "NOT_FOUND"
    );
}

fn refusals_are_those_of_the_json_api(base: &str) {
    let (manager, customer) = (Client::signed_in(base, MANAGER), Client::signed_in(base, CUSTOMER));
    let error = first_error(&manager, CREATE, &json!({ "input": { "hours": "-1.00" } }));
    let extensions = &error["extensions"];
    assert_eq!((&extensions["code"], &extensions["statusCode"]), (&json!("VALIDATION"), &json!(422)), "{error}");
    assert!(extensions["fieldErrors"]["title"].is_array() && extensions["fieldErrors"]["project"].is_array(), "{error}");
    let valid = json!({ "title": "Scan the wall", "project": project(&manager) });
    let with = |name: &str, value: Value| {
        let mut input = valid.clone();
        input[name] = value;
        json!({ "input": input })
    };
    let sent = json!({ "title": "Scan the wall", "project": valid["project"], "hours": -1 });
    let code = manager.send("POST", "/api/tasks", &sent).ok(422).json()["code"].clone();
    let error = first_error(&manager, CREATE, &with("hours", json!(-1)));
    assert_eq!(error["extensions"]["code"], code, "{error}");
    assert_eq!(error["extensions"]["fieldErrors"], json!({ "hours": ["Hours cannot be negative"] }), "{error}");
    assert_eq!(
        first_error(&manager, CREATE, &with("due", json!("soon")))["extensions"]["fieldErrors"]["due"].as_array().map(Vec::len),
        Some(1)
    );
    assert_eq!(
        first_error(&manager, CREATE, &with("project", json!("0191f2a4-0000-7000-8000-000000000000")))["extensions"]["code"],
        "REFERENCE"
    );
    for unknown in ["id", "createdAt", "nonsense"] {
        assert_eq!(first_error(&manager, CREATE, &with(unknown, json!("x")))["extensions"]["code"], "GRAPHQL_VALIDATION", "{unknown}");
    }
    assert_eq!(first_error(&customer, CREATE, &json!({ "input": valid }))["extensions"]["code"], "FORBIDDEN");
    let other = data(&manager, "{ tasks(limit: 1000) { id project { company { name } } } }", &json!({}));
    let other =
        other["tasks"].as_array().expect("rows").iter().find(|row| row["project"]["company"]["name"] != "Harbour Works").expect("a task");
    let update = "mutation U($id: ID!) { updateTask(id: $id, input: { title: \"x\" }) { id } }";
    let error = first_error(&customer, update, &json!({ "id": other["id"] }));
    assert!(matches!(error["extensions"]["statusCode"].as_u64(), Some(403 | 404)), "{error}");
}

fn a_refused_mutation_leaves_the_others(base: &str) {
    let surveyor = Client::signed_in(base, SURVEYOR);
    let query = "mutation M($project: ID!) {
        first: createTask(input: { title: \"First of three\", project: $project }) { id }
        second: createTask(input: { title: \"Second of three\" }) { id }
        third: createTask(input: { title: \"Third of three\", project: $project }) { id title }
    }";
    let body = send(&surveyor, query, &json!({ "project": project(&surveyor) })).ok(200).json();
    assert!(body["data"]["first"]["id"].is_string() && body["data"]["second"].is_null(), "{body}");
    assert_eq!((&body["data"]["third"]["title"], &body["errors"][0]["path"]), (&json!("Third of three"), &json!(["second"])), "{body}");
    let found = data(&surveyor, "{ tasks(filter: { title: { icontains: \"of three\" } }, sort: \"title\") { title } }", &json!({}));
    assert_eq!(found["tasks"].as_array().map(Vec::len), Some(2), "{found}");
    let manager = Client::signed_in(base, MANAGER);
    for row in ["first", "third"] {
        data(&manager, "mutation D($id: ID!) { deleteTask(id: $id) }", &json!({ "id": body["data"][row]["id"] }));
    }
}
