//! Constructs of free text: only the indentation of their lines is the language's.

use super::{
    STEP,
    build::Builder,
    row::{Cell, Kind, Row},
    trivia::Comment,
};
use crate::{layout::Line, token::TokenKind};

/// Lays out the lines from the one that opens the construct up to the byte where the next construct starts, or up
/// to the comments before it. Says in which row the first line is.
pub(super) fn lay_out<'t>(it: &mut Builder<'t>, line: &Line, next: usize) -> usize {
    let start = line.span().start as usize;
    let mut blank_before = it.lead(start, 0);
    let code = it.rows.len();
    let mut starts = Vec::new();
    token_starts(line, 0, &mut starts);
    let mut starts = starts.into_iter().peekable();
    let strings = strings(line, it.text);
    let mut passed = 0;
    let mut waiting: Vec<Comment<'t>> = Vec::new();
    let mut at = start;
    while let Some(rest) = it.text.get(at..next).filter(|rest| !rest.is_empty()) {
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let (content, end) = (&rest[..length], at + length);
        let first = starts.next_if(|(start, _)| *start < end);
        while starts.next_if(|(start, _)| *start < end).is_some() {}
        passed += strings.iter().skip(passed).take_while(|(_, end)| *end <= at).count();
        // One string may end on this line, and another begin.
        let within = |byte: usize| strings.iter().skip(passed).take(2).any(|(start, end)| *start < byte && byte < *end);
        let content = if within(end) { content } else { content.trim_end() };
        let text = content.trim_start_matches([' ', '\t']);
        if within(at) {
            it.rows.push(Row { cells: vec![Cell::plain(content)], kind: Kind::Free, ..Row::default() });
            it.end = end;
        } else if text.is_empty() {
            blank_before = true;
        } else {
            let begin = at + content.len() - text.len();
            let piece = Comment { start: begin, text, blank: std::mem::take(&mut blank_before) };
            match first {
                // A comment, or signs that are no tokens: it opens and closes nothing.
                None => waiting.push(piece),
                Some((_, depth)) => {
                    code_line(it, &piece, depth, waiting.drain(..));
                    it.end = end;
                }
            }
        }
        at = end + if it.text[end..].starts_with("\r\n") { 2 } else { 1 };
    }
    code
}

/// Lays out a line of this depth, or, without a depth, one that goes on with the line before.
fn code_line<'t>(it: &mut Builder<'t>, line: &Comment<'t>, depth: Option<usize>, above: impl Iterator<Item = Comment<'t>>) {
    let before = it.rows.len();
    let under = depth.unwrap_or(it.levels.len() + 1);
    for comment in above {
        it.comment(&comment, under);
    }
    let cells = vec![Cell::plain(line.text)];
    it.rows.push(Row { blank_before: line.blank, indent: under * STEP, cells, kind: Kind::Free });
    let column = it.ruler.column(line.start);
    if let Some(depth) = depth {
        if depth > 0 && depth >= it.levels.len() {
            it.rows[before].blank_before = false;
        }
        it.levels.truncate(depth);
        it.levels.push(column);
    }
}

/// Where each token starts, those that begin a line with their depth.
fn token_starts(line: &Line, depth: usize, starts: &mut Vec<(usize, Option<usize>)>) {
    for (at, token) in line.tokens.iter().enumerate() {
        starts.push((token.span.start as usize, (at == 0).then_some(depth)));
    }
    for child in &line.children {
        token_starts(child, depth + 1, starts);
    }
}

/// The strings of a line and those under it in which a line ends, where no blank may be touched. One that is
/// never closed ends with its line, and the blanks there belong to it.
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
