//! `section`: fields of a row, or the rows of another entity.

use super::{super::paths, uses};
use crate::{
    Diagnostic, Diagnostics,
    cursor::{Cursor, Name},
    layout::Line,
    syntax::{duplicate_key, expr, header, keys::Keys, meant_line, no_children, unknown_key, words},
};

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
    /// The path, one name for each segment.
    pub path: paths::Path,
    /// The label.
    pub label: Option<Name>,
    /// `help:`
    pub help: Option<Name>,
    /// `read_only`
    pub read_only: bool,
    /// `widget=NAME`
    pub widget: Option<Name>,
    /// `format: NAME`
    pub format: Option<Name>,
    /// `when: condition`
    pub when: Option<expr::Expr>,
}

/// The keys of a section.
pub(crate) const KEYS: &[&str] = &["field", "uses", "filter", "note"];
/// The options after a field.
pub(crate) const OPTIONS: &[&str] = &["help", "read_only", "widget", "format", "when"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Section> {
    let head = header(line, "section", out)?;
    let mut section = Section { name: head.name, title: head.title, note: None, fields: Vec::new(), entity: None, filter: None };
    let mut keys = Keys::new("section", KEYS);
    for child in &line.children {
        let child = &*meant_line(child, "section", KEYS, |near| !keys.has(near), out);
        match child.tokens[0].word().unwrap_or_default() {
            "field" => section.fields.extend(field_line(child, out)),
            "uses" => {
                if keys.note(child, out).is_some() {
                    section.entity = uses(child, out);
                }
            }
            _ => {
                let Some((name, mut cursor)) = keys.leaf(child, out) else { continue };
                if name.text == "note" {
                    section.note = Some(words(&mut cursor));
                } else if let Some(filter) = expr::whole(&mut cursor) {
                    section.filter = Some(filter);
                }
            }
        }
    }
    if let (Some(filter), true) = (&section.filter, keys.lacks("uses")) {
        out.push(
            Diagnostic::error("missing-entity", filter.span, "a section has a `filter` only when it lists another entity")
                .help("add `uses entity NAME` above it"),
        );
    }
    Some(section)
}

fn field_line(line: &Line, out: &mut Diagnostics) -> Option<FieldLine> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    let path = paths::path(&mut cursor)?;
    let label = cursor.text();
    let mut field = FieldLine { path, label, help: None, read_only: false, widget: None, format: None, when: None };
    let mut seen = Vec::new();
    options(&mut cursor, &mut field, &mut seen);
    for child in &line.children {
        no_children(child, out);
        let mut cursor = Cursor::new(child, out);
        if cursor.peek().and_then(crate::token::Token::word).is_none() {
            cursor.report_unexpected("expected an option of the field");
            continue;
        }
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
        if !OPTIONS.contains(&name.text.as_str()) {
            unknown_key(&name, "field", OPTIONS, cursor.out);
            return cursor.skip();
        }
        seen.push(name.clone());
        if option(cursor, field, &name).is_none() {
            return cursor.skip();
        }
    }
    cursor.finish();
}

fn option(cursor: &mut Cursor<'_>, field: &mut FieldLine, name: &Name) -> Option<()> {
    match name.text.as_str() {
        "read_only" => field.read_only = yes_or_no(cursor),
        "when" => {
            cursor.expect(":").then_some(())?;
            field.when = Some(expr::parse(cursor)?);
        }
        "help" => {
            cursor.expect(":");
            field.help = cursor.text();
            if field.help.is_none() {
                cursor.report_unexpected("expected a text in quotes");
            }
            field.help.as_ref()?;
        }
        _ => {
            if !cursor.eat("=") && !cursor.expect(":") {
                return None;
            }
            let value = Some(cursor.expect_name(if name.text == "widget" { "a widget" } else { "a format" })?);
            *(if name.text == "widget" { &mut field.widget } else { &mut field.format }) = value;
        }
    }
    Some(())
}

/// Parses nothing, `: true` or `: false`.
fn yes_or_no(cursor: &mut Cursor<'_>) -> bool {
    if !cursor.eat(":") {
        return true;
    }
    cursor.flag().unwrap_or_else(|| {
        cursor.skip();
        false
    })
}
