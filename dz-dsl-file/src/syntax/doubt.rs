//! What could not be read, so that nothing is said of what only follows from it.

use super::File;
use crate::{Diagnostic, Diagnostics, Severity, Span, layout::Line};

/// Where the lines of a tree begin and end, in order.
pub(super) fn line_ends(lines: &[Line]) -> Vec<(u32, u32)> {
    let mut ends = Vec::new();
    let mut open: Vec<&Line> = lines.iter().rev().collect();
    while let Some(line) = open.pop() {
        ends.push((line.span().start, line.span().end));
        open.extend(line.children.iter().rev());
    }
    ends
}

/// Stretches of a text that were not understood, in order and apart.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    pub(super) spans: Vec<Span>,
}

impl Doubts {
    /// Those of a parsed text.
    pub(crate) fn of(file: &File) -> Self {
        Doubts { spans: file.unread.clone() }
    }

    /// Adds the errors that `unread` wants, each to the end of its line.
    pub(super) fn add(&mut self, found: &Diagnostics, ends: &[(u32, u32)], unread: impl Fn(&Diagnostic) -> bool) {
        let indentation = |it: &Diagnostic| matches!(it.rule, "mixed-indentation" | "inconsistent-indentation");
        for it in found.iter().filter(|it| it.severity == Severity::Error && !indentation(it) && unread(it)) {
            let line = ends.partition_point(|(start, _)| *start <= it.span.start).checked_sub(1).and_then(|at| ends.get(at));
            self.spans.push(Span { end: line.map_or(it.span.end, |(_, end)| it.span.end.max(*end)), ..it.span });
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

    /// True for a finding that begins in such a stretch, or holds its beginning.
    pub(crate) fn cover(&self, found: &Diagnostic) -> bool {
        let after = self.spans.partition_point(|span| span.start <= found.span.start);
        let before = after.checked_sub(1).is_some_and(|at| found.span.start <= self.spans[at].end);
        before || self.spans.get(after).is_some_and(|span| span.start < found.span.end)
    }
}
