//! What to write instead: a text, its place, and whether `dz lint --fix` may make the edit without a person.

use crate::{Near, Span};

/// Whether an edit can change the meaning of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applicability {
    /// It cannot: the edit corrects the spelling of a word that can only have been one known word of the same kind, or the
    /// layout, or it writes the same thing in the words of dz. `dz lint --fix` makes it.
    Certain,
    /// It can: a person must look at it. `dz lint` shows it, and `--fix` leaves the text as it is.
    Proposal,
}

/// A text to put in place of a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// What is replaced; empty where something is added.
    pub span: Span,
    /// What to write there.
    pub text: String,
    /// Whether it may be written without a look.
    pub applicability: Applicability,
    /// True for an edit that [`propose`](crate::propose) found by trying, which the help of the rule does not mention.
    pub tried: bool,
}

impl Suggestion {
    /// True when the edit cannot change the meaning.
    pub fn is_certain(&self) -> bool {
        self.applicability == Applicability::Certain
    }
}

/// A text that replaces another, with the class of the edit. A bare text is a proposal; the nearest known word decides for
/// itself ([`Near`]); `layout` and `same` say why an edit is certain.
#[derive(Debug, Clone)]
pub struct Replacement {
    text: String,
    applicability: Applicability,
}

/// An edit of signs, blanks and line ends that leaves every word where it is.
pub(crate) fn layout(text: impl Into<String>) -> Replacement {
    Replacement { text: text.into(), applicability: Applicability::Certain }
}

/// Another text for exactly the same thing: a word of another dialect, a unit written out.
pub(crate) fn same(text: impl Into<String>) -> Replacement {
    Replacement { text: text.into(), applicability: Applicability::Certain }
}

impl Replacement {
    /// What is written.
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
