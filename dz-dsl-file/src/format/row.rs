//! A line of the formatted text.

use std::borrow::Cow;

/// A line.
#[derive(Debug, Default)]
pub(super) struct Row<'t> {
    /// True if a blank line precedes it.
    pub blank_before: bool,
    /// Columns before its first cell.
    pub indent: usize,
    /// Its cells; a comment at its end is the last.
    pub cells: Vec<Cell<'t>>,
    /// Its kind.
    pub kind: Kind,
}

/// The kinds of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    /// Tokens, with or without a comment.
    #[default]
    Code,
    /// A comment on its own.
    Comment,
    /// Text that is not formatted.
    Free,
}

/// A token or a comment.
#[derive(Debug)]
pub(super) struct Cell<'t> {
    /// Its text.
    pub text: Cow<'t, str>,
    /// The normal spaces before it: none or one.
    pub gap: usize,
    /// The additional spaces for alignment.
    pub pad: usize,
    /// Its column in the original text, if the line was one line there.
    pub column: Option<usize>,
    /// The spaces before it in the original text; two mean two or more.
    pub stood: usize,
    /// Its punctuation, or an empty text.
    pub mark: &'static str,
    /// True for a comment.
    pub comment: bool,
}

impl<'t> Cell<'t> {
    /// A cell that is neither punctuation nor aligned.
    pub fn plain(text: impl Into<Cow<'t, str>>) -> Self {
        Cell { text: text.into(), gap: 0, pad: 0, column: None, stood: 0, mark: "", comment: false }
    }

    /// Its width without the spaces before it.
    pub fn width(&self) -> usize {
        self.text.chars().count()
    }

    /// True if it has several lines.
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
