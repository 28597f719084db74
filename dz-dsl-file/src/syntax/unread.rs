//! The parts of a text that could not be parsed; findings there are dropped, because they only follow from it.

use super::{File, LineSpan};
use crate::{Diagnostic, Diagnostics, Severity, Span};

/// The ranges that were not understood, sorted and without overlaps.
#[derive(Debug, Default)]
pub(crate) struct UnreadRanges {
    pub(super) spans: Vec<Span>,
}

impl UnreadRanges {
    /// The ranges of a parsed text.
    pub(crate) fn from_file(file: &File) -> Self {
        UnreadRanges { spans: file.unread.clone() }
    }

    /// Adds the errors for which `unread` returns true, each to the end of its line.
    pub(super) fn add(&mut self, found: &Diagnostics, lines: &[LineSpan], unread: impl Fn(&Diagnostic) -> bool) {
        let indentation = |it: &Diagnostic| matches!(it.rule, "mixed-indentation" | "inconsistent-indentation");
        for it in found.iter().filter(|it| it.severity == Severity::Error && !indentation(it) && unread(it)) {
            let line = lines.partition_point(|own| own.line.start <= it.span.start).checked_sub(1).and_then(|at| lines.get(at));
            self.spans.push(Span { end: line.map_or(it.span.end, |own| it.span.end.max(own.line.end)), ..it.span });
        }
        self.spans.sort_by_key(|span| (span.start, span.end));
        self.spans.dedup_by(|next, span| {
            let touch = next.start <= span.end;
            if touch {
                span.end = span.end.max(next.end);
            }
            touch
        });
    }

    /// True if a finding begins in such a range, or contains its beginning.
    pub(crate) fn covers(&self, found: &Diagnostic) -> bool {
        let after = self.spans.partition_point(|span| span.start <= found.span.start);
        let before = after.checked_sub(1).is_some_and(|at| found.span.start <= self.spans[at].end);
        before || self.spans.get(after).is_some_and(|span| span.start < found.span.end)
    }
}
