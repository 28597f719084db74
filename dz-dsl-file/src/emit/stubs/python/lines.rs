//! The statements of a Python file: where each logical line begins and ends, without an interpretation of its content.

/// A logical line: a statement, or the head of a compound statement. It can span several lines of the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    /// Where its first word begins.
    pub start: usize,
    /// Where its text ends, before the line break.
    pub end: usize,
    /// The bytes of its indentation.
    pub indent: usize,
}

impl Line {
    pub fn text(self, text: &str) -> &str {
        &text[self.start..self.end]
    }

    /// The first word.
    pub fn word(self, text: &str) -> &str {
        let rest = self.text(text);
        &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())]
    }

    /// The word after `class`, `def` or `async def`, if it begins so.
    pub fn defined(self, text: &str) -> Option<(&str, &str)> {
        let rest = self.text(text);
        let rest = rest.strip_prefix("async").map_or(rest, str::trim_start);
        let kind = ["class", "def"].into_iter().find(|kind| rest.starts_with(kind))?;
        let rest = &rest[kind.len()..];
        let name = rest.trim_start();
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
        (rest.len() > name.len()).then(|| (kind, &name[..end]))
    }

    /// True for a text literal, such as a documentation.
    pub fn is_literal(self, text: &str) -> bool {
        let rest = self.text(text).trim_start_matches(['r', 'R', 'u', 'U']);
        rest.starts_with(['"', '\''])
    }
}

/// The end of a literal that begins at `at` with its quotation mark.
pub(super) fn literal_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let quote = &rest[..1];
    let triple = quote.repeat(3);
    let (mark, is_long) = if rest.starts_with(&triple) { (triple.as_str(), true) } else { (quote, false) };
    let mut here = at + mark.len();
    while here < text.len() {
        let rest = &text[here..];
        if rest.starts_with(mark) {
            return here + mark.len();
        }
        let mut chars = rest.chars();
        match chars.next() {
            Some('\\') => here += 1 + chars.next().map_or(0, char::len_utf8),
            // A short literal ends with its line.
            Some('\n') if !is_long => return here,
            Some(c) => here += c.len_utf8(),
            None => break,
        }
    }
    text.len()
}

/// The byte at which the text at `at` continues, and how the number of open brackets changes; a comment and a literal are one step.
fn step(text: &str, at: usize) -> (usize, isize) {
    let rest = &text[at..];
    let mut chars = rest.chars();
    match chars.next() {
        Some('#') => (at + rest.find('\n').unwrap_or(rest.len()), 0),
        Some('"' | '\'') => (literal_end(text, at), 0),
        Some('(' | '[' | '{') => (at + 1, 1),
        Some(')' | ']' | '}') => (at + 1, -1),
        // A backslash continues the line.
        Some('\\') => {
            let skipped = if rest[1..].starts_with("\r\n") { 2 } else { chars.next().map_or(0, char::len_utf8) };
            (at + 1 + skipped, 0)
        }
        Some(c) => (at + c.len_utf8(), 0),
        None => (text.len(), 0),
    }
}

/// Every logical line. Blank lines and comments on lines of their own belong to none.
pub(super) fn read(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    while at < text.len() {
        let rest = &text[at..];
        let indent = rest.len() - rest.trim_start_matches([' ', '\t', '\u{c}']).len();
        let start = at + indent;
        let (mut here, mut open, mut end) = (start, 0isize, start);
        while here < text.len() && !(open <= 0 && text[here..].starts_with('\n')) {
            let is_comment = text[here..].starts_with('#');
            let (next, change) = step(text, here);
            open += change;
            if !is_comment && !text[here..next].trim().is_empty() {
                end = next;
            }
            here = next;
        }
        if end > start {
            lines.push(Line { start, end, indent });
        }
        at = (here + 1).max(at + 1);
    }
    lines
}

/// The place of the colon that ends the head of a compound statement.
pub(super) fn colon(text: &str, line: Line) -> Option<usize> {
    let (mut at, mut open) = (line.start, 0isize);
    while at < line.end {
        if open == 0 && text[at..].starts_with(':') {
            return Some(at);
        }
        let (next, change) = step(text, at);
        open += change;
        at = next;
    }
    None
}
