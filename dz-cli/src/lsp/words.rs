//! The meanings of the words of the language, for hover and completion.

use dz_dsl_file::vocabulary::functions;
use dz_knowledge::{Part, entries};
use dz_reference::described_words;

/// The description of a word at a place of the vocabulary, as Markdown.
pub fn describe(place: &str, word: &str) -> Option<String> {
    if place == "construct" {
        return construct(word);
    }
    if place == "function"
        && let Some((_, call, result)) = functions().find(|(name, ..)| *name == word)
    {
        return Some(format!("```dz\n{call}\n```\n\nIts result is {result}.\n"));
    }
    let found = described_words().iter().find(|it| it.place == Some(place) && it.word == word)?;
    Some(format!("{}\n\n```dz\n{}\n```\n", found.says, found.example))
}

/// The description of a word at any place; `None` if it has several meanings.
pub fn describe_anywhere(word: &str) -> Option<String> {
    let mut found = described_words().iter().filter(|it| it.word == word);
    match (found.next(), found.next()) {
        (Some(it), None) => Some(format!("{}\n\n```dz\n{}\n```\n", it.says, it.example)),
        _ => None,
    }
}

/// The description of a construct, from the knowledge about the language.
fn construct(word: &str) -> Option<String> {
    let concept = entries().iter().find(|it| it.part == Part::Concept && it.category == "construct" && it.name == word)?;
    Some(format!("{}\n\n```dz\n{}\n```\n", concept.text, concept.example.trim_end()))
}
