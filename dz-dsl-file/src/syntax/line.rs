//! The common parts of lines: the header of a construct, the colon before a block, the key before a value.

use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    layout::Line,
    names,
    suggestion::layout,
};

/// A construct's header: keyword, name, title, colon.
pub(crate) struct Header {
    pub name: Name,
    pub title: Option<Name>,
}

pub(crate) fn header(line: &Line, what: &str, out: &mut Diagnostics) -> Option<Header> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    let Some(name) = cursor.name() else { return nameless(cursor, line, what) };
    let title = cursor.text();
    body_colon(&mut cursor, line);
    cursor.finish();
    Some(Header { name, title })
}

/// Parses a construct whose name is missing: its title implies a name, so that references to it are not reported too.
fn nameless(mut cursor: Cursor<'_>, line: &Line, what: &str) -> Option<Header> {
    let title = match cursor.text() {
        Some(title) if title.text.starts_with(char::is_alphabetic) => title,
        _ => {
            cursor.report_unexpected(&format!("expected the name of the {what}"));
            return None;
        }
    };
    let text = match what {
        "entity" | "enum" | "archetype" => names::camel(&title.text),
        _ => names::snake(&title.text),
    };
    cursor.out.push(
        Diagnostic::error("unexpected-token", title.span, format!("expected the name of the {what}, but found its title"))
            .help(format!("write a name before it, such as `{text}`"))
            .replace(Span { end: title.span.start, ..title.span }, format!("{text} ")),
    );
    body_colon(&mut cursor, line);
    cursor.finish();
    let name = Name { text, span: title.span };
    Some(Header { name, title: Some(title) })
}

/// Parses the colon before a block: it is required if there is a block, and requires one.
pub(crate) fn body_colon(cursor: &mut Cursor<'_>, line: &Line) {
    let found = cursor.eat(":");
    let span = cursor.previous_span();
    // A line with a block ends in a colon, and not in another sign.
    let other = cursor.peek().filter(|it| !line.children.is_empty() && [";", "=", ",", "."].iter().any(|mark| it.is(mark)));
    let other = other.filter(|_| !found && cursor.peek_at(1).is_none()).map(|it| it.span);
    if other.is_some() {
        cursor.take();
    }
    if !found && !line.children.is_empty() && cursor.is_done() {
        cursor.out.push(
            Diagnostic::error("missing-colon", span, "a colon is missing before the lines under this one")
                .help("end the line with `:`")
                .replace(Span { start: span.end, end: other.map_or(span.end, |sign| sign.end), ..span }, layout(":")),
        );
    }
    if found && line.children.is_empty() && cursor.is_done() {
        cursor.out.push(Diagnostic::error("empty-block", cursor.previous_span(), "this line needs lines under it").help(
            match line.tokens[0].word() {
                Some("entity" | "archetype") => "add its fields under it, indented: `id: uuid pk`",
                Some("enum") => "list its values under it, indented",
                Some("surface") => "name its entity and its mode under it, indented: `uses entity NAME`, `mode: list`",
                _ => "add indented lines under it, or remove the colon",
            },
        ));
    }
}

/// Parses a line with a word, a colon and a block; `such` is an example for messages.
pub(crate) fn block_head(line: &Line, such: &str, out: &mut Diagnostics) {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    if !cursor.expect(":") {
        return cursor.skip();
    }
    cursor.finish();
    if line.children.is_empty() {
        out.push(Diagnostic::error("empty-block", line.span(), "this line needs lines under it").help(format!("add {such} under it")));
    }
}

/// Parses the key and the colon of a `key: …` line.
pub(crate) fn key<'a>(line: &'a Line, out: &'a mut Diagnostics) -> Option<(Name, Cursor<'a>)> {
    let mut cursor = Cursor::new(line, out);
    let name = cursor.expect_name("a key")?;
    cursor.expect_colon(&name);
    Some((name, cursor))
}

/// Parses the value of a descriptive key: a string or words.
pub(crate) fn words(cursor: &mut Cursor<'_>) -> Name {
    if let Some(text) = cursor.text() {
        cursor.finish();
        return text;
    }
    if ["=", ":", ",", ";"].iter().any(|mark| cursor.at(mark)) {
        cursor.report_unexpected("expected a value");
        let span = cursor.here();
        cursor.skip();
        return Name { text: String::new(), span };
    }
    let mut span = cursor.here();
    let mut parts = Vec::new();
    while let Some(token) = cursor.take() {
        span.end = token.span.end;
        parts.push(match &token.kind {
            crate::token::TokenKind::Word(word) | crate::token::TokenKind::Raw(word) => word.clone(),
            crate::token::TokenKind::Number(number) => number.clone(),
            crate::token::TokenKind::Text(text) => text.clone(),
            crate::token::TokenKind::Duration(amount, unit) => format!("{amount}{unit}"),
            crate::token::TokenKind::Mark(mark) => (*mark).to_owned(),
        });
    }
    let text = parts.join(" ").replace(" - ", "-").replace(" / ", "/");
    if text.is_empty() {
        cursor.report_unexpected("expected a value");
    }
    Name { text, span }
}

/// The first word of a line, or the description of its first token for messages.
pub(crate) fn shown_word(line: &Line) -> String {
    line.tokens[0].word().map_or_else(|| line.tokens[0].describe().trim_matches('`').to_owned(), str::to_owned)
}
