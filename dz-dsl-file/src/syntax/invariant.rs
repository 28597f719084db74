//! `invariant: condition`, with its message and its code.

use super::{duplicate_key, expr, key, no_children, unknown_key};
use crate::{
    Diagnostics, Span,
    cursor::{Cursor, Name},
    layout::Line,
};

/// A condition that every stored row meets.
#[derive(Debug, Clone, PartialEq)]
pub struct Invariant {
    /// The condition.
    pub condition: expr::Expr,
    /// `message:`
    pub message: Option<Name>,
    /// `code:`
    pub code: Option<Name>,
    /// The keyword.
    pub span: Span,
}

/// The keys under an invariant.
pub(crate) const KEYS: &[&str] = &["message", "code"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Invariant> {
    let mut cursor = Cursor::new(line, out);
    let span = cursor.here();
    cursor.take();
    cursor.expect(":");
    let condition = expr::parse(&mut cursor);
    if condition.is_some() {
        // A colon can introduce the lines under it.
        if !line.children.is_empty() {
            cursor.eat(":");
        }
        cursor.finish_expression();
    }
    let (mut message, mut code) = (None, None);
    for child in &line.children {
        no_children(child, out);
        let Some((name, mut cursor)) = key(child, out) else { continue };
        let (slot, value) = match name.text.as_str() {
            "message" => (&mut message, text(&mut cursor)),
            "code" => (&mut code, cursor.expect_name("a code such as `ENDS_BEFORE_START`")),
            _ => {
                unknown_key(&name, "invariant", KEYS, out);
                continue;
            }
        };
        let Some(value) = value else { continue };
        cursor.finish();
        match slot {
            Some(Name { span, .. }) => duplicate_key(&name, *span, out),
            None => *slot = Some(value),
        }
    }
    Some(Invariant { condition: condition?, message, code, span })
}

/// A text in quotes.
fn text(cursor: &mut Cursor<'_>) -> Option<Name> {
    let text = cursor.text();
    if text.is_none() {
        cursor.report_unexpected("expected a text in quotes");
    }
    text
}
