//! The keys of a block, which are checked for unknown and duplicate ones.

use super::{body_colon, duplicate_key, key, list, no_children, unknown_key};
use crate::{
    Diagnostics,
    cursor::{Cursor, Name},
    diagnostic::nearest,
    layout::Line,
};

/// The known keys of a block, and those that were parsed so far.
pub(super) struct Keys<'k> {
    block: &'k str,
    known: &'k [&'k str],
    /// Each known key of the block, at its first place.
    pub seen: Vec<Name>,
    /// True after a line with an unknown key: a key that seems to be missing may be a misspelling there.
    pub broken: bool,
}

impl<'k> Keys<'k> {
    /// The keys of `block`.
    pub fn new(block: &'k str, known: &'k [&'k str]) -> Self {
        Keys { block, known, seen: Vec::new(), broken: false }
    }

    /// True if the key is certainly missing.
    pub fn lacks(&self, word: &str) -> bool {
        !self.broken && !self.has(word)
    }

    /// True if the key was parsed before.
    pub fn has(&self, word: &str) -> bool {
        self.seen.iter().any(|name| name.text == word)
    }

    /// Notes the key of a line; `None` after a report about an unknown or duplicate key. A key that differs by one letter from
    /// a known, missing one is reported and replaced.
    pub fn note(&mut self, line: &Line, out: &mut Diagnostics) -> Option<Name> {
        let Some(word) = line.tokens[0].word() else {
            self.broken = true;
            let help = format!("the keys are {}", list(self.known));
            Cursor::new(line, out).report_missing(&format!("a key of `{}`", self.block), &help);
            return None;
        };
        let mut name = Name { text: word.to_owned(), span: line.tokens[0].span };
        if !self.known.contains(&name.text.as_str()) {
            self.broken = true;
            unknown_key(&name, self.block, self.known, out);
            let near = nearest(&name.text, self.known.iter().copied()).filter(|near| !self.has(near));
            // The correct key can still follow, and is the first one then.
            name.text = near?.to_owned();
            return Some(name);
        }
        if let Some(first) = self.seen.iter().find(|it| it.text == name.text) {
            duplicate_key(&name, first.span, out);
            return None;
        }
        self.seen.push(name.clone());
        Some(name)
    }

    /// As [`Keys::note`], but a misspelt key counts as present after the report, so that it is not also reported as missing.
    pub fn meant(&mut self, line: &Line, out: &mut Diagnostics) -> Option<Name> {
        let word = line.tokens[0].word().unwrap_or_default();
        if word.is_empty() || self.known.contains(&word) {
            return self.note(line, out);
        }
        self.note(line, out);
        let key = nearest(word, self.known.iter().copied())?;
        let name = Name { text: key.to_owned(), span: line.tokens[0].span };
        let first = !self.has(key);
        first.then(|| self.seen.push(name.clone()));
        first.then_some(name)
    }

    /// The present keys, for later checks.
    pub fn into_present(self) -> PresentKeys {
        PresentKeys { keys: self.seen, broken: self.broken }
    }

    /// Parses a key with its value on the same line: returns a cursor after the colon.
    pub fn leaf<'a>(&mut self, line: &'a Line, out: &'a mut Diagnostics) -> Option<(Name, Cursor<'a>)> {
        let meant = self.note(line, out)?;
        no_children(line, out);
        let (_, cursor) = key(line, out)?;
        // For a key alone, the missing colon is the mistake, and not also the missing value.
        (line.tokens.len() > 1).then_some((meant, cursor))
    }

    /// Parses a key with a block; true if the block must be parsed.
    pub fn block(&mut self, line: &Line, out: &mut Diagnostics) -> bool {
        if self.note(line, out).is_none() {
            return false;
        }
        let mut cursor = Cursor::new(line, out);
        cursor.take();
        body_colon(&mut cursor, line);
        if cursor.is_done() && line.children.is_empty() && !line.tokens.last().is_some_and(|token| token.is(":")) {
            cursor.report_unexpected("expected `:` and lines under it");
        }
        cursor.finish();
        true
    }
}

/// The keys that a block contains, whether or not their values could be parsed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PresentKeys {
    /// Each key, at its first place.
    pub keys: Vec<Name>,
    /// True after a line with an unknown key: a key that seems to be missing may be a misspelling there.
    pub broken: bool,
}

impl PresentKeys {
    /// True if the block contains the key.
    pub fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|name| name.text == key)
    }

    /// True if the key is certainly missing.
    pub fn lacks(&self, key: &str) -> bool {
        !self.broken && !self.has(key)
    }
}
