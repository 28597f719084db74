//! Lists too long for a line: one item per line.

use super::{
    STEP,
    row::{Cell, Kind, Row},
};

/// The width from which the lists of a line are broken.
const WIDTH: usize = 120;

/// The largest depth of nested lists that are broken.
const DEPTH: usize = 8;

/// A part of a row that becomes rows of its own.
struct Piece {
    start: usize,
    end: usize,
    indent: usize,
    depth: usize,
}

/// Breaks the lists of rows that are too wide.
pub(super) fn wrap(rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    let mut wrapped = Vec::with_capacity(rows.len());
    for row in rows {
        if row.kind == Kind::Code && row.indent + width(&row.cells) > WIDTH && !row.cells.iter().any(Cell::is_tall) {
            break_row(row, &mut wrapped);
        } else {
            wrapped.push(row);
        }
    }
    wrapped
}

fn width(cells: &[Cell<'_>]) -> usize {
    cells.iter().filter(|cell| !cell.comment).map(|cell| cell.gap + cell.width()).sum()
}

fn break_row<'t>(mut row: Row<'t>, wrapped: &mut Vec<Row<'t>>) {
    let lists = Lists::find(&row.cells);
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut open = vec![Piece { start: 0, end: row.cells.len(), indent: row.indent, depth: 0 }];
    while let Some(piece) = open.pop() {
        match lists.to_break(&piece) {
            None => ends.push((piece.end, piece.indent)),
            Some(list) => {
                let inner = piece.indent + STEP;
                open.push(Piece { start: lists.closes[list], ..piece });
                let mut item_end = lists.closes[list];
                for comma in lists.commas[list].iter().rev().filter(|comma| **comma + 1 < lists.closes[list]) {
                    open.push(Piece { start: comma + 1, end: item_end, indent: inner, depth: piece.depth + 1 });
                    item_end = comma + 1;
                }
                open.push(Piece { start: list + 1, end: item_end, indent: inner, depth: piece.depth + 1 });
                ends.push((list + 1, piece.indent));
            }
        }
    }
    let mut cells = std::mem::take(&mut row.cells).into_iter();
    let mut start = 0;
    for (at, (end, indent)) in ends.into_iter().enumerate() {
        let mut cells: Vec<Cell<'t>> = cells.by_ref().take(end - start).collect();
        if at > 0 {
            cells.iter_mut().for_each(|cell| cell.column = None);
        }
        wrapped.push(Row { blank_before: at == 0 && row.blank_before, indent, cells, kind: Kind::Code });
        start = end;
    }
}

/// The brackets of a row.
struct Lists {
    /// The width of the row up to the start of each cell.
    starts: Vec<usize>,
    /// The width of the row up to the end of each cell.
    ends: Vec<usize>,
    /// The closing bracket of each opening cell; 0 if it is not on this row.
    closes: Vec<usize>,
    /// The commas that separate the items of the bracket that opens at a cell.
    commas: Vec<Vec<usize>>,
    /// True for an opening bracket of a list.
    lists: Vec<bool>,
    /// The number of cells without a comment.
    length: usize,
}

impl Lists {
    fn find(cells: &[Cell<'_>]) -> Self {
        let mut it = Lists {
            starts: Vec::with_capacity(cells.len()),
            ends: Vec::with_capacity(cells.len()),
            closes: vec![0; cells.len()],
            commas: vec![Vec::new(); cells.len()],
            lists: vec![false; cells.len()],
            length: cells.iter().filter(|cell| !cell.comment).count(),
        };
        let mut open: Vec<usize> = Vec::new();
        let mut width = 0;
        for (at, cell) in cells.iter().enumerate() {
            it.starts.push(width + cell.gap);
            width += cell.gap + cell.width();
            it.ends.push(width);
            match cell.mark {
                "(" | "[" | "{" => {
                    it.lists[at] = cell.mark != "(";
                    open.push(at);
                }
                ")" | "]" | "}" => {
                    if let Some(start) = open.pop() {
                        it.closes[start] = at;
                    }
                }
                "," => {
                    if let Some(start) = open.last() {
                        it.commas[*start].push(at);
                    }
                }
                _ => {}
            }
        }
        it
    }

    /// The widest list of a part that is too wide, among those that open within the width.
    fn to_break(&self, piece: &Piece) -> Option<usize> {
        let end = piece.end.min(self.length);
        if piece.depth >= DEPTH || end <= piece.start {
            return None;
        }
        let columns = |end: usize| piece.indent + self.ends[end - 1] - self.starts[piece.start];
        if columns(end) <= WIDTH {
            return None;
        }
        (piece.start..end)
            .take_while(|at| columns(at + 1) <= WIDTH)
            .filter(|at| self.lists[*at] && self.closes[*at] > 0 && self.closes[*at] < end && !self.commas[*at].is_empty())
            .max_by_key(|at| (self.ends[self.closes[*at]] - self.ends[*at], std::cmp::Reverse(*at)))
    }
}
