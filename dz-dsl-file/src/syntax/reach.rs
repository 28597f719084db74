//! Where the lines of a text begin and end, kept beside what was read of it, so that nothing reads the text again to learn it.

use crate::{Span, layout::Line};

/// A line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// From its first to its last token.
    pub line: Span,
    /// With everything under it.
    pub whole: Span,
    /// How many lines it is under.
    pub depth: usize,
}

/// The lines of a tree, in the order of the text.
pub(super) fn measure(lines: &[Line]) -> Vec<Reach> {
    let mut all = Vec::new();
    let mut open: Vec<(usize, &Line)> = lines.iter().rev().map(|line| (0, line)).collect();
    while let Some((depth, line)) = open.pop() {
        all.push(Reach { line: line.span(), whole: line.whole_span(), depth });
        open.extend(line.children.iter().rev().map(|child| (depth + 1, child)));
    }
    all
}
