//! The model of texts with errors, without the lines that contain the errors.

use super::{
    reading::Reading,
    remainder::{blank_text, smallest_line},
};
use crate::{Diagnostic, Diagnostics, FileId, SourceMap, Span, allow_comments, lower::Use, model::Model, rules, syntax::LineSpan};

/// The number of rounds that remove single lines, and of further rounds that remove whole constructs. Later rounds remove whole files.
const ROUNDS: usize = 4;

/// A model of texts that may contain errors.
#[derive(Debug, Clone, PartialEq)]
pub struct Readable {
    /// The texts, with blanks in place of the removed parts, so that every position is the same as in the original texts.
    pub files: SourceMap,
    /// The model of these texts.
    pub model: Model,
    /// Each use of a name, with its declaration, sorted by place.
    pub uses: Vec<Use>,
    /// The lines of each text, in order.
    pub lines: Vec<Vec<LineSpan>>,
    /// The texts that cannot be parsed without removing lines.
    pub unparsed: Vec<FileId>,
    /// True if no part was removed: the texts have no errors.
    pub complete: bool,
    /// The findings of the parser and the resolver in the last round.
    found: Diagnostics,
}

impl Readable {
    /// The findings of complete texts, sorted by place, as [`crate::analyse`] returns them; `None` if only `analyse` finds all of them.
    pub fn findings(&self) -> Option<Vec<Diagnostic>> {
        // `analyse` also tries other indentations of lines that have no meaning, and archetypes that no entity extends.
        let has_trials =
            self.found.iter().any(|it| it.rule == "construct-not-supported") || self.model.groups.iter().any(|it| !it.extended);
        if !self.complete || has_trials {
            return None;
        }
        let mut found = self.found.clone();
        rules::check(&self.model, &mut found);
        Some(allow_comments::apply(&self.files, &self.lines, found.into_sorted()))
    }
}

/// Parses and lowers texts. Lines with errors are removed until no errors remain; rules about the whole model are not checked.
///
/// ```
/// use dz_dsl_file::{SourceMap, readable};
/// let it = readable(SourceMap::single("app.dsl", "entity Task:\n  id: uuid pk\n  due: dat\n  title: str(80)\n"));
/// let fields: Vec<&str> = it.model.entities[0].fields.iter().map(|field| field.name.as_str()).collect();
/// assert_eq!(fields, ["id", "title"]);
/// ```
pub fn readable(mut files: SourceMap) -> Readable {
    let mut unparsed = Vec::new();
    for round in 0.. {
        let reading = Reading::read(&files);
        if round == 0 {
            unparsed.clone_from(&reading.unparsed);
        }
        let left_out: Vec<Span> = reading.errors().map(|error| left_out(&files, &reading, error, round)).collect();
        if left_out.is_empty() {
            let lines = reading.lines();
            let (model, uses, found) = (reading.model, reading.uses, reading.found);
            return Readable { files, model, uses, lines, unparsed, complete: round == 0, found };
        }
        files = without(&files, &left_out);
    }
    unreachable!("the rounds have no end")
}

/// The part that is removed for an error: its line, its construct or its file.
fn left_out(files: &SourceMap, reading: &Reading, error: &Diagnostic, round: usize) -> Span {
    let whole = Span { file: error.span.file, start: 0, end: files.file(error.span.file).text.len() as u32 };
    if round >= 2 * ROUNDS {
        return whole;
    }
    smallest_line(&reading.parsed, error.span, round >= ROUNDS).unwrap_or(whole)
}

/// The texts with blanks in place of some spans.
fn without(files: &SourceMap, spans: &[Span]) -> SourceMap {
    let mut rest = SourceMap::default();
    for (id, file) in files.files() {
        let mut text = file.text.clone();
        for span in spans.iter().filter(|span| span.file == id) {
            let (start, end) = (span.start as usize, span.end as usize);
            let blank = blank_text(&text[start..end]);
            text.replace_range(start..end, &blank);
        }
        rest.add(file.name.as_str(), text);
    }
    rest
}
