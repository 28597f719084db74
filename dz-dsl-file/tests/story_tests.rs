//! The generated tests of stories drive the JSON API where the sentences match actions of the declaration.

use dz_dsl_file::{SourceMap, analyse, emit::stubs::story};

/// An application with a story for each kind.
const DECLARATION: &str = include_str!("../../tests/services/story_of_states/app.dsl");

fn test_of(declaration: &str, name: &str) -> String {
    let analysis = analyse(SourceMap::single("app.dsl", declaration.to_owned()));
    let model = analysis.model.expect("a declaration without errors");
    story::create(&model, model.stories.iter().find(|story| story.name == name).expect("the story"), "app.dsl")
}

#[test]
fn quoted_states_become_transitions() {
    let text = test_of(DECLARATION, "ST-003");
    let parts = [
        "    // Given: the box's status is \"hung\"\n    let (status, row) = send(\"/api/boxes\", r#\"{\"place\": \"Examp\", \"height\": \"1\"}\"#);\n",
        "assert_eq!(status, Status::Created, \"{row}\");\n    let id = row[\"id\"].to_string().replace('\"', \"\");\n",
        "send(&format!(\"/api/boxes/{id}/transitions/hung\"), \"{}\");\n",
        "assert_eq!(row[\"status\"], \"hung\");\n    // When: the warden notes that birds moved in\n",
        "send(&format!(\"/api/boxes/{id}/transitions/occupied\"), \"{}\");\n",
        "    // Then: the status becomes \"occupied\"\n    assert_eq!(row[\"status\"], \"occupied\");\n}\n",
    ];
    let mut rest = text.as_str();
    for part in parts {
        let (_, after) = rest.split_once(part).unwrap_or_else(|| panic!("`{part}` does not follow in {text}"));
        rest = after;
    }
}

#[test]
fn a_submitted_form_becomes_a_new_row() {
    let text = test_of(DECLARATION, "ST-004");
    assert!(text.contains("    // When: the warden enters the place\n    let (status, row) = send(\"/api/boxes\""), "{text}");
    assert!(
        text.contains("    // Then: the box is planned\n    assert_eq!(open(&format!(\"/api/boxes/{id}\")), Status::Ok);\n}\n"),
        "{text}"
    );
}

#[test]
fn other_stories_stay_skeletons() {
    // The transition to `removed` needs a value that the story does not have.
    let skeleton = |declaration: &str, name: &str| assert!(!test_of(declaration, name).contains("let send ="), "{name} of {declaration}");
    skeleton(DECLARATION, "ST-005");
    // The actor may not create a row, or a field needs another row.
    skeleton(&DECLARATION.replace("    create: role(warden)\n", ""), "ST-003");
    skeleton(&DECLARATION.replace("  reason: str(80)\n", "  reason: str(80)\n  owner: ref User required\n"), "ST-003");
    skeleton(&DECLARATION.replace("trigger: form_submitted", "trigger: user_click"), "ST-004");
}
