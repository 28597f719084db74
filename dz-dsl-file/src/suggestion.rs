//! Suggested edits: a place, its new text, and whether `dz lint --fix` makes the edit.

use crate::{Near, Span};

/// Whether an edit can change the meaning of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applicability {
    /// It cannot: the edit corrects a typo with only one possible word, or the layout, or replaces a word of another dialect by
    /// the same word of dz. `dz lint --fix` makes it.
    Certain,
    /// It can, so the author decides. `dz lint` shows it, and `--fix` does not make it.
    Proposal,
}

/// An edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The text to replace; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub text: String,
    /// Whether the edit can change the meaning.
    pub applicability: Applicability,
    /// True for an edit that [`propose`](crate::propose) found by analysis of candidates; the help of the rule does not mention it.
    pub tried: bool,
}

impl Suggestion {
    /// True if the edit cannot change the meaning.
    pub fn is_certain(&self) -> bool {
        self.applicability == Applicability::Certain
    }
}

/// A new text with the applicability of its edit. A plain text is a proposal; [`Near`] decides for the nearest known word; `layout`
/// and `same` are certain edits.
#[derive(Debug, Clone)]
pub struct Replacement {
    text: String,
    applicability: Applicability,
}

/// An edit of signs, blanks and line ends that keeps every word in its place.
pub(crate) fn layout(text: impl Into<String>) -> Replacement {
    Replacement { text: text.into(), applicability: Applicability::Certain }
}

/// Another text with the same meaning: a word of another dialect, a unit in full.
pub(crate) fn same(text: impl Into<String>) -> Replacement {
    Replacement { text: text.into(), applicability: Applicability::Certain }
}

impl Replacement {
    /// The new text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn at(self, span: Span) -> Suggestion {
        Suggestion { span, text: self.text, applicability: self.applicability, tried: false }
    }
}

impl From<&str> for Replacement {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for Replacement {
    fn from(text: String) -> Self {
        Replacement { text, applicability: Applicability::Proposal }
    }
}

impl From<Near<'_>> for Replacement {
    fn from(near: Near<'_>) -> Self {
        let applicability = if near.is_certain() { Applicability::Certain } else { Applicability::Proposal };
        Replacement { text: near.to_string(), applicability }
    }
}
