//! The values of `enum[…]`.

use super::{TypeExpr, is_modifier};
use crate::{
    Diagnostic, Span,
    cursor::{Cursor, Name},
    suggestion,
    token::{Token, TokenKind},
};

/// Parses the values in brackets. False if they could not be read.
pub(super) fn values(cursor: &mut Cursor<'_>, ty: &mut TypeExpr) -> bool {
    const OTHER_BRACKETS: [(&str, &str); 3] = [("(", ")"), ("{", "}"), ("<", ">")];
    let other = OTHER_BRACKETS.into_iter().find(|(open, _)| cursor.at(open));
    if let Some((open, _)) = other {
        let found = Diagnostic::error("unexpected-token", cursor.here(), format!("expected `[`, but found `{open}`"));
        cursor.out.push(found.help("list the values in brackets: `enum[open, done]`"));
    } else if !cursor.at("[") {
        let found = Diagnostic::error("empty-enum", ty.name.span, "an enum needs at least one value");
        cursor.out.push(found.help("list its values: `enum[open, done]`"));
        cursor.skip();
        return false;
    }
    cursor.take();
    let close = other.map_or("]", |(_, close)| close);
    while !cursor.at(close) && !cursor.is_done() {
        let Some(value) = value(cursor) else {
            cursor.report_unexpected("expected a value");
            cursor.skip();
            return false;
        };
        report_label(cursor, &value);
        let span = value.span;
        ty.values.push((value, None));
        if !cursor.comma() && !cursor.point_for_comma() && !lacks_comma(cursor, span) {
            break;
        }
    }
    let ends = cursor.is_done() || cursor.at("=") || cursor.peek().and_then(Token::word).is_some_and(is_modifier);
    if !ends || ty.values.is_empty() {
        return cursor.expect(close) || {
            cursor.skip();
            false
        };
    }
    // Only the bracket is missing: every value is known.
    let end = Span { start: cursor.previous_span().end, ..cursor.previous_span() };
    let found = Diagnostic::error("unexpected-token", cursor.here(), format!("the bracket of `{}` is not closed", ty.name.text));
    cursor.out.push(found.help(format!("write `{close}` after the last value")).replace(end, suggestion::layout(close)));
    true
}

/// Takes a value. A word with hyphens is reported and taken as one value.
fn value(cursor: &mut Cursor<'_>) -> Option<Name> {
    let Some(value) = cursor.compound(&["-"]) else { return cursor.text() };
    if value.text.contains('-') {
        let found = Diagnostic::error("unexpected-token", value.span, format!("`{}` is not one word", value.text));
        let quoted = format!("\"{}\"", value.text);
        cursor.out.push(found.help(format!("write it in quotation marks, `{quoted}`, or with `_`")).replace(value.span, quoted));
    }
    Some(value)
}

/// Reports two values without a comma between them, or with a bar or a slash. The reading goes on, so that each value is known.
fn lacks_comma(cursor: &mut Cursor<'_>, before: Span) -> bool {
    let sign = ["|", "||", "/"].into_iter().find(|sign| cursor.at(sign));
    let next = cursor.peek_at(usize::from(sign.is_some())).filter(|token| token.word().is_some());
    let Some(next) = next.map(|token| (token.span, token.describe())) else { return false };
    let here = cursor.here();
    let found = match sign {
        Some(sign) => {
            cursor.take();
            Diagnostic::error("unexpected-token", here, format!("expected `,`, but found `{sign}`"))
                .help("write `,`")
                .replace(here, suggestion::layout(","))
        }
        // Two words can also be one value.
        None => Diagnostic::error("unexpected-token", here, format!("expected `,`, but found {}", next.1))
            .help("write a comma between two values, and quotation marks around one value of several words: `\"in progress\"`")
            .replace(Span { start: before.end, end: next.0.start, ..before }, ", "),
    };
    cursor.out.push(found);
    true
}

/// Reports and takes a text after a value in brackets: a label, or a value without the comma before it.
fn report_label(cursor: &mut Cursor<'_>, value: &Name) {
    let colon = cursor.at(":") && cursor.peek_at(1).is_some_and(|token| matches!(token.kind, TokenKind::Text(_)));
    let span = if colon { cursor.peek_at(1).map_or(cursor.here(), |token| token.span) } else { cursor.here() };
    if colon {
        cursor.take();
    }
    if cursor.text().is_none() {
        return;
    }
    let found = Diagnostic::error("unexpected-token", span, format!("the value `{}` cannot have a label in brackets", value.text));
    cursor
        .out
        .push(found.help(
            "declare the values with their labels as `enum NAME:`, and use NAME as the type; write a comma if this is another value",
        ));
}
