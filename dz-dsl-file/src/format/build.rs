//! Turns the tree of lines into rows: indentation, comments, blank lines, and the author's line breaks inside a line.

use super::{
    STEP, free, is_free,
    row::{Cell, Kind, Row},
    spacing,
    spelling::Spelling,
    trivia::{Comment, Ruler, between, spaces},
};
use crate::{
    diagnostic::Notes,
    layout::Line,
    token::{Token, TokenKind},
};

/// The largest additional indentation of a part of a line.
const DEEPEST: usize = 64;

/// Formats every line.
pub(super) fn rows<'t>(text: &'t str, lines: &[Line], notes: Notes) -> Vec<Row<'t>> {
    let mut it =
        Builder { text, ruler: Ruler::new(text), spelling: Spelling::new(text, notes), rows: Vec::new(), end: 0, levels: Vec::new() };
    let mut above: Option<&Line> = None;
    for (at, line) in lines.iter().enumerate() {
        let first = it.rows.len();
        let code = if is_free(line) {
            let next = lines.get(at + 1).map_or(text.len(), |next| next.span().start as usize);
            free::lay_out(&mut it, line, next)
        } else {
            it.line(line, &mut Vec::new())
        };
        if above.is_some_and(|above| !is_grouped(above, line)) {
            it.part(first, code);
        }
        above = Some(line);
    }
    it.lead(text.len(), 0);
    it.rows
}

/// True for neighbours at the margin between which the author decides about a blank line: single lines of one kind.
fn is_grouped(above: &Line, below: &Line) -> bool {
    fn kind(line: &Line) -> &str {
        match line.tokens.first().and_then(Token::word) {
            Some("module") => "use",
            word => word.unwrap_or_default(),
        }
    }
    above.children.is_empty() && below.children.is_empty() && kind(above) == kind(below)
}

/// Formats the lines in order.
pub(super) struct Builder<'t> {
    pub text: &'t str,
    pub ruler: Ruler<'t>,
    spelling: Spelling<'t>,
    pub rows: Vec<Row<'t>>,
    /// The end of the last formatted part.
    pub end: usize,
    /// The open lines after the last line, by depth.
    pub levels: Vec<Level>,
}

/// A line that can have a block.
#[derive(Clone, Copy)]
pub(super) struct Level {
    /// Its column in the original text.
    pub column: usize,
    /// The depth of its block.
    pub under: usize,
}

