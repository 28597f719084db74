//! Words that occur in similar places.

use std::collections::{HashMap, HashSet};

use super::corpus::{Corpus, Place};
use crate::{
    Diagnostic,
    token::{Token, TokenKind},
    vocabulary,
};

/// The context of a place: two tokens before and two after; `None` is the beginning or the end of the line.
pub(super) type Around<'t> = [Option<&'t Token>; 4];

/// The words that a finding itself names: the available keys, the values of the enum.
pub(super) fn named(corpus: &Corpus, finding: &Diagnostic) -> Vec<String> {
    let quoted = |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let mut words: Vec<String> = finding.help.as_deref().map(quoted).unwrap_or_default();
    for place in quoted(&finding.message) {
        words.extend(vocabulary::words_of(&place).into_iter().map(str::to_owned));
    }
    let expected = finding.message.strip_prefix("expected ").and_then(|it| it.split(", but ").next()).unwrap_or_default();
    let kind = expected.strip_prefix("a ").or_else(|| expected.strip_prefix("an ")).unwrap_or(expected);
    for kind in [kind, kind.rsplit(' ').next().unwrap_or_default()] {
        words.extend(vocabulary::words_of(kind).into_iter().map(str::to_owned));
        words.extend(corpus.declared(kind).into_iter().map(str::to_owned));
    }
    if kind == "type" {
        words.extend(corpus.declared("enum").into_iter().map(str::to_owned));
    }
    words.retain(|word| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_'));
    words
}

pub(super) fn around(tokens: &[Token], from: usize, to: usize) -> Around<'_> {
    let before = |back: usize| from.checked_sub(back).and_then(|at| tokens.get(at));
    [before(2), before(1), tokens.get(to), tokens.get(to + 1)]
}

/// The similarity of two neighbouring tokens.
fn alike(corpus: &Corpus, one: Option<&Token>, other: Option<&Token>) -> i32 {
    match (one, other) {
        (None, None) => 6,
        (Some(one), Some(other)) if corpus.text(one) == corpus.text(other) => 6,
        (Some(one), Some(other)) => match (&one.kind, &other.kind) {
            (TokenKind::Mark(_), _) | (_, TokenKind::Mark(_)) => 0,
            (TokenKind::Word(_), TokenKind::Word(_)) => 1,
            (one, other) => 3 * i32::from(std::mem::discriminant(one) == std::mem::discriminant(other)),
        },
        _ => 0,
    }
}

/// The words for a place, each with its score: words with similar neighbours elsewhere, words of the finding, the fields of the
/// entity, and names without a declaration.
pub(super) fn words_for(corpus: &Corpus, place: &Place, around: Around, named: &[String]) -> Vec<(i32, String)> {
    let here = &corpus.rows[place.row];
    let [before2, before, behind, behind2] = around;
    let mut best: HashMap<&str, i32> = HashMap::new();
    let mut offer = |text, score: i32| {
        let known = best.entry(text).or_insert(score);
        *known = (*known).max(score);
    };
    for (at, row) in corpus.rows.iter().enumerate() {
        let first = corpus.text(&row.tokens[0]) == corpus.text(&here.tokens[0]);
        let block = corpus.parent_word(at) == corpus.parent_word(place.row);
        let own = row.construct == here.construct;
        let line = 2 * i32::from(first) + 2 * i32::from(block) + i32::from(own);
        for (at, token) in row.tokens.iter().enumerate() {
            let [l2, l1, r1, r2] = self::around(&row.tokens, at, at + 1);
            let near = alike(corpus, l1, before) + alike(corpus, r1, behind);
            if near >= 6 && !matches!(token.kind, TokenKind::Raw(_)) {
                let far = (alike(corpus, l2, before2) + alike(corpus, r2, behind2)) / 3;
                offer(corpus.text(token), near + far + line);
            }
        }
    }
    for name in named {
        offer(name, 14);
    }
    let asked = before.is_some_and(|it| it.is("(")) && before2.is_some_and(|it| matches!(corpus.text(it), "role" | "persona"));
    for name in corpus.declared("persona").into_iter().filter(|_| asked) {
        offer(name, 16);
    }
    for name in &corpus.unknown {
        offer(name, 16);
    }
    let begins = before.is_none() && behind.is_some_and(|it| it.is(":"));
    if begins {
        undeclared(corpus).into_iter().for_each(|(name, score)| offer(name, score));
    } else if let Some(subject) = corpus.subject(place.row) {
        corpus.fields_of(subject).into_iter().for_each(|name| offer(name, 13));
    }
    let mut words: Vec<(i32, String)> = best.into_iter().map(|(text, score)| (score, text.to_owned())).collect();
    // The order of words with the same score must be the same in every run.
    words.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    words
}

/// Words inside of lines that no line declares: names whose declaration is misspelt are among them, especially those that pages
/// show.
fn undeclared<'a>(corpus: &Corpus<'a>) -> HashMap<&'a str, i32> {
    let language: HashSet<&str> = vocabulary::vocabularies().into_iter().flat_map(|it| it.words).collect();
    let mut known = HashSet::new();
    for row in &corpus.rows {
        known.extend(row.tokens.first().filter(|_| row.tokens.get(1).is_none_or(|it| it.is(":"))).map(|it| corpus.text(it)));
        known.extend(row.tokens.get(1).filter(|_| row.parent.is_none()).map(|it| corpus.text(it)));
    }
    let mut scores = HashMap::new();
    for row in &corpus.rows {
        for pair in row.tokens.windows(2).filter(|pair| pair[1].word().is_some_and(|word| !known.contains(word))) {
            let shown = matches!(corpus.text(&pair[0]), "field" | "via" | "," | ".");
            let text = corpus.text(&pair[1]);
            let score = scores.entry(text).or_insert(if language.contains(text) { 6 } else { 12 });
            *score = (*score + if shown { 2 } else { 1 }).min(20);
        }
    }
    scores
}
