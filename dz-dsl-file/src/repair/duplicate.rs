//! The removal of a line that is twice in one block.

use super::corpus::Corpus;
use crate::{Applicability, Diagnostic, Span, Suggestion};

/// True for a finding that two equal lines can cause.
pub(super) fn is_about_lines(found: &Diagnostic) -> bool {
    found.rule.starts_with("duplicate-") || found.rule == "redundant-condition"
}

/// Adds the removal of the second of two equal lines, neither with lines under it, to the finding about it.
pub(super) fn propose(corpus: &Corpus, found: &mut [Diagnostic]) {
    for it in found.iter_mut().filter(|it| is_about_lines(it) && it.suggestion.is_none()) {
        let Some(row) = corpus.place(it).map(|place| place.row) else { continue };
        let text = |row: usize| corpus.rows[row].tokens.iter().map(|token| corpus.text(token)).collect::<Vec<_>>();
        let leaf = |row: usize| !corpus.rows.iter().any(|other| other.parent == Some(row));
        let twins = |other: &usize| {
            let (one, other) = (&corpus.rows[row], *other);
            other != row && corpus.rows[other].parent == one.parent && corpus.rows[other].file == one.file && text(other) == text(row)
        };
        if !leaf(row) || !(0..corpus.rows.len()).any(|other| twins(&other) && leaf(other)) {
            continue;
        }
        it.help = Some("remove one of the two equal lines".to_owned());
        it.suggestion =
            Some(Suggestion { span: whole_line(corpus, row), text: String::new(), applicability: Applicability::Proposal, tried: true });
    }
}

/// A line with its indentation and its end.
fn whole_line(corpus: &Corpus, row: usize) -> Span {
    let tokens = &corpus.rows[row].tokens;
    let text = &corpus.files.file(corpus.rows[row].file).text;
    let (first, last) = (tokens[0].span, tokens[tokens.len() - 1].span);
    let start = text[..first.start as usize].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let end = text[last.end as usize..].find('\n').map_or(text.len(), |at| last.end as usize + at + 1);
    Span { start: start as u32, end: end as u32, ..first }
}
