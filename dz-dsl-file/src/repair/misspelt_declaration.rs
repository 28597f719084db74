//! Candidates for a declaration whose spelling differs from all its uses.

use std::collections::HashMap;

use super::corpus::Corpus;
use crate::{Diagnostic, Severity, Suggestion, names, suggestion::Replacement};

/// The candidates: if several findings report a name that is similar to one declaration, the declaration is probably misspelt. Each
/// is paired with the first of these findings.
pub(super) fn candidates(corpus: &Corpus, found: &[Diagnostic]) -> Vec<(usize, Suggestion)> {
    let mut missed: HashMap<(&str, &str), (usize, usize)> = HashMap::new();
    for (at, it) in found.iter().enumerate().filter(|(_, it)| it.severity == Severity::Error) {
        let Some(Suggestion { span, text, .. }) = &it.suggestion else { continue };
        missed.entry((corpus.files.text(*span), text)).or_insert((at, 0)).1 += 1;
    }
    let mut often: Vec<_> = missed.into_iter().filter(|(_, (_, times))| *times > 1).collect();
    often.sort_by_key(|(_, (at, times))| (std::cmp::Reverse(*times), *at));
    let tokens = || corpus.rows.iter().flat_map(|row| &row.tokens);
    let edits = often.into_iter().filter(|((name, _), _)| !name.is_empty()).flat_map(|((name, declared), (at, _))| {
        // The edit is a proposal, because the name of an entity is also that of its table.
        // The name of an entity in upper camel case is also a field in snake case: the reference to a tenant.
        let spelt = move |text: &str| match text == declared {
            true => Some(name.to_owned()),
            false => (text.starts_with(char::is_uppercase) && names::snake(text) == declared).then(|| names::camel(name)),
        };
        let places = tokens().filter_map(move |token| Some((token.span, spelt(corpus.text(token))?)));
        places.take(PLACES).map(move |(span, slip)| (at, Replacement::from(slip).at(span)))
    });
    edits.collect()
}

/// A name with more uses is not misspelt.
const PLACES: usize = 3;
