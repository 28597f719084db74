//! Examples: the part that a page shows, and the application that contains it.

use std::ops::Range;

use dz_dsl_file::{Analysis, SourceMap, analyse, render};

/// The place of the shown part in its frame: a line of its own, or inside a line.
const HOLE: &str = "…";

/// An example of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The part that the page shows.
    pub shown: String,
    /// The application that contains it.
    pub text: String,
    /// What the tests check.
    pub claim: Claim,
    /// The word whose use it shows, if there is one.
    pub word: Option<&'static str>,
    /// The place of the shown part in the application.
    place: Range<usize>,
}

/// What the tests check of an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// It raises at most lints.
    Sound,
    /// It raises this rule.
    Breaks(&'static str),
    /// It can be built and does not raise this rule; other findings are ignored.
    Keeps(&'static str),
}

impl Example {
    /// A valid example, shown as part of `frame`; with an empty frame it is shown completely.
    pub(super) fn sound(shown: &str, frame: &str) -> Self {
        let (text, place) = fill(frame, shown);
        Example { shown: shown.to_owned(), text, claim: Claim::Sound, word: None, place }
    }

    /// An example that raises a rule, shown completely.
    pub(super) fn wrong(rule: &'static str, text: &str) -> Self {
        Example { claim: Claim::Breaks(rule), ..Example::sound(text, "") }
    }

    /// A corrected example that no longer raises a rule, shown completely.
    pub(super) fn right(rule: &'static str, text: &str) -> Self {
        Example { claim: Claim::Keeps(rule), ..Example::sound(text, "") }
    }

    /// Sets the word whose use it shows.
    pub(super) fn about(self, word: &'static str) -> Self {
        Example { word: Some(word), ..self }
    }

    fn analysis(&self) -> Analysis {
        analyse(SourceMap::of_example(&self.text))
    }

    /// The diagnostics of the rule that it raises, as a terminal shows them.
    pub(super) fn rendered(&self) -> String {
        let analysis = self.analysis();
        let found = analysis.diagnostics.iter().filter(|found| Claim::Breaks(found.rule) == self.claim);
        let shown: Vec<String> = found.map(|found| render::human(&analysis.files, found, render::Colour::Never)).collect();
        shown.join("\n\n")
    }
}

/// Inserts `shown` into its frame; returns the text and the range of the shown part.
fn fill(frame: &str, shown: &str) -> (String, Range<usize>) {
    if frame.is_empty() {
        let text = format!("{}\n", shown.trim_end());
        let place = 0..text.len();
        return (text, place);
    }
    let mut text = String::new();
    let mut place = 0..0;
    for line in frame.lines() {
        let start = text.len();
        if line.trim() == HOLE {
            let indentation = &line[..line.len() - line.trim_start().len()];
            for line in shown.lines() {
                text.push_str(if line.is_empty() { "" } else { indentation });
                text.push_str(line);
                text.push('\n');
            }
        } else {
            text.push_str(&line.replace(HOLE, shown));
            text.push('\n');
        }
        if line.contains(HOLE) {
            place = start..text.len();
        }
    }
    (text, place)
}
