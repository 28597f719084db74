//! Diagnostics as data: the rule, the severity, the place, the message, and the correction.

use std::collections::HashSet;

pub use crate::spelling::{near_word, nearest};
use crate::{Span, Suggestion, suggestion::Replacement};

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The application cannot be built.
    Error,
    /// The application can be built, and probably has a mistake.
    Warning,
    /// A suggestion, which `dz lint` shows and a build does not.
    Lint,
}

impl Severity {
    /// The name of the severity in output.
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
    /// The severity.
    pub severity: Severity,
    /// The message: lower case, words of the language in backticks, no full stop.
    pub message: String,
    /// The smallest text that causes the finding.
    pub span: Span,
    /// Related places, each with its text.
    pub labels: Vec<(Span, String)>,
    /// The correction in words.
    pub help: Option<String>,
    /// The correction as an edit, if one is known.
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

    /// Adds the correction in words.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the correction in words, if there is one.
    pub fn help_if(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Adds a correction of an unknown name: the nearest known name, or the list of known names.
    pub fn suggest<'a>(self, span: Span, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let mut seen = HashSet::new();
        let known: Vec<&str> = known.into_iter().filter(|it| seen.insert(*it)).collect();
        match near_word(name, known.iter().copied()) {
            Some(near) => self.help(format!("did you mean `{near}`?")).replace(span, near),
            None if known.is_empty() => self,
            None => self.help(format!("known ones are {}", list_first(&known))),
        }
    }

    /// Adds another correction to the help, if there is no suggestion.
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

    /// Adds the nearest known name, if there is one.
    pub fn suggest_near<'a>(self, span: Span, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        match near_word(name, known) {
            Some(near) => self.help(format!("did you mean `{near}`?")).replace(span, near),
            None => self,
        }
    }

    /// Adds a related place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds an edit as correction. A plain text is a proposal; [`Near`](crate::Near) and the functions of
    /// [`suggestion`](crate::suggestion) state when an edit is certain.
    pub fn replace(mut self, span: Span, text: impl Into<Replacement>) -> Self {
        self.suggestion = Some(text.into().at(span));
        self
    }
}

/// Escapes control characters of quoted text, and cuts the message at the limit.
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

/// The records of the parser besides findings, for the formatter and other tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    /// The outermost expressions.
    pub expressions: Vec<Span>,
    /// Alternative spellings of words and signs, each with the main spelling.
    pub synonyms: Vec<(Span, &'static str)>,
}

/// A collection of findings; every stage continues after an error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    notes: Option<Notes>,
}

impl Diagnostics {
    /// A collection that also keeps notes.
    #[cfg(feature = "tools")]
    pub(crate) fn with_notes() -> Self {
        Diagnostics { list: Vec::new(), notes: Some(Notes::default()) }
    }

    /// A new collection, which keeps notes if this one does.
    pub(crate) fn new_like_this(&self) -> Self {
        Diagnostics { list: Vec::new(), notes: self.notes.as_ref().map(|_| Notes::default()) }
    }

    /// Notes the place of an expression.
    pub(crate) fn note_expression(&mut self, span: Span) {
        if let Some(notes) = &mut self.notes {
            notes.expressions.push(span);
        }
    }

    /// Notes that the text is an alternative spelling of `first`.
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

    /// True if one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|it| it.severity == Severity::Error)
    }

    /// All findings, in the order in which they were added.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Keeps the findings for which `keep` returns true.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    /// Adds all findings of another collection.
    pub fn extend(&mut self, other: Diagnostics) {
        self.list.extend(other.list);
        if let (Some(notes), Some(others)) = (&mut self.notes, other.notes) {
            notes.expressions.extend(others.expressions);
            notes.synonyms.extend(others.synonyms);
        }
    }

    /// The findings without duplicates, sorted by place.
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

/// A list of names for a message: the first few, and the number of the others.
pub fn list_first(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let mut quoted: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN {
        quoted.push(format!("and {} more", names.len() - SHOWN));
    }
    quoted.join(", ")
}

/// A noun with its indefinite article: `a minute`, `an hour`.
pub(crate) fn with_article(noun: &str) -> String {
    let is_vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']) && !noun.starts_with("un");
    let article = if is_vowel || noun.starts_with("hour") { "an" } else { "a" };
    format!("{article} {noun}")
}
