//! Growing selections: the word, its line, the blocks around it, the text.

use dz_dsl_file::{Span, layout::Line};
use lsp_types::{Range, SelectionRange, SelectionRangeParams};

use super::{
    failure::Failure,
    state::{At, State},
};

/// The selections at each position.
pub fn answer(state: &State, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>, Failure> {
    let place = state.place(&params.text_document.uri)?;
    let mut found = Vec::new();
    for position in params.positions {
        let Some(it) = place.at(state, position) else { return Ok(None) };
        found.push(selection(state, it, Range { start: position, end: position }));
    }
    Ok(Some(found))
}

fn selection(state: &State, it: At<'_>, empty: Range) -> SelectionRange {
    let mut spans = vec![whole_text(it)];
    collect(it.unit.lines(it.file), it.byte, &mut spans);
    spans.dedup();
    let mut selection: Option<SelectionRange> = None;
    for span in spans {
        selection = Some(SelectionRange { range: it.unit.range(span, state.encoding), parent: selection.map(Box::new) });
    }
    selection.unwrap_or(SelectionRange { range: empty, parent: None })
}

/// The text, or the content of a block of a Rust file.
fn whole_text(it: At<'_>) -> Span {
    let all = 0..it.unit.files.file(it.file).text.len();
    let range = it.unit.block.map_or(all, |block| block.start..block.end);
    Span { file: it.file, start: range.start as u32, end: range.end as u32 }
}

/// The spans that contain a byte, from the outermost.
fn collect(lines: &[Line], byte: u32, spans: &mut Vec<Span>) {
    let holds = |span: &Span| span.start <= byte && byte <= span.end;
    let Some(line) = lines.iter().find(|line| holds(&line.whole_span())) else { return };
    spans.push(line.whole_span());
    if holds(&line.span()) {
        spans.push(line.span());
        spans.extend(line.tokens.iter().map(|token| token.span).find(holds));
    } else {
        collect(&line.children, byte, spans);
    }
}
