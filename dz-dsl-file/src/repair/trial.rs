//! Trials of edits: first in their construct alone, then with the unchanged rest of the text; the best are confirmed with the whole
//! text.

use std::{cell::OnceCell, collections::HashMap};

use super::Edit;
use crate::{
    Diagnostic, Diagnostics, FileId, Severity, SourceMap, Span,
    analyse::analyse_once,
    lower,
    syntax::{self, File, UnreadRanges},
};

/// The largest number of edits of one finding that are analysed with the rest of the text.
const READINGS: usize = 40;

/// The number of edits that are analysed after two equally good ones.
const MORE: usize = 10;

/// The number of bytes that are analysed for all findings together, which limits the trials of a large text.
const BYTES: usize = 2 << 20;

/// The goal of an edit.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Goal {
    /// No error remains.
    Everything,
    /// There is one error less, and no new one.
    Less,
}

/// The number of occurrences of each error.
type Errors = HashMap<(&'static str, String), usize>;

/// The text before any edit, with which edits are compared.
pub(super) struct Trial<'a> {
    files: &'a SourceMap,
    errors: OnceCell<Errors>,
    bytes: usize,
    left: usize,
    rest: Option<Rest>,
}

/// The parsed text except for one construct.
struct Rest {
    file: FileId,
    from: usize,
    to: usize,
    files: Vec<File>,
    found: Diagnostics,
}

/// The numbers of remaining errors and findings; lower is better.
type Rank = (usize, usize);

impl<'a> Trial<'a> {
    pub(super) fn new(files: &'a SourceMap) -> Self {
        let bytes = files.files().map(|(_, file)| file.text.len()).sum::<usize>().max(1);
        Trial { files, errors: OnceCell::new(), bytes, left: BYTES, rest: None }
    }

    /// The errors before any edit.
    fn errors(&self) -> &Errors {
        self.errors.get_or_init(|| counted(&analyse_once(self.files.clone()).diagnostics))
    }

    fn count(&self) -> usize {
        self.errors().values().sum()
    }

    /// The best of the edits.
    pub(super) fn best(&mut self, finding: &Diagnostic, edits: &[Edit], goal: Goal) -> Option<Edit> {
        let stands = self.read_alone(finding.span, None).1;
        let mut best: Option<(Rank, &Edit)> = None;
        let mut readings = 0;
        for edit in edits {
            if readings == READINGS || self.left < self.bytes {
                break;
            }
            let (part, after) = self.read_alone(edit.0, Some(edit));
            // An edit for a syntax error must correct it; one for another error must not add syntax errors.
            if after > stands || (after == stands && stands > 0) {
                continue;
            }
            readings += 1;
            let limit = if goal == Goal::Everything { 0 } else { self.count().saturating_sub(1) };
            if self.errors_with(part, edit.0) > limit {
                continue;
            }
            let Some(rank) = self.rank(finding, edit).filter(|(errors, _)| *errors <= limit) else { continue };
            match &best {
                Some((first, _)) if *first < rank => {}
                Some((first, _)) if *first == rank => {
                    // Several edits are equally good; a few more may be better.
                    readings = readings.max(READINGS - MORE);
                }
                _ => best = Some((rank, edit)),
            }
        }
        best.map(|(_, edit)| edit.clone())
    }

    /// True if no error remains after the edit.
    pub(super) fn mends(&mut self, finding: &Diagnostic, edit: &Edit) -> bool {
        let (part, _) = self.read_alone(edit.0, Some(edit));
        self.errors_with(part, edit.0) == 0 && self.rank(finding, edit).is_some_and(|(errors, _)| errors == 0)
    }

    /// True if an edit leaves fewer errors.
    pub(super) fn helps(&mut self, edit: &Edit) -> bool {
        let (part, _) = self.read_alone(edit.0, Some(edit));
        self.left < self.bytes || self.errors_with(part, edit.0) < self.count()
    }

    /// Parses the construct at a place alone, and counts its errors.
    fn read_alone(&mut self, span: Span, edit: Option<&Edit>) -> ((Vec<File>, Diagnostics), usize) {
        let text = &self.files.file(span.file).text;
        let (from, to) = construct_around(text, span);
        let mut part = text[from..to].to_owned();
        if let Some((span, new)) = edit {
            part.replace_range(span.start as usize - from..span.end as usize - from, new);
        }
        self.left = self.left.saturating_sub(part.len());
        let (files, found) = syntax::parse(&SourceMap::single("", part));
        let errors = found.iter().filter(|it| it.severity == Severity::Error).count();
        ((files, found), errors)
    }

