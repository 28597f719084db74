//! Diagnostics as data: which rule, how bad, where, why, and what to write instead.

use std::collections::HashSet;

use crate::Span;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The application cannot be built.
    Error,
    /// It can be built; a person should look.
    Warning,
    /// A suggestion: `dz lint` shows it, a build does not.
    Lint,
}

impl Severity {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Lint => "lint",
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Kebab-case name of the rule.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong: lower case, DSL words in backticks, no full stop.
    pub message: String,
    /// The smallest text responsible.
    pub span: Span,
    /// Other places that explain it.
    pub labels: Vec<(Span, String)>,
    /// What to write.
    pub help: Option<String>,
    /// Text to put in place of a span, where a mechanical repair exists.
    pub replacement: Option<(Span, String)>,
    /// Text to put in place of a span that makes a valid text, and is one of several that do: only
    /// [`propose`](crate::propose) looks for one, and a person should look at it.
    pub proposal: Option<(Span, String)>,
}

impl Diagnostic {
    /// An error.
    pub fn error(rule: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(rule, Severity::Error, span, message)
    }

    /// A warning.
    pub fn warning(rule: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(rule, Severity::Warning, span, message)
    }

    /// A lint.
    pub fn lint(rule: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(rule, Severity::Lint, span, message)
    }

    fn new(rule: &'static str, severity: Severity, span: Span, message: impl Into<String>) -> Self {
        let message = one_line(message.into());
        debug_assert!(!message.ends_with('.'), "messages have no full stop: {message}");
        debug_assert!(!message.starts_with(char::is_uppercase), "messages start in lower case: {message}");
        Diagnostic { rule, severity, message, span, labels: Vec::new(), help: None, replacement: None, proposal: None }
    }

    /// Adds what to write.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds what to write, when there is something to say.
    pub fn help_if(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Adds what to write instead of an unknown name: the nearest known one, else those there are.
    pub fn suggest<'a>(self, span: Span, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let mut seen = HashSet::new();
        let known: Vec<&str> = known.into_iter().filter(|it| seen.insert(*it)).collect();
        match nearest(name, known.iter().copied()) {
            Some(near) => self.help(format!("did you mean `{near}`?")).replace(span, near),
            None if known.is_empty() => self,
            None => self.help(format!("known ones are {}", some_of(&known))),
        }
    }

    /// Adds another way out, where no repair is at hand.
    pub fn or_else_help(self, other: &str) -> Self {
        match (&self.replacement, &self.help) {
            (Some(_), _) => self,
            (None, Some(help)) => {
                let help = format!("{help}; or {other}");
                self.help(help)
            }
            (None, None) => self.help(other),
        }
    }

    /// Adds the nearest known name, when there is one.
    pub fn suggest_near<'a>(self, span: Span, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        match nearest(name, known) {
            Some(near) => self.help(format!("did you mean `{near}`?")).replace(span, near),
            None => self,
        }
    }

    /// Adds a place that explains it.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds a mechanical repair.
    pub fn replace(mut self, span: Span, text: impl Into<String>) -> Self {
        self.replacement = Some((span, text.into()));
        self
    }
}

/// A message quotes what people wrote: control characters are shown as escapes, and nobody reads beyond the limit.
fn one_line(message: String) -> String {
    const LIMIT: usize = 400;
    if message.len() <= LIMIT && !message.contains(char::is_control) {
        return message;
    }
    let mut line = String::new();
    for c in message.chars().take(LIMIT) {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    if message.chars().nth(LIMIT).is_some() {
        line.push('…');
    }
    line
}

/// What reading learns of a text besides findings. Only those who rewrite texts ask for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    /// The expressions, outermost only.
    pub expressions: Vec<Span>,
    /// Words and signs that are another spelling, each with the first one.
    pub synonyms: Vec<(Span, &'static str)>,
}

/// Collects findings; every stage goes on after one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    notes: Option<Notes>,
}

impl Diagnostics {
    /// A collection that keeps notes too.
    #[cfg(feature = "tools")]
    pub(crate) fn with_notes() -> Self {
        Diagnostics { list: Vec::new(), notes: Some(Notes::default()) }
    }

    /// A new collection, which keeps notes when this one does.
    pub(crate) fn fresh(&self) -> Self {
        Diagnostics { list: Vec::new(), notes: self.notes.as_ref().map(|_| Notes::default()) }
    }

    /// Notes where an expression stands.
    pub(crate) fn note_expression(&mut self, span: Span) {
        if let Some(notes) = &mut self.notes {
            notes.expressions.push(span);
        }
    }

