//! What refers to a name.

use serde_json::{Value, json};

use crate::memory::Tested;

const WHOLE: &str = "dz-dsl-file/tests/fixtures/whole/app.dsl";

/// The constructs and reasons of an answer.
fn places(found: &Value) -> Vec<(String, String)> {
    let text = |it: &Value, member: &str| it[member].as_str().expect("text").to_owned();
    found["affected"].as_array().expect("a list").iter().map(|it| (text(it, "id"), text(it, "reason"))).collect()
}

#[track_caller]
fn has(places: &[(String, String)], id: &str, words: &str) {
    assert!(places.iter().any(|(of, reason)| of == id && reason.contains(words)), "{id}: {words} is not in {places:#?}");
}

#[test]
fn a_field_is_found_wherever_it_is_named() {
    let mut project = Tested::over(WHOLE);
    let found = project.ok("impact", json!({ "entity": "Tool", "field": "condition" }));
    let places = places(&found);
    assert_eq!(found["count"], places.len());
    has(&places, "entity:Tool", "index category, condition");
    has(&places, "surface:tool_list", "filter: status, condition");
    has(&places, "surface:tool_list", "attention warning, when: condition = worn");
    has(&places, "surface:tool_list", "hide: condition");
    has(&places, "workspace:desk", "worn_share");
    assert!(!places.iter().any(|(id, _)| id == "surface:loan_list"), "{places:#?}");
    for it in found["affected"].as_array().expect("a list") {
        let line = it["line"].as_u64().expect("a line") as usize;
        let text = project.host.files["app.dsl"].lines().nth(line - 1).expect("a line").to_owned();
        assert!(text.contains("condition"), "{it}: {text}");
    }
}

#[test]
fn rules_invariants_and_paths_are_named() {
    let mut project = Tested::over(WHOLE);
    let due = places(&project.ok("impact", json!({ "entity": "Loan", "field": "due_on" })));
    has(&due, "entity:Loan", "invariant LOAN_DATES");
    has(&due, "entity:Loan", "forbid, update: ");
    has(&due, "entity:Loan", "overdue: computed");
    has(&due, "workspace:desk", "overdue \"Overdue\", filter");
    let summary = places(&project.ok("impact", json!({ "entity": "Branch", "field": "name" })));
    has(&summary, "surface:tool_list", "field home.name");
    let state = places(&project.ok("impact", json!({ "entity": "Repair", "state": "started" })));
    has(&state, "entity:Repair", "transitions, started -> finished");
    has(&state, "entity:Step", "permit, create: ");
}

#[test]
fn an_entity_a_role_and_a_surface_are_found() {
    let mut project = Tested::over(WHOLE);
    let loan = places(&project.ok("impact", json!({ "entity": "Loan" })));
    for id in ["entity:Tool", "surface:loan_list", "surface:tool_view", "workspace:desk", "demo:Loan"] {
        assert!(loan.iter().any(|(of, _)| of == id), "{id} is not in {loan:#?}");
    }
    let keeper = places(&project.ok("impact", json!({ "role": "keeper" })));
    has(&keeper, "entity:Tool", "access, write: role(keeper)");
    has(&keeper, "workspace:desk", "access: persona(keeper)");
    let edit = places(&project.ok("impact", json!({ "surface": "loan_edit" })));
    has(&edit, "workspace:desk", "action: loan_edit");
}

#[test]
fn processes_and_stories_are_found() {
    let mut project = Tested::over("dz-dsl-file/tests/fixtures/whole/processes.dsl");
    let status = places(&project.ok("impact", json!({ "entity": "Order", "field": "status" })));
    has(&status, "process:approval", "trigger: entity Order status draft -> placed");
    has(&status, "llm_intent:judge", "when: entity.total > 100 and status != draft");
    has(&status, "entity:Order", "transitions, draft -> placed");
    let quoted = "persona clerk\nentity Order:\n  id: uuid pk\n  status: enum[open, sent] = open\nstory ST-1 \"Sent\":\n  actor: clerk\n  scope: \
                  [Order]\n  then:\n    - the status becomes \"sent\"\n";
    let mut project = Tested::new(&[("app.dsl", quoted)]);
    has(&places(&project.ok("impact", json!({ "entity": "Order", "field": "status" }))), "story:ST-1", "the status becomes");
}

#[test]
fn a_name_that_is_unknown_has_a_nearest_one() {
    let mut project = Tested::over(WHOLE);
    for (parameters, near) in [
        (json!({ "entity": "Lone" }), "`Loan`"),
        (json!({ "entity": "Loan", "field": "due_onn" }), "`due_on`"),
        (json!({ "entity": "Repair", "state": "startd" }), "`started`"),
        (json!({ "role": "keper" }), "`keeper`"),
        (json!({ "surface": "loan_lst" }), "`loan_list`"),
        (json!({}), "exactly one"),
        (json!({ "role": "keeper", "field": "due_on" }), "`field` needs the parameter `entity`"),
        (json!({ "surface": "loan_list", "state": "started" }), "`state` needs the parameter `entity`"),
    ] {
        let error = project.error("impact", parameters);
        assert!(error.contains(near), "{error}");
    }
}
