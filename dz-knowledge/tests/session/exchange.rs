//! Export and import, and what a restart keeps.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::memory::Tested;

const TASKS: &str = "examples/tasks/app.dsl";

fn without_time(mut exported: Value) -> Value {
    exported["exported_at"] = Value::Null;
    exported
}

#[test]
fn export_replace_export_is_the_identity() {
    for path in
        [TASKS, "examples/clinic/app.dsl", "dz-dsl-file/tests/fixtures/whole/app.dsl", "dz-dsl-file/tests/fixtures/whole/processes.dsl"]
    {
        let mut project = Tested::over(path);
        let first = project.ok("export", json!({}));
        assert!(first["entities"].as_array().is_some_and(|it| it.len() > 5));
        assert_eq!(first["version"], "1.0");
        let answer = project.ok("import", json!({ "mode": "replace", "data": first }));
        assert_eq!((&answer["entities_skipped"], &answer["relations_skipped"]), (&json!(0), &json!(0)));
        assert_eq!(without_time(project.ok("export", json!({}))), without_time(first.clone()), "{path}");
        project.restart();
        assert_eq!(without_time(project.ok("export", json!({}))), without_time(first), "{path} after a restart");
    }
}

#[test]
fn nothing_of_dz_is_exported() {
    let exported = Tested::over(TASKS).ok("export", json!({}));
    assert!(!exported.to_string().contains("\"concept:") && !exported.to_string().contains("\"inference:"));
}

#[test]
fn a_merge_adds_and_is_kept() {
    let mut project = Tested::over(TASKS);
    let data = json!({ "version": "1.0", "entities": [
        { "id": "entity:Task", "type": "dsl_entity", "name": "Piece of work", "metadata": { "team": "north" } },
        { "id": "team:north", "type": "team", "name": "North" },
        { "id": "concept:mine", "type": "concept", "name": "mine" },
        { "type": "team", "name": "no id" },
    ], "relations": [
        { "source_id": "team:north", "target_id": "entity:Task", "relation_type": "owns" },
        { "source_id": "team:north", "target_id": "concept:ownership", "relation_type": "owns" },
        { "source_id": "team:north", "target_id": "entity:Missing", "relation_type": "owns" },
    ] });
    let answer = project.ok("import", json!({ "data": data }));
    let expected = json!({ "status": "imported", "mode": "merge", "entities_imported": 2, "entities_skipped": 2, "relations_imported": 2,
                           "relations_skipped": 1 });
    assert_eq!(answer, expected);
    for _ in 0..2 {
        let task = project.ok("query", json!({ "text": "entity:Task", "limit": 1 }))["entities"][0].clone();
        assert_eq!((&task["name"], &task["metadata"]), (&json!("Piece of work"), &json!({ "team": "north" })));
        assert_eq!(
            project.ok("dependents", json!({ "entity_id": "entity:Task" }))["dependents"].to_string().matches("team:north").count(),
            1
        );
        project.restart();
    }
    project.ok("populate", json!({}));
    assert_eq!(project.ok("query", json!({ "text": "north", "entity_types": ["team"] }))["count"], 1, "an import stays");
}

#[test]
fn after_a_replacement_a_change_brings_the_declarations_back() {
    let mut project = Tested::new(&[("app.dsl", "entity A:\n  id: uuid pk\n")]);
    let data = json!({ "version": "1.0", "entities": [{ "id": "entity:Z", "type": "dsl_entity", "name": "Z" }], "relations": [] });
    project.ok("import", json!({ "mode": "replace", "data": data }));
    let entities = |project: &mut Tested| project.ok("topology", json!({}))["entity_graph"].clone();
    assert_eq!(entities(&mut project), json!({ "Z": [] }));
    project.restart();
    assert_eq!(entities(&mut project), json!({ "Z": [] }));
    project.write("app.dsl", "entity B:\n  id: uuid pk\n");
    assert_eq!(entities(&mut project), json!({ "B": [], "Z": [] }));
    project.ok("import", json!({ "mode": "replace", "data": { "version": "1.0", "entities": [], "relations": [] } }));
    assert_eq!(entities(&mut project), json!({}));
    project.ok("populate", json!({}));
    assert_eq!(entities(&mut project), json!({ "B": [] }));
    project.restart();
    assert_eq!(entities(&mut project), json!({ "B": [] }), "populate is stored");
}

#[test]
fn invalid_data_changes_nothing_and_is_not_quoted() {
    let mut project = Tested::over(TASKS);
    let before = project.ok("export", json!({}));
    project.host.files.insert("secret.txt".to_owned(), "password: hunter2".to_owned());
    project.host.files.insert("old.json".to_owned(), "{\"version\":\"0.9\"}".to_owned());
    for parameters in [
        json!({ "data": { "version": "2.0", "entities": [], "relations": [] } }),
        json!({ "data": { "version": "1.0", "entities": [] } }),
        json!({ "file_path": "secret.txt", "mode": "replace" }),
        json!({ "file_path": "old.json" }),
        json!({ "file_path": "missing.json" }),
        json!({ "file_path": "old.json", "data": {} }),
    ] {
        let error = project.error("import", parameters.clone());
        assert!(!error.contains("hunter2"), "{error}");
    }
    assert_eq!(project.ok("export", json!({})), before);
    assert!(project.host.imports.is_none());
}

#[test]
fn a_file_is_imported() {
    let mut project = Tested::new(&[]);
    let data = "{\"version\":\"1.0\",\"entities\":[{\"id\":\"entity:Q\",\"type\":\"dsl_entity\",\"name\":\"Q\"}],\"relations\":[]}";
    project.host.files.insert("graph.json".to_owned(), data.to_owned());
    assert_eq!(project.ok("import", json!({ "file_path": "graph.json" }))["entities_imported"], 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any graph that can be imported is exported as it was.
    #[test]
    fn any_graph_survives(
        nodes in prop::collection::btree_map("[a-z]{1,6}:[A-Za-z_]{1,8}", "\\PC{1,12}", 0..20),
        links in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), "[a-z_]{1,6}", "\\PC{0,6}"), 0..30),
    ) {
        let ids: Vec<&String> = nodes.keys().collect();
        let entities: Vec<Value> =
            nodes.iter().map(|(id, name)| json!({ "id": id, "type": "kind", "name": name, "metadata": { "text": name } })).collect();
        let relations: Vec<Value> = links.iter().filter(|_| !ids.is_empty()).map(|(from, to, kind, text)| json!({
            "source_id": ids[from.index(ids.len())], "target_id": ids[to.index(ids.len())], "relation_type": kind, "metadata": { "text": text }
        })).collect();
        let mut project = Tested::new(&[]);
        project.ok("import", json!({ "mode": "replace", "data": { "version": "1.0", "entities": entities, "relations": relations } }));
        let first = project.ok("export", json!({}));
        prop_assert_eq!(first["entities"].as_array().map(Vec::len), Some(entities.len()));
        project.ok("import", json!({ "mode": "replace", "data": first.clone() }));
        prop_assert_eq!(project.ok("export", json!({})), first);
    }
}
