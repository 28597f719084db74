//! Examples: what a page shows, and the whole application that it is part of.

use crate::{Analysis, NOT_AVAILABLE, SourceMap, analyse, render};

/// Where what is shown stands in its frame: alone on a line, or inside one.
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
        Example { shown: shown.to_owned(), text: fill(frame, shown), claim: Claim::Sound, word: None }
    }

    /// One that breaks a rule, shown whole.
    pub(super) fn wrong(rule: &'static str, text: &str) -> Self {
        Example { shown: text.to_owned(), text: text.to_owned(), claim: Claim::Breaks(rule), word: None }
    }

    /// One that breaks a rule no longer, shown whole.
    pub(super) fn right(rule: &'static str, text: &str) -> Self {
        Example { shown: text.to_owned(), text: text.to_owned(), claim: Claim::Keeps(rule), word: None }
    }

    fn analysis(&self) -> Analysis {
        analyse(SourceMap::of_example(&self.text))
    }

    /// True when `word` of this example is sound and would have no effect yet.
    pub(super) fn waits_for(&self, word: &str) -> bool {
        let analysis = self.analysis();
        let says = |span: crate::Span| analysis.files.file(span.file).text.get(span.start as usize..span.end as usize) == Some(word);
        analysis.diagnostics.iter().any(|found| found.rule == NOT_AVAILABLE && says(found.span))
    }

    /// What is said about the rule that it breaks, as a terminal shows it.
    pub(super) fn rendered(&self) -> String {
        let analysis = self.analysis();
        let found = analysis.diagnostics.iter().filter(|found| Claim::Breaks(found.rule) == self.claim);
        let shown: Vec<String> = found.map(|found| render::human(&analysis.files, found, render::Colour::Never)).collect();
        shown.join("\n\n")
    }
}

/// `shown` in its place.
fn fill(frame: &str, shown: &str) -> String {
    if frame.is_empty() {
        return format!("{}\n", shown.trim_end());
    }
    let mut text = String::new();
    for line in frame.lines() {
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
    }
    text
}
