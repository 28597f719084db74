//! Dotted paths and lists of them: columns, sort keys, filters.

use crate::{
    Diagnostic, Span,
    cursor::{Cursor, Name},
    diagnostic::near_word,
    dialect,
    suggestion::Replacement,
    token::{Token, TokenKind},
};

/// `a.b.c`, one name for each segment.
pub type Path = Vec<Name>;

/// The span from the first to the last name of a path.
pub fn span_of(path: &[Name]) -> Option<Span> {
    let (first, last) = (path.first()?, path.last()?);
    Some(Span { end: last.span.end, ..first.span })
}

/// A path as one text.
pub fn text_of(path: &[Name]) -> String {
    path.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(".")
}

/// `a.b.c`
pub(super) fn path(cursor: &mut Cursor<'_>) -> Option<Path> {
    const HELP: &str = "name a field, or a path over references such as `owner.name`";
    let mut path = vec![cursor.name_or_help("a field", HELP)?];
    while cursor.eat(".") {
        path.push(cursor.name_or_help("a field", HELP)?);
    }
    Some(path)
}

/// Paths to the end of the line, in brackets or not.
pub(super) fn paths(cursor: &mut Cursor<'_>) -> Vec<Path> {
    cursor.separated(path)
}

/// `a asc, b desc`; true for `desc`.
pub(super) fn sort(cursor: &mut Cursor<'_>) -> Vec<(Path, bool)> {
    cursor.separated(|cursor| {
        let path = path(cursor)?;
        Some((path, direction(cursor)))
    })
}

/// `asc`, `desc` or nothing, true for `desc`; a word that is neither is reported.
pub(super) fn direction(cursor: &mut Cursor<'_>) -> bool {
    let Some(word) = cursor.name() else { return false };
    let right = match word.text.as_str() {
        "asc" => return false,
        "desc" => return true,
        text if dialect::word("sort", text).is_some() => dialect::word("sort", text).and_then(|row| row.replacement()),
        text if text.starts_with("asc") => Some(Replacement::from("asc")),
        text if text.starts_with("desc") => Some("desc".into()),
        text => near_word(text, ["asc", "desc"]).map(Replacement::from),
    };
    let found = Diagnostic::error("unexpected-token", word.span, format!("expected `asc` or `desc`, but found `{}`", word.text));
    let descends = right.as_ref().is_some_and(|right| right.text() == "desc");
    cursor.out.push(match right {
        Some(right) => found.help(format!("write `{}`", right.text())).replace(word.span, right),
        None => found.help("write `asc` or `desc`, and a comma before the next field"),
    });
    descends
}

/// `true` or `false`, to the end of the line.
pub(super) fn flag(cursor: &mut Cursor<'_>) -> Option<bool> {
    let said = cursor.flag();
    if said.is_none() {
        cursor.skip();
    }
    cursor.finish();
    said
}

/// A whole number, to the end of the line.
pub(super) fn number(cursor: &mut Cursor<'_>) -> Option<(i64, Span)> {
    let negative = cursor.eat("-");
    let Some(Token { kind: TokenKind::Number(digits), span }) = cursor.peek() else {
        cursor.report_unexpected("expected a whole number");
        cursor.skip();
        return None;
    };
    cursor.take();
    cursor.finish();
    match digits.parse::<i64>() {
        Ok(number) => Some((if negative { -number } else { number }, *span)),
        Err(_) => {
            cursor.out.push(
                Diagnostic::error("unexpected-token", *span, format!("`{digits}` is not a whole number")).help("write it without a point"),
            );
            None
        }
    }
}
