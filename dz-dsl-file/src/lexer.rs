//! Text into tokens, one list per physical line; indentation is measured here and given meaning in `layout`.

use unicode_ident::{is_xid_continue, is_xid_start};

use crate::{
    Diagnostic, Diagnostics, FileId, Span,
    token::{Token, TokenKind},
};

/// One physical line that holds tokens (strings and brackets may stretch it over several).
#[derive(Debug, Clone, PartialEq)]
pub struct RawLine {
    /// Columns of indentation; a tab counts 4.
    pub indent: usize,
    /// Its first byte.
    pub start: u32,
    /// The tokens; never empty.
    pub tokens: Vec<Token>,
}

const MARKS: &[&str] = &[
    "->", "==", "!=", "<=", ">=", ":", ",", ".", "(", ")", "[", "]", "{", "}", "=", "<", ">", "+", "-", "*", "/", "%", "?", "@", "|", ";",
];

/// Splits a text into lines of tokens.
pub fn lex(file: FileId, text: &str, out: &mut Diagnostics) -> Vec<RawLine> {
    let mut lexer = Lexer { file, text, at: 0, out, lines: Vec::new(), brackets: Vec::new(), tabs: None, spaces: None };
    if text.starts_with('\u{feff}') {
        lexer.at = 3;
    }
    lexer.run();
    lexer.lines
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    out: &'a mut Diagnostics,
    lines: Vec<RawLine>,
    brackets: Vec<(&'static str, Span)>,
    tabs: Option<Span>,
    spaces: Option<Span>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while self.at < self.text.len() {
            let (indent, start) = self.indentation();
            let mut line = RawLine { indent, start: start as u32, tokens: Vec::new() };
            self.line(&mut line);
            if !line.tokens.is_empty() {
                self.lines.push(line);
            }
        }
        if let Some((mark, span)) = self.brackets.first().copied() {
            self.out.push(
                Diagnostic::error("unexpected-token", span, format!("`{mark}` is never closed"))
                    .help(format!("add the matching `{}`", closing(mark))),
            );
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    /// Skips one line end of any kind; false when there is none here.
    fn line_end(&mut self) -> bool {
        let length = match self.text.as_bytes().get(self.at..) {
            Some([b'\r', b'\n', ..]) => 2,
            Some([b'\r' | b'\n', ..]) => 1,
            _ => return false,
        };
        self.at += length;
        true
    }

    fn indentation(&mut self) -> (usize, usize) {
        let start = self.at;
        let mut columns = 0;
        while let Some(c @ (' ' | '\t')) = self.peek() {
            columns += if c == '\t' { 4 } else { 1 };
            self.at += 1;
        }
        let blank = matches!(self.peek(), None | Some('\n' | '\r' | '#')) || self.rest().starts_with("//");
        if !blank {
            self.remember_kind(start);
        }
        (columns, start)
    }

    fn remember_kind(&mut self, start: usize) {
        let text = &self.text[start..self.at];
        let span = self.span(start, self.at);
        if text.contains('\t') && self.tabs.is_none() {
            self.tabs = Some(span);
            self.mixed(span);
        } else if text.contains(' ') && !text.contains('\t') && self.spaces.is_none() {
            self.spaces = Some(span);
            self.mixed(span);
        } else if text.contains('\t') && text.contains(' ') {
            self.spaces.get_or_insert(span);
        }
    }

    fn mixed(&mut self, here: Span) {
        if let (Some(tabs), Some(spaces)) = (self.tabs, self.spaces) {
            let other = if here == tabs { spaces } else { tabs };
            self.out.push(
                Diagnostic::error("mixed-indentation", here, "tabs and spaces are mixed in the indentation of this file")
                    .label(other, "indented the other way here")
                    .help("use spaces only, or tabs only (a tab counts as 4 columns)"),
            );
        }
    }

    /// Reads the tokens of a line; newlines inside brackets do not end it.
    fn line(&mut self, line: &mut RawLine) {
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' => self.at += 1,
                '\n' | '\r' => {
                    self.line_end();
                    if self.brackets.is_empty() {
                        return;
                    }
                    if self.starts_new_item() {
                        self.unclosed();
                        return;
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
    }

    /// A bracket that is still open where a line starts at the margin was forgotten, not continued.
    fn starts_new_item(&self) -> bool {
        matches!(self.peek(), Some(c) if c == '_' || is_xid_start(c))
    }

    fn unclosed(&mut self) {
        if let Some((mark, span)) = self.brackets.drain(..).next() {
            self.out.push(
                Diagnostic::error("unexpected-token", span, format!("`{mark}` is never closed"))
                    .help(format!("add the matching `{}`", closing(mark))),
            );
        }
    }

    fn comment(&mut self) {
        let length = self.rest().find(['\n', '\r']).unwrap_or(self.rest().len());
        self.at += length;
    }

    /// `http://…` without quotes would silently lose its tail to a comment.
    fn url_hint(&mut self, line: &RawLine) {
        let [.., scheme, colon] = line.tokens.as_slice() else { return };
        let touching = colon.is(":") && colon.span.end as usize == self.at && scheme.span.end == colon.span.start;
        if touching && scheme.word().is_some_and(|word| matches!(word, "http" | "https" | "ftp" | "sqlite" | "postgres")) {
            let end = self.at + self.rest().find(|c: char| c.is_whitespace()).unwrap_or(self.rest().len());
            let span = self.span(scheme.span.start as usize, end);
            let text = &self.text[span.start as usize..end];
            self.out.push(
                Diagnostic::error("unquoted-url", span, "an address needs quotes, since `//` starts a comment")
                    .help(format!("write \"{text}\""))
                    .replace(span, format!("\"{text}\"")),
            );
        }
    }

    fn word(&mut self, line: &mut RawLine) {
        let start = self.at;
        let length = self.rest().find(|c| !is_xid_continue(c)).unwrap_or(self.rest().len());
        self.at += length;
        let kind = TokenKind::Word(self.text[start..self.at].to_owned());
        line.tokens.push(Token { kind, span: self.span(start, self.at) });
    }

    fn number(&mut self, line: &mut RawLine) {
        let start = self.at;
        let mut seen_point = false;
        while let Some(c) = self.peek() {
            let next = self.rest()[c.len_utf8()..].chars().next();
            match c {
                '0'..='9' | '_' => self.at += 1,
                '.' if !seen_point && next.is_some_and(|c| c.is_ascii_digit()) => {
                    seen_point = true;
                    self.at += 1;
                }
                _ => break,
            }
        }
        let digits = self.text[start..self.at].replace('_', "");
        let unit_length = self.rest().find(|c| !is_xid_continue(c)).unwrap_or(self.rest().len());
        let unit = self.rest()[..unit_length].to_owned();
        self.at += unit_length;
        let span = self.span(start, self.at);
        let kind = if unit.is_empty() {
            self.check_range(&digits, span);
            TokenKind::Number(digits)
        } else {
            match (is_unit(&unit), digits.parse::<i64>()) {
                (true, Ok(amount)) => TokenKind::Duration(amount, unit),
                _ => {
                    self.out.push(
                        Diagnostic::error("bad-number", span, format!("`{digits}{unit}` is neither a number nor a duration"))
                            .help("durations look like `7d`, `24h`, `30min`, `2w`, `3m`, `1y`; names that start with a digit need quotes"),
                    );
                    TokenKind::Number(digits)
                }
            }
        };
        line.tokens.push(Token { kind, span });
    }

    fn check_range(&mut self, digits: &str, span: Span) {
        let too_large = match digits.split_once('.') {
            None => digits.parse::<i64>().is_err(),
            Some((whole, fraction)) => whole.trim_start_matches('0').len() + fraction.len() > 28,
        };
        if too_large {
            self.out.push(
                Diagnostic::error("number-out-of-range", span, format!("`{digits}` is beyond what a number can hold"))
                    .help("whole numbers reach to 9223372036854775807, decimals have at most 28 digits"),
            );
        }
    }

    fn mark(&mut self, c: char, line: &mut RawLine) {
        let start = self.at;
        let Some(mark) = MARKS.iter().find(|mark| self.rest().starts_with(**mark)).copied() else {
            self.at += c.len_utf8();
            let span = self.span(start, self.at);
            self.out.push(Diagnostic::error("unexpected-token", span, format!("`{}` has no meaning here", c.escape_default())));
            return;
        };
        self.at += mark.len();
        let span = self.span(start, self.at);
        match mark {
            "(" | "[" | "{" => self.brackets.push((mark, span)),
            ")" | "]" | "}" if self.brackets.last().is_some_and(|(open, _)| closing(open) == mark) => {
                self.brackets.pop();
            }
            _ => {}
        }
        line.tokens.push(Token { kind: TokenKind::Mark(mark), span });
    }

    fn string(&mut self, quote: char, line: &mut RawLine) {
        let start = self.at;
        if self.rest().starts_with("\"\"\"") {
            return self.long_string(line);
        }
        self.at += 1;
        let mut value = String::new();
        loop {
            let Some(c) = self.peek() else {
                self.unterminated(start, quote);
                break;
            };
            match c {
                c if c == quote => {
                    self.at += 1;
                    break;
                }
                '\\' => self.escape(&mut value),
                '\r' | '\n' => {
                    if !self.text[self.at..].contains(quote) {
                        self.unterminated(start, quote);
                        break;
                    }
                    self.line_end();
                    value.push('\n');
                }
                c => {
                    value.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        line.tokens.push(Token { kind: TokenKind::Text(value), span: self.span(start, self.at) });
    }

    fn unterminated(&mut self, start: usize, quote: char) {
        let line_end = self.text[start..].find(['\n', '\r']).map_or(self.text.len(), |at| start + at);
        self.at = line_end;
        let span = self.span(start, line_end);
        self.out
            .push(Diagnostic::error("unterminated-string", span, "this string is never closed").help(format!("add `{quote}` at its end")));
    }

    fn escape(&mut self, value: &mut String) {
        let start = self.at;
        let mut chars = self.rest()[1..].chars();
        let (c, length) = match chars.next() {
            Some('n') => (Some('\n'), 2),
            Some('t') => (Some('\t'), 2),
            Some('r') => (Some('\r'), 2),
            Some(c @ ('\\' | '"' | '\'')) => (Some(c), 2),
            Some('u') => self.unicode_escape(),
            Some(c) => (None, 1 + c.len_utf8()),
            None => (None, 1),
        };
        self.at += length;
        match c {
            Some(c) => value.push(c),
            None => {
                let span = self.span(start, self.at);
                let text = self.text[start..self.at].to_owned();
                self.out.push(
                    Diagnostic::error("bad-escape", span, format!("`{text}` is no escape"))
                        .help("known ones are `\\n`, `\\t`, `\\r`, `\\\\`, `\\\"`, `\\'` and `\\u{1F600}`"),
                );
            }
        }
    }

    fn unicode_escape(&self) -> (Option<char>, usize) {
        let rest = &self.rest()[2..];
        let Some(end) = rest.find('}').filter(|end| rest.starts_with('{') && *end <= 8) else { return (None, 2) };
        let c = u32::from_str_radix(&rest[1..end], 16).ok().and_then(char::from_u32);
        (c, 2 + end + 1)
    }

    fn long_string(&mut self, line: &mut RawLine) {
        let start = self.at;
        let body = &self.text[start + 3..];
        let Some(end) = body.find("\"\"\"") else {
            self.unterminated(start, '"');
            line.tokens.push(Token { kind: TokenKind::Text(String::new()), span: self.span(start, self.at) });
            return;
        };
        let value = dedent(&body[..end].replace("\r\n", "\n").replace('\r', "\n"));
        self.at = start + 3 + end + 3;
        line.tokens.push(Token { kind: TokenKind::Text(value), span: self.span(start, self.at) });
    }
}

fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// True for the letters that may follow a number in a duration.
pub fn is_unit(unit: &str) -> bool {
    matches!(unit, "s" | "min" | "h" | "d" | "w" | "m" | "y")
}

fn dedent(text: &str) -> String {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let text = text.trim_end_matches([' ', '\t']);
    let text = text.strip_suffix('\n').unwrap_or(text);
    let margin = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let common = text.lines().filter(|line| !line.trim().is_empty()).map(margin).min().unwrap_or(0);
    let lines: Vec<&str> = text.lines().map(|line| line.get(common..).unwrap_or("")).collect();
    lines.join("\n")
}
