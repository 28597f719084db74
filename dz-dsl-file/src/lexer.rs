//! Splits a text into tokens, one list per physical line; indentation is measured here and interpreted in `layout`.

mod bracket;
mod number;
mod prose;
mod stray;
mod string;

use unicode_ident::{is_xid_continue, is_xid_start};

pub use number::is_unit;
pub use prose::Prose;
#[cfg(feature = "tools")]
pub(crate) use string::dedent;

use crate::{
    Diagnostic, Diagnostics, FileId, Span,
    suggestion::layout,
    token::{Token, TokenKind},
};

/// One physical line with tokens; strings and brackets can extend it over several lines.
#[derive(Debug, Clone, PartialEq)]
pub struct RawLine {
    /// Columns of indentation; a tab counts 4.
    pub indent: usize,
    /// The tokens; never empty.
    pub tokens: Vec<Token>,
}

const MARKS: &[&str] =
    &["->", "==", "!=", "<=", ">=", ":", ",", ".", "(", ")", "[", "]", "{", "}", "=", "<", ">", "+", "-", "*", "/", "%", "?", "@", ";"];

/// The largest number of findings on one line, which can be a megabyte long.
const FINDINGS_PER_LINE: usize = 8;

/// The largest number of open brackets; the parser refuses deeper ones anyway.
const MAX_BRACKETS: usize = 256;

