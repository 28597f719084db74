//! Modules: the files of each, and the modules that a file uses.

use crate::{FileId, Span};

/// A module: the files that name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Its dotted name.
    pub name: String,
    /// Its files, each with the place of the name.
    pub files: Vec<Span>,
}

/// A `use` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The file.
    pub file: FileId,
    /// The module's name.
    pub module: String,
    /// True if the file refers to a name of the module.
    pub used: bool,
    /// The line.
    pub line: Span,
    /// The name in the line.
    pub span: Span,
}

/// An `archetype NAME:` block, whose fields other entities inherit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldGroup {
    /// Its name.
    pub name: String,
    /// True if an entity or another group extends it.
    pub extended: bool,
    /// The name in the declaration.
    pub span: Span,
}
