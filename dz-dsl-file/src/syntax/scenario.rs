//! `scenario`

use super::{body_colon, demo, duplicate_key, header, key, no_children, shown_word, unknown_key, words};
use crate::{
    Diagnostics,
    cursor::{Cursor, Name},
    layout::Line,
};

/// `scenario NAME "Title":`, a set of data for tests of the application.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `description:`
    pub description: Option<Name>,
    /// `for persona P:` blocks.
    pub personas: Vec<ForPersona>,
    /// Rows of `demo:`.
    pub demo: Option<demo::Demo>,
}

/// `for persona P:`
#[derive(Debug, Clone, PartialEq)]
pub struct ForPersona {
    /// The persona.
    pub persona: Name,
    /// `start_route:`
    pub start_route: Option<Name>,
}

pub(crate) const KEYS: &[&str] = &["description", "for", "demo"];

/// The keys of a persona in a scenario.
pub(crate) const PERSONA_KEYS: &[&str] = &["start_route"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Scenario> {
    let head = header(line, "scenario", out)?;
    let mut scenario = Scenario { name: head.name, title: head.title, description: None, personas: Vec::new(), demo: None };
    let mut demo_span = None;
    for child in &line.children {
        let name = Name { text: shown_word(child), span: child.tokens[0].span };
        match name.text.as_str() {
            "description" => {
                no_children(child, out);
                let Some((_, mut cursor)) = key(child, out) else { continue };
                let text = words(&mut cursor);
                match &scenario.description {
                    Some(first) => duplicate_key(&name, first.span, out),
                    None => scenario.description = Some(text),
                }
            }
            "for" => scenario.personas.extend(persona(child, out)),
            "demo" => match demo_span {
                Some(first) => duplicate_key(&name, first, out),
                None => {
                    demo_span = Some(name.span);
                    scenario.demo = Some(demo::parse(child, out));
                }
            },
            _ => unknown_key(&name, "scenario", KEYS, out),
        }
    }
    Some(scenario)
}

fn persona(line: &Line, out: &mut Diagnostics) -> Option<ForPersona> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    if !cursor.leading("persona") {
        return None;
    }
    let persona = cursor.expect_name("a persona")?;
    body_colon(&mut cursor, line);
    cursor.finish();
    let mut it = ForPersona { persona, start_route: None };
    for child in &line.children {
        no_children(child, out);
        let Some((name, mut cursor)) = key(child, out) else { continue };
        if name.text != "start_route" {
            cursor.skip();
            unknown_key(&name, "for persona", PERSONA_KEYS, out);
            continue;
        }
        let route = super::persona::route(&mut cursor);
        match &it.start_route {
            Some(first) => duplicate_key(&name, first.span, out),
            None => it.start_route = route,
        }
    }
    Some(it)
}
