//! The spelling of tokens: the main spelling of synonyms, double quotes, the margin of a long string.

use std::{borrow::Cow, collections::HashMap};

use super::STEP;
use crate::{
    Span,
    diagnostic::Notes,
    layout::Line,
    lexer::dedent,
    token::{Token, TokenKind},
};

/// Spells the tokens of a text.
pub(super) struct Spelling<'t> {
    text: &'t str,
    /// The main spelling of the token at a byte.
    synonyms: HashMap<u32, &'static str>,
    /// Expressions by place, without nesting.
    expressions: Vec<Span>,
    /// The number of expressions before the current tokens.
    passed: usize,
}

impl<'t> Spelling<'t> {
    pub fn new(text: &'t str, notes: Notes) -> Self {
        let mut found = notes.expressions;
        found.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        let mut expressions: Vec<Span> = Vec::new();
        for span in found {
            if expressions.last().is_none_or(|last| last.end <= span.start) {
                expressions.push(span);
            }
        }
        // A note about an expression that could not be parsed may concern a name.
        let read = |span: &Span| {
            let before = expressions.partition_point(|it| it.start <= span.start);
            before.checked_sub(1).and_then(|at| expressions.get(at)).is_some_and(|it| span.end <= it.end)
        };
        let synonyms = notes.synonyms.into_iter().filter(|(span, _)| read(span)).map(|(span, first)| (span.start, first)).collect();
        Spelling { text, synonyms, expressions, passed: 0 }
    }

    /// For each token of a line, whether it is in an expression. Lines must be passed in order.
    pub fn inside(&mut self, tokens: &[Token]) -> Vec<bool> {
        let mut inside = Vec::with_capacity(tokens.len());
        for token in tokens {
            while self.expressions.get(self.passed).is_some_and(|span| span.end <= token.span.start) {
                self.passed += 1;
            }
            inside.push(self.expressions.get(self.passed).is_some_and(|span| span.start <= token.span.start));
        }
        keep_names(tokens, &mut inside);
        inside
    }

    /// The text of token `at` of a line, on a row with this indentation. `path` contains the first words of the lines above.
    pub fn spelled(&self, line: &Line, at: usize, path: &[&str], indent: usize) -> Cow<'t, str> {
        let Some(token) = line.tokens.get(at) else { return Cow::Borrowed("") };
        let written = self.text.get(token.span.start as usize..token.span.end as usize).unwrap_or_default();
        if let Some(first) = self.synonyms.get(&token.span.start) {
            return Cow::Borrowed(first);
        }
        match &token.kind {
            TokenKind::Mark(mark) => Cow::Borrowed(mark),
            TokenKind::Word(word) if at == 0 => key(word, line, path).map_or(Cow::Borrowed(written), Cow::Borrowed),
            TokenKind::Duration(amount, unit) if at == 2 && unit == "m" && means_minutes(line, path) => {
                Cow::Owned(format!("{amount} minute{}", if *amount == 1 { "" } else { "s" }))
            }
            TokenKind::Text(value) => string(written, value, indent),
            _ => Cow::Borrowed(written),
        }
    }
}

/// Excludes names such as `gpt-4o` from expressions: with spaces, `4o` would no longer be part of a name.
fn keep_names(tokens: &[Token], inside: &mut [bool]) {
    let joins = |token: &Token| token.is("-") || !matches!(token.kind, TokenKind::Mark(_) | TokenKind::Text(_));
    let begins_with_digit = |token: &Token| token.word().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let mut start = 0;
    for end in 1..=tokens.len() {
        let goes_on = tokens.get(end).is_some_and(|next| joins(next) && tokens[end - 1].span.end == next.span.start);
        if goes_on && joins(&tokens[end - 1]) {
            continue;
        }
        if tokens[start..end].iter().any(begins_with_digit) {
            inside[start..end].fill(false);
        }
        start = end;
    }
}

/// The main spelling of a key, if it is an alternative at its place.
fn key(word: &str, line: &Line, path: &[&str]) -> Option<&'static str> {
    let second = line.tokens.get(1)?;
    let colon = second.is(":");
    match (path, word) {
        (["story"], "persona") if colon => Some("actor"),
        (["story"], "entities") if colon => Some("scope"),
        (["workspace"], "engine_hint") if colon && line.children.is_empty() => Some("stage"),
        ([.., "ux"], "as") if second.word().is_some() || second.is("[") => Some("for"),
        (["entity" | "archetype", "scope", _], "as") if colon => Some("for"),
        _ => None,
    }
}

/// True where `m` means minutes; elsewhere it means months.
fn means_minutes(line: &Line, path: &[&str]) -> bool {
    let [key, colon, ..] = line.tokens.as_slice() else { return false };
    matches!(path, ["process" | "schedule" | "llm_intent", ..])
        && colon.is(":")
        && key.word().is_some_and(|word| matches!(word, "timeout" | "wait" | "interval"))
}

fn string<'t>(written: &'t str, value: &str, indent: usize) -> Cow<'t, str> {
    let rewritten = if written.starts_with("\"\"\"") {
        long_string(written, value, indent)
    } else {
        written.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')).and_then(double_quoted)
    };
    match rewritten {
        Some(rewritten) => Cow::Owned(one_line_end(&rewritten).into_owned()),
        None => one_line_end(written),
    }
}

/// The text in single quotes in double quotes, if it needs no escape.
fn double_quoted(inner: &str) -> Option<String> {
    if inner.contains('"') {
        return None;
    }
    let mut text = String::from("\"");
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match (c, chars.as_str().chars().next()) {
            ('\\', Some('\'')) => {}
            ('\\', Some(escaped)) => {
                text.push(c);
                text.push(escaped);
                chars.next();
            }
            _ => text.push(c),
        }
    }
    text.push('"');
    Some(text)
}

/// A string in three quotes with lines of its own, indented under its line.
fn long_string(written: &str, value: &str, indent: usize) -> Option<String> {
    let body = one_line_end(written.strip_prefix("\"\"\"")?.strip_suffix("\"\"\"")?);
    let fills_lines = body.starts_with('\n') && body.rsplit('\n').next()?.trim_matches([' ', '\t']).is_empty();
    let margin = " ".repeat(indent + STEP);
    let mut moved = String::from("\n");
    for line in value.split('\n') {
        if !line.is_empty() {
            moved.push_str(&margin);
            moved.push_str(line);
        }
        moved.push('\n');
    }
    moved.push_str(&margin);
    (fills_lines && dedent(&moved) == value).then(|| format!("\"\"\"{moved}\"\"\""))
}

fn one_line_end(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")) } else { Cow::Borrowed(text) }
}
