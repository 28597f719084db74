//! `surface`

use super::{duplicate_key, expr, header, key, no_children, not_available, unknown_key, words};
use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    layout::Line,
};

/// `surface NAME "Title":` with its lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `uses entity E`
    pub entity: Option<Name>,
    /// `mode:`
    pub mode: Option<Name>,
    /// Sections in order.
    pub sections: Vec<Section>,
    /// `ux:`
    pub ux: Ux,
}

/// `section NAME "Title":`
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `note:`
    pub note: Option<Name>,
    /// `field …` lines.
    pub fields: Vec<FieldLine>,
    /// `uses entity E`: a nested list.
    pub entity: Option<Name>,
    /// `filter:` of a nested list.
    pub filter: Option<expr::Expr>,
}

/// `field PATH "Label" options`
#[derive(Debug, Clone, PartialEq)]
pub struct FieldLine {
    /// The path, a name per hop.
    pub path: Vec<Name>,
    /// The label.
    pub label: Option<Name>,
    /// `help:`
    pub help: Option<Name>,
    /// `read_only`
    pub read_only: bool,
    /// `widget=NAME`
    pub widget: Option<Name>,
}

/// `ux:`
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ux {
    /// `purpose:`
    pub purpose: Option<Name>,
    /// `sort:` paths, each with `desc`.
    pub sort: Vec<(Vec<Name>, bool)>,
    /// `filter:` paths.
    pub filter: Vec<Vec<Name>>,
    /// `search:` paths.
    pub search: Vec<Vec<Name>>,
    /// `empty:`
    pub empty: Option<Name>,
    /// The keyword, when the block is there.
    pub span: Option<Span>,
}

const KEYS: &[&str] = &["uses", "mode", "section", "ux"];
const LATER: &[&str] = &["action", "access", "priority", "related", "graph_edge"];
const UX_KEYS: &[&str] = &["purpose", "sort", "filter", "search", "empty"];
const UX_LATER: &[&str] = &["show", "attention", "for", "as"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Surface> {
    let head = header(line, "surface", out)?;
    let mut surface = Surface { name: head.name, title: head.title, entity: None, mode: None, sections: Vec::new(), ux: Ux::default() };
    for child in &line.children {
        let span = child.tokens[0].span;
        let word = child.tokens[0].word().unwrap_or_default();
        match word {
            "uses" => uses(child, &mut surface.entity, out),
            "mode" => {
                no_children(child, out);
                let Some((name, mut cursor)) = key(child, out) else { continue };
                let mode = cursor.expect_name("a mode: `list`, `view`, `create` or `edit`");
                cursor.finish();
                match &surface.mode {
                    Some(first) => duplicate_key(&name, first.span, out),
                    None => surface.mode = mode,
                }
            }
            "section" => surface.sections.extend(section(child, out)),
            "ux" => match surface.ux.span {
                Some(first) => duplicate_key(&Name { text: "ux".to_owned(), span }, first, out),
                None => ux(child, &mut surface.ux, out),
            },
            _ if LATER.contains(&word) => not_available(span, word, out),
            _ => unknown_key(&Name { text: super::shown_word(child), span }, "surface", KEYS, out),
        }
    }
    Some(surface)
}

fn uses(line: &Line, slot: &mut Option<Name>, out: &mut Diagnostics) {
    no_children(line, out);
    let mut cursor = Cursor::new(line, out);
    let word = cursor.name();
    if !cursor.eat_word("entity") {
        cursor.unexpected("expected `entity`");
    }
    let name = cursor.expect_name("an entity");
    cursor.finish();
    match (slot.as_ref(), word) {
        (Some(first), Some(word)) => duplicate_key(&word, first.span, out),
        _ => *slot = name,
    }
}

fn section(line: &Line, out: &mut Diagnostics) -> Option<Section> {
    let head = header(line, "section", out)?;
    let mut section = Section { name: head.name, title: head.title, note: None, fields: Vec::new(), entity: None, filter: None };
    for child in &line.children {
        let span = child.tokens[0].span;
        match child.tokens[0].word().unwrap_or_default() {
            "field" => section.fields.extend(field_line(child, out)),
            "uses" => uses(child, &mut section.entity, out),
            "note" => note(child, &mut section, out),
            "filter" => filter(child, &mut section, out),
            _ => unknown_key(&Name { text: super::shown_word(child), span }, "section", &["field", "uses", "filter", "note"], out),
        }
    }
    if let (Some(filter), None) = (&section.filter, &section.entity) {
        out.push(
            Diagnostic::error("missing-entity", filter.span, "a section has a `filter` only when it lists another entity")
                .help("add `uses entity NAME` above it"),
        );
    }
    Some(section)
}

fn note(line: &Line, section: &mut Section, out: &mut Diagnostics) {
    no_children(line, out);
    let Some((name, mut cursor)) = key(line, out) else { return };
    let note = words(&mut cursor);
    match &section.note {
        Some(first) => duplicate_key(&name, first.span, out),
        None => section.note = Some(note),
    }
}

fn filter(line: &Line, section: &mut Section, out: &mut Diagnostics) {
    no_children(line, out);
    let Some((name, mut cursor)) = key(line, out) else { return };
    let Some(filter) = expr::parse(&mut cursor) else { return };
    cursor.finish();
    match &section.filter {
        Some(first) => duplicate_key(&name, first.span, out),
        None => section.filter = Some(filter),
    }
}

fn field_line(line: &Line, out: &mut Diagnostics) -> Option<FieldLine> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    let path = path(&mut cursor)?;
    let label = cursor.text();
    let mut field = FieldLine { path, label, help: None, read_only: false, widget: None };
    let mut seen = Vec::new();
    options(&mut cursor, &mut field, &mut seen);
    for child in &line.children {
        no_children(child, out);
        let mut cursor = Cursor::new(child, out);
        options(&mut cursor, &mut field, &mut seen);
    }
    Some(field)
}

