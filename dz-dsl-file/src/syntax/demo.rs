//! `demo`

use super::expr;
use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    layout::Line,
};

/// `demo:` with rows per entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Demo {
    /// Rows in order.
    pub rows: Vec<Row>,
}

/// `- @name f: v, …` under an entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The entity.
    pub entity: Name,
    /// `@name`
    pub label: Option<Name>,
    /// Fields.
    pub values: Vec<(Name, Value)>,
    /// The row.
    pub span: Span,
    /// The first word of the row, where its label or its values begin.
    pub start: Span,
    /// False when a part of it was reported, so that what seems to be missing may be there.
    pub whole: bool,
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
    let mut demo = Demo { rows: Vec::new() };
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    body(&mut cursor, line);
    for child in &line.children {
        let mut cursor = Cursor::new(child, out);
        let Some(entity) = cursor.expect_name("an entity") else { continue };
        body(&mut cursor, child);
        for row in &child.children {
            demo.rows.extend(parse_row(row, &entity, out));
        }
    }
    demo
}

/// A colon, and lines under it: without them the line says nothing.
fn body(cursor: &mut Cursor<'_>, line: &Line) {
    if cursor.done() && line.children.is_empty() {
        let found = Diagnostic::error("empty-block", line.span(), "nothing stands under this line");
        cursor.out.push(found.help("add rows under it, such as `- name: \"Ann\"`"));
        return;
    }
    super::body_colon(cursor, line);
    cursor.finish();
}

/// A row: `- f: v, …`, also in braces, and in braces without the dash.
pub(super) fn parse_row(line: &Line, entity: &Name, out: &mut Diagnostics) -> Option<Row> {
    let mut cursor = Cursor::new(line, out);
    if !cursor.at("{") && !cursor.expect("-") {
        return None;
    }
    let label = if cursor.eat("@") { cursor.expect_name("a name after `@`") } else { None };
    let start = label.as_ref().map_or_else(|| cursor.here(), |label| label.span);
    let mut row = Row { entity: entity.clone(), label, values: Vec::new(), span: line.whole_span(), start, whole: true };
    let brace = cursor.eat("{");
    values(&mut cursor, &mut row);
    if brace {
        cursor.expect("}");
    }
    row.whole &= cursor.done();
    cursor.finish();
    for child in &line.children {
        super::no_children(child, out);
        let mut cursor = Cursor::new(child, out);
        values(&mut cursor, &mut row);
        row.whole &= cursor.done();
        cursor.finish();
    }
    Some(row)
}

fn values(cursor: &mut Cursor<'_>, row: &mut Row) {
    while !cursor.done() && !cursor.at("}") {
        let Some(name) = cursor.expect_name("a field") else {
            row.whole = false;
            return cursor.skip();
        };
        if cursor.done() {
            row.whole = false;
            return cursor.unexpected("expected `:` and a value");
        }
        cursor.expect_colon(&name);
        let value =
            if cursor.eat("@") { cursor.expect_name("a name after `@`").map(Value::Row) } else { expr::parse(cursor).map(Value::Expr) };
        let Some(value) = value else {
            row.whole = false;
            return cursor.skip();
        };
        row.values.push((name, value));
        if !cursor.eat(",") {
            return;
        }
    }
}
