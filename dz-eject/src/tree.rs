//! The files of an ejected application.

use std::collections::BTreeMap;

use crate::Note;

/// The files of an ejected application, and the missing parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// The texts by their paths, with `/`.
    pub files: BTreeMap<String, String>,
    /// The parts of the declaration that the tree does not contain.
    pub notes: Vec<Note>,
}

impl Tree {
    /// Adds a file.
    pub(crate) fn add(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.files.insert(path.into(), text.into());
    }
}
