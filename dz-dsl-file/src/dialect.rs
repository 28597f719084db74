//! The words of the dialect that dz descends from, and of other systems, with what to write here instead: findings, `dz
//! lint --fix` and the page of the reference all read this table.

mod phrases;
mod words;

pub use phrases::PHRASES;
pub use phrases::Phrase;
pub(crate) use phrases::phrase;

use crate::suggestion::{Replacement, same};
pub use words::WORDS;

/// What an entry says of the other text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Both say the same: `dz lint --fix` writes it.
    Same,
    /// It is what is mostly meant; a person decides.
    Likely,
    /// dz has no word for it; `ours` says what to do.
    None,
}

/// A word of another dialect in one kind of place.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    /// Where it is written, as findings name the place.
    pub place: &'static str,
    /// The word.
    pub theirs: &'static str,
    /// The word here; where there is none, what to do instead.
    pub ours: &'static str,
    /// Whether both say the same.
    pub meaning: Meaning,
}

impl Word {
    /// What to write in place of the word, when there is a word for it.
    pub(crate) fn replacement(&self) -> Option<Replacement> {
        match self.meaning {
            Meaning::Same => Some(same(self.ours)),
            Meaning::Likely => Some(self.ours.into()),
            Meaning::None => None,
        }
    }

    /// The help of a finding.
    pub(crate) fn help(&self) -> String {
        match self.meaning {
            Meaning::None => self.ours.to_owned(),
            _ => format!("write `{}`", self.ours),
        }
    }
}

/// What the table says of a word in a place.
pub(crate) fn word(place: &str, written: &str) -> Option<&'static Word> {
    WORDS.iter().find(|it| it.place == place && it.theirs.eq_ignore_ascii_case(written))
}