fn options(cursor: &mut Cursor<'_>, field: &mut FieldLine, seen: &mut Vec<Name>) {
    while let Some(name) = cursor.name() {
        if let Some(first) = seen.iter().find(|it| it.text == name.text) {
            duplicate_key(&name, first.span, cursor.out);
            return cursor.skip();
        }
        seen.push(name.clone());
        match name.text.as_str() {
            "read_only" => field.read_only = yes_or_no(cursor),
            "help" => {
                cursor.expect(":");
                field.help = cursor.text();
                if field.help.is_none() {
                    cursor.unexpected("expected a text in quotes");
                    return cursor.skip();
                }
            }
            "widget" => {
                if !cursor.eat("=") && !cursor.expect(":") {
                    return cursor.skip();
                }
                field.widget = cursor.expect_name("a widget");
                if field.widget.is_none() {
                    return cursor.skip();
                }
            }
            "format" | "when" => {
                cursor.skip();
                return not_available(name.span, &name.text, cursor.out);
            }
            _ => {
                cursor.skip();
                return unknown_key(&name, "field", &["help", "read_only", "widget"], cursor.out);
            }
        }
    }
    cursor.finish();
}

/// Nothing, `: true` or `: false`.
fn yes_or_no(cursor: &mut Cursor<'_>) -> bool {
    if !cursor.eat(":") || cursor.eat_word("true") {
        return true;
    }
    if !cursor.eat_word("false") {
        cursor.unexpected("expected `true` or `false`");
        cursor.skip();
    }
    false
}

/// `a.b.c`
pub(super) fn path(cursor: &mut Cursor<'_>) -> Option<Vec<Name>> {
    let mut path = vec![cursor.expect_name("a field")?];
    while cursor.eat(".") {
        path.push(cursor.expect_name("a field")?);
    }
    Some(path)
}

fn ux(line: &Line, ux: &mut Ux, out: &mut Diagnostics) {
    ux.span = Some(line.tokens[0].span);
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    super::body_colon(&mut cursor, line);
    cursor.finish();
    let mut seen: Vec<Name> = Vec::new();
    for child in &line.children {
        let word = super::shown_word(child);
        let name = Name { text: word.clone(), span: child.tokens[0].span };
        if UX_LATER.contains(&word.as_str()) {
            not_available(name.span, &word, out);
            continue;
        }
        if !UX_KEYS.contains(&word.as_str()) {
            unknown_key(&name, "ux", UX_KEYS, out);
            continue;
        }
        if let Some(first) = seen.iter().find(|it| it.text == word) {
            duplicate_key(&name, first.span, out);
            continue;
        }
        seen.push(name);
        no_children(child, out);
        let Some((_, mut cursor)) = key(child, out) else { continue };
        match word.as_str() {
            "purpose" => ux.purpose = Some(words(&mut cursor)),
            "empty" => ux.empty = Some(words(&mut cursor)),
            "sort" => sort(&mut cursor, ux),
            "filter" => ux.filter = paths(&mut cursor),
            _ => ux.search = paths(&mut cursor),
        }
    }
}

fn sort(cursor: &mut Cursor<'_>, ux: &mut Ux) {
    while let Some(path) = path(cursor) {
        let descending = cursor.eat_word("desc");
        if !descending {
            cursor.eat_word("asc");
        }
        ux.sort.push((path, descending));
        if !cursor.eat(",") {
            break;
        }
    }
    cursor.finish();
}

fn paths(cursor: &mut Cursor<'_>) -> Vec<Vec<Name>> {
    let bracket = cursor.eat("[");
    let mut paths = Vec::new();
    while let Some(path) = path(cursor) {
        paths.push(path);
        if !cursor.eat(",") {
            break;
        }
    }
    if bracket {
        cursor.expect("]");
    }
    cursor.finish();
    paths
}
