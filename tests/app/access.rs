//! Access rules over HTTP.

use dz::serde_json::{Value, json};

use crate::client::{CUSTOMER, Client, MANAGER, SURVEYOR};

crate::on_both_engines! {
    every_user_sees_their_own_rows;
    readable_rows_are_403_and_hidden_rows_are_404;
    a_write_is_checked_against_the_new_row;
    reference_paths_do_not_leak;
    sensitive_and_secret_fields;
    forbid_wins;
    anonymous_callers_are_not_asked_to_sign_in;
}

fn total(client: &Client, path: &str) -> i64 {
    client.get(path).ok(200).json()["total"].as_i64().expect("a total")
}

fn me(client: &Client) -> Value {
    client.get("/auth/me").ok(200).json()["id"].clone()
}

/// A task of a new project, for these users.
fn task(manager: &Client, name: &str, assigned_to: Option<&Value>) -> Value {
    let company = manager.send("POST", "/api/companies", &json!({ "name": format!("{name} company") })).ok(201).json();
    let project = manager.send("POST", "/api/projects", &json!({ "name": name, "company": company["id"] })).ok(201).json();
    let task = json!({ "title": format!("{name} task"), "project": project["id"], "assigned_to": assigned_to });
    manager.send("POST", "/api/tasks", &task).ok(201).json()
}

fn path(row: &Value) -> String {
    format!("/api/tasks/{}", row["id"].as_str().expect("an id"))
}

fn every_user_sees_their_own_rows(base: &str) {
    let (manager, surveyor, customer) =
        (Client::signed_in(base, MANAGER), Client::signed_in(base, SURVEYOR), Client::signed_in(base, CUSTOMER));
    let (all, own, company) = (total(&manager, "/api/tasks"), total(&surveyor, "/api/tasks"), total(&customer, "/api/tasks"));
    assert!(all > own && own > 0 && all > company && company > 0, "{all} {own} {company}");
    let id = me(&surveyor);
    for row in surveyor.get("/api/tasks?page_size=100").json()["items"].as_array().expect("items") {
        assert!(row["assigned_to"].is_null() || row["assigned_to"] == id, "{row}");
    }
    let companies = customer.get("/api/companies?page_size=100").json();
    assert_eq!(companies["total"], 1, "{companies}");
    assert_eq!(surveyor.get("/api/users").status, 403);
}

fn readable_rows_are_403_and_hidden_rows_are_404(base: &str) {
    let (manager, surveyor, customer) =
        (Client::signed_in(base, MANAGER), Client::signed_in(base, SURVEYOR), Client::signed_in(base, CUSTOMER));
    let elsewhere = task(&manager, "Not for Tomas", Some(&me(&manager)));
    surveyor.get(&path(&elsewhere)).problem(404, "NOT_FOUND");
    surveyor.send("PATCH", &path(&elsewhere), &json!({ "title": "Taken over" })).problem(404, "NOT_FOUND");
    surveyor.delete(&path(&elsewhere)).problem(403, "FORBIDDEN");
    let own = customer.get("/api/tasks?page_size=1").json()["items"][0].clone();
    customer.get(&path(&own)).ok(200);
    customer.send("PATCH", &path(&own), &json!({ "title": "Hurry up" })).problem(403, "FORBIDDEN");
    customer.send("POST", "/api/tasks", &json!({ "title": "Do this", "project": own["project"] })).problem(403, "FORBIDDEN");
    customer.get(&path(&elsewhere)).problem(404, "NOT_FOUND");
}

