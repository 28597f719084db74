//! `scope:`, row filters for each persona.

use super::{expr, key, no_children};
use crate::{
    Diagnostics, Span,
    cursor::{Cursor, Name},
    layout::Line,
};

/// `action: all | condition`, for some personas or for all.
#[derive(Debug, Clone, PartialEq)]
pub struct ScopeLine {
    /// The action.
    pub action: Name,
    /// The rows; `None` is `all`.
    pub rows: Option<expr::Expr>,
    /// The personas; `None` is `*`, every persona.
    pub personas: Option<Vec<Name>>,
    /// The line.
    pub span: Span,
}

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Vec<ScopeLine> {
    super::block_head(line, "lines such as `list: owner = current_user`", out);
    line.children.iter().filter_map(|child| scope_line(child, out)).collect()
}

fn scope_line(line: &Line, out: &mut Diagnostics) -> Option<ScopeLine> {
    let (action, mut cursor) = key(line, out)?;
    let all = cursor.at_word("all") && cursor.peek_at(1).is_none_or(|token| token.is(":"));
    let rows = if all {
        cursor.take();
        None
    } else {
        Some(expr::parse(&mut cursor)?)
    };
    if !line.children.is_empty() {
        cursor.eat(":");
    }
    cursor.finish_expression();
    let mut personas = None;
    for child in &line.children {
        personas = whom(child, out).or(personas);
    }
    Some(ScopeLine { action, rows, personas, span: line.span() })
}

/// `for: *`, `for: a, b`, or with `as`.
fn whom(line: &Line, out: &mut Diagnostics) -> Option<Vec<Name>> {
    no_children(line, out);
    let mut cursor = Cursor::new(line, out);
    if !(cursor.eat_word("for") || cursor.eat_word("as")) {
        cursor.report_unexpected_near("expected `for:` with personas or `*`", &["for", "as"]);
        return None;
    }
    cursor.expect(":");
    if cursor.eat("*") {
        cursor.finish();
        return None;
    }
    Some(cursor.names("a persona"))
}