impl<'t> Builder<'t> {
    /// Formats a line with its block; returns the row of its first token. `path` contains the first words of the lines above it.
    fn line<'l>(&mut self, line: &'l Line, path: &mut Vec<&'l str>) -> usize {
        let depth = path.len();
        let first = self.rows.len();
        let blank = self.lead(line.span().start as usize, depth);
        let column = self.ruler.column(line.span().start as usize);
        let code = self.rows.len();
        self.tokens(line, path, blank);
        if depth > 0 && depth >= self.levels.len() {
            self.rows[first].blank_before = false;
        }
        let under = self.indent(depth) + if opens_item(line) { 2 * STEP } else { STEP };
        self.levels.truncate(depth);
        self.levels.push(Level { column, under });
        path.push(line.tokens.first().and_then(Token::word).unwrap_or_default());
        for child in &line.children {
            self.line(child, path);
        }
        path.pop();
        code
    }

    /// The column of a line of this depth.
    pub fn indent(&self, depth: usize) -> usize {
        depth.checked_sub(1).and_then(|above| self.levels.get(above)).map_or(depth * STEP, |level| level.under)
    }

    /// Formats the comments before a line of this depth; true if a blank line is directly before the line.
    pub fn lead(&mut self, start: usize, depth: usize) -> bool {
        let gap = between(self.text, self.end, start, self.end > 0);
        if let Some(comment) = &gap.trailing
            && let Some(mut row) = self.rows.pop()
        {
            self.trail(&mut row, comment);
            self.rows.push(row);
        }
        for comment in &gap.own {
            self.comment(comment, depth);
        }
        gap.blank
    }

    /// Formats a comment on a line of its own. It belongs to the next line or, if it is indented more, to the end of the previous
    /// one.
    pub fn comment(&mut self, comment: &Comment<'t>, depth: usize) {
        let column = self.ruler.column(comment.start);
        let fits = |depth: &usize| self.levels.get(*depth).is_some_and(|level| level.column <= column);
        let depth = (depth..self.levels.len()).rev().find(fits).unwrap_or(depth);
        self.rows.push(Row {
            blank_before: comment.blank,
            indent: self.indent(depth),
            cells: vec![Cell::plain(comment.text)],
            kind: Kind::Comment,
        });
    }

    /// Separates a top-level construct from the previous one: a blank line before it and its comments.
    fn part(&mut self, first: usize, code: usize) {
        let mut at = code;
        while at > first && !self.rows[at].blank_before && self.rows[at - 1].kind == Kind::Comment && self.rows[at - 1].indent == 0 {
            at -= 1;
        }
        self.rows[at].blank_before = true;
    }

    fn trail(&mut self, row: &mut Row<'t>, comment: &Comment<'t>) {
        let column = self.ruler.column(comment.start);
        let stood = spaces(self.text, self.end, comment.start);
        let column = (!row.cells.iter().any(Cell::is_tall)).then_some(column);
        row.cells.push(Cell { gap: 1, column, stood, comment: true, ..Cell::plain(comment.text) });
    }

    fn tokens(&mut self, line: &Line, path: &[&str], blank: bool) {
        let base = self.indent(path.len());
        let inside = self.spelling.inside(&line.tokens);
        let mut row = Row { blank_before: blank, indent: base, ..Row::default() };
        // The indentation of the rows that contain the open brackets.
        let mut open: Vec<usize> = Vec::new();
        let mut tall = false;
        for (at, token) in line.tokens.iter().enumerate() {
            let (start, mark) = (token.span.start as usize, mark(token));
            let closes = matches!(mark, ")" | "]" | "}");
            if at > 0 && self.breaks(&mut row, start, base, &open) {
                let inner = inner(base, &open);
                row.indent = if closes { open.last().copied().unwrap_or(inner) } else { inner };
                tall = false;
            }
            let text = self.spelling.spelled(line, at, path, row.indent);
            let gap = if row.cells.is_empty() { 0 } else { spacing::before(&line.tokens, &inside, at) };
            let column = self.ruler.column(start);
            let stood = spaces(self.text, self.end, start);
            let cell = Cell { gap, column: (!tall).then_some(column), stood, mark, ..Cell::plain(text) };
            tall |= cell.is_tall();
            row.cells.push(cell);
            if closes {
                open.pop();
            } else if matches!(mark, "(" | "[" | "{") {
                open.push(row.indent);
            }
            self.end = token.span.end as usize;
        }
        self.rows.push(row);
    }

    /// Ends a row if the author broke the line before the token at `start`, with the comments there.
    fn breaks(&mut self, row: &mut Row<'t>, start: usize, base: usize, open: &[usize]) -> bool {
        let gap = between(self.text, self.end, start, true);
        if !gap.line_end {
            return false;
        }
        if let Some(comment) = &gap.trailing {
            self.trail(row, comment);
        }
        self.rows.push(std::mem::take(row));
        for comment in &gap.own {
            let indent = inner(base, open);
            let cells = vec![Cell::plain(comment.text)];
            self.rows.push(Row { blank_before: comment.blank, indent, cells, kind: Kind::Comment });
        }
        row.blank_before = gap.blank;
        true
    }
}

/// True for `- step one:`, whose block is under `step`.
fn opens_item(line: &Line) -> bool {
    let dash = line.tokens.first().is_some_and(|token| token.is("-"));
    dash && line.tokens.last().is_some_and(|token| token.is(":"))
}

/// The column of the next part of a line: below the innermost bracket, or else deeper than the block of the line.
fn inner(base: usize, open: &[usize]) -> usize {
    open.last().map_or(base + 2 * STEP, |indent| (indent + STEP).min(base + DEEPEST))
}

fn mark(token: &Token) -> &'static str {
    match token.kind {
        TokenKind::Mark(mark) => mark,
        _ => "",
    }
}