    /// Notes that what stands here is another spelling of `first`.
    pub(crate) fn note_synonym(&mut self, span: Span, first: &'static str) {
        if let Some(notes) = &mut self.notes {
            notes.synonyms.push((span, first));
        }
    }

    /// The notes.
    #[cfg(feature = "tools")]
    pub(crate) fn into_notes(self) -> Notes {
        self.notes.unwrap_or_default()
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// True when one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|it| it.severity == Severity::Error)
    }

    /// All of them, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Keeps only those that `keep` wants.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    /// Adds all of another collection.
    pub fn extend(&mut self, other: Diagnostics) {
        self.list.extend(other.list);
        if let (Some(notes), Some(others)) = (&mut self.notes, other.notes) {
            notes.expressions.extend(others.expressions);
            notes.synonyms.extend(others.synonyms);
        }
    }

    /// Sorted by place, each once.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by(|a, b| {
            (a.span.file, a.span.start, a.span.end, a.severity, a.rule)
                .cmp(&(b.span.file, b.span.start, b.span.end, b.severity, b.rule))
                .then_with(|| a.message.cmp(&b.message))
        });
        self.list.dedup();
        self.list
    }
}

/// A rule: what `dz explain` shows, and what its tests run.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Kebab-case name.
    pub name: &'static str,
    /// How bad a hit is.
    pub severity: Severity,
    /// One sentence.
    pub summary: &'static str,
    /// A text that raises it.
    pub wrong: &'static str,
    /// The same text put right: raises nothing.
    pub right: &'static str,
}

/// Names for a message: the first few, and how many more there are.
pub fn some_of(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let mut quoted: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN {
        quoted.push(format!("and {} more", names.len() - SHOWN));
    }
    quoted.join(", ")
}

/// The candidate nearest to `name`, when one is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 80;
    if name.len() > LONGEST {
        return None;
    }
    let (name_letters, name_length) = (Letters::of(name), name.chars().count());
    let lower = name.to_lowercase();
    candidates
        .into_iter()
        .filter_map(|it| {
            let letters = Letters::of(it);
            // A single letter beside another single letter says nothing.
            let longer = name_length.max(it.chars().count());
            let limit = if longer < 2 { 0 } else { 1.max(longer / 3) };
            // Most words are far apart, which is seen without comparing them letter by letter.
            if name_letters.least_distance(&letters) > limit {
                return None;
            }
            let distance = strsim::damerau_levenshtein(&lower, &it.to_lowercase());
            (distance <= limit).then_some((distance, it))
        })
        // A slip of the pen leaves the first letter where it is, most of the time.
        .min_by_key(|(distance, it)| (*distance, it.chars().next() != name.chars().next(), it.len(), *it))
        .map(|(_, it)| it)
}

/// How many letters a word has in lower case, and which, as bits; several letters may share one.
#[derive(Default)]
struct Letters {
    count: usize,
    set: u64,
}

impl Letters {
    fn of(word: &str) -> Letters {
        let mut it = Letters::default();
        let mut add = |c: char| {
            it.count += 1;
            it.set |= 1 << (u32::from(c) % 64);
        };
        match word.is_ascii() {
            true => word.chars().for_each(|c| add(c.to_ascii_lowercase())),
            false => word.to_lowercase().chars().for_each(add),
        }
        it
    }

    /// No fewer edits make one word of the other: each changes the length by one, and takes away or brings one letter.
    fn least_distance(&self, other: &Letters) -> usize {
        let lengths = self.count.abs_diff(other.count);
        let letters = (self.set & !other.set).count_ones().max((other.set & !self.set).count_ones());
        lengths.max(letters as usize)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Letters, nearest};

    proptest! {
        /// What is skipped unseen would not have been near.
        #[test]
        fn the_least_distance_is_no_more_than_the_distance(one in "[a-eA-Eéß_İΣ]{0,12}", other in "[a-eA-Eéß_İΣ]{0,12}") {
            let least = Letters::of(&one).least_distance(&Letters::of(&other));
            let distance = strsim::damerau_levenshtein(&one.to_lowercase(), &other.to_lowercase());
            prop_assert!(least <= distance, "{least} > {distance}");
        }
    }

    #[test]
    fn the_nearest_is_found() {
        assert_eq!(nearest("requird", ["optional", "required", "unique"]), Some("required"));
        assert_eq!(nearest("Requierd", ["required"]), Some("required"));
        assert_eq!(nearest("a", ["b"]), None);
        assert_eq!(nearest("naem", ["name", "mean"]), Some("name"));
        assert_eq!(nearest("zone", ["status", "kept_for"]), None);
    }
}
