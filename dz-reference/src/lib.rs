//! The language reference: the Markdown of `docs/language`, generated from the tables that the rules read.
//!
//! It is a crate of its own, because no application needs it; `dz mcp` serves its pages. `UPDATE_EXPECT=1 cargo test -p dz-reference` writes the pages.

mod app;
mod archetype;
mod demo;
mod dialects;
mod entities;
mod enumeration;
mod example;
mod experience;
mod expressions;
mod frames;
mod index;
mod llm;
mod page;
mod persona;
mod process;
mod readings;
mod rules;
mod scenario;
mod schedule;
mod service;
mod story;
mod surface;
mod types;
mod workspace;

use std::sync::LazyLock;

use dz_dsl_file::vocabulary::{vocabularies, words_of};
pub use example::{Claim, Example};
use page::{Page, Piece};

/// Every page: the name of its file, and its Markdown.
pub fn reference() -> Vec<(String, String)> {
    PAGES.iter().map(|page| (page.file.to_owned(), page.markdown())).collect()
}

/// Every example, with the file of the page that shows it.
pub fn examples() -> Vec<(String, Example)> {
    PAGES.iter().flat_map(|page| page.examples().into_iter().map(|example| (page.file.to_owned(), example))).collect()
}

/// A word of the language with its description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DescribedWord {
    /// Its place in the vocabulary; `None` for words that are in no list.
    pub place: Option<&'static str>,
    /// The word.
    pub word: &'static str,
    /// One or more sentences.
    pub says: &'static str,
    /// An example with the word in it.
    pub example: &'static str,
}

/// Every described word, in the order of the pages; editors show them.
pub fn described_words() -> &'static [DescribedWord] {
    static WORDS: LazyLock<Vec<DescribedWord>> = LazyLock::new(|| {
        let pages = written_pages();
        let groups =
            pages.iter().flat_map(|page| &page.pieces).filter_map(|piece| if let Piece::Words(it) = piece { Some(it) } else { None });
        let described = groups.flat_map(|group| {
            let place = group.place;
            let word = move |it: &'static page::Entry| DescribedWord { place, word: it.word, says: it.says, example: it.example };
            group.known_entries().into_iter().map(word)
        });
        described.collect()
    });
    &WORDS
}

/// The files of the pages that describe a word of the language: that of a construct, or those with an entry for it.
pub fn pages_of(word: &str) -> Vec<&'static str> {
    let pages = written_pages();
    let has_entry = |page: &page::Page| {
        let groups = page.pieces.iter().filter_map(|piece| if let Piece::Words(it) = piece { Some(it) } else { None });
        groups.flat_map(|group| group.known_entries()).any(|entry| entry.word == word)
    };
    match pages.iter().find(|page| page.constructs.contains(&word)) {
        Some(own) => vec![own.file],
        None => pages.iter().filter(|page| has_entry(page)).map(|page| page.file).collect(),
    }
}

/// Differences between the reference and the language, one sentence each: words without an entry, and entries without a word.
pub fn gaps() -> Vec<String> {
    let pages = PAGES.as_slice();
    let mut gaps = types::gaps();
    gaps.extend(construct_gaps(pages));
    let listed = |place: &str| pages.iter().flat_map(|page| &page.pieces).any(|piece| matches!(piece, Piece::Listed(it) if *it == place));
    let words =
        || pages.iter().flat_map(|page| &page.pieces).filter_map(|piece| if let Piece::Words(words) = piece { Some(words) } else { None });
    for vocabulary in vocabularies().into_iter().filter(|it| it.place != CONSTRUCT && !listed(it.place)) {
        let here: Vec<&page::Words> = words().filter(|words| words.place == Some(vocabulary.place)).collect();
        let has_entry = |word: &str| here.iter().flat_map(|words| words.entries).any(|entry| entry.word == word);
        gaps.extend(
            vocabulary
                .words
                .iter()
                .filter(|word| !has_entry(word))
                .map(|word| format!("no page describes the {} `{word}`", vocabulary.place)),
        );
        let unknown = here.iter().flat_map(|words| words.entries).filter(|entry| !vocabulary.words.contains(&entry.word));
        gaps.extend(unknown.map(|entry| format!("`{}` has an entry, but no {} has this name", entry.word, vocabulary.place)));
    }
    gaps
}

/// The place of keywords of constructs; each construct has a page.
const CONSTRUCT: &str = "construct";

fn construct_gaps(pages: &[Page]) -> Vec<String> {
    let described: Vec<&str> = pages.iter().flat_map(|page| page.constructs).copied().collect();
    let known = words_of(CONSTRUCT);
    let missing = known.iter().filter(|word| !described.contains(word)).map(|word| format!("no page describes the construct `{word}`"));
    let unknown = described.iter().filter(|word| !known.contains(word)).map(|word| format!("`{word}` has a page, but is not a construct"));
    missing.chain(unknown).collect()
}

/// Every page. They take a second, because some facts about the language are found by analysis of examples.
static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let mut pages = written_pages();
    pages.insert(0, index::page(&pages));
    pages
});

/// Every page but the index.
fn written_pages() -> Vec<Page> {
    vec![
        expressions::page(),
        types::page(),
        entities::page(),
        app::page(),
        persona::page(),
        enumeration::page(),
        archetype::page(),
        surface::page(),
        workspace::page(),
        story::page(),
        experience::page(),
        scenario::page(),
        service::page(),
        process::page(),
        schedule::page(),
        llm::page(),
        demo::page(),
        readings::page(),
        dialects::page(),
        rules::page(),
    ]
}
