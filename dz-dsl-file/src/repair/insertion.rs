//! Insertion of a word between two tokens, with spaces.

use super::{
    Edit,
    corpus::{Corpus, Place},
};
use crate::Span;

/// The edit that inserts a word.
pub(super) fn insert_word(corpus: &Corpus, place: &Place, gap: usize, text: &str) -> Edit {
    let row = &corpus.rows[place.row];
    let tokens = &row.tokens;
    let source = &corpus.files.file(row.file).text;
    let at = match (tokens.get(gap), gap.checked_sub(1).and_then(|before| tokens.get(before))) {
        (Some(next), _) => next.span.start,
        (None, Some(last)) => last.span.end,
        (None, None) => tokens[0].span.start,
    };
    let at = gap.checked_sub(1).filter(|_| text == ",").map_or(at, |before| tokens[before].span.end);
    let before = source[..at as usize].chars().next_back();
    let behind = source[at as usize..].chars().next();
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '"');
    let close = |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '.' | '@');
    let lead = if before.is_none_or(close) || text.starts_with([':', ',', ')', ']', '(']) { "" } else { " " };
    let sign = |c: char| word(c) || matches!(c, '=' | '<' | '>' | '!' | '-' | '+' | '@' | '[');
    let tail = if behind.is_some_and(sign) && !text.ends_with(['(', '[', '.', '@']) { " " } else { "" };
    (Span { file: row.file, start: at, end: at }, format!("{lead}{text}{tail}"))
}
