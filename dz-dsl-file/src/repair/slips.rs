//! A declaration that is spelt unlike everything that refers to it.

use std::collections::HashMap;

use super::corpus::Corpus;
use crate::{Diagnostic, Severity, Suggestion, suggestion::Replacement};

/// Names that two findings or more miss, where all of them would have to be spelt like one declaration: it is likelier
/// that the declaration holds the slip. Each with the first of the findings.
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
        // Another name of a declaration is another name of its table.
        let slip = Replacement::from(name);
        let places = tokens().filter(move |token| corpus.text(token) == declared);
        places.take(PLACES).map(move |token| (at, slip.clone().at(token.span)))
    });
    edits.collect()
}

/// A name that is used more often is no typo.
const PLACES: usize = 3;
