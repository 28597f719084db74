//! Diagnostics as data: which rule, how bad, where, why, and what to write instead.

use std::collections::HashSet;

pub use crate::spelling::{near_word, nearest};
use crate::{Span, Suggestion, suggestion::Replacement};

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
    /// What to put in place of a span, where an edit is known.
    pub suggestion: Option<Suggestion>,
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

    pub(crate) fn new(rule: &'static str, severity: Severity, span: Span, message: impl Into<String>) -> Self {
        let message = one_line(message.into());
        debug_assert!(!message.ends_with('.'), "messages have no full stop: {message}");
        debug_assert!(!message.starts_with(char::is_uppercase), "messages start in lower case: {message}");
        Diagnostic { rule, severity, message, span, labels: Vec::new(), help: None, suggestion: None }
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
        match near_word(name, known.iter().copied()) {
            Some(near) => self.help(format!("did you mean `{near}`?")).replace(span, near),
            None if known.is_empty() => self,
            None => self.help(format!("known ones are {}", some_of(&known))),
        }
    }

    /// Adds another way out, where no repair is at hand.
    pub fn or_else_help(self, other: &str) -> Self {
        match (&self.suggestion, &self.help) {
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
        match near_word(name, known) {
            Some(near) => self.help(format!("did you mean `{near}`?")).replace(span, near),
            None => self,
        }
    }

    /// Adds a place that explains it.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds what to write in place of a span: a bare text is a proposal, [`Near`](crate::Near) and the functions of
    /// [`suggestion`](crate::suggestion) say when an edit is certain.
    pub fn replace(mut self, span: Span, text: impl Into<Replacement>) -> Self {
        self.suggestion = Some(text.into().at(span));
        self
    }
}

/// A message quotes what people wrote: control characters are shown as escapes, and the text is cut at the limit.
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

    /// Notes where an expression is.
    pub(crate) fn note_expression(&mut self, span: Span) {
        if let Some(notes) = &mut self.notes {
            notes.expressions.push(span);
        }
    }

    /// Notes that the text here is another spelling of `first`.
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

/// Names for a message: the first few, and how many more there are.
pub fn some_of(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let mut quoted: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN {
        quoted.push(format!("and {} more", names.len() - SHOWN));
    }
    quoted.join(", ")
}
