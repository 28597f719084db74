//! `access:` of a page: its audience.

use crate::{
    Diagnostic, Span,
    cursor::{Cursor, Name},
    diagnostic::near_word,
    suggestion::{Replacement, layout},
    token::Token,
};

/// The audience of a page, as written.
#[derive(Debug, Clone, PartialEq)]
pub enum Audience {
    /// `public`, `authenticated`
    Word(Name),
    /// `persona(a, b)`
    Personas(Vec<Name>),
}

/// The text after `access:`, to the end of the line.
pub(super) fn parse(cursor: &mut Cursor<'_>) -> Option<Audience> {
    let Some(word) = cursor.expect_name("`public`, `authenticated` or `persona(…)`") else {
        cursor.skip();
        return None;
    };
    if word.text != "persona" && !cursor.at("(") {
        cursor.finish();
        return Some(Audience::Word(word));
    }
    if word.text != "persona" {
        let found = Diagnostic::error("unexpected-token", word.span, format!("`{}(…)` is not an audience of a page", word.text));
        let near = near_word(&word.text, ["persona"]).map_or_else(|| "persona".into(), Replacement::from);
        cursor.out.push(found.help("write `persona(…)`").replace(word.span, near));
    }
    personas(cursor)
}

fn personas(cursor: &mut Cursor<'_>) -> Option<Audience> {
    let open = cursor.here();
    let word = cursor.previous_span();
    if !cursor.at("(")
        && let Some(name) = cursor.name()
    {
        let span = Span { end: name.span.end, ..word };
        let found = Diagnostic::error("unexpected-token", name.span, format!("expected `(`, but found `{}`", name.text));
        let right = format!("persona({})", name.text);
        cursor.out.push(found.help(format!("write `{right}`")).replace(span, layout(right)));
        cursor.skip();
        return Some(Audience::Personas(vec![name]));
    }
    if !cursor.expect("(") {
        cursor.skip();
        return None;
    }
    let mut names = Vec::new();
    while !cursor.at(")") {
        let Some(name) = cursor.expect_name("a persona") else {
            cursor.skip();
            return None;
        };
        names.push(name);
        if !cursor.comma() {
            break;
        }
    }
    if !cursor.expect(")") {
        cursor.skip();
        return None;
    }
    if names.is_empty() {
        let span = Span { end: cursor.previous_span().end, ..open };
        cursor.out.push(Diagnostic::error("unexpected-token", span, "no persona is named here").help("name one: `persona(manager)`"));
    }
    let again = cursor.peek_at(1).and_then(Token::word) == Some("persona");
    if cursor.at(",") && again && !names.is_empty() {
        let found = Diagnostic::error("unexpected-token", cursor.here(), "one `persona(…)` names all personas");
        let first: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
        cursor.out.push(found.help(format!("write `persona({}, …)`", first.join(", "))));
        cursor.skip();
    }
    cursor.finish();
    Some(Audience::Personas(names))
}
