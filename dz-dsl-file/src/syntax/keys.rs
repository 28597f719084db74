//! The keys of a block: known ones, each once.

use super::{body_colon, duplicate_key, key, list, no_children, unknown_key};
use crate::{
    Diagnostics,
    cursor::{Cursor, Name},
    diagnostic::nearest,
    layout::Line,
};

/// The keys that a block knows, and those met so far.
pub(super) struct Keys<'k> {
    block: &'k str,
    known: &'k [&'k str],
    /// Every known key of the block, at its first place.
    pub seen: Vec<Name>,
    /// True once a line had no known key: what seems to be missing may be what it meant.
    pub broken: bool,
}

impl<'k> Keys<'k> {
    /// The keys of `block`.
    pub fn new(block: &'k str, known: &'k [&'k str]) -> Self {
        Keys { block, known, seen: Vec::new(), broken: false }
    }

    /// True when the key is missing for all that can be said.
    pub fn lacks(&self, word: &str) -> bool {
        !self.broken && !self.has(word)
    }

    /// True when the key was already.
    pub fn has(&self, word: &str) -> bool {
        self.seen.iter().any(|name| name.text == word)
    }

    /// Notes the key of a line; `None` after a report about an unknown or a second one. A key one letter beside a known
    /// one that is missing is reported, and is that one.
    pub fn note(&mut self, line: &Line, out: &mut Diagnostics) -> Option<Name> {
        let Some(word) = line.tokens[0].word() else {
            self.broken = true;
            let help = format!("the keys are {}", list(self.known));
            Cursor::new(line, out).missed(&format!("a key of `{}`", self.block), &help);
            return None;
        };
        let mut name = Name { text: word.to_owned(), span: line.tokens[0].span };
        if !self.known.contains(&name.text.as_str()) {
            self.broken = true;
            unknown_key(&name, self.block, self.known, out);
            let near = nearest(&name.text, self.known.iter().copied()).filter(|near| !self.has(near));
            // The right key may still come; it is the first one then.
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

    /// As [`Keys::note`], but what is nearly a key is read as that key once it is reported, so that nothing seems to
    /// be missing because of it.
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

    /// What was said, for those who ask later.
    pub fn said(self) -> Said {
        Said { keys: self.seen, broken: self.broken }
    }

    /// A key whose value is on its line: what is left of the line after the colon.
    pub fn leaf<'a>(&mut self, line: &'a Line, out: &'a mut Diagnostics) -> Option<(Name, Cursor<'a>)> {
        let meant = self.note(line, out)?;
        no_children(line, out);
        let (_, cursor) = key(line, out)?;
        // A key alone is one mistake: the missing colon, and not the missing value.
        (line.tokens.len() > 1).then_some((meant, cursor))
    }

    /// A key with lines under it; true when those are to be read.
    pub fn block(&mut self, line: &Line, out: &mut Diagnostics) -> bool {
        if self.note(line, out).is_none() {
            return false;
        }
        let mut cursor = Cursor::new(line, out);
        cursor.take();
        body_colon(&mut cursor, line);
        if cursor.is_done() && line.children.is_empty() && !line.tokens.last().is_some_and(|token| token.is(":")) {
            cursor.unexpected("expected `:` and lines under it");
        }
        cursor.finish();
        true
    }
}

/// The keys that were said in a block, readable or not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Said {
    /// Each at its first place.
    pub keys: Vec<Name>,
    /// True when a line had no known key: what seems to be missing may be what it meant.
    pub broken: bool,
}

impl Said {
    /// True when the key was said.
    pub fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|name| name.text == key)
    }

    /// True when the key is missing for all that can be said.
    pub fn lacks(&self, key: &str) -> bool {
        !self.broken && !self.has(key)
    }
}
