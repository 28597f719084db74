//! What the rules over a whole model find in an application with errors: they look at what is left of it without the
//! lines that could not be understood, and stay silent about what depends on these lines.

use std::collections::HashSet;

use super::{
    mended::{Edit, Mended, covers},
    reading::Reading,
};
use crate::{Diagnostic, Diagnostics, Severity, Span, rules, syntax::File};

/// How often lines are left out, until what is left has no errors. Whole constructs are left out at the end.
const ROUNDS: usize = 5;

/// From this round on, whole constructs are left out.
const WHOLE: usize = 2;

/// An application without what could not be understood.
struct Rest {
    mended: Mended,
    reading: Reading,
    /// What was left out, in the texts as they are written.
    blank: Vec<Span>,
}

/// The findings of the rules, in the texts as they are written.
pub(super) fn findings(mended: Mended, reading: Reading) -> Diagnostics {
    let Some(rest) = Rest::leave_out(mended, reading) else { return Diagnostics::default() };
    let mut found = Diagnostics::default();
    rules::check(&rest.reading.model, &mut found);
    let constructs = rest.constructs();
    found.retain(|it| rest.stands(it, &constructs));
    rest.mended.findings(found)
}

impl Rest {
    /// Leaves out lines until there are no errors; `None` when some stay.
    fn leave_out(mut mended: Mended, mut reading: Reading) -> Option<Self> {
        let mut blank = Vec::new();
        for round in 0..ROUNDS {
            let errors: Vec<&Diagnostic> = reading.errors().collect();
            if errors.is_empty() {
                return Some(Rest { mended, reading, blank });
            }
            let mut edits: Vec<Edit> = Vec::new();
            for error in errors {
                match error.suggestion.as_ref().filter(|_| round == 0) {
                    Some(it) => edits.push((mended.back(it.span), it.text.clone())),
                    None => {
                        let line = mended.back(smallest_line(&reading.parsed, error.span, round >= WHOLE)?);
                        blank.push(line);
                        edits.push((line, blanks(mended.written_text(line))));
                    }
                }
            }
            mended = mended.with(edits);
            reading = Reading::read(&mended.files);
        }
        None
    }

    /// The constructs of the texts that were read, each to the beginning of the next: lines at its end may be left out.
    fn constructs(&self) -> Vec<Span> {
        let mut constructs: Vec<Span> = Vec::new();
        for file in &self.reading.parsed {
            let first = constructs.len();
            constructs.extend(file.lines.iter().filter(|it| it.depth == 0).map(|it| it.line));
            let starts: Vec<u32> = constructs[first..].iter().map(|span| span.start).collect();
            let length = self.mended.files.file(file.id).text.len() as u32;
            let ends = starts.into_iter().skip(1).chain([length]);
            constructs[first..].iter_mut().zip(ends).for_each(|(span, end)| span.end = end.max(span.end));
        }
        constructs
    }

    /// True for a finding that does not follow from what was left out.
    fn stands(&self, found: &Diagnostic, constructs: &[Span]) -> bool {
        let own = constructs.iter().find(|construct| covers(**construct, found.span));
        if own.is_some_and(|own| self.lost_lines(*own)) {
            return false;
        }
        if found.severity == Severity::Error {
            return true;
        }
        // A warning may be about what nothing uses, and what was left out may use it.
        let name = self.mended.files.text(found.span);
        let mentioned = self.blank.iter().any(|span| self.mended.written_text(*span).contains(name));
        let whole = matches!(found.rule, "unused-import" | "empty-app");
        let needs: HashSet<Span> = self.needed(own.copied(), constructs).collect();
        self.blank.is_empty() || !(whole || mentioned || needs.into_iter().any(|it| self.lost_lines(it)))
    }

    /// True when lines of a construct were left out.
    fn lost_lines(&self, construct: Span) -> bool {
        let written = self.mended.back(construct);
        self.blank.iter().any(|span| span.file == written.file && span.start < written.end && written.start < span.end)
    }

    /// The constructs whose names another one uses.
    fn needed(&self, own: Option<Span>, constructs: &[Span]) -> impl Iterator<Item = Span> {
        let uses = self.reading.uses.iter().filter(move |it| own.is_some_and(|own| covers(own, it.at)));
        uses.filter_map(|it| constructs.iter().find(|construct| covers(**construct, it.declared)).copied())
    }
}

/// The innermost line, with those under it, that holds the beginning of a span; or the construct that does.
fn smallest_line(parsed: &[File], span: Span, whole: bool) -> Option<Span> {
    let lines = &parsed.iter().find(|file| file.id == span.file)?.lines;
    let before = lines.partition_point(|it| it.line.start <= span.start);
    let holds = lines[..before].iter().rfind(|it| span.start <= it.whole.end && (it.depth == 0 || !whole));
    holds.map(|it| it.whole)
}

/// As many blanks as a text has bytes, on as many lines.
fn blanks(text: &str) -> String {
    text.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }).collect()
}
