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
            let end = line.tokens.last().map_or(span.end, |token| token.span.end);
            self.report(
                Diagnostic::error("unexpected-token", span, format!("`{mark}` is never closed"))
                    .help(format!("add the matching `{}`", closing(mark)))
                    .replace(Span { start: end, end, ..span }, closing(mark)),
            );
            line.tokens.push(Token { kind: TokenKind::Mark(closing(mark)), span: Span { start: end, end, ..span } });
        }
    }
}

fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}
