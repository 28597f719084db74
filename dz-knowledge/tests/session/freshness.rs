//! Declarations with errors, and declarations that change.

use serde_json::json;

use crate::memory::{Tested, members};

const GOOD: &str = "entity A:\n  id: uuid pk\n  title: str(80)\n";

#[test]
fn errors_leave_the_rest_indexed() {
    let broken = "entity B:\n  id: uuid pk\n  a: ref A\n  x: ref Missing\n  y: dat\nsurface b_list:\n  uses entity B\n  mode: lst\n";
    let mut project = Tested::new(&[("a.dsl", GOOD), ("b.dsl", broken)]);
    let populated = project.ok("populate", json!({}));
    assert_eq!(populated["counts"]["entity"], 2);
    let rules = members(&populated["diagnostics"], "rule");
    assert!(rules.contains(&"unknown-entity") && rules.contains(&"unknown-type"), "{rules:?}");
    assert_eq!(members(&project.ok("dependencies", json!({ "entity_id": "entity:B" }))["dependencies"], "id"), ["entity:A"]);
}

#[test]
fn text_that_is_no_declaration_gives_diagnostics() {
    let mut project = Tested::new(&[("a.dsl", GOOD), ("b.dsl", "}}} this is\n\t\t no declaration \u{0} at all: [\n")]);
    let populated = project.ok("populate", json!({}));
    assert_eq!(populated["counts"]["entity"], 1);
    assert!(!populated["diagnostics"].as_array().expect("a list").is_empty());
}

#[test]
fn a_file_that_cannot_be_parsed_keeps_its_last_constructs() {
    let mut project = Tested::new(&[("a.dsl", GOOD), ("b.dsl", "entity B:\n  id: uuid pk\n")]);
    project.write("b.dsl", "entity B\n  id uuid pk (\n");
    assert_eq!(project.ok("topology", json!({}))["entities"], 2);
    project.write("b.dsl", "entity C:\n  id: uuid pk\n");
    assert_eq!(project.ok("topology", json!({}))["entity_graph"], json!({ "A": [], "C": [] }));
    // A new process has no earlier text.
    project.write("b.dsl", "entity C:\n  id: uuid pk (\n\nentity D:\n  id: uuid pk\n");
    project.restart();
    let names = project.ok("topology", json!({}))["entity_graph"].clone();
    assert!(names.get("A").is_some() && names.get("D").is_some(), "{names}");
}

#[test]
fn a_change_is_seen_and_a_removed_construct_is_gone() {
    let mut project = Tested::new(&[("a.dsl", GOOD), ("b.dsl", "surface a_list:\n  uses entity A\n  mode: list\n")]);
    assert_eq!(project.ok("topology", json!({ "entity": "A" }))["surfaces"], json!(["a_list"]));
    project.write("b.dsl", "");
    assert_eq!(project.ok("topology", json!({ "entity": "A" }))["surfaces"], json!([]));
}
