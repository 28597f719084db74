//! Candidates for transpositions: two neighbouring words in the wrong order.

use super::{
    Edit,
    corpus::{Corpus, Place, is_word},
};
use crate::{Span, syntax, vocabulary};

/// The largest number of candidates; in a very long line they are near the finding.
const TRIED: usize = 40;

/// The operators of expressions: their operands are never transposed.
const OPERATORS: &[&str] = &["*", "/", "%", "+", "-", "<", "<=", ">", ">=", "=", "!="];

/// Every transposition of two neighbours in the line, those nearest to the finding first.
pub(super) fn candidates(corpus: &Corpus, place: &Place) -> Vec<Edit> {
    let tokens = &corpus.rows[place.row].tokens;
    let words: Vec<usize> = (0..tokens.len()).filter(|at| is_word(&tokens[*at])).collect();
    let is_operation = |(left, right): &(usize, usize)| tokens[*left..*right].iter().any(|it| OPERATORS.iter().any(|mark| it.is(mark)));
    let turns_key = |pair: &(usize, usize)| pair.0 == 0 && makes_value_a_key(corpus, place, pair.1);
    let pairs = words.windows(2).map(|pair| (pair[0], pair[1]));
    let mut pairs: Vec<(usize, usize)> = pairs.filter(|pair| !is_operation(pair) && !turns_key(pair)).collect();
    pairs.sort_by_key(|(left, right)| left.abs_diff(place.token).min(right.abs_diff(place.token)));
    pairs.truncate(TRIED);
    let swapped = |(left, right): (usize, usize)| {
        let (left, right) = (&tokens[left], &tokens[right]);
        let between = Span { start: left.span.end, end: right.span.start, ..left.span };
        let text = format!("{}{}{}", corpus.text(right), corpus.files.text(between), corpus.text(left));
        (Span { end: right.span.end, ..left.span }, text)
    };
    pairs.into_iter().filter(|(left, right)| corpus.text(&tokens[*left]) != corpus.text(&tokens[*right])).map(swapped).collect()
}

/// True if the line begins with a key of its block, or if its block accepts the value as a key of another tool: the transposition would
/// lose the setting.
fn makes_value_a_key(corpus: &Corpus, place: &Place, value: usize) -> bool {
    let row = &corpus.rows[place.row];
    if !row.tokens.get(1).is_some_and(|it| it.is(":")) {
        return false;
    }
    let (key, value) = (corpus.text(&row.tokens[0]), corpus.text(&row.tokens[value]));
    let block = corpus.parent_word(place.row).unwrap_or_default();
    let construct = corpus.text(&corpus.rows[row.construct].tokens[0]);
    vocabulary::words_of(block).contains(&key) || syntax::takes_anything(construct, value)
}
