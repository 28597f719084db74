//! `demo`

use super::expr;
use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    layout::Line,
    suggestion::layout,
};

/// `demo:` with rows per entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Demo {
    /// Rows in order.
    pub rows: Vec<Row>,
    /// True if a row could not be parsed.
    pub broken: bool,
}

/// `- @name f: v, …` under an entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The entity.
    pub entity: Name,
    /// `@name`
    pub label: Option<Name>,
    /// True if a value could not be parsed.
    pub broken: bool,
    /// True if the name could not be parsed.
    pub unnamed: bool,
    /// Fields.
    pub values: Vec<(Name, Value)>,
    /// The row.
    pub span: Span,
    /// The first word of the row, where its label or its values begin.
    pub start: Span,
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `@name`
    Row(Name),
    /// An expression.
    Expr(expr::Expr),
}

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Demo {
    let mut demo = Demo { rows: Vec::new(), broken: false };
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    body(&mut cursor, line);
    for child in &line.children {
        let mut cursor = Cursor::new(child, out);
        let Some(entity) = cursor.expect_name("an entity") else {
            demo.broken = true;
            continue;
        };
        body(&mut cursor, child);
        for row in &child.children {
            let row = parse_row(row, &entity, out);
            demo.broken |= row.as_ref().is_none_or(|row| row.unnamed);
            demo.rows.extend(row);
        }
    }
    demo
}

/// Checks that a colon and a block follow; without them the line has no meaning.
fn body(cursor: &mut Cursor<'_>, line: &Line) {
    if cursor.is_done() && line.children.is_empty() {
        let found = Diagnostic::error("empty-block", line.span(), "this line needs lines under it");
        cursor.out.push(found.help("add rows under it, such as `- name: \"Ann\"`"));
        return;
    }
    super::body_colon(cursor, line);
    cursor.finish();
}

/// Parses a row: `- f: v, …`, also in braces, and in braces without the dash.
pub(super) fn parse_row(line: &Line, entity: &Name, out: &mut Diagnostics) -> Option<Row> {
    let mut cursor = Cursor::new(line, out);
    if !cursor.at("{") && !cursor.expect("-") {
        return None;
    }
    let named = cursor.eat("@");
    let unnamed = named && cursor.peek_at(1).is_some_and(|next| next.is(":"));
    if unnamed {
        cursor.report_missing("the name of the row and then a field", "write them as in `- @ann name: …`");
    }
    let label = if named && !unnamed { cursor.expect_name("a name after `@`") } else { None };
    let start = label.as_ref().map_or_else(|| cursor.here(), |label| label.span);
    let mut row = Row { entity: entity.clone(), label, values: Vec::new(), broken: unnamed, unnamed, span: line.whole_span(), start };
    let brace = cursor.eat("{");
    values(&mut cursor, &mut row);
    if brace {
        cursor.expect("}");
    }
    row.broken |= !cursor.is_done();
    cursor.finish();
    for child in &line.children {
        super::no_children(child, out);
        let mut cursor = Cursor::new(child, out);
        values(&mut cursor, &mut row);
        row.broken |= !cursor.is_done();
        cursor.finish();
    }
    Some(row)
}

fn values(cursor: &mut Cursor<'_>, row: &mut Row) {
    while !cursor.is_done() && !cursor.at("}") {
        let Some(name) = cursor.expect_name("a field") else {
            row.broken = true;
            return cursor.skip();
        };
        cursor.expect_colon(&name);
        let value =
            if cursor.eat("@") { cursor.expect_name("a name after `@`").map(Value::Row) } else { expr::parse(cursor).map(Value::Expr) };
        let Some(value) = value else {
            row.broken = true;
            return cursor.skip();
        };
        row.values.push((name, value));
        if !cursor.comma() && !missing_comma(cursor) {
            return;
        }
    }
}

/// Reports a field that follows a value without a comma.
fn missing_comma(cursor: &mut Cursor<'_>) -> bool {
    let Some(next) = cursor.peek().filter(|it| it.word().is_some() && cursor.peek_at(1).is_some_and(|it| it.is(":"))) else {
        return false;
    };
    let end = Span { start: cursor.previous_span().end, ..cursor.previous_span() };
    let found = Diagnostic::error("unexpected-token", next.span, format!("a comma is missing before {}", next.describe()));
    cursor.out.push(found.help("separate the fields of a row with commas").replace(end, layout(",")));
    true
}
