//! Parsed and resolved texts, before the rules over the whole model.

use std::collections::HashMap;

use super::unextended;
use crate::{
    Diagnostic, Diagnostics, FileId, Severity, SourceMap,
    lower::{self, Use},
    model::Model,
    syntax::{self, File, LineSpan, UnreadRanges},
};

/// The result of parsing and resolving texts.
pub(crate) struct Reading {
    /// The parsed texts.
    pub parsed: Vec<File>,
    /// The model, which is complete if there are no errors.
    pub model: Model,
    /// Each use of a name, with its declaration.
    pub uses: Vec<Use>,
    /// Every finding so far.
    pub found: Diagnostics,
    /// The texts with errors that no other text can correct: those of parsing. A text is in the list once for each error.
    pub unparsed: Vec<FileId>,
}

impl Reading {
    /// Parses and resolves texts.
    pub fn read(files: &SourceMap) -> Self {
        let (parsed, mut found) = syntax::parse(files);
        let unparsed = found.iter().filter(|it| it.severity == Severity::Error).map(|it| it.span.file).collect();
        let (model, uses, mut lowered) = lower::lower(&parsed);
        if let Some(alone) = unextended::entities(&parsed) {
            lowered.extend(unextended::findings_inside(&parsed, lower::lower(&alone).2));
        }
        // An unknown word hides errors of the text after it, until the word is corrected.
        let unread: HashMap<FileId, UnreadRanges> = parsed.iter().map(|file| (file.id, UnreadRanges::from_file(file))).collect();
        lowered.retain(|it| !unread.get(&it.span.file).is_some_and(|unread| unread.covers(it)));
        found.extend(lowered);
        Reading { parsed, model, uses, found, unparsed }
    }

    /// The errors, and the warnings about text that was not understood. A line in the wrong place can cause either.
    pub fn problems(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter().filter(|it| it.severity == Severity::Error || it.rule == "construct-not-supported")
    }

    /// The lines of each text.
    pub fn lines(&self) -> Vec<Vec<LineSpan>> {
        self.parsed.iter().map(|file| file.lines.clone()).collect()
    }

    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter().filter(|it| it.severity == Severity::Error)
    }
}
