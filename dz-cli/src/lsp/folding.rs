//! Ranges that an editor can fold: blocks, and groups of comments.

use dz_dsl_file::{SourceFile, layout::Line};
use lsp_types::{FoldingRange, FoldingRangeKind, FoldingRangeParams};

use super::{failure::Failure, state::State};

/// The ranges of a text.
pub fn answer(state: &State, params: FoldingRangeParams) -> Result<Vec<FoldingRange>, Failure> {
    let place = state.place(&params.text_document.uri)?;
    let mut found = Vec::new();
    for (unit, file) in place.units(state) {
        blocks(unit.file(file), unit.lines(file), &mut found);
        let inside = unit.block.map_or(0..usize::MAX, |it| it.start..it.end);
        comments(unit.file(file), &inside, &mut found);
    }
    found.sort_by_key(|it| (it.start_line, it.end_line));
    Ok(found)
}

fn blocks(file: &SourceFile, lines: &[Line], found: &mut Vec<FoldingRange>) {
    for line in lines {
        let whole = line.whole_span();
        push(file.line_column(whole.start).0, file.line_column(whole.end).0, None, found);
        blocks(file, &line.children, found);
    }
}

/// Lines are counted from 1.
fn push(first: usize, last: usize, kind: Option<FoldingRangeKind>, found: &mut Vec<FoldingRange>) {
    if first < last {
        let (start_line, end_line) = (first as u32 - 1, last as u32 - 1);
        found.push(FoldingRange { start_line, end_line, kind, ..FoldingRange::default() });
    }
}

/// Adjacent lines that are comments.
fn comments(file: &SourceFile, inside: &std::ops::Range<usize>, found: &mut Vec<FoldingRange>) {
    let mut first: Option<usize> = None;
    let mut last = 0;
    for (at, (start, line)) in file.lines().enumerate() {
        last = at + 1;
        let is_comment = line.trim_start().starts_with(['#']) || line.trim_start().starts_with("//");
        match (is_comment && inside.contains(&start), first) {
            (true, None) => first = Some(at + 1),
            (false, Some(begin)) => {
                push(begin, at, Some(FoldingRangeKind::Comment), found);
                first = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    if let Some(begin) = first {
        push(begin, last, Some(FoldingRangeKind::Comment), found);
    }
}
