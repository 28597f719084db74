//! `dz specs openapi`: the document on standard output or in a file, without other output.

use std::fs;

use dz_dsl_file::{SourceMap, analyse, emit::openapi};

use crate::folder::{Folder, out, says};

const NOTES: &str = "app notes \"Notes\"\n\nentity Note:\n  id: uuid pk\n  title: str(80) required\n  permit:\n    read: true\n";

#[test]
fn the_document_is_what_the_language_gives() {
    let folder = Folder::new("specs", &[("app.dsl", NOTES)]);
    let model = analyse(SourceMap::single("app.dsl", NOTES)).model.expect("a model");
    assert_eq!(out(&folder.dz(&["specs", "openapi"])), openapi::json(&model));
    assert_eq!(out(&folder.dz(&["specs", "openapi", "--yaml", "app.dsl"])), openapi::yaml(&model));
    let written = folder.dz(&["specs", "openapi", "-o", "api.json"]);
    assert_eq!((written.status.code(), out(&written).as_str()), (Some(0), ""));
    assert_eq!(fs::read_to_string(folder.0.join("api.json")).expect("a file"), openapi::json(&model));
    let report: serde_json::Value = serde_json::from_str(&openapi::json(&model)).expect("JSON");
    assert!(report["paths"]["/api/notes/{id}"]["get"].is_object());
}

#[test]
fn a_wrong_declaration_gives_no_document() {
    let folder = Folder::new("specs-wrong", &[("app.dsl", &NOTES.replace("str(80)", "sting(80)"))]);
    let refused = folder.dz(&["specs", "openapi"]);
    assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(1), ""));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("sting"), "{refused:?}");
    says(&folder.dz(&["specs", "openapi", "-o", "no/such/folder/api.json", "nothing.dsl"]), 1, &[]);
}

/// Generators of clients give a schema without a name a name of their own, which for two alternatives can be the same.
#[test]
fn the_alternatives_of_answers_about_graphs_are_schemas_with_names() {
    let isles = "app isles \"Isles\"\n\nentity Isle:\n  id: uuid pk\n  name: str(40) required\n  graph_node:\n    edges: Ferry\n    display: name\n  \
                 permit:\n    list: true\n    read: true\n\nentity Ferry:\n  id: uuid pk\n  start: ref Isle required\n  goal: ref Isle \
                 required\n  graph_edge:\n    source: start\n    target: goal\n  permit:\n    list: true\n    read: true\n";
    let folder = Folder::new("specs-graph", &[("app.dsl", isles)]);
    let document: serde_json::Value = serde_json::from_str(&out(&folder.dz(&["specs", "openapi"]))).expect("JSON");
    let schemas = &document["components"]["schemas"];
    for name in ["GraphPath", "GraphReachable"] {
        let alternatives = schemas[name]["anyOf"].as_array().unwrap_or_else(|| panic!("{name} has no alternatives"));
        for alternative in alternatives {
            let target = alternative["$ref"].as_str().unwrap_or_else(|| panic!("{name}: {alternative}"));
            assert!(schemas[target.rsplit('/').next().unwrap_or_default()].is_object(), "{target}");
        }
    }
}
