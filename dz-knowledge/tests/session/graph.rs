//! Nodes, relations and the operations that follow them.

use serde_json::{Value, json};

use crate::memory::{Tested, members};

const WHOLE: &str = "dz-dsl-file/tests/fixtures/whole/app.dsl";
const PROCESSES: &str = "dz-dsl-file/tests/fixtures/whole/processes.dsl";

fn related(project: &mut Tested, source: &str, kind: &str) -> Vec<String> {
    let found = project.ok("neighbourhood", json!({ "entity_id": source, "relation_types": [kind] }));
    let relations = found["relations"].as_array().expect("a list").iter().filter(|it| it["source_id"] == source);
    relations.map(|it| it["target_id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn every_construct_is_a_node() {
    for path in [WHOLE, PROCESSES] {
        let mut project = Tested::over(path);
        let text = project.host.files["app.dsl"].clone();
        let counts = project.ok("populate", json!({}))["counts"].clone();
        for word in
            ["persona", "entity", "enum", "archetype", "workspace", "story", "service", "process", "schedule", "llm_model", "llm_intent"]
        {
            let written = text.lines().filter(|line| line.starts_with(&format!("{word} "))).count();
            assert_eq!(counts[word], written, "{word} in {path}");
        }
    }
}

#[test]
fn a_node_describes_its_construct() {
    let mut project = Tested::over(WHOLE);
    let found = project.ok("query", json!({ "text": "entity:Repair", "limit": 1 }))["entities"][0].clone();
    assert_eq!((&found["id"], &found["type"], &found["name"]), (&json!("entity:Repair"), &json!("dsl_entity"), &json!("Repair")));
    let metadata = &found["metadata"];
    assert_eq!((&metadata["file"], &metadata["title"]), (&json!("app.dsl"), &json!("Repair")));
    let line = metadata["line"].as_u64().expect("a line") as usize;
    assert_eq!(project.host.files["app.dsl"].lines().nth(line - 1), Some("entity Repair \"Repair\":"));
    assert_eq!(metadata["states"], json!(["reported", "started", "finished"]));
    let fields = metadata["fields"].as_array().expect("fields");
    let field = |name: &str| fields.iter().find(|it| it["name"] == name).expect("a field").clone();
    assert_eq!(field("tool")["type"], "ref Tool");
    assert_eq!(field("cost")["type"], "decimal(8,2)");
    assert_eq!(field("priority")["values"], json!(["low", "high"]));
}

#[test]
fn surfaces_and_workspaces_use_entities() {
    let mut project = Tested::over(WHOLE);
    assert_eq!(related(&mut project, "surface:tool_view", "uses"), ["entity:Loan", "entity:Repair", "entity:Tool"]);
    // Metrics count, and regions show.
    assert_eq!(related(&mut project, "workspace:desk", "uses"), ["entity:Loan", "entity:Tool"]);
    assert_eq!(related(&mut project, "workspace:desk", "region_source"), ["entity:Loan", "entity:Tool"]);
    assert_eq!(related(&mut project, "workspace:desk", "allows_persona"), ["persona:keeper"]);
    assert_eq!(related(&mut project, "workspace:desk", "denies_persona"), ["persona:member", "persona:mender"]);
    assert!(related(&mut project, "surface:tool_view", "denies_persona").is_empty());
}

#[test]
fn steps_are_the_cause_of_their_relations() {
    let mut project = Tested::over(PROCESSES);
    assert_eq!(
        related(&mut project, "process:approval", "invokes"),
        ["service:book", "service:carrier", "service:price", "service:unbook"]
    );
    assert_eq!(related(&mut project, "process:approval", "has_subprocess"), ["process:follow_up"]);
    assert_eq!(related(&mut project, "process:approval", "human_task_on"), ["surface:order_review"]);
    assert_eq!(related(&mut project, "process:approval", "process_implements"), ["story:ST-001"]);
    assert_eq!(related(&mut project, "story:ST-001", "acts_as"), ["persona:clerk"]);
    let found = project.ok("neighbourhood", json!({ "entity_id": "process:approval", "relation_types": ["invokes"] }));
    let price = found["relations"].as_array().expect("a list").iter().find(|it| it["target_id"] == "service:price").expect("it");
    assert_eq!(price["metadata"], json!({ "steps": ["pricing"] }));
}

#[test]
fn two_refs_to_one_entity_are_one_relation_with_two_fields() {
    let mut project = Tested::new(&[("app.dsl", "entity A:\n  id: uuid pk\nentity B:\n  id: uuid pk\n  one: ref A\n  two: ref A\n")]);
    let found = project.ok("neighbourhood", json!({ "entity_id": "entity:B" }));
    assert_eq!(found["relation_count"], 1);
    assert_eq!(found["relations"][0]["metadata"], json!({ "fields": ["one", "two"] }));
    assert_eq!((&found["center"], &found["entity_count"]), (&json!("entity:B"), &json!(2)));
    assert_eq!(found["entities"][0]["distance"], 0);
}

#[test]
fn neighbours_are_found_in_both_directions_up_to_a_depth() {
    let mut project = Tested::new(&[("app.dsl", CHAIN)]);
    let ids = |found: &Value| members(&found["entities"], "id").into_iter().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(ids(&project.ok("neighbourhood", json!({ "entity_id": "entity:B" }))), ["entity:B", "entity:A", "entity:C"]);
    let far = project.ok("neighbourhood", json!({ "entity_id": "entity:A", "depth": 10 }));
    assert_eq!(far["entity_count"], 7);
    assert!(project.error("neighbourhood", json!({ "entity_id": "entity:A", "depth": 0 })).contains("`depth`"));
    assert!(project.error("neighbourhood", json!({ "entity_id": "A" })).contains("did you mean `entity:A`?"));
}

/// A refers to B, B to C, and so on; G refers to itself.
const CHAIN: &str = "entity A:\n  id: uuid pk\n  b: ref B\nentity B:\n  id: uuid pk\n  c: ref C\nentity C:\n  id: uuid pk\n  d: ref D\nentity D:\n  \
                     id: uuid pk\n  e: ref E\nentity E:\n  id: uuid pk\n  f: ref F\nentity F:\n  id: uuid pk\n  g: ref G\nentity G:\n  id: uuid pk\n  \
                     up: ref G\n";

#[test]
fn dependencies_end_after_five_relations() {
    let mut project = Tested::new(&[("app.dsl", CHAIN)]);
    let direct = project.ok("dependencies", json!({ "entity_id": "entity:A" }));
    assert_eq!((members(&direct["dependencies"], "id"), &direct["transitive"]), (vec!["entity:B"], &json!(false)));
    let all = project.ok("dependencies", json!({ "entity_id": "entity:A", "transitive": true }));
    assert_eq!(members(&all["dependencies"], "id"), ["entity:B", "entity:C", "entity:D", "entity:E", "entity:F"]);
    let back = project.ok("dependents", json!({ "entity_id": "entity:C", "transitive": true }));
    assert_eq!(members(&back["dependents"], "id"), ["entity:B", "entity:A"]);
    // A node is among its own only if it refers to itself.
    let own = project.ok("dependencies", json!({ "entity_id": "entity:G", "transitive": true }));
    assert_eq!(members(&own["dependencies"], "id"), ["entity:G"]);
}

#[test]
fn paths_are_the_shortest_in_the_direction_of_relations() {
    let mut project = Tested::new(&[("app.dsl", CHAIN)]);
    let found = project.ok("paths", json!({ "source_id": "entity:A", "target_id": "entity:C" }));
    let expected = json!([{ "path": ["entity:A", "entity:B", "entity:C"], "relations": ["references", "references"], "length": 2 }]);
    assert_eq!((&found["paths"], &found["count"]), (&expected, &json!(1)));
    assert_eq!(project.ok("paths", json!({ "source_id": "entity:C", "target_id": "entity:A" }))["count"], 0);
    assert_eq!(project.ok("paths", json!({ "source_id": "entity:A", "target_id": "entity:G" }))["count"], 0, "six relations are too many");
    let own = project.ok("paths", json!({ "source_id": "entity:A", "target_id": "entity:A" }));
    assert_eq!(own["paths"], json!([{ "path": ["entity:A"], "relations": [], "length": 0 }]));
}

#[test]
fn at_most_ten_paths_are_returned() {
    let middle: String = (0..12).map(|at| format!("entity M{at}:\n  id: uuid pk\n  z: ref Z\n")).collect();
    let refs: String = (0..12).map(|at| format!("  m{at}: ref M{at}\n")).collect();
    let text = format!("entity A:\n  id: uuid pk\n{refs}{middle}entity Z:\n  id: uuid pk\n");
    let mut project = Tested::new(&[("app.dsl", &text)]);
    let found = project.ok("paths", json!({ "source_id": "entity:A", "target_id": "entity:Z" }));
    assert_eq!(found["count"], 10);
    let middles: Vec<&str> = found["paths"].as_array().expect("paths").iter().map(|it| it["path"][1].as_str().expect("an id")).collect();
    let mut sorted = middles.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(middles, sorted);
}

#[test]
fn the_topology_names_what_nothing_shows() {
    let text = "entity A:\n  id: uuid pk\n  b: ref B\nentity B:\n  id: uuid pk\nentity C:\n  id: uuid pk\nsurface b_list:\n  uses entity B\n  mode: \
                list\nsurface c_list:\n  uses entity C\n  mode: list\nworkspace w:\n  shown:\n    source: C\n";
    let mut project = Tested::new(&[("app.dsl", text)]);
    let all = project.ok("topology", json!({}));
    assert_eq!((&all["entities"], &all["surfaces"], &all["workspaces"]), (&json!(3), &json!(2), &json!(1)));
    assert_eq!(all["entity_graph"], json!({ "A": ["B"], "B": [], "C": [] }));
    assert_eq!(all["dead_constructs"], json!({ "entities_without_surfaces": ["A"], "entities_without_workspaces": ["B"] }));
    for name in ["B", "entity:B"] {
        let one = project.ok("topology", json!({ "entity": name }));
        assert_eq!((&one["surfaces"], &one["in_workspaces"]), (&json!(["b_list"]), &json!([])));
        assert_eq!(one["referenced_by"], json!([{ "entity": "A", "fields": ["b"] }]));
    }
    assert!(project.error("topology", json!({ "entity": "b" })).contains("did you mean `B`?"));
}

#[test]
fn generated_surfaces_count_as_surfaces() {
    let mut project = Tested::new(&[("app.dsl", "entity S:\n  archetype: settings\n  id: uuid pk\n  n: int = 1\n")]);
    let all = project.ok("topology", json!({}));
    assert_eq!(all["dead_constructs"]["entities_without_surfaces"], json!([]));
    assert_eq!(all["surface_map"]["s_settings"]["entity"], "S");
}

#[test]
fn triggers_name_processes_and_intents() {
    let mut project = Tested::over(PROCESSES);
    let created = project.ok("triggers", json!({ "entity": "Order", "event": "created" }));
    assert_eq!(created["trigger_count"], 1);
    let intent = &created["triggers"][0];
    assert_eq!((&intent["type"], &intent["name"]), (&json!("llm_intent"), &json!("judge")));
    assert_eq!(intent["when"], "entity.total > 100 and status != draft");
    assert_eq!(intent["input_map"], json!({ "number": "number", "note": "note" }));
    assert_eq!(intent["write_back"], json!({ "note": "reason" }));
    let updated = project.ok("triggers", json!({ "entity": "entity:Order", "event": "updated" }));
    let process = &updated["triggers"][0];
    assert_eq!((&process["type"], &process["name"]), (&json!("process"), &json!("approval")));
    assert_eq!((&process["field"], &process["from"], &process["to"]), (&json!("status"), &json!("draft"), &json!("placed")));
    assert_eq!(project.ok("triggers", json!({ "entity": "Order" }))["trigger_count"], 2);
    assert!(project.error("triggers", json!({ "entity": "Order", "event": "create" })).contains("did you mean `created`?"));
}

#[test]
fn the_statistics_add_up() {
    let stats = Tested::over(WHOLE).ok("stats", json!({}));
    for (total, parts) in [("entity_count", "entity_types"), ("relation_count", "relation_types")] {
        let sum: u64 = stats[parts].as_object().expect("counts").values().filter_map(Value::as_u64).sum();
        assert_eq!(stats[total], sum);
    }
    assert!(stats["entity_types"]["concept"].as_u64() >= Some(60));
}

#[test]
fn no_parameter_is_ignored() {
    let mut project = Tested::new(&[]);
    for (operation, parameters, words) in [
        ("query", json!({}), "`text` is missing"),
        ("query", json!({ "text": 1 }), "`text` must be text"),
        ("query", json!({ "text": "a", "limits": 1 }), "unknown parameter `limits`; did you mean `limit`?"),
        ("query", json!({ "text": "a", "limit": 0 }), "`limit` must be a whole number from 1 to 1000"),
        ("query", json!({ "text": "a", "limit": 1.5 }), "`limit`"),
        ("query", json!({ "text": "a", "entity_types": ["dsl_entty"] }), "did you mean `dsl_entity`?"),
        ("neighbourhood", json!({ "entity_id": "x", "relation_types": ["use"] }), "did you mean `uses`?"),
        ("dependencies", json!({ "entity_id": "x", "transitive": "yes" }), "`transitive` must be true or false"),
        ("import", json!({ "mode": "merges", "data": {} }), "did you mean `merge`?"),
        ("import", json!({}), "exactly one of `data` and `file_path`"),
        ("querry", json!({}), "did you mean `query`?"),
        ("query", json!([]), "must be an object"),
    ] {
        let error = project.error(operation, parameters);
        assert!(error.contains(words), "{operation}: {error}");
    }
}
