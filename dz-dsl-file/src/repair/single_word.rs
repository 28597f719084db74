//! Candidates for insertions, replacements and deletions: a missing word, a wrong word, a comma without an item.

use std::collections::HashSet;

use super::{
    Edit,
    corpus::{Corpus, Place},
    insertion::insert_word,
    words::{around, named, words_for},
};
use crate::{Diagnostic, Span, diagnostic::near_word, token::TokenKind};

/// The largest number of edits that are examined for one finding.
const TRIED: usize = 96;

/// The candidates for a finding, the most likely first.
pub(super) fn candidates(corpus: &Corpus, place: &Place, finding: &Diagnostic) -> Vec<Edit> {
    let named = named(corpus, finding);
    let mut all: Vec<(i32, Edit)> = Vec::new();
    commas(corpus, place, &mut all);
    empty_blocks(corpus, place, &mut all);
    let tokens = &corpus.rows[place.row].tokens;
    // The position before the reported word, those beside it, and the end of the line.
    let near = [0, -1, 1, -2, 2].map(|step: isize| place.token.saturating_add_signed(step));
    let mut gaps: Vec<usize> = near.into_iter().chain([tokens.len()]).filter(|gap| *gap <= tokens.len()).collect();
    let mut seen = HashSet::new();
    gaps.retain(|gap| seen.insert(*gap));
    for (far, gap) in gaps.into_iter().enumerate() {
        let around = around(tokens, gap, gap);
        for (score, text) in words_for(corpus, place, around, &named) {
            all.push((score - 2 * far as i32, insert_word(corpus, place, gap, &text)));
        }
    }
    let inside = |at: &usize| tokens[*at].span.start < finding.span.end.max(finding.span.start + 1);
    for (far, at) in (place.token..tokens.len()).take_while(inside).enumerate().take(4) {
        // A literal is a value, of which only the author knows another one.
        if !matches!(tokens[at].kind, TokenKind::Word(_)) {
            continue;
        }
        let old = corpus.text(&tokens[at]);
        // Another word is proposed only as another spelling: a word that is not similar has another meaning.
        let is_spelling = |text: &str| text != old && near_word(old, [text]).is_some();
        let words = words_for(corpus, place, around(tokens, at, at + 1), &named);
        let spellings = words.into_iter().filter(|(_, text)| is_spelling(text));
        all.extend(spellings.map(|(score, text)| (score - 1 - far as i32, (tokens[at].span, text))));
    }
    all.sort_by_key(|(score, _)| -score);
    let mut seen = HashSet::new();
    all.into_iter().map(|(_, edit)| edit).filter(|edit| seen.insert(edit.clone())).take(TRIED).collect()
}

/// Deletions of commas without an item.
fn commas(corpus: &Corpus, place: &Place, all: &mut Vec<(i32, Edit)>) {
    let tokens = &corpus.rows[place.row].tokens;
    for at in place.token.saturating_sub(1)..(place.token + 2).min(tokens.len()) {
        if tokens[at].is(",") {
            let end = tokens.get(at + 1).map_or(tokens[at].span.end, |next| next.span.start);
            let last = tokens.get(at + 1).is_none();
            let start = if last { tokens[at.saturating_sub(1)].span.end } else { tokens[at].span.start };
            // Two words stay two words.
            let blank = if last || at == 0 { "" } else { " " };
            all.push((13, (Span { start, end, ..tokens[at].span }, blank.to_owned())));
        }
    }
}

/// Edits for a header without a block: the first lines of a block of its kind, no colon, or no header.
fn empty_blocks(corpus: &Corpus, place: &Place, all: &mut Vec<(i32, Edit)>) {
    let row = &corpus.rows[place.row];
    let empty = !corpus.rows.iter().any(|it| it.parent == Some(place.row));
    let (Some(last), true) = (row.tokens.last(), empty) else { return };
    let source = &corpus.files.file(row.file).text;
    let start = source[..row.tokens[0].span.start as usize].rfind('\n').map_or(0, |at| at as u32 + 1);
    let end = source[last.span.end as usize..].find('\n').map_or(source.len() as u32, |at| last.span.end + at as u32 + 1);
    if last.is(":") {
        all.push((12, (last.span, String::new())));
        // A header with a name is the work of the author.
        if row.tokens.len() == 2 {
            all.push((10, (Span { start, end, ..last.span }, String::new())));
        }
    }
}
