//! The canonical layout of a text, from its tokens, its tree of lines and its comments.
//!
//! The formatter ignores the meaning of lines, so that it also formats constructs without a meaning. It keeps the author's line
//! breaks, groups of blank lines and columns, and replaces indentation, spaces, quotes and spellings.

mod align;
mod build;
mod free;
mod goals;
mod row;
mod spacing;
mod spelling;
mod trivia;
mod wrap;

use crate::{
    Diagnostic, Diagnostics, FileId, Severity, SourceMap,
    layout::{Line, layout},
    lexer::{Prose, lex},
    syntax::{notes, prose},
};

/// The indentation of a level, in columns.
const STEP: usize = 2;

/// Errors in the value of a token whose range is certain.
const CERTAIN: &[&str] = &["bad-escape", "number-out-of-range"];

/// Formats a text, or returns the errors that make its tokens uncertain.
///
/// ```
/// use dz_dsl_file::{SourceMap, format};
/// let files = SourceMap::single("app.dsl", "entity   Task :\n    id:uuid pk # the key\n");
/// let (file, _) = files.files().next().unwrap();
/// assert_eq!(format(&files, file).unwrap(), "entity Task:\n  id: uuid pk # the key\n");
/// ```
pub fn format(files: &SourceMap, file: FileId) -> Result<String, Vec<Diagnostic>> {
    let text = files.file(file).text.as_str();
    let mut found = Diagnostics::default();
    let lines = layout(lex(file, text, prose, &mut found), &mut found);
    let uncertain = uncertain(text, &lines, found);
    if !uncertain.is_empty() {
        return Err(uncertain);
    }
    let lines = goals::as_lists(lines, text);
    let rows = build::rows(text, &lines, notes(file, text));
    let mut rows = wrap::wrap(rows);
    align::align(&mut rows);
    let laid_out = row::print(&rows);
    Ok(if has_carriage_returns(text) { laid_out.replace('\n', "\r\n") } else { laid_out })
}

/// The errors that make the tokens of a text uncertain. Errors in free text do not count.
fn uncertain(text: &str, lines: &[Line], mut found: Diagnostics) -> Vec<Diagnostic> {
    let free: Vec<_> = lines.iter().filter(|line| is_free(line)).map(Line::whole_span).filter(|span| free::is_whole(text, *span)).collect();
    found.retain(|it| {
        let before = free.partition_point(|span| span.start < it.span.start);
        let inside = before.checked_sub(1).and_then(|at| free.get(at)).is_some_and(|span| it.span.end <= span.end);
        it.severity == Severity::Error && !CERTAIN.contains(&it.rule) && !inside
    });
    found.into_sorted()
}

/// True for a top-level line of a construct that is only kept as text.
fn is_free(line: &Line) -> bool {
    line.tokens.first().and_then(|token| token.word()).is_some_and(|word| prose(word) == Prose::Everywhere)
}

/// True if every line ends in CR LF.
fn has_carriage_returns(text: &str) -> bool {
    let (pairs, feeds, returns) = (text.matches("\r\n").count(), text.matches('\n').count(), text.matches('\r').count());
    pairs > 0 && pairs == feeds && pairs == returns
}
