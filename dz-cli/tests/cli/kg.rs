//! `dz kg`: questions about a project, from the shell.

use std::fs;

use serde_json::{Value, json};

use crate::folder::{Folder, json as answer, says};

const NOTES: &str = "entity Note:\n  id: uuid pk\n  title: str(80) required\n  permit:\n    list: authenticated\n    read: authenticated\n";

#[test]
fn an_answer_is_one_object() {
    let folder = Folder::new("kg", &[("app.dsl", NOTES)]);
    let output = folder.dz(&["kg", "query", r#"{"text":"note","limit":1}"#]);
    says(&output, 0, &[]);
    assert_eq!(answer(&output)["entities"][0]["id"], "entity:Note");
    assert_eq!(answer(&output)["entities"][0]["metadata"]["file"], "app.dsl");
    // The parameters can come from standard input, and can be left out.
    assert_eq!(answer(&folder.dz_with(&["kg", "query", "-"], r#"{"text":"Note"}"#))["entities"][0]["name"], "Note");
    assert_eq!(answer(&folder.dz(&["kg", "topology"]))["entities"], 1);
    assert_eq!(folder.dz(&["kg", "stats"]).stdout, folder.dz(&["kg", "stats"]).stdout);
}

#[test]
fn failures_have_exit_codes_and_name_the_nearest_word() {
    let folder = Folder::new("kg-wrong", &[("app.dsl", NOTES)]);
    for (arguments, code, words) in [
        (&["kg", "querry"][..], 2, "did you mean `query`?"),
        (&["kg", "query", "{"], 2, "not JSON"),
        (&["kg", "query", "[1]"], 2, "must be an object"),
        (&["kg", "query", "{}"], 1, "`text` is missing"),
        (&["kg", "neighbourhood", r#"{"entity_id":"entity:Noet"}"#], 1, "did you mean `entity:Note`?"),
        (&["kg", "import", r#"{"file_path":"missing.json"}"#], 1, "there is no file"),
        (&["kg", "import", r#"{"file_path":"/etc/hostname"}"#], 1, "outside the project"),
    ] {
        let output = folder.dz(arguments);
        says(&output, code, &[]);
        let error = answer(&output)["error"].as_str().expect("an error").to_owned();
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
    says(&folder.dz(&["kg"]), 2, &["Usage"]);
}

#[test]
fn an_empty_folder_is_a_project_without_declarations() {
    let folder = Folder::new("kg-empty", &[]);
    assert_eq!(answer(&folder.dz(&["kg", "topology"]))["entities"], 0);
    assert_eq!(answer(&folder.dz(&["kg", "concept", r#"{"name":"four eyes principle"}"#]))["name"], "separation_of_duty");
    for operation in ["populate", "stats", "topology", "export", "access", "explain"] {
        says(&folder.dz(&["kg", operation]), 0, &[]);
    }
    let found = answer(&folder.dz(&["kg", "populate"]))["diagnostics"].clone();
    assert_eq!((&found[0]["rule"], &found[0]["file"], &found[0]["line"]), (&json!("empty-app"), &json!("app.dsl"), &json!(1)), "{found}");
}

#[test]
fn an_import_is_kept_and_a_broken_file_of_imports_is_reported() {
    let folder = Folder::new("kg-import", &[("app.dsl", NOTES)]);
    let exported = answer(&folder.dz(&["kg", "export"]));
    let mut data = exported.clone();
    data["entities"].as_array_mut().expect("a list").push(json!({ "id": "team:a", "type": "team", "name": "A", "metadata": {} }));
    fs::write(folder.0.join("graph.json"), data.to_string()).expect("a file");
    says(&folder.dz(&["kg", "import", r#"{"file_path":"graph.json","mode":"replace"}"#]), 0, &["\"entities_imported\":2"]);
    assert_eq!(answer(&folder.dz(&["kg", "export"]))["entities"], data["entities"]);
    fs::write(folder.0.join(".dz/knowledge.json"), "{ broken").expect("a file");
    let output = folder.dz(&["kg", "export"]);
    says(&output, 0, &["warning: .dz/knowledge.json cannot be read"]);
    let without_time = |mut it: Value| {
        it["exported_at"] = Value::Null;
        it
    };
    assert_eq!(without_time(answer(&output)), without_time(exported));
}

#[test]
fn another_folder_is_indexed_for_one_call() {
    let folder = Folder::new(
        "kg-root",
        &[("app.dsl", NOTES), ("other/a.dsl", "entity A:\n  id: uuid pk\n"), ("other/b.dsl", "entity B:\n  id: uu\n")],
    );
    let populated = answer(&folder.dz(&["kg", "populate", r#"{"root_path":"other"}"#]));
    assert_eq!((&populated["counts"]["entity"], populated["root_path"].as_str().map(|it| it.ends_with("other"))), (&json!(1), Some(true)));
    assert!(populated["diagnostics"].as_array().is_some_and(|it| it.iter().any(|it| it["rule"] == "unknown-type")));
    assert_eq!(answer(&folder.dz(&["kg", "populate"]))["counts"]["entity"], 1);
    says(&folder.dz(&["kg", "populate", r#"{"root_path":"nowhere"}"#]), 1, &["not a folder"]);
}

#[test]
fn another_folder_keeps_its_files_and_the_project_its_imports() {
    let folder = Folder::new("kg-other", &[("app.dsl", NOTES)]);
    let other = Folder::new("kg-other-root", &[("app.dsl", &NOTES.replace("Note", "Page"))]);
    let only = json!({ "version": "1.0", "entities": [{ "id": "team:a", "type": "team", "name": "A" }], "relations": [] });
    says(&folder.dz(&["kg", "import", &json!({ "data": only, "mode": "replace" }).to_string()]), 0, &[]);
    let root = json!({ "root_path": other.0.to_string_lossy() }).to_string();
    assert_eq!(answer(&folder.dz(&["kg", "populate", &root]))["counts"]["entity"], 1);
    assert!(!other.0.join(".dz").exists());
    assert_eq!(answer(&folder.dz(&["kg", "export"]))["entities"].as_array().map(Vec::len), Some(1));
}

#[test]
fn concurrent_imports_are_all_kept() {
    let folder = Folder::new("kg-concurrent", &[("app.dsl", NOTES)]);
    let import = |at: u32| {
        let team = json!({ "id": format!("team:{at}"), "type": "team", "name": at.to_string() });
        json!({ "data": { "version": "1.0", "entities": [team], "relations": [] } }).to_string()
    };
    std::thread::scope(|scope| {
        for at in 0..8 {
            let folder = &folder;
            scope.spawn(move || says(&folder.dz(&["kg", "import", &import(at)]), 0, &[]));
        }
    });
    assert_eq!(answer(&folder.dz(&["kg", "stats"]))["entity_types"]["team"], 8);
    let files = fs::read_dir(folder.0.join(".dz")).expect("a folder");
    assert_eq!(files.count(), 1, "only the imports are stored");
}
