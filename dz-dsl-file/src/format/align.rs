//! Alignment of columns: cells that the author aligned on neighbouring lines stay aligned.

use super::row::{Cell, Kind, Row};

/// Aligned cells of neighbouring rows.
struct Column {
    /// Their column in the original text.
    source: usize,
    /// The row and the cell of each, from top to bottom.
    cells: Vec<(usize, usize)>,
}

/// Pads the cells of every column to the widest of its rows.
pub(super) fn align(rows: &mut [Row<'_>]) {
    let mut columns = columns(rows);
    // The padding of a column shifts the columns to its right, so the leftmost comes first.
    columns.sort_by_key(|column| column.source);
    let mut reached: Vec<(usize, usize)> = rows.iter().map(|row| (0, row.indent)).collect();
    for column in columns {
        let mut widest = 0;
        for (row, cell) in &column.cells {
            widest = widest.max(advance(&rows[*row], &mut reached[*row], *cell));
        }
        for (row, cell) in &column.cells {
            let (_, end) = reached[*row];
            rows[*row].cells[*cell].pad = widest.saturating_sub(end);
        }
    }
}

/// Returns the column of a cell. `reached` is the last cell with its column.
fn advance(row: &Row<'_>, reached: &mut (usize, usize), cell: usize) -> usize {
    while reached.0 < cell {
        let here = &row.cells[reached.0];
        let next = row.cells.get(reached.0 + 1).map_or(0, |next| next.gap);
        *reached = (reached.0 + 1, reached.1 + here.pad + here.width() + next);
    }
    reached.1
}

/// The columns of all rows. A blank line ends every column; a comment on its own line ends none.
fn columns(rows: &[Row<'_>]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut above: Option<(usize, Vec<Option<usize>>)> = None;
    for (at, row) in rows.iter().enumerate() {
        if row.blank_before {
            above = None;
        }
        if row.kind == Kind::Comment {
            continue;
        }
        let mut member: Vec<Option<usize>> = vec![None; row.cells.len()];
        if let Some((above_at, above_member)) = &mut above {
            for (upper, lower) in pairs(&rows[*above_at], row) {
                let column = *above_member[upper].get_or_insert_with(|| {
                    let source = rows[*above_at].cells[upper].column.unwrap_or_default();
                    columns.push(Column { source, cells: vec![(*above_at, upper)] });
                    columns.len() - 1
                });
                columns[column].cells.push((at, lower));
                member[lower] = Some(column);
            }
        }
        above = Some((at, member));
    }
    columns
}

/// The cells of two rows that started in the same column, one of them after more than one space.
fn pairs(upper: &Row<'_>, lower: &Row<'_>) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    if upper.kind != Kind::Code || lower.kind != Kind::Code {
        return pairs;
    }
    let (mut a, mut b) = (1, 1);
    while let (Some(left), Some(right)) = (upper.cells.get(a), lower.cells.get(b)) {
        let (Some(left_column), Some(right_column)) = (left.column, right.column) else { break };
        let fit = left.comment == right.comment && (left.comment || upper.indent == lower.indent);
        if left_column == right_column && fit && may_align(left) && may_align(right) && (left.stood > 1 || right.stood > 1) {
            pairs.push((a, b));
        }
        a += usize::from(left_column <= right_column);
        b += usize::from(right_column <= left_column);
    }
    pairs
}

fn may_align(cell: &Cell<'_>) -> bool {
    cell.gap > 0 && cell.stood > 0
}
