//! Formatting, as `dz fmt`: a text, a range of it, or the line before a line break.

use std::ops::Range;

use dz_dsl_file::{FileId, SourceFile, SourceMap, Span, format, layout::Line, lines};
use lsp_types::{DocumentFormattingParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams, TextEdit, Url};
use similar::{DiffOp, TextDiff};

use super::{failure::Failure, state::State, unit::Unit};
use crate::fmt::parse_errors;

/// The edits that format a text; `None` if it cannot be parsed.
pub fn document(state: &State, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>, Failure> {
    let place = state.place(&params.text_document.uri)?;
    if place.units(state).any(|(unit, file)| parse_errors(&unit.analysis().diagnostics, file).next().is_some()) {
        return Ok(None);
    }
    edits(state, &params.text_document.uri, 0..usize::MAX)
}

/// The edits that format the lines of a range, also in a text with errors, because it is being written.
pub fn range(state: &State, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>, Failure> {
    let range = params.range;
    // A range that ends at the beginning of a line does not contain the line.
    let end = range.end.line as usize + usize::from(range.end.character > 0 || range.end.line == range.start.line);
    edits(state, &params.text_document.uri, range.start.line as usize..end)
}

/// The edits that format the line that a line break ends.
pub fn on_type(state: &State, params: DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>, Failure> {
    let at = params.text_document_position;
    let Some(line) = at.position.line.checked_sub(1) else { return Ok(None) };
    edits(state, &at.text_document.uri, line as usize..line as usize + 1)
}

fn edits(state: &State, url: &Url, wanted: Range<usize>) -> Result<Option<Vec<TextEdit>>, Failure> {
    let place = state.place(url)?;
    let mut all = Vec::new();
    let mut has_text = false;
    for (unit, file) in place.units(state) {
        let Some(formatted) = formatted(unit, file) else { return Ok(None) };
        has_text = true;
        all.extend(changed_lines(state, unit.file(file), &formatted, &wanted));
    }
    Ok(has_text.then_some(all))
}

/// The whole text of a file, formatted.
fn formatted(unit: &Unit, file: FileId) -> Option<String> {
    let Some(block) = unit.block else { return format(&unit.files, file).ok() };
    let text = &unit.file(file).text;
    let inner = text.get(block.start..block.end)?;
    let map = SourceMap::single("dz!", inner);
    let new = format(&map, FileId(0)).ok()?;
    if new.trim().is_empty() {
        return Some(text.clone());
    }
    // A block in one line stays in its line.
    let new = match inner.contains('\n') {
        true => in_lines(inner, &indented(&new, &margin(text, block.call, inner))),
        false if new.trim().contains('\n') => return None,
        false => format!(" {} ", new.trim()),
    };
    Some(format!("{}{new}{}", &text[..block.start], &text[block.end..]))
}

/// The content of a block with the blanks before its first and after its last line.
fn in_lines(inner: &str, new: &str) -> String {
    let end = inner.rfind('\n').map_or("", |at| &inner[at..]);
    let end = if end.trim().is_empty() { end } else { "\n" };
    format!("\n{}{end}", new.trim_end_matches(['\n', '\r']))
}

/// The indentation of the first line of a block, else one level more than that of the macro call.
fn margin(text: &str, call: usize, inner: &str) -> String {
    let first = inner.lines().skip(1).find(|line| !line.trim().is_empty());
    let blank = |line: &str| line[..line.len() - line.trim_start().len()].to_owned();
    let call = &text[text[..call].rfind('\n').map_or(0, |at| at + 1)..];
    first.map_or_else(|| blank(call) + "    ", blank)
}

/// A text with each line indented; the lines inside a string stay as they are, because they are part of its value.
fn indented(text: &str, margin: &str) -> String {
    let map = SourceMap::single("", text);
    let mut strings = Vec::new();
    collect_strings(&lines(&map, FileId(0)), &mut strings);
    let in_string =
        |at: usize| strings.iter().any(|span: &Span| (span.start as usize) < at && at < span.end as usize && !is_long(text, *span));
    let mut result = String::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() && !in_string(at) {
            result.push_str(margin);
        }
        result.push_str(line);
        at += line.len();
    }
    result
}

/// True for a text in `"""`, whose common indentation is not part of its value.
fn is_long(text: &str, span: Span) -> bool {
    text[span.start as usize..].starts_with("\"\"\"")
}

fn collect_strings(lines: &[Line], found: &mut Vec<Span>) {
    for line in lines {
        found.extend(line.tokens.iter().map(|token| token.span));
        collect_strings(&line.children, found);
    }
}

/// The edits of the lines that differ, of those that are wanted.
fn changed_lines(state: &State, file: &SourceFile, new: &str, wanted: &Range<usize>) -> Vec<TextEdit> {
    let old: Vec<&str> = file.text.split_inclusive('\n').collect();
    let mut starts = vec![0];
    old.iter().for_each(|line| starts.push(starts[starts.len() - 1] + line.len()));
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let mut edits = Vec::new();
    let mut push = |from: Range<usize>, to: Range<usize>| {
        let inside = if from.is_empty() { wanted.contains(&from.start) } else { wanted.start <= from.start && from.end <= wanted.end };
        if !inside || old[from.clone()] == new_lines[to.clone()] {
            return;
        }
        let span = Span { file: FileId(0), start: starts[from.start] as u32, end: starts[from.end] as u32 };
        edits.push(TextEdit { range: state.encoding.range(file, span), new_text: new_lines[to].concat() });
    };
    for op in TextDiff::from_slices(&old, &new_lines).ops() {
        let (from, to) = match *op {
            DiffOp::Equal { .. } => continue,
            DiffOp::Delete { old_index, old_len, new_index } => (old_index..old_index + old_len, new_index..new_index),
            DiffOp::Insert { old_index, new_index, new_len } => (old_index..old_index, new_index..new_index + new_len),
            DiffOp::Replace { old_index, old_len, new_index, new_len } => (old_index..old_index + old_len, new_index..new_index + new_len),
        };
        // Lines that correspond one to one are edits of their own, so that a range can contain some of them.
        if from.len() == to.len() {
            from.zip(to).for_each(|(from, to)| push(from..from + 1, to..to + 1));
        } else {
            push(from, to);
        }
    }
    edits
}
