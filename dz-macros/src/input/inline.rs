//! `dz! { … }`: the exact text from the call site, or rebuilt from the tokens' positions.

use dz_dsl_file::SourceMap;
use proc_macro2::{Delimiter, LineColumn, Span, TokenStream, TokenTree};

use super::compile;
use crate::{
    manifest::Package,
    report::{self, Place},
};

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let package = match Package::read(|_| Ok(())) {
        Ok(package) => package,
        Err(message) => return report::error(&message, Span::call_site(), Span::call_site()),
    };
    let call = Span::call_site();
    match read(&input, call.source_text().map(|source| Call { source, start: call.start() })) {
        Ok(Some(table)) => compile(SourceMap::single("dz!", table.text.clone()), &table, &package),
        Ok(None) => TokenStream::new(),
        Err(span) => {
            report::error("dz! cannot read the positions of its words; write the declaration in place, or use `include_dsl!`", span, span)
        }
    }
}

/// The whole macro call, as written in a file.
pub(super) struct Call {
    pub(super) source: String,
    pub(super) start: LineColumn,
}

/// The text of the macro. It is `None` if an editor passes tokens without positions, because no expansion is better than wrong
/// errors. The error is the token whose position is unknown.
pub(super) fn read(input: &TokenStream, call: Option<Call>) -> Result<Option<Table>, Span> {
    let tokens = flatten(input.clone());
    let Some(first) = tokens.first() else { return Ok(Some(Table::default())) };
    let start = first.start();
    if tokens.len() > 1 && tokens.iter().all(|token| token.start().line == start.line && token.start().column == start.column) {
        return Ok(None);
    }
    match call.and_then(|call| from_source(input, &tokens, &call)) {
        Some(table) => Ok(Some(table)),
        None => from_positions(&tokens).map(Some),
    }
}

/// A text with the span of each of its tokens, by byte range.
#[derive(Default)]
pub(crate) struct Table {
    pub(super) text: String,
    tokens: Vec<(usize, usize, Span)>,
}

impl Place for Table {
    fn spans(&self, start: usize, end: usize) -> (Span, Span) {
        let touching = |(from, to, _): &&(usize, usize, Span)| *from < end.max(start + 1) && *to > start;
        let first = self.tokens.iter().find(touching);
        let last = self.tokens.iter().rfind(touching);
        match (first, last) {
            (Some((.., first)), Some((.., last))) => (*first, *last),
            _ => {
                let before = self.tokens.iter().rfind(|(from, ..)| *from <= start).or(self.tokens.first());
                let span = before.map_or_else(Span::call_site, |(.., span)| *span);
                (span, span)
            }
        }
    }

    fn snippet(&self) -> bool {
        false
    }
}

/// Every token; a group is its delimiters and its content.
fn flatten(input: TokenStream) -> Vec<Span> {
    let mut spans = Vec::new();
    for tree in input {
        match tree {
            TokenTree::Group(group) => {
                let open = group.delimiter() != Delimiter::None;
                if open {
                    spans.push(group.span_open());
                }
                spans.extend(flatten(group.stream()));
                if open {
                    spans.push(group.span_close());
                }
            }
            other => spans.push(other.span()),
        }
    }
    spans
}

/// The text between the macro's braces in the file, if its tokens are those of the macro.
fn from_source(input: &TokenStream, tokens: &[Span], call: &Call) -> Option<Table> {
    let (source, origin) = (&call.source, call.start);
    let bang = source.find('!')?;
    let open = bang + source[bang..].find(['{', '(', '['])?;
    let close = source.rfind(['}', ')', ']'])?;
    let body = source.get(open + 1..close)?;
    let reparsed: TokenStream = body.parse().ok()?;
    if reparsed.to_string() != input.to_string() {
        return None;
    }
    // The lines of the text, to convert a token's line and column to a byte.
    let margin = origin.column;
    let mut lines = vec![0];
    lines.extend(source.match_indices('\n').map(|(at, _)| at + 1));
    let byte = |line: usize, column: usize| -> Option<usize> {
        let index = line.checked_sub(origin.line)?;
        let start = *lines.get(index)?;
        let column = if index == 0 { column.checked_sub(origin.column)? } else { column };
        let rest = source.get(start..)?;
        Some(start + rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at))
    };
    let mut table = Table { text: " ".repeat(margin) + body, tokens: Vec::new() };
    for span in tokens {
        let (start, end) = (span.start(), span.end());
        let from = byte(start.line, start.column)?.checked_sub(open + 1)? + margin;
        let to = byte(end.line, end.column)?.checked_sub(open + 1)? + margin;
        table.tokens.push((from, to, *span));
    }
    Some(table)
}

/// Inside `macro_rules!` there is no text, but tokens have their lines and columns.
fn from_positions(tokens: &[Span]) -> Result<Table, Span> {
    let mut table = Table::default();
    let mut line = tokens.first().map_or(1, |span| span.start().line);
    let mut column = 0;
    for span in tokens {
        let (start, end) = (span.start(), span.end());
        let text = span.source_text().unwrap_or_default();
        if start.line < line || (start.line == line && start.column < column) || text.is_empty() {
            return Err(*span);
        }
        for _ in line..start.line {
            table.text.push('\n');
            column = 0;
        }
        table.text.push_str(&" ".repeat(start.column - column));
        let from = table.text.len();
        table.text.push_str(&text);
        table.tokens.push((from, table.text.len(), *span));
        (line, column) = (end.line, end.column);
    }
    Ok(table)
}
