//! Search.

use serde_json::{Value, json};

use crate::memory::{Tested, members};

fn ids(found: &Value) -> Vec<&str> {
    members(&found["entities"], "id")
}

#[test]
fn an_exact_name_is_first() {
    let mut project = Tested::over("examples/tasks/app.dsl");
    for (text, id) in [("Task", "entity:Task"), ("surface:task_list", "surface:task_list"), ("Companies", "surface:company_list")] {
        assert_eq!(ids(&project.ok("query", json!({ "text": text })))[0], id, "{text}");
    }
}

#[test]
fn a_higher_limit_continues_the_list() {
    let mut project = Tested::over("examples/tasks/app.dsl");
    let many = project.ok("query", json!({ "text": "task project", "limit": 30 }));
    let few = project.ok("query", json!({ "text": "task project", "limit": 5 }));
    assert_eq!(ids(&many)[..5], ids(&few)[..]);
    assert_eq!(few["count"], 5);
}

#[test]
fn without_text_all_nodes_of_a_type_are_listed() {
    let mut project = Tested::over("examples/tasks/app.dsl");
    let all = project.ok("query", json!({ "text": " ", "entity_types": ["dsl_persona"] }));
    assert_eq!(ids(&all), ["persona:client", "persona:manager", "persona:surveyor"]);
}

#[test]
fn typos_and_other_forms_of_a_word_are_found() {
    let mut project = Tested::over("examples/tasks/app.dsl");
    for (text, id) in
        [("surveyer", "persona:surveyor"), ("companys", "entity:Company"), ("projct", "entity:Project"), ("asigned_to", "entity:Task")]
    {
        let found = project.ok("query", json!({ "text": text, "entity_types": ["dsl_entity", "dsl_persona"] }));
        assert_eq!(ids(&found).first(), Some(&id), "{text}");
    }
    for text in ["(", "\"", "a* OR", "%", "\\", "..", "\u{0}"] {
        project.ok("query", json!({ "text": text }));
    }
}

#[test]
fn a_need_with_a_typo_finds_its_entry() {
    let mut project = Tested::new(&[]);
    for text in ["a manager must approve it", "a maneger must aprove it"] {
        let found = project.ok("inference", json!({ "text": text }));
        assert_eq!(found["matches"][0]["name"], "must_be_approved", "{text}");
        let scores: Vec<f64> = found["matches"].as_array().expect("a list").iter().filter_map(|it| it["score"].as_f64()).collect();
        assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]));
    }
}
