//! Writes the goals of a persona as a list, also if they were dash lines.

use super::trivia::between;
use crate::{
    Span,
    layout::Line,
    token::{Token, TokenKind},
};

/// Rewrites the goals of every persona. Dash lines with comments between them are kept.
pub(super) fn as_lists(mut lines: Vec<Line>, text: &str) -> Vec<Line> {
    for persona in lines.iter_mut().filter(|line| starts_with(line, "persona")) {
        for goals in persona.children.iter_mut().filter(|line| starts_with(line, "goals") && line.tokens.len() == 2) {
            if let Some(tokens) = as_list(goals, text) {
                *goals = Line { tokens, children: Vec::new() };
            }
        }
    }
    lines
}

fn starts_with(line: &Line, word: &str) -> bool {
    line.tokens.first().and_then(Token::word) == Some(word)
}

/// The line with its block as a list. Brackets and commas replace the text between the items, so that no line ends there.
fn as_list(goals: &Line, text: &str) -> Option<Vec<Token>> {
    let mut tokens = goals.tokens.clone();
    let colon = tokens.last().filter(|token| token.is(":"))?;
    let mut end = colon.span;
    for child in &goals.children {
        let [dash, item] = child.tokens.as_slice() else { return None };
        let plain = matches!(item.kind, TokenKind::Word(_) | TokenKind::Text(_)) && dash.is("-") && child.children.is_empty();
        if !plain || has_comment(text, end, dash.span) || has_comment(text, dash.span, item.span) {
            return None;
        }
        let mark = if tokens.len() == goals.tokens.len() { "[" } else { "," };
        tokens.push(Token { kind: TokenKind::Mark(mark), span: Span { start: end.end, end: item.span.start, ..end } });
        tokens.push(item.clone());
        end = item.span;
    }
    if goals.children.is_empty() {
        return None;
    }
    tokens.push(Token { kind: TokenKind::Mark("]"), span: Span { start: end.end, ..end } });
    Some(tokens)
}

fn has_comment(text: &str, before: Span, after: Span) -> bool {
    let gap = between(text, before.end as usize, after.start as usize, true);
    gap.trailing.is_some() || !gap.own.is_empty()
}