fn a_write_is_checked_against_the_new_row(base: &str) {
    let (manager, surveyor) = (Client::signed_in(base, MANAGER), Client::signed_in(base, SURVEYOR));
    let free = task(&manager, "Free for all", None);
    surveyor.send("PATCH", &path(&free), &json!({ "assigned_to": me(&surveyor) })).ok(200);
    let problem = surveyor.send("PATCH", &path(&free), &json!({ "assigned_to": me(&manager) })).problem(403, "FORBIDDEN");
    assert!(problem["field_errors"]["assigned_to"].is_array(), "{problem}");
    assert_eq!(manager.get(&path(&free)).json()["assigned_to"], me(&surveyor), "nothing of a refused write stays");
    let unseen = json!({ "title": "Made for another", "project": free["project"], "assigned_to": me(&manager) });
    let made = surveyor.send("POST", "/api/tasks", &unseen).ok(201).json();
    assert_eq!(made.as_object().map(|it| it.len()), Some(1), "only the key of a row that may not be read: {made}");
}

fn reference_paths_do_not_leak(base: &str) {
    let (manager, customer) = (Client::signed_in(base, MANAGER), Client::signed_in(base, CUSTOMER));
    let secret = task(&manager, "Oracle", None);
    assert_eq!(total(&manager, "/api/tasks?project.name=Oracle"), 1);
    assert_eq!(total(&customer, "/api/tasks?project.name=Oracle"), 0);
    assert_eq!(total(&customer, "/api/tasks?search=Oracle"), 0);
    // The row of the account is not readable, so its company is null for other callers.
    let customer_id = me(&customer);
    manager.send("PATCH", &path(&secret), &json!({ "assigned_to": customer_id })).ok(200);
    let surveyor = Client::signed_in(base, SURVEYOR);
    assert_eq!(total(&surveyor, "/api/tasks?assigned_to.company__isnull=false"), 0);
    let list = customer.get("/api/tasks?expand=assigned_to&page_size=100").ok(200).json();
    for row in list["items"].as_array().expect("items") {
        assert!(row["assigned_to"]["email"].is_null(), "addresses of others stay hidden: {row}");
    }
}

fn sensitive_and_secret_fields(base: &str) {
    let (manager, customer) = (Client::signed_in(base, MANAGER), Client::signed_in(base, CUSTOMER));
    let project = customer.get("/api/projects?page_size=1").json()["items"][0]["id"].clone();
    let paid = json!({ "title": "Paid by the hour", "project": project, "rate": "99.50" });
    let row = manager.send("POST", "/api/tasks", &paid).ok(201).json();
    assert_eq!(row["rate"], "99.50");
    assert_eq!(customer.get(&path(&row)).ok(200).json()["rate"], Value::Null);
    for name in ["rate", "rate__gt"] {
        manager.get(&format!("/api/tasks?{name}=1")).problem(400, "BAD_REQUEST");
    }
    manager.get("/api/tasks?sort=rate").problem(400, "BAD_REQUEST");
    let users = manager.get("/api/users?page_size=100").ok(200).body;
    assert!(!users.contains("password") && !users.contains("argon2"), "{users}");
    let id = me(&manager);
    let user = format!("/api/users/{}", id.as_str().expect("an id"));
    assert_eq!(manager.send("PATCH", &user, &json!({ "is_active": false })).status, 403, "nothing permits it");
}

fn forbid_wins(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    let row = task(&manager, "Under way", None);
    let project = format!("/api/projects/{}", row["project"].as_str().expect("an id"));
    manager.send("PATCH", &project, &json!({ "stage": "active" })).ok(200);
    manager.delete(&project).problem(403, "FORBIDDEN");
    manager.send("PATCH", &project, &json!({ "stage": "finished" })).ok(200);
    manager.delete(&project).ok(204);
}

fn anonymous_callers_are_not_asked_to_sign_in(base: &str) {
    let nobody = Client::new(base);
    nobody.get("/api/tasks").problem(401, "AUTHENTICATION_REQUIRED");
    nobody.request("POST", "/api/tasks", &[("Content-Type", "application/json")], b"{}").problem(401, "AUTHENTICATION_REQUIRED");
    let page = nobody.get("/app/task_list?page=2").ok(303);
    assert_eq!(page.header("location"), Some("/login?next=%2Fapp%2Ftask_list%3Fpage%3D2"));
}
