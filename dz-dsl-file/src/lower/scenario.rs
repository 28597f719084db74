//! Scenarios: their rows, and the start pages of personas.

use std::collections::HashMap;

use super::{
    Lowering, collect,
    demo::{self, Rows},
    persona,
};
use crate::{
    model::{Placed, Scenario, ScenarioPersona},
    syntax::{File, Item, scenario as written},
};

pub(super) fn lower(it: &mut Lowering<'_>, files: &[File], before: &Rows<'_>) -> Vec<Scenario> {
    let mut seen = HashMap::new();
    let mut scenarios = Vec::new();
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Scenario(scenario) = item else { continue };
        if collect::first(it, &mut seen, "scenario", &scenario.name) {
            scenarios.push(Scenario {
                name: scenario.name.text.clone(),
                title: collect::title(&scenario.title, &scenario.name),
                description: scenario.description.as_ref().map(|it| it.text.clone()),
                personas: personas(it, scenario),
                demo: scenario.demo.as_ref().map(|rows| demo::scenario(it, rows, before)).unwrap_or_default(),
                span: scenario.name.span,
            });
        }
    }
    scenarios
}

fn personas(it: &mut Lowering<'_>, scenario: &written::Scenario) -> Vec<ScenarioPersona> {
    let mut seen = HashMap::new();
    let mut personas = Vec::new();
    for written in &scenario.personas {
        if !collect::first(it, &mut seen, "persona", &written.persona) {
            continue;
        }
        let role = it.persona(&written.persona);
        let start_route = written.start_route.as_ref().and_then(|route| persona::route(it, route));
        if let Some(role) = role {
            personas.push(ScenarioPersona { persona: Placed { it: role, span: written.persona.span }, start_route });
        }
    }
    personas
}
