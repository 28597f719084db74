//! A line of the laid out text.

use std::borrow::Cow;

/// A line.
#[derive(Debug, Default)]
pub(super) struct Row<'t> {
    /// A blank line is before it.
    pub blank_before: bool,
    /// Columns before its first cell.
    pub indent: usize,
    /// Its cells; a comment at its end is the last.
    pub cells: Vec<Cell<'t>>,
    /// What it is.
    pub kind: Kind,
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    /// Tokens, perhaps with a comment.
    #[default]
    Code,
    /// A comment on its own.
    Comment,
    /// Text that is left as it is.
    Free,
}

/// A token or a comment.
#[derive(Debug)]
pub(super) struct Cell<'t> {
    /// As it is written.
    pub text: Cow<'t, str>,
    /// Spaces that belong before it: none or one.
    pub gap: usize,
    /// Spaces beyond these, for the sake of a column.
    pub pad: usize,
    /// Where it was, when the line was one line before.
    pub column: Option<usize>,
    /// Spaces before it; two mean two or more.
    pub stood: usize,
    /// The punctuation it is, or nothing.
    pub mark: &'static str,
    /// True for a comment.
    pub comment: bool,
}

impl<'t> Cell<'t> {
    /// A cell that is neither punctuation nor aligned with anything.
    pub fn plain(text: impl Into<Cow<'t, str>>) -> Self {
        Cell { text: text.into(), gap: 0, pad: 0, column: None, stood: 0, mark: "", comment: false }
    }

    /// How wide it is, without the text before it.
    pub fn width(&self) -> usize {
        self.text.chars().count()
    }

    /// True when it reaches over several lines.
    pub fn is_tall(&self) -> bool {
        self.text.contains('\n')
    }
}

/// The text of all rows.
pub(super) fn print(rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    for row in rows {
        if row.blank_before && !text.is_empty() {
            text.push('\n');
        }
        for (at, cell) in row.cells.iter().enumerate() {
            let spaces = if at == 0 { row.indent } else { cell.gap + cell.pad };
            text.extend(std::iter::repeat_n(' ', spaces));
            text.push_str(&cell.text);
        }
        text.push('\n');
    }
    text
}