    /// The number of errors if the construct is analysed together with the rest.
    fn errors_with(&mut self, (part, found): (Vec<File>, Diagnostics), span: Span) -> usize {
        self.left = self.left.saturating_sub(self.bytes);
        let (from, to) = construct_around(&self.files.file(span.file).text, span);
        if self.rest.as_ref().is_none_or(|rest| (rest.file, rest.from, rest.to) != (span.file, from, to)) {
            self.rest = Some(self.without(span.file, from, to));
        }
        let Some(rest) = &mut self.rest else { return usize::MAX };
        let module = rest.files.iter().any(|file| file.module.is_some());
        // Name resolution then depends on the file, so the whole text is analysed.
        if module {
            return 0;
        }
        let id = FileId(rest.files.len() as u32);
        let [mut part] = <[File; 1]>::try_from(part).unwrap_or_else(|_| unreachable!("one text gives one file"));
        part.id = id;
        rest.files.push(part);
        let (_, _, mut lowered) = lower::lower(&rest.files);
        rest.files.pop();
        // Places in the construct are relative to its first byte, so that they differ from those of the rest.
        let unread: Vec<UnreadRanges> = rest.files.iter().map(UnreadRanges::from_file).collect();
        lowered.retain(|it| unread.get(it.span.file.0 as usize).is_none_or(|unread| !unread.covers(it)));
        let count = |found: &Diagnostics| found.iter().filter(|it| it.severity == Severity::Error).count();
        count(&found) + count(&rest.found) + count(&lowered)
    }

    /// Parses everything except one construct, which is replaced by blanks.
    fn without(&self, file: FileId, from: usize, to: usize) -> Rest {
        let blank: String = self.files.file(file).text[from..to].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
        let span = Span { file, start: from as u32, end: to as u32 };
        let (files, found) = syntax::parse(&edited(self.files, &(span, blank)));
        Rest { file, from, to, files, found }
    }

    /// The rank of an edit that corrects the finding without a new error, and leaves no error in its line.
    fn rank(&mut self, finding: &Diagnostic, edit: &Edit) -> Option<Rank> {
        self.left = self.left.saturating_sub(self.bytes);
        let after = analyse_once(edited(self.files, edit)).diagnostics;
        if after.iter().any(|it| it.severity == Severity::Error && is_on_line_after(self.files, edit, it.span)) {
            return None;
        }
        let errors = counted(&after);
        let before = |key: &(&'static str, String)| self.errors().get(key).copied().unwrap_or(0);
        let own = (finding.rule, finding.message.clone());
        let gone = errors.get(&own).copied().unwrap_or(0) < before(&own);
        let new = errors.iter().any(|(key, count)| *count > before(key));
        let count: usize = errors.values().sum();
        (gone && !new && count < self.count()).then_some((count, after.len()))
    }
}

fn counted(found: &[Diagnostic]) -> Errors {
    let mut errors = Errors::new();
    for it in found.iter().filter(|it| it.severity == Severity::Error) {
        *errors.entry((it.rule, it.message.clone())).or_default() += 1;
    }
    errors
}

/// The range of the construct at a place; a line that begins in the first column, and is not a comment, begins one.
fn construct_around(text: &str, span: Span) -> (usize, usize) {
    let begins = |at: usize| text[at..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let (start, end) = (span.start as usize, span.end as usize);
    let before = text[..start].match_indices('\n').rev().map(|(at, _)| at + 1).find(|at| begins(*at));
    let from = if start == 0 || (begins(start) && text[..start].ends_with('\n')) { start } else { before.unwrap_or(0) };
    let after = end.max(start + 1).min(text.len());
    let to = text.get(after..).and_then(|rest| rest.match_indices('\n').map(|(at, _)| after + at + 1).find(|at| begins(*at)));
    (from, to.unwrap_or(text.len()))
}

/// Applies an edit.
fn edited(files: &SourceMap, (span, new): &Edit) -> SourceMap {
    let mut map = SourceMap::default();
    for (id, file) in files.files() {
        let mut text = file.text.clone();
        if id == span.file {
            text.replace_range(span.start as usize..span.end as usize, new);
        }
        map.add(file.name.as_str(), text);
    }
    map
}

/// True if a place in the edited text is in a line that the edit changes.
fn is_on_line_after(files: &SourceMap, (span, new): &Edit, found: Span) -> bool {
    let text = &files.file(span.file).text;
    let start = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let rest = text[span.end as usize..].find('\n').unwrap_or(text.len() - span.end as usize);
    let end = span.start as usize + new.len() + rest;
    found.file == span.file && (start..end).contains(&(found.start as usize))
}
