//! `surface`

pub mod section;
pub mod ux;

use super::{
    audience::{self, Audience},
    body_colon, duplicate_key, header,
    keys::Keys,
    meant_line, no_children,
    paths::{self, Path},
    unknown_key,
};
use crate::{
    Diagnostic, Diagnostics,
    cursor::{Cursor, Name},
    layout::Line,
};
use section::Section;
use ux::Ux;

/// `surface NAME "Title":` with its lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// Its keys without duplicates, in order.
    pub keys: Vec<Name>,
    /// True after a line with an unknown key: a key that seems to be missing may be a misspelling there.
    pub broken: bool,
    /// `uses entity E`
    pub entity: Option<Name>,
    /// `mode:`
    pub mode: Option<Name>,
    /// `access:`
    pub access: Option<Audience>,
    /// `priority:`
    pub priority: Option<Name>,
    /// Sections in order.
    pub sections: Vec<Section>,
    /// Actions in order.
    pub actions: Vec<Action>,
    /// Related lists in order.
    pub related: Vec<Related>,
    /// `ux:`
    pub ux: Ux,
}

/// `action NAME "Title": on EVENT -> surface NAME`
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `submit` or `click`
    pub event: Name,
    /// The surface that opens.
    pub surface: Name,
}

/// `related NAME "Title":`
#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `show:` entities, or has_many fields of this one; `None` when the key is missing.
    pub show: Option<Vec<Name>>,
    /// `display:`
    pub display: Option<Name>,
    /// `columns:`
    pub columns: Vec<Path>,
    /// `limit:` with its place.
    pub limit: Option<(i64, crate::Span)>,
}

/// The keys of a surface.
pub(crate) const KEYS: &[&str] = &["uses", "mode", "section", "action", "related", "access", "priority", "ux"];

/// The keys under an action.
pub(crate) const ACTION_KEYS: &[&str] = &["on"];

/// The keys of a related list.
pub(crate) const RELATED_KEYS: &[&str] = &["show", "display", "columns", "limit"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Surface> {
    let head = header(line, "surface", out)?;
    let mut surface = Surface {
        name: head.name,
        title: head.title,
        keys: Vec::new(),
        broken: false,
        entity: None,
        mode: None,
        access: None,
        priority: None,
        sections: Vec::new(),
        actions: Vec::new(),
        related: Vec::new(),
        ux: Ux::default(),
    };
    let mut keys = Keys::new("surface", KEYS);
    for child in &line.children {
        let child = &*meant_line(child, "surface", KEYS, |near| !keys.has(near), out);
        match child.tokens[0].word().unwrap_or_default() {
            "uses" => {
                if keys.note(child, out).is_some() {
                    surface.entity = uses(child, out);
                }
            }
            "section" => surface.sections.extend(section::parse(child, out)),
            "action" => surface.actions.extend(action(child, out)),
            "related" => {
                surface.related.extend(related(child, out));
            }
            "ux" => {
                if keys.note(child, out).is_some() {
                    ux::parse(child, &mut surface.ux, out);
                }
            }
            _ => leaf(child, &mut keys, &mut surface, out),
        }
    }
    surface.keys = keys.seen;
    surface.broken = keys.broken;
    Some(surface)
}

/// Parses the keys whose value is one word or level.
fn leaf(line: &Line, keys: &mut Keys<'_>, surface: &mut Surface, out: &mut Diagnostics) {
    let Some((name, mut cursor)) = keys.leaf(line, out) else { return };
    match name.text.as_str() {
        "mode" => {
            surface.mode = name_of(&mut cursor, "a mode", "the modes are `list`, `view`, `create`, `edit`");
        }
        "access" => {
            surface.access = audience::parse(&mut cursor);
        }
        _ => {
            surface.priority = name_of(&mut cursor, "a priority", "the priorities are `critical`, `high`, `medium`, `low`");
        }
    }
}

/// `uses entity E`
pub(super) fn uses(line: &Line, out: &mut Diagnostics) -> Option<Name> {
    no_children(line, out);
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    if !cursor.keyword("entity", "NAME") {
        // `uses Task` is unambiguous.
        let name = cursor.name();
        cursor.skip();
        return name;
    }
    name_of(&mut cursor, "an entity", "name the entity: `uses entity NAME`")
}

fn action(line: &Line, out: &mut Diagnostics) -> Option<Action> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    let name = cursor.name_or_help("the name of the action", "write `action NAME \"Title\": on click -> surface NAME`")?;
    let title = cursor.text();
    let mut opens = None;
    if cursor.at(":") && cursor.peek_at(1).is_some() {
        cursor.take();
        opens = Some(on(&mut cursor));
    } else {
        body_colon(&mut cursor, line);
        cursor.finish();
    }
    for child in &line.children {
        no_children(child, out);
        let mut cursor = Cursor::new(child, out);
        match (&opens, child.tokens[0].word()) {
            (Some(_), Some("on")) => {
                let span = child.tokens[0].span;
                duplicate_key(&Name { text: "on".to_owned(), span }, name.span, out);
            }
            (None, Some("on")) => opens = Some(on(&mut cursor)),
            _ => unknown_key(&Name { text: super::shown_word(child), span: child.tokens[0].span }, "action", ACTION_KEYS, out),
        }
    }
    let Some(opens) = opens else {
        if line.children.is_empty() {
            out.push(
                Diagnostic::error("missing-key", name.span, format!("action `{}` names no surface", name.text))
                    .help("write `on click -> surface NAME` under it"),
            );
        }
        return None;
    };
    let (event, surface) = opens?;
    Some(Action { name, title, event, surface })
}

/// `on submit -> surface NAME`
fn on(cursor: &mut Cursor<'_>) -> Option<(Name, Name)> {
    const FORM: &str = "write `on click -> surface NAME`";
    let read = |cursor: &mut Cursor<'_>| {
        if !cursor.keyword("on", "click -> surface NAME") {
            return None;
        }
        let event = cursor.name_or_help("`submit` or `click`", FORM)?;
        if !cursor.eat("->") {
            cursor.report_missing("`->`", FORM);
            return None;
        }
        if !cursor.keyword("surface", "NAME") {
            return None;
        }
        Some((event, cursor.name_or_help("a surface", "name the surface that opens")?))
    };
    let opens = read(cursor);
    if opens.is_none() {
        cursor.skip();
    }
    cursor.finish();
    opens
}

fn related(line: &Line, out: &mut Diagnostics) -> Option<Related> {
    let head = header(line, "related list", out)?;
    let mut related = Related { name: head.name, title: head.title, show: None, display: None, columns: Vec::new(), limit: None };
    let mut keys = Keys::new("related", RELATED_KEYS);
    for child in &line.children {
        let Some((name, mut cursor)) = keys.leaf(child, out) else { continue };
        match name.text.as_str() {
            "show" => related.show = Some(cursor.names("an entity")),
            "display" => related.display = name_of(&mut cursor, "a kind of display", "the kinds are `list`, `table`, `grid`"),
            "columns" => related.columns = paths::paths(&mut cursor),
            _ => related.limit = paths::number(&mut cursor),
        }
    }
    if keys.lacks("show") {
        out.push(
            Diagnostic::error("missing-key", related.name.span, format!("related list `{}` names no entity", related.name.text))
                .help("add `show: ENTITY` under it"),
        );
    }
    Some(related)
}

/// Parses the value of a key that contains one name.
pub(super) fn name_of(cursor: &mut Cursor<'_>, what: &str, help: &str) -> Option<Name> {
    let name = cursor.name_or_help(what, help);
    if name.is_none() {
        cursor.skip();
    }
    cursor.finish();
    name
}
