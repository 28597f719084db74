//! `persona`

use super::{duplicate_key, header, key, list, no_children, unknown_key, words};
use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    diagnostic::near_word,
    layout::Line,
};

/// `persona NAME "Title":` with its description.
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
    /// `proficiency:`
    pub proficiency: Option<Name>,
    /// `default_workspace:`
    pub default_workspace: Option<Name>,
    /// `default_route:`
    pub default_route: Option<Name>,
}

/// The levels of `proficiency:`
pub const LEVELS: &[&str] = &["novice", "intermediate", "expert"];

pub(crate) const KEYS: &[&str] = &["description", "goals", "proficiency", "default_workspace", "default_route"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Persona> {
    let head = header(line, "persona", out)?;
    let mut persona = Persona {
        name: head.name,
        title: head.title,
        description: None,
        goals: Vec::new(),
        proficiency: None,
        default_workspace: None,
        default_route: None,
    };
    let mut seen: Vec<(String, Span)> = Vec::new();
    for child in &line.children {
        if child.tokens[0].word() != Some("goals") {
            no_children(child, out);
        }
        let Some((name, mut cursor)) = key(child, out) else { continue };
        if !KEYS.contains(&name.text.as_str()) {
            cursor.skip();
            unknown_key(&name, "persona", KEYS, out);
            continue;
        }
        if let Some((_, first)) = seen.iter().find(|(text, _)| *text == name.text) {
            cursor.skip();
            duplicate_key(&name, *first, out);
            continue;
        }
        seen.push((name.text.clone(), name.span));
        match name.text.as_str() {
            "description" => persona.description = Some(words(&mut cursor)),
            "goals" if child.children.is_empty() => persona.goals = cursor.names_or_texts("a goal"),
            "goals" => {
                cursor.finish();
                goals(child, &mut persona, out);
            }
            "proficiency" => persona.proficiency = proficiency(&mut cursor),
            "default_workspace" => {
                persona.default_workspace = cursor.expect_name("a workspace");
                if persona.default_workspace.is_some() {
                    cursor.finish();
                }
            }
            _ => {
                persona.default_route = route(&mut cursor);
            }
        }
    }
    Some(persona)
}

/// The address of a page, in quotes.
pub(super) fn route(cursor: &mut Cursor<'_>) -> Option<Name> {
    let Some(route) = cursor.text() else {
        cursor.report_unexpected("expected the address of a page in quotes, such as `\"/app/tasks\"`");
        cursor.skip();
        return None;
    };
    cursor.finish();
    Some(route)
}

/// Parses the proficiency, which is documentation.
fn proficiency(cursor: &mut Cursor<'_>) -> Option<Name> {
    let Some(level) = cursor.expect_name("`novice`, `intermediate` or `expert`") else {
        cursor.skip();
        return None;
    };
    cursor.finish();
    if LEVELS.contains(&level.text.as_str()) {
        return Some(level);
    }
    let found = Diagnostic::error("unknown-value", level.span, format!("`{}` is not a proficiency", level.text));
    cursor.out.push(match near_word(&level.text, LEVELS.iter().copied()) {
        Some(near) => found.help(format!("did you mean `{near}`?")).replace(level.span, near),
        None => found.help(format!("known ones are {}", list(LEVELS))),
    });
    None
}

fn goals(block: &Line, persona: &mut Persona, out: &mut Diagnostics) {
    for line in &block.children {
        no_children(line, out);
        let mut cursor = Cursor::new(line, out);
        cursor.expect("-");
        persona.goals.push(words(&mut cursor));
    }
}
