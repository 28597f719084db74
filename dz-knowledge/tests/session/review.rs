//! Access, validation, rules and proposals.

use serde_json::{Value, json};

use crate::memory::{Tested, members};

const CLINIC: &str = "examples/leave/app.dsl";

#[test]
fn access_is_narrowed_and_put_into_words() {
    let mut project = Tested::over(CLINIC);
    let all = project.ok("access", json!({}));
    assert!(all["rules"].as_array().expect("rules").len() > 4);
    let one = project.ok("access", json!({ "entity": "Request", "role": "employee", "action": "list" }));
    assert_eq!(one["callers"], json!(["employee"]));
    assert_eq!(one["rules"][0]["callers"], json!({ "employee": "employee = current_user" }));
    assert_eq!(one["words"], json!(["the role employee may list each Request with employee = current_user"]));
    for (parameters, near) in
        [(json!({ "entity": "Requst" }), "`Request`"), (json!({ "role": "manger" }), "`manager`"), (json!({ "action": "lst" }), "`list`")]
    {
        let error = project.error("access", parameters);
        assert!(error.contains(near), "{error}");
    }
}

#[test]
fn every_diagnostic_says_what_to_write() {
    let mut project = Tested::new(&[]);
    let texts = [
        "entity A:\n  id: uid pk\n  b: ref Bee\n  c: str(\n",
        "entity A:\n  id: uuid pk\n  title: str(80) required optional\nsurface a:\n  mode: list\n",
        "persona p\nentity A:\n  id: uuid pk\n  permit:\n    list: role(q)\n    read: title = 1\n",
        "wibble\n",
        "",
    ];
    for text in texts {
        let found = project.ok("validate", json!({ "text": text }));
        for it in found["diagnostics"].as_array().expect("a list") {
            assert!(it["help"].as_str().is_some_and(|it| !it.is_empty()) || it["replacement"].is_string(), "{it}");
        }
    }
}

#[test]
fn a_text_takes_the_place_of_a_file_and_is_not_stored() {
    let mut project = Tested::new(&[("a.dsl", "entity A:\n  id: uuid pk\n  permit:\n    read: true\n")]);
    let surface = "surface a_list:\n  uses entity A\n  mode: list\n";
    let errors = |found: Value| members(&found["diagnostics"], "severity").into_iter().filter(|it| *it == "error").count();
    assert_eq!(errors(project.ok("validate", json!({ "text": surface }))), 1, "alone, `A` is unknown");
    assert_eq!(errors(project.ok("validate", json!({ "text": surface, "path": "pages.dsl" }))), 0);
    assert_eq!(errors(project.ok("validate", json!({ "text": surface, "path": "a.dsl" }))), 1, "it takes the place of the entity");
    assert_eq!(project.ok("topology", json!({}))["surfaces"], 0);
    for path in ["./a.dsl", "project/a.dsl", "pages/../a.dsl"] {
        assert_eq!(errors(project.ok("validate", json!({ "text": surface, "path": path }))), 1, "{path} is the file of the entity");
    }
    for path in ["../a.dsl", "/etc/a.dsl", "pages/../../a.dsl"] {
        assert!(project.error("validate", json!({ "text": surface, "path": path })).contains("outside the project"), "{path}");
    }
    assert!(project.error("validate", json!({ "text": surface, "path": "" })).contains("names no file"));
}

#[test]
fn rules_are_explained() {
    let mut project = Tested::new(&[]);
    let one = project.ok("explain", json!({ "rule": "unknown-role" }));
    assert!(one["wrong"].is_string() && one["right"].is_string() && one["summary"].is_string());
    assert!(project.error("explain", json!({ "rule": "unknown-rle" })).contains("`unknown-role`"));
    assert!(project.ok("explain", json!({}))["count"].as_u64() > Some(100));
}

#[test]
fn concepts_are_found_by_any_spelling() {
    let mut project = Tested::new(&[]);
    for name in ["approval_flow", "Approval Flow", "  approval-flow ", "concept:approval_flow", "sign-off", "SIGN   OFF"] {
        assert_eq!(project.ok("concept", json!({ "name": name }))["id"], "concept:approval_flow", "{name}");
    }
    assert!(project.error("concept", json!({ "name": "aproval flow" })).contains("`approval_flow`"));
    let concept = project.ok("concept", json!({ "name": "soft delete" }));
    assert_eq!(concept["metadata"]["category"], json!("language"));
}

#[test]
fn a_proposal_is_filled_in_and_valid() {
    let mut project = Tested::new(&[]);
    for (text, entity, pattern) in [
        ("expenses that a manager approves", "TravelCost", "approval_flow"),
        ("support tickets that agents pick up", "Call", "assignment_queue"),
        ("rooms that people reserve for a day", "Slot", "booking"),
        ("an order with several items and a total", "Quote", "parent_with_lines"),
    ] {
        let found = project.ok("propose", json!({ "text": text, "entity": entity }));
        assert!(members(&found["proposals"], "name").contains(&pattern), "{text}: {found}");
        let proposal = found["proposals"].as_array().expect("a list").iter().find(|it| it["name"] == pattern).expect("it");
        let block = proposal["block"].as_str().expect("text");
        assert!(block.contains(&format!("entity {entity} ")), "{block}");
        assert!(!block.contains("\"Expense\"") && !block.contains("EXPENSE_"), "{block}");
        let findings = project.ok("validate", json!({ "text": block }));
        assert!(!members(&findings["diagnostics"], "severity").contains(&"error"), "{findings}");
    }
    let text = "travel costs with a \"receipt\" \\ that\na manager approves";
    let found = project.ok("propose", json!({ "text": text, "entity": "TravelCost", "limit": 1 }));
    let block = found["proposals"][0]["block"].as_str().expect("text");
    for line in [
        "entity TravelCost \"Travel cost\":",
        "intent: \"travel costs with a \\\"receipt\\\" \\\\ that a manager approves\"",
        "code: TRAVEL_COST_AMOUNT",
    ] {
        assert!(block.contains(line), "{line} is not in {block}");
    }
    assert!(project.error("propose", json!({ "text": "x", "entity": "not a name" })).contains("`entity`"));
}
