//! Constructs of free text: only the indentation of their lines is formatted.

use super::{
    STEP,
    build::{Builder, Level},
    row::{Cell, Kind, Row},
    trivia::Comment,
};
use crate::{Span, layout::Line, lexer::columns, token::TokenKind};

/// True if every line of the free text is indented more than its first. A sign at the margin ends the text, although it begins no
/// construct.
pub(super) fn is_whole(text: &str, whole: Span) -> bool {
    let start = text.get(..whole.start as usize).map_or(0, |before| before.rfind(['\n', '\r']).map_or(0, |at| at + 1));
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let mut lines = text.get(start..whole.end as usize).unwrap_or_default().split(['\n', '\r']).filter(|line| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with('#') && !line.starts_with("//")
    });
    let margin = lines.next().map_or(0, |line| columns(&line[..blanks(line)]));
    lines.all(|line| columns(&line[..blanks(line)]) > margin)
}

/// Formats the lines from the first line of the construct to the next construct or its comments. Returns the row of the first
/// line.
pub(super) fn lay_out<'t>(it: &mut Builder<'t>, line: &Line, next: usize) -> usize {
    let start = line.span().start as usize;
    let mut blank_before = it.lead(start, 0);
    let code = it.rows.len();
    let mut tokens = Vec::new();
    mark_tokens(line, 0, it.text, &mut tokens);
    let mut tokens = tokens.into_iter().peekable();
    let strings = strings(line, it.text);
    let mut passed = 0;
    // The columns of the last line, and whether it contains an unclosed quote: deeper lines under it are part of that string.
    let (mut columns_above, mut indent_above, mut unclosed) = (0, 0, false);
    let mut waiting: Vec<Comment<'t>> = Vec::new();
    let mut at = start;
    while let Some(rest) = it.text.get(at..next).filter(|rest| !rest.is_empty()) {
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let (content, end) = (&rest[..length], at + length);
        let first = tokens.next_if(|token| token.start < end);
        let mut opens = first.as_ref().is_some_and(|token| token.unclosed);
        while let Some(token) = tokens.next_if(|token| token.start < end) {
            opens |= token.unclosed;
        }
        passed += strings.iter().skip(passed).take_while(|(_, end)| *end <= at).count();
        // One string can end on this line, and another one begin.
        let within = |byte: usize| strings.iter().skip(passed).take(2).any(|(start, end)| *start < byte && byte < *end);
        let content = if within(end) { content } else { content.trim_end() };
        let text = content.trim_start_matches([' ', '\t']);
        let columns = columns(&content[..content.len() - text.len()]);
        if within(at) {
            it.rows.push(Row { cells: vec![Cell::plain(content)], kind: Kind::Free, ..Row::default() });
            it.end = end;
            unclosed |= opens;
        } else if text.is_empty() {
            blank_before = true;
        } else {
            let begin = at + content.len() - text.len();
            let piece = Comment { start: begin, text, blank: std::mem::take(&mut blank_before) };
            match &first {
                None if unclosed && columns > columns_above => {
                    let cells = vec![Cell::plain(piece.text)];
                    it.rows.push(Row { blank_before: piece.blank, indent: indent_above + 2 * STEP, cells, kind: Kind::Free });
                    it.end = end;
                }
                // A comment, or signs that are not tokens: the line neither opens nor closes a block.
                None => {
                    waiting.push(piece);
                    unclosed = false;
                }
                Some(first) => {
                    indent_above = code_line(it, &piece, first, waiting.drain(..));
                    it.end = end;
                    (columns_above, unclosed) = (columns, opens);
                }
            }
        }
        at = end + if it.text[end..].starts_with("\r\n") { 2 } else { 1 };
    }
    code
}

/// Formats a line that begins with this token, with the comments above it. Returns its place.
fn code_line<'t>(it: &mut Builder<'t>, line: &Comment<'t>, first: &Mark, above: impl Iterator<Item = Comment<'t>>) -> usize {
    let before = it.rows.len();
    for comment in above {
        it.comment(&comment, first.depth.unwrap_or(it.levels.len()));
    }
    let Some(depth) = first.depth else {
        let indent = it.indent(it.levels.len()) + STEP;
        it.rows.push(Row { blank_before: line.blank, indent, cells: vec![Cell::plain(line.text)], kind: Kind::Free });
        return indent;
    };
    let indent = it.indent(depth);
    it.rows.push(Row { blank_before: line.blank, indent, cells: vec![Cell::plain(line.text)], kind: Kind::Free });
    if depth > 0 && depth >= it.levels.len() {
        it.rows[before].blank_before = false;
    }
    let column = it.ruler.column(line.start);
    it.levels.truncate(depth);
    it.levels.push(Level { column, under: indent + STEP });
    indent
}

/// A token of free text.
struct Mark {
    start: usize,
    /// The depth of the line, if the token begins one.
    depth: Option<usize>,
    /// True for three quotes without an end.
    unclosed: bool,
}

fn mark_tokens(line: &Line, depth: usize, text: &str, marks: &mut Vec<Mark>) {
    for (at, token) in line.tokens.iter().enumerate() {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        marks.push(Mark { start, depth: (at == 0).then_some(depth), unclosed: text.get(start..end) == Some("\"\"\"") });
    }
    for child in &line.children {
        mark_tokens(child, depth + 1, text, marks);
    }
}

/// The strings with a line end in a line and its block, in which blanks must not change. A single quote without an end ends
/// with its line, and the blanks there belong to it.
fn strings(line: &Line, text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for token in line.tokens.iter().filter(|token| matches!(token.kind, TokenKind::Text(_))) {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let written = text.get(start..end).unwrap_or_default();
        if written.ends_with([' ', '\t']) {
            found.push((start, end + 1));
        } else if written.contains(['\n', '\r']) {
            found.push((start, end));
        }
    }
    for child in &line.children {
        found.extend(strings(child, text));
    }
    found
}
