//! A word that begins no construct, with the construct of which it is a misspelling.

use super::{CONSTRUCTS, FOREIGN, File, Item, Source, entity, field, list, parse_as};
use crate::{
    Diagnostic, Diagnostics, Span,
    diagnostic::near_word,
    dialect,
    layout::Line,
    suggestion::Replacement,
    token::{Token, TokenKind},
    vocabulary,
};

/// Parses the construct of which the word is a misspelling, so that the lines under it are checked, and uses of its name are not
/// reported.
pub(super) fn parse(line: &Line, word: &str, source: Source<'_>, file: &mut File, out: &mut Diagnostics) -> Option<Item> {
    let token = &line.tokens[0];
    if token.word().is_none() {
        let found = Diagnostic::error("unexpected-token", token.span, format!("expected a construct, but found {}", token.describe()));
        out.push(found.help(format!("a construct begins with its kind: {}", list(CONSTRUCTS))));
        return Some(Item::Other(line.clone()));
    }
    let found = Diagnostic::error("unknown-construct", token.span, format!("unknown construct `{word}`"));
    if let Some(near) = find_intended(line, word) {
        let kind = near.text().to_owned();
        out.push(found.help(format!("did you mean `{kind}`?")).replace(token.span, near));
        return parse_as(&kind, line, source, file, out);
    }
    let turned = line.tokens.get(1).and_then(Token::word).and_then(|second| CONSTRUCTS.iter().find(|it| **it == second));
    if let Some(kind) = turned {
        let both = Span { end: line.tokens[1].span.end, ..token.span };
        out.push(found.help(format!("write `{kind} {word}`")).replace(both, format!("{kind} {word}")));
        let mut line = line.clone();
        line.tokens.swap(0, 1);
        return parse_as(kind, &line, source, file, out);
    }
    if let Some(kind) = kind_of(line) {
        let before = Span { end: token.span.start, ..token.span };
        out.push(found.help(format!("a construct begins with its kind: write `{kind} {word}`")).replace(before, format!("{kind} ")));
        let mut line = line.clone();
        line.tokens.insert(0, Token { kind: TokenKind::Word(kind.to_owned()), span: before });
        return parse_as(kind, &line, source, file, out);
    }
    let inside = entity::is_block(word) && !line.children.is_empty();
    out.push(found.help(match inside {
        true => format!("`{word}` belongs inside an entity; indent it"),
        false => format!("known ones are {}", list(CONSTRUCTS)),
    }));
    Some(Item::Other(line.clone()))
}

/// The construct of which a first word is a misspelling by one letter, or that has this name in other systems.
fn find_intended(line: &Line, word: &str) -> Option<Replacement> {
    let near = near_word(word, CONSTRUCTS.iter().chain(FOREIGN).copied());
    // A construct without a meaning is not parsed, and a known word of another place may be a line without its indentation.
    let doubtful = |near: &str| FOREIGN.contains(&near) || vocabulary::holds(word);
    let near = near.map(|near| if doubtful(&near) { near.as_proposal().into() } else { near.into() });
    let elsewhere = dialect::word("construct", word).and_then(|row| row.replacement());
    let meant: Replacement = elsewhere.or(near)?;
    // Only a name can follow the keyword of a construct.
    let fits = match meant.text() {
        "demo" => line.tokens.len() <= 2,
        _ => line.tokens.get(1).is_some_and(|next| next.word().is_some() || matches!(next.kind, TokenKind::Text(_))),
    };
    fits.then_some(meant)
}

/// The construct that a header without a keyword begins, as the lines under it show.
fn kind_of(line: &Line) -> Option<&'static str> {
    let title = line.tokens.get(1).is_some_and(|it| matches!(it.kind, TokenKind::Text(_)) || it.is(":"));
    let first = |words: &[&str]| line.children.iter().any(|it| it.tokens[0].word().is_some_and(|word| words.contains(&word)));
    let field =
        |it: &Line| it.tokens.get(1).is_some_and(|it| it.is(":")) && it.tokens.get(2).and_then(Token::word).is_some_and(field::is_type);
    let begins = |first: &str, next: &str| {
        let fits = |it: &Line| {
            it.tokens[0].word() == Some(first) && it.tokens.get(1).and_then(Token::word).is_some_and(|it| next.is_empty() || it == next)
        };
        line.children.iter().any(fits)
    };
    if !title || line.children.is_empty() {
        None
    } else if begins("step", "") || begins("start", "at") {
        Some("experience")
    } else if begins("for", "persona") {
        Some("scenario")
    } else if first(&["permit", "access", "extends"]) {
        Some("entity")
    } else if first(&["uses", "mode"]) {
        Some("surface")
    } else if line.children.iter().any(field) {
        Some("archetype")
    } else if first(&["description", "goals", "proficiency"]) {
        Some("persona")
    } else if line.children.iter().all(|it| it.children.is_empty() && it.tokens.len() <= 2 && !it.tokens[0].is("-")) {
        Some("enum")
    } else {
        None
    }
}
