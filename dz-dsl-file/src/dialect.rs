//! Words of the dialect from which dz is derived, and of other systems, with the words of dz. Findings, `dz lint --fix` and
//! the reference read this table.

mod phrases;
mod words;

pub use phrases::PHRASES;
pub use phrases::Phrase;
pub(crate) use phrases::phrase;

use crate::suggestion::{Replacement, same};
pub use words::WORDS;

/// How the two texts of an entry relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// They have the same meaning, and `dz lint --fix` replaces one by the other.
    Same,
    /// The replacement is probable; the author decides.
    Likely,
    /// dz has no such word; `ours` gives the alternative.
    None,
}

/// A word of another dialect in one kind of place.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    /// The place, as findings name it.
    pub place: &'static str,
    /// The word.
    pub theirs: &'static str,
    /// The word of dz, or the alternative if there is none.
    pub ours: &'static str,
    /// Whether both have the same meaning.
    pub meaning: Meaning,
}

impl Word {
    /// The text that replaces the word, if dz has a word for it.
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
            Meaning::Same | Meaning::Likely => format!("write `{}`", self.ours),
        }
    }
}

/// The entry of a word in a place.
pub(crate) fn word(place: &str, written: &str) -> Option<&'static Word> {
    WORDS.iter().find(|it| it.place == place && it.theirs.eq_ignore_ascii_case(written))
}

/// The entry of a modifier of a field.
pub(crate) fn modifier(written: &str) -> Option<&'static Word> {
    word("modifier", written)
}
