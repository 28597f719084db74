//! The spans of the lines of a text, stored by the parser, so that no other stage parses the text again.

use crate::{Span, layout::Line};

/// A line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineSpan {
    /// From its first to its last token.
    pub line: Span,
    /// The line with its block.
    pub whole: Span,
    /// The number of lines above it in the tree.
    pub depth: usize,
}

/// The lines of a tree, in the order of the text.
pub(super) fn measure(lines: &[Line]) -> Vec<LineSpan> {
    let mut all = Vec::new();
    let mut open: Vec<(usize, &Line)> = lines.iter().rev().map(|line| (0, line)).collect();
    while let Some((depth, line)) = open.pop() {
        all.push(LineSpan { line: line.span(), whole: line.whole_span(), depth });
        open.extend(line.children.iter().rev().map(|child| (depth + 1, child)));
    }
    all
}
