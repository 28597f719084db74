//! `index a, b desc` and `unique a, b`, each with `where condition`.

use super::{expr, no_children, paths};
use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    diagnostic::nearest,
    layout::Line,
};

/// `index a, b desc` or `unique a, b`
#[derive(Debug, Clone, PartialEq)]
pub struct IndexLine {
    /// `index` or `unique`
    pub keyword: Name,
    /// `unique`
    pub unique: bool,
    /// Fields, or paths over references, each with `desc`.
    pub columns: Vec<(paths::Path, bool)>,
    /// The condition after `where`; `None` for all rows.
    pub rows: Option<expr::Expr>,
    /// The line.
    pub span: Span,
}

/// Parses a line, and appends it to `lines`.
pub(super) fn parse(line: &Line, lines: &mut Vec<IndexLine>, out: &mut Diagnostics) {
    no_children(line, out);
    let mut cursor = Cursor::new(line, out);
    let unique = cursor.at_word("unique");
    let Some(keyword) = cursor.name() else { return };
    cursor.optional_colon();
    let (mut columns, mut conditional) = (Vec::new(), false);
    while let Some(name) = cursor.expect_name("a field") {
        let mut path = vec![name];
        while cursor.eat(".") {
            let Some(name) = cursor.expect_name("a field") else { return cursor.skip() };
            path.push(name);
        }
        conditional = at_where(&mut cursor);
        let descending = !conditional && paths::direction(&mut cursor);
        conditional |= descending && at_where(&mut cursor);
        columns.push((path, descending));
        if conditional || !cursor.comma() {
            break;
        }
    }
    let rows = if conditional {
        cursor.take();
        // Without its condition the line would apply to all rows.
        let Some(rows) = expr::whole(&mut cursor) else { return };
        Some(rows)
    } else {
        cursor.finish();
        None
    };
    if !columns.is_empty() {
        lines.push(IndexLine { keyword, unique, columns, rows, span: line.span() });
    }
}

/// True at `where` or a misspelt `where`, which is reported.
fn at_where(cursor: &mut Cursor<'_>) -> bool {
    let Some(token) = cursor.peek() else { return false };
    let (span, word) = (token.span, token.word().unwrap_or_default().to_owned());
    if word == "where" {
        return true;
    }
    let meant = nearest(&word, ["asc", "desc", "where"]) == Some("where");
    if meant {
        cursor.out.push(
            Diagnostic::error("unexpected-token", span, format!("expected `where`, but found `{word}`"))
                .help("write `where` before the condition")
                .replace(span, "where"),
        );
    }
    meant
}