/// Splits a text into lines of tokens. `prose` returns how much of a construct that starts with a word is prose.
pub fn lex(file: FileId, text: &str, prose: fn(&str) -> Prose, out: &mut Diagnostics) -> Vec<RawLine> {
    let mut lexer = Lexer::new(file, text, prose);
    lexer.run();
    if let Some(start) = lexer.suspect {
        lexer = Lexer::new(file, text, prose);
        lexer.wary_from = Some(start);
        lexer.run();
    }
    for found in lexer.found {
        out.push(found);
    }
    lexer.lines
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    lines: Vec<RawLine>,
    found: Vec<Diagnostic>,
    /// The number of findings at the beginning of the line.
    found_before: usize,
    brackets: Vec<(&'static str, Span)>,
    tabs: Option<Span>,
    spaces: Option<Span>,
    mixed: bool,
    prose_of: fn(&str) -> Prose,
    /// How much of the current construct is prose.
    prose: Prose,
    /// The indentation of the line that opened the current block of prose.
    prose_block: Option<usize>,
    /// The indentation of the first line.
    margin: Option<usize>,
    /// The first string over several lines.
    stretched: Option<usize>,
    /// The place from which the text is read again with stricter rules: the first string over several lines, if the text ends
    /// inside a string.
    suspect: Option<usize>,
    /// From this place on, a string ends at the end of its line if the next line resembles a declaration.
    wary_from: Option<usize>,
    /// Quotes that are missing up to the end of the text, so that they are not searched again.
    missing: Vec<char>,
}

impl<'a> Lexer<'a> {
    fn new(file: FileId, text: &'a str, prose_of: fn(&str) -> Prose) -> Self {
        Lexer {
            file,
            text,
            at: if text.starts_with('\u{feff}') { 3 } else { 0 },
            lines: Vec::new(),
            found: Vec::new(),
            found_before: 0,
            brackets: Vec::new(),
            tabs: None,
            spaces: None,
            mixed: false,
            prose_of,
            prose: Prose::Nowhere,
            prose_block: None,
            margin: None,
            stretched: None,
            suspect: None,
            wary_from: None,
            missing: Vec::new(),
        }
    }

    fn run(&mut self) {
        while self.at < self.text.len() {
            self.found_before = self.found.len();
            let mut line = RawLine { indent: self.indentation(), tokens: Vec::new() };
            if !self.prose_line(&mut line) {
                self.line(&mut line);
            }
            if !line.tokens.is_empty() {
                self.lines.push(line);
            }
        }
    }

    fn report(&mut self, found: Diagnostic) {
        if self.found.len() - self.found_before < FINDINGS_PER_LINE {
            self.found.push(found);
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    /// Skips one line end of any kind; false if there is none here.
    fn line_end(&mut self) -> bool {
        let length = match self.text.as_bytes().get(self.at..) {
            Some([b'\r', b'\n', ..]) => 2,
            Some([b'\r' | b'\n', ..]) => 1,
            _ => return false,
        };
        self.at += length;
        true
    }

    fn indentation(&mut self) -> usize {
        let start = self.at;
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
        let columns = columns(&self.text[start..self.at]);
        if !self.is_blank() {
            self.remember_kind(start);
            self.begin_construct(columns);
        }
        columns
    }

    /// True if the rest of the line is blank or a comment.
    fn is_blank(&self) -> bool {
        matches!(self.peek(), None | Some('\n' | '\r' | '#')) || self.rest().starts_with("//")
    }

    /// A line at the margin begins a construct, which can contain prose.
    fn begin_construct(&mut self, columns: usize) {
        if columns <= *self.margin.get_or_insert(columns) {
            self.prose = (self.prose_of)(word_of(self.rest()));
            self.prose_block = None;
        }
    }

    fn remember_kind(&mut self, start: usize) {
        let text = &self.text[start..self.at];
        let span = self.span(start, self.at);
        let (tab, space) = (text.contains('\t'), text.contains(' '));
        if tab {
            self.tabs.get_or_insert(span);
        }
        if space {
            self.spaces.get_or_insert(span);
        }
        let (Some(tabs), Some(spaces), false) = (self.tabs, self.spaces, self.mixed) else { return };
        self.mixed = true;
        let (message, other) = match (tab, space) {
            (true, true) => ("the indentation of this line has a tab among its spaces", None),
            (true, false) => ("this line is indented with a tab, and lines above with spaces", Some(spaces)),
            (false, _) => ("this line is indented with spaces, and lines above with a tab", Some(tabs)),
        };
        let mut found = Diagnostic::error("mixed-indentation", span, message)
            .help("indent the whole file with spaces, or the whole file with tabs (a tab counts as 4 columns)");
        if let Some(other) = other {
            found = found.label(other, if tab { "indented with spaces here" } else { "indented with a tab here" });
        } else if let Some(at) = text.find('\t') {
            found = found.label(self.span(start + at, start + at + 1), "this is a tab");
        }
        self.report(found);
    }

    /// Reads the tokens of a line; line ends inside brackets do not end it.
    fn line(&mut self, line: &mut RawLine) {
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' => self.at += 1,
                '\n' | '\r' => {
                    self.line_end();
                    if self.prose == Prose::Everywhere {
                        self.brackets.clear();
                    }
                    if self.brackets.is_empty() {
                        return;
                    }
                    if self.bracket_was_forgotten(line.indent) {
                        break;
                    }
                }
                '#' => self.comment(),
                '/' if self.rest().starts_with("//") => {
                    self.url_hint(line);
                    self.comment();
                }
                '"' | '\'' => self.string(c, line),
                c if c.is_ascii_digit() => self.number(line),
                c if c == '_' || is_xid_start(c) => self.word(line),
                _ => self.mark(c, line),
            }
        }
        self.close_forgotten(0, line);
    }

    fn comment(&mut self) {
        let length = self.rest().find(['\n', '\r']).unwrap_or(self.rest().len());
        self.at += length;
    }

    /// Warns of `http://…` without quotes, whose rest would silently become a comment.
    fn url_hint(&mut self, line: &RawLine) {
        const SCHEMES: &[&str] = &["http", "https", "ftp", "ws", "wss", "file", "sqlite", "postgres", "postgresql", "redis", "s3"];
        let [.., scheme, colon] = line.tokens.as_slice() else { return };
        let touching = colon.is(":") && colon.span.end as usize == self.at && scheme.span.end == colon.span.start;
        if touching && scheme.word().is_some_and(|word| SCHEMES.contains(&word)) {
            let end = self.at + self.rest().find(|c: char| c.is_whitespace()).unwrap_or(self.rest().len());
            let span = self.span(scheme.span.start as usize, end);
            let text = &self.text[span.start as usize..end];
            self.report(
                Diagnostic::error("unquoted-url", span, "an address needs quotes, since `//` starts a comment")
                    .help(format!("write \"{text}\""))
                    .replace(
                        span,
                        if text.contains([',', ')', ']']) { format!("\"{text}\"").into() } else { layout(format!("\"{text}\"")) },
                    ),
            );
        }
    }

    fn word(&mut self, line: &mut RawLine) {
        let start = self.at;
        let word = word_of(self.rest());
        self.at += word.len();
        line.tokens.push(Token { kind: TokenKind::Word(word.to_owned()), span: self.span(start, self.at) });
    }

    fn mark(&mut self, c: char, line: &mut RawLine) {
        let start = self.at;
        let Some(mut mark) = MARKS.iter().find(|mark| self.rest().starts_with(**mark)).copied() else {
            return self.stray(c, line);
        };
        self.at += mark.len();
        let span = self.span(start, self.at);
        match mark {
            "(" | "[" | "{" if self.brackets.len() < MAX_BRACKETS => self.brackets.push((mark, span)),
            ")" | "]" | "}" => mark = self.close(mark, span, line),
            _ => {}
        }
        line.tokens.push(Token { kind: TokenKind::Mark(mark), span });
    }
}

/// The columns of an indentation.
pub(crate) fn columns(indentation: &str) -> usize {
    indentation.bytes().map(|byte| if byte == b'\t' { 4 } else { 1 }).sum()
}

/// The word at the start of a text, or an empty text.
fn word_of(text: &str) -> &str {
    if !text.starts_with(|c| c == '_' || is_xid_start(c)) {
        return "";
    }
    let letters = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    if text.as_bytes().get(letters).is_none_or(u8::is_ascii) {
        return &text[..letters];
    }
    &text[..text.find(|c| !is_xid_continue(c)).unwrap_or(text.len())]
}
