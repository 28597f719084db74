//! Open and missing brackets.

use super::{Lexer, Prose, RawLine, columns, word_of};
use crate::{
    Diagnostic, Span,
    suggestion::layout,
    token::{Token, TokenKind},
};

/// Words between two operands, with which no declaration starts or continues.
const JOINING: &[&str] = &["and", "or", "not", "in", "is", "if", "elif", "else", "where", "AND", "OR", "NOT", "IN", "IS", "WHERE"];

impl Lexer<'_> {
    /// True if a bracket is open and the current line, indented no more than the line with the bracket, resembles a declaration:
    /// then the closing bracket is missing.
    pub(super) fn bracket_was_forgotten(&self, indent: usize) -> bool {
        let line = self.rest().split(['\n', '\r']).next().unwrap_or_default();
        let text = line.trim_start_matches([' ', '\t']);
        if columns(&line[..line.len() - text.len()]) > indent {
            return false;
        }
        // No expression contains an arrow.
        if text.contains("->") {
            return true;
        }
        let in_braces = self.brackets.last().is_some_and(|(open, _)| *open == "{");
        if let Some(row) = text.strip_prefix("- ") {
            return row.starts_with('@') || (!word_of(row).is_empty() && row[word_of(row).len()..].starts_with(':'));
        }
        let word = word_of(text);
        if word.is_empty() || JOINING.contains(&word) {
            return false;
        }
        let after = text[word.len()..].trim_start_matches([' ', '\t']);
        let next = word_of(after);
        (after.starts_with(':') && !in_braces) || after.starts_with(['"', '\'']) || (!next.is_empty() && !JOINING.contains(&next))
    }

    /// Closes the bracket of the sign `mark`. Returns the sign, or the one that it should have been.
    pub(super) fn close(&mut self, mark: &'static str, span: Span, line: &mut RawLine) -> &'static str {
        let Some((open, place)) = self.brackets.last().copied() else { return mark };
        if self.opens_wrongly((open, place), mark, line) {
            self.brackets.pop();
            return mark;
        }
        if let Some(depth) = self.brackets.iter().rposition(|(open, _)| closing(open) == mark) {
            self.close_forgotten(depth + 1, line);
            self.brackets.pop();
            return mark;
        }
        self.brackets.pop();
        self.report(
            Diagnostic::error("unexpected-token", span, format!("`{mark}` does not close `{open}`"))
                .label(place, "open since here")
                .help(format!("write `{}`", closing(open)))
                .replace(span, layout(closing(open))),
        );
        closing(open)
    }

    /// Reports and closes every bracket from `depth` on, so that its content can be parsed.
    pub(super) fn close_forgotten(&mut self, depth: usize, line: &mut RawLine) {
        let forgotten: Vec<(&'static str, Span)> = self.brackets.drain(depth..).collect();
        if self.prose == Prose::Everywhere {
            return;
        }
        for (mark, span) in forgotten.into_iter().rev() {
            let at = end_of_list(line, span);
            let end = line.tokens[..at].last().map_or(span.end, |token| token.span.end);
            self.report(
                Diagnostic::error("unexpected-token", span, format!("`{mark}` is never closed"))
                    .help(format!("add the matching `{}`", closing(mark)))
                    .replace(Span { start: end, end, ..span }, closing(mark)),
            );
            line.tokens.insert(at, Token { kind: TokenKind::Mark(closing(mark)), span: Span { start: end, end, ..span } });
        }
    }

    /// Reports and corrects a bracket that should be of the kind of `mark`, which closes it: `role[clerk)`, `enum(open, done]`.
    fn opens_wrongly(&mut self, (open, place): (&'static str, Span), mark: &'static str, line: &mut RawLine) -> bool {
        let Some(at) = line.tokens.iter().rposition(|token| token.span == place) else { return false };
        let before = at.checked_sub(1).map(|at| &line.tokens[at]).filter(|token| token.span.end == place.start);
        let Some(word) = before.and_then(Token::word).filter(|word| !JOINING.contains(word)) else { return false };
        let right = match (open, mark) {
            ("[", ")") if !LISTS.contains(&word) => "(",
            ("(", "]") if LISTS.contains(&word) => "[",
            _ => return false,
        };
        self.report(
            Diagnostic::error("unexpected-token", place, format!("`{mark}` does not close `{open}`"))
                .help(format!("write `{right}`"))
                .replace(place, layout(right)),
        );
        line.tokens[at].kind = TokenKind::Mark(right);
        true
    }
}

/// Words before a list in square brackets.
const LISTS: &[&str] = &["enum", "list"];

/// Words before a list in brackets whose items are single words, numbers or texts.
const OF_SIMPLE_ITEMS: &[&str] = &["role", "persona", "str", "int", "decimal", "money", "file", "enum", "list"];

/// The position after the last item of the list that a bracket opens, or the end of the line if the items are expressions.
fn end_of_list(line: &RawLine, bracket: Span) -> usize {
    let all = line.tokens.len();
    let Some(open) = line.tokens.iter().rposition(|token| token.span == bracket) else { return all };
    let before = open.checked_sub(1).and_then(|at| line.tokens[at].word());
    if !before.is_some_and(|word| OF_SIMPLE_ITEMS.contains(&word)) {
        return all;
    }
    let item = |at: usize| line.tokens.get(at).is_some_and(|token| !matches!(token.kind, TokenKind::Mark(_)));
    let mut at = open + 1;
    while item(at) {
        at += 1;
        if !line.tokens.get(at).is_some_and(|token| token.is(",")) || !item(at + 1) {
            return at;
        }
        at += 1;
    }
    all
}

fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}
