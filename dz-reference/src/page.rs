//! Pages: their parts, and their Markdown.

use super::example::{Claim, Example};
use dz_dsl_file::vocabulary;

/// A page.
pub(super) struct Page {
    /// The name of its file.
    pub file: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// Its subject, for the index.
    pub summary: &'static str,
    /// The constructs that it describes.
    pub constructs: &'static [&'static str],
    /// Its parts.
    pub pieces: Vec<Piece>,
}

/// A part of a page.
pub(super) enum Piece {
    /// Markdown.
    Text(String),
    /// An example.
    Example(Example),
    /// Words with a sentence and an example each.
    Words(Words),
    /// The words of a place, as a list.
    Listed(&'static str),
}

/// The description of a word.
pub(super) struct Entry {
    /// The word.
    pub word: &'static str,
    /// One or more sentences.
    pub says: &'static str,
    /// An example with the word in it.
    pub example: &'static str,
    /// The frame of the example, if it differs from that of the other entries.
    pub frame: Option<&'static str>,
}

/// Describes a word.
pub(super) const fn entry(word: &'static str, says: &'static str, example: &'static str) -> Entry {
    Entry { word, says, example, frame: None }
}

/// Describes a word whose example has a frame of its own.
pub(super) const fn entry_in(frame: &'static str, word: &'static str, says: &'static str, example: &'static str) -> Entry {
    Entry { word, says, example, frame: Some(frame) }
}

/// The words of a place.
pub(super) struct Words {
    /// Their place in the vocabulary; `None` for words that are in no list.
    pub place: Option<&'static str>,
    /// The kind of words: the head of the table.
    pub what: &'static str,
    /// The descriptions.
    pub entries: &'static [Entry],
    /// The frame of the examples.
    pub frame: &'static str,
}

/// Words of a place of the vocabulary.
pub(super) fn words(place: &'static str, what: &'static str, frame: &'static str, entries: &'static [Entry]) -> Piece {
    Piece::Words(Words { place: Some(place), what, entries, frame })
}

/// Words that are in no list of the vocabulary.
pub(super) fn further(what: &'static str, frame: &'static str, entries: &'static [Entry]) -> Piece {
    Piece::Words(Words { place: None, what, entries, frame })
}

/// Markdown.
pub(super) fn text(markdown: impl Into<String>) -> Piece {
    Piece::Text(markdown.into())
}

/// A valid example.
pub(super) fn sound(frame: &str, shown: &str) -> Piece {
    Piece::Example(Example::sound(shown, frame))
}

/// An example that violates a rule.
pub(super) fn wrong(rule: &'static str, shown: &str) -> Piece {
    Piece::Example(Example::wrong(rule, shown))
}

/// An example that does not violate a rule.
pub(super) fn right(rule: &'static str, shown: &str) -> Piece {
    Piece::Example(Example::right(rule, shown))
}

impl Words {
    /// The descriptions of words that a text can contain, in the order of the vocabulary.
    pub fn known_entries(&self) -> Vec<&'static Entry> {
        match self.place {
            None => self.entries.iter().collect(),
            Some(place) => {
                vocabulary::words_of(place).into_iter().filter_map(|word| self.entries.iter().find(|entry| entry.word == word)).collect()
            }
        }
    }

    /// The example of an entry.
    pub fn example(&self, entry: &Entry) -> Example {
        Example::sound(entry.example, entry.frame.unwrap_or(self.frame)).about(entry.word)
    }

    fn markdown(&self, level: usize) -> String {
        let (long, short): (Vec<&Entry>, Vec<&Entry>) = self.known_entries().into_iter().partition(|entry| entry.example.contains('\n'));
        let mut written = String::new();
        if !short.is_empty() {
            written.push_str(&format!("| {} | Meaning | Example |\n|---|---|---|\n", self.what));
        }
        for entry in short {
            let (says, example) = (entry.says.replace('|', "\\|"), entry.example.replace('|', "\\|"));
            written.push_str(&format!("| `{}` | {says} | `{example}` |\n", entry.word));
        }
        for entry in long {
            let gap = if written.is_empty() { "" } else { "\n" };
            written.push_str(&format!(
                "{gap}{} `{}`\n\n{}\n\n{}",
                "#".repeat(level),
                entry.word,
                entry.says,
                code_block("dz", entry.example)
            ));
        }
        written
    }
}

impl Page {
    /// The whole page.
    pub fn markdown(&self) -> String {
        let mut written = format!("{NOTE}\n# {}\n", self.title);
        let mut level = 1;
        for piece in &self.pieces {
            written.push('\n');
            match piece {
                Piece::Text(markdown) => {
                    level = heading_level(markdown).unwrap_or(level);
                    written.push_str(markdown.trim());
                    written.push('\n');
                }
                Piece::Example(example) => {
                    written.push_str(&code_block("dz", &example.shown));
                    if matches!(example.claim, Claim::Breaks(_)) {
                        written.push_str(&format!("\n{}", code_block("text", &example.rendered())));
                    }
                }
                Piece::Words(words) => written.push_str(&words.markdown(level + 1)),
                Piece::Listed(place) => written.push_str(&format!("{}.\n", list(&vocabulary::words_of(place)))),
            }
        }
        written
    }

    /// Every example on it.
    pub fn examples(&self) -> Vec<Example> {
        let mut examples = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(_) | Piece::Listed(_) => {}
                Piece::Example(example) => examples.push(example.clone()),
                Piece::Words(words) => examples.extend(words.known_entries().into_iter().map(|entry| words.example(entry))),
            }
        }
        examples
    }
}

const NOTE: &str = "<!-- Generated by `UPDATE_EXPECT=1 cargo test -p dz-reference`; see CONTRIBUTING.md. -->\n";

/// The level of the last heading.
fn heading_level(markdown: &str) -> Option<usize> {
    let mut headings = markdown.lines().filter(|line| line.starts_with('#'));
    headings.next_back().map(|line| line.len() - line.trim_start_matches('#').len())
}

/// Words as code, separated by commas.
pub(super) fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

/// A block of code.
fn code_block(language: &str, code: &str) -> String {
    format!("```{language}\n{}\n```\n", code.trim_end())
}
