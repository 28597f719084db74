//! Values and lines of `key: …` blocks.

use super::{body_colon, key, no_children};
use crate::{
    Diagnostic, Diagnostics,
    cursor::{Cursor, Name},
    layout::Line,
};

/// Parses the text after the colon of a `key: value` line without a block.
pub(super) fn value<T>(line: &Line, out: &mut Diagnostics, read: impl FnOnce(&mut Cursor<'_>) -> Option<T>) -> Option<T> {
    no_children(line, out);
    inline(line, out, read)
}

/// Parses the text after the colon of a line whose block is parsed elsewhere.
pub(super) fn inline<T>(line: &Line, out: &mut Diagnostics, read: impl FnOnce(&mut Cursor<'_>) -> Option<T>) -> Option<T> {
    let (_, mut cursor) = key(line, out)?;
    let value = read(&mut cursor);
    if value.is_none() {
        cursor.skip();
    }
    cursor.finish();
    value
}

/// The lines under `key:`, which must have no text after it.
pub(super) fn block<'a>(line: &'a Line, out: &mut Diagnostics) -> &'a [Line] {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    if cursor.is_done() && line.children.is_empty() {
        cursor.out.push(
            Diagnostic::error("empty-block", cursor.previous_span(), "this line needs lines under it").help("add indented lines under it"),
        );
        return &line.children;
    }
    body_colon(&mut cursor, line);
    cursor.finish();
    &line.children
}

/// True if text follows `key:` on the same line.
pub(super) fn has_value(line: &Line) -> bool {
    line.tokens.len() > 2 || line.tokens.get(1).is_some_and(|token| !token.is(":"))
}

/// A cursor over a line, after an optional dash.
pub(super) fn entry<'a>(line: &'a Line, out: &'a mut Diagnostics) -> Cursor<'a> {
    let mut cursor = Cursor::new(line, out);
    cursor.eat("-");
    cursor
}

/// A text in quotes.
pub(super) fn text(cursor: &mut Cursor<'_>) -> Option<Name> {
    let text = cursor.text();
    if text.is_none() {
        cursor.report_unexpected("expected a text in quotes");
    }
    text
}

/// `true` or `false`.
pub(super) fn truth(cursor: &mut Cursor<'_>) -> Option<bool> {
    cursor.flag()
}
