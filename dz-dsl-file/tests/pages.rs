//! Pages of the documentation of an application.

use dz_dsl_file::{SourceMap, analyse, emit::docs};

#[test]
fn a_prompt_names_the_fields_of_its_inputs() {
    let text = "entity Boat:\n  id: uuid pk\n  name: str(80)\n  home: ref Port\n  permit:\n    list: true\n    read: true\n\
        entity Port:\n  id: uuid pk\n  town: str(80)\n  permit:\n    list: true\n    read: true\n\
        llm_model small:\n  provider: openai\n  model_id: gpt-4o\n\
        llm_intent greet:\n  model: small\n  input:\n    boat: ref Boat required\n    day: date required\n\
        \x20 prompt: \"Greet {{ input.boat.name }} in {{ input.boat.home.town }} on {{ input.day }}\"\n";
    let analysis = analyse(SourceMap::single("app.dsl", text));
    let model = analysis.model.unwrap_or_else(|| panic!("{:?}", analysis.diagnostics));
    let pages = docs::pages(&model, &analysis.files);
    let page = pages.iter().find(|page| page.path.ends_with("intents.md")).expect("a page of intents");
    assert!(page.text.contains("Greet \\[boat.name\\] in \\[boat.home.town\\] on \\[day\\]"), "{}", page.text);
}
