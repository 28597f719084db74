//! Tokens.

use crate::Span;

/// A token with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of tokens. There are no keywords: a word is one only where a keyword is allowed.
#[derive(Debug, Clone, PartialEq)]
pub enum TokenKind {
    /// A word.
    Word(String),
    /// A string, with its escapes resolved.
    Text(String),
    /// A number as written, without underscores.
    Number(String),
    /// A duration such as `7d`, or the size of a file such as `20MB`: amount and unit.
    Duration(i64, String),
    /// Punctuation and operators, e.g. `->`.
    Mark(&'static str),
    /// The rest of a line of prose, as written.
    Raw(String),
}

impl Token {
    /// True for this punctuation.
    pub fn is(&self, mark: &str) -> bool {
        matches!(&self.kind, TokenKind::Mark(it) if *it == mark)
    }

    /// The word, if the token is one.
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The description of the token in messages.
    pub fn describe(&self) -> String {
        match &self.kind {
            TokenKind::Word(word) => format!("`{word}`"),
            TokenKind::Text(_) => "a string".to_owned(),
            TokenKind::Number(number) => format!("`{number}`"),
            TokenKind::Duration(amount, unit) => format!("`{amount}{unit}`"),
            TokenKind::Mark(mark) => format!("`{mark}`"),
            TokenKind::Raw(_) => "free text".to_owned(),
        }
    }
}
