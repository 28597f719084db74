//! `persona`

use super::{duplicate_key, header, key, not_available, unknown_key, words};
use crate::{Diagnostics, Span, cursor::Name, layout::Line};

/// `persona NAME "Title":` with what describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Persona {
    /// Its name, which is the role's name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `description:`
    pub description: Option<Name>,
    /// `goals:`, a list or dash lines.
    pub goals: Vec<Name>,
}

const KEYS: &[&str] = &["description", "goals", "proficiency", "default_workspace", "default_route"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Persona> {
    let head = header(line, "persona", out)?;
    let mut persona = Persona { name: head.name, title: head.title, description: None, goals: Vec::new() };
    let mut seen: Vec<(String, Span)> = Vec::new();
    for child in &line.children {
        let Some((name, mut cursor)) = key(child, out) else { continue };
        if let Some((_, first)) = seen.iter().find(|(text, _)| *text == name.text) {
            cursor.skip();
            duplicate_key(&name, *first, out);
            continue;
        }
        seen.push((name.text.clone(), name.span));
        match name.text.as_str() {
            "description" => persona.description = Some(words(&mut cursor)),
            "goals" if child.children.is_empty() => {
                cursor.eat("[");
                while let Some(goal) = cursor.name_or_text() {
                    persona.goals.push(goal);
                    cursor.eat(",");
                }
                cursor.eat("]");
                cursor.finish();
            }
            "goals" => goals(child, &mut persona, out),
            "proficiency" => {
                words(&mut cursor);
            }
            "default_workspace" | "default_route" => not_available(name.span, &name.text, out),
            _ => unknown_key(&name, "persona", KEYS, out),
        }
    }
    Some(persona)
}

fn goals(block: &Line, persona: &mut Persona, out: &mut Diagnostics) {
    for line in &block.children {
        let mut cursor = crate::cursor::Cursor::new(line, out);
        cursor.expect("-");
        persona.goals.push(words(&mut cursor));
    }
}
