//! Examples: what a page shows, and the whole application that it is part of.

use std::ops::Range;

use dz_dsl_file::{Analysis, NOT_AVAILABLE, SourceMap, analyse, render};

/// Where what is shown is in its frame: alone on a line, or inside one.
const HOLE: &str = "…";

/// An example of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// What the page shows.
    pub shown: String,
    /// The application that it is part of.
    pub text: String,
    /// What is said of it.
    pub claim: Claim,
    /// The word that it shows the use of, when it is for one.
    pub word: Option<&'static str>,
    /// Where what is shown is in the application.
    place: Range<usize>,
}

/// What is said of an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// It raises nothing worse than a lint.
    Sound,
    /// It breaks this rule.
    Breaks(&'static str),
    /// It can be built and does not break this rule, whatever else may be said of it.
    Keeps(&'static str),
}

impl Example {
    /// A sound one, shown as part of `frame`; an empty frame shows all there is.
    pub(super) fn sound(shown: &str, frame: &str) -> Self {
        let (text, place) = fill(frame, shown);
        Example { shown: shown.to_owned(), text, claim: Claim::Sound, word: None, place }
    }

    /// One that breaks a rule, shown whole.
    pub(super) fn wrong(rule: &'static str, text: &str) -> Self {
        Example { claim: Claim::Breaks(rule), ..Example::sound(text, "") }
    }

    /// One that breaks a rule no longer, shown whole.
    pub(super) fn right(rule: &'static str, text: &str) -> Self {
        Example { claim: Claim::Keeps(rule), ..Example::sound(text, "") }
    }

    /// One for a word.
    pub(super) fn about(self, word: &'static str) -> Self {
        Example { word: Some(word), ..self }
    }

    fn analysis(&self) -> Analysis {
        analyse(SourceMap::of_example(&self.text))
    }

    /// True when `word` of what is shown is sound and would have no effect yet.
    pub(super) fn waits_for(&self, word: &str) -> bool {
        let analysis = self.analysis();
        let shown = |at: usize| self.place.contains(&at);
        let mut waiting = analysis.diagnostics.iter().filter(|found| found.rule == NOT_AVAILABLE && shown(found.span.start as usize));
        waiting.any(|found| analysis.files.text(found.span) == word)
    }

    /// What is said about the rule that it breaks, as a terminal shows it.
    pub(super) fn rendered(&self) -> String {
        let analysis = self.analysis();
        let found = analysis.diagnostics.iter().filter(|found| Claim::Breaks(found.rule) == self.claim);
        let shown: Vec<String> = found.map(|found| render::human(&analysis.files, found, render::Colour::Never)).collect();
        shown.join("\n\n")
    }
}

/// `shown` in its place, and which part of the whole that is.
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
