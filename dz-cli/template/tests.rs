//! The access rules, the indexes, the hook and the route.

use dz::{serde_json::json, testing::TestApp};

use {{crate}}::{Role, application, task};

#[test]
fn access_rules_hold() {
    dz::testing::prove_access!(application);
}

#[test]
fn indexes_are_sufficient() {
    let plan = TestApp::new(application()).plan();
    assert!(plan.is_fine(), "{plan}");
}

#[test]
fn a_new_task_is_not_due_in_the_past() {
    let app = TestApp::new(application());
    let mia = app.sign_in("mia@example.com");
    let past = json!({"title": "Travel in time", "due": "2001-01-01"});
    mia.post("/api/tasks", past)
        .assert_problem(422, "VALIDATION")
        .assert_field("due", "must be today or later");
    mia.post("/api/tasks", json!({"title": "Take a break"}))
        .assert_status(201);
}

#[test]
fn the_report_counts_visible_tasks() {
    let app = TestApp::new(application());
    let report = |email| app.sign_in(email).get("/reports/open").text();
    assert_eq!(report("mia@example.com"), "2");
    assert_eq!(report("max@example.com"), "3");
}

#[test]
fn a_manager_sees_every_task() {
    let app = TestApp::builder(application()).without_demo_data().start();
    app.create(task::fake());
    let total = |role| app.as_role(role).get("/api/tasks").member("total");
    assert_eq!(total(Role::Manager), 1);
    assert_eq!(total(Role::Member), 0);
}
