//! Strings: escapes, several lines, and missing closing quotes.

use super::{Lexer, Prose, RawLine, word_of};
use crate::{
    Diagnostic,
    suggestion::layout,
    token::{Token, TokenKind},
};

impl Lexer<'_> {
    pub(super) fn string(&mut self, quote: char, line: &mut RawLine) {
        let start = self.at;
        if self.rest().starts_with("\"\"\"") {
            return self.long_string(line);
        }
        self.at += 1;
        let mut value = String::new();
        let mut stretches = false;
        loop {
            let Some(c) = self.peek() else {
                self.missing.push(quote);
                value = self.unterminated(start, quote, line.indent, &value);
                break;
            };
            match c {
                c if c == quote => {
                    self.at += 1;
                    break;
                }
                '\\' => self.escape(&mut value),
                '\r' | '\n' => {
                    if !stretches && self.ends_at_line(start, quote) {
                        value = self.unterminated(start, quote, line.indent, &value);
                        break;
                    }
                    stretches = true;
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

    /// True if the string that began at `start` must end on this line.
    fn ends_at_line(&mut self, start: usize, quote: char) -> bool {
        let wary = match self.prose {
            Prose::Everywhere => return true,
            // Quotes in prose are not always in pairs, so their number does not show which quote is missing.
            Prose::Under(_) => true,
            Prose::Nowhere => self.wary_from.is_some_and(|from| start >= from),
        };
        if wary && self.declaration_follows() {
            return true;
        }
        if self.next_quote_opens(quote) {
            return true;
        }
        let goes_on = !self.missing.contains(&quote) && self.rest().contains(quote);
        if goes_on {
            self.stretched.get_or_insert(start);
        } else if self.wary_from.is_none() {
            // The text ends inside a string: an earlier one over several lines may lack its closing quote.
            self.suspect = self.suspect.or(self.stretched);
        }
        !goes_on
    }

    /// True if the next quote that could end the string begins a string itself: a space precedes it, and a letter follows.
    fn next_quote_opens(&self, quote: char) -> bool {
        if self.missing.contains(&quote) {
            return false;
        }
        let rest = self.rest();
        let Some(at) = rest.find(quote) else { return false };
        let before = rest[..at].chars().next_back();
        let after = rest[at + quote.len_utf8()..].chars().next();
        before.is_some_and(|c| matches!(c, ' ' | '\t' | '[' | '(' | '{')) && after.is_some_and(char::is_alphanumeric)
    }

    /// True if the next line that is not blank resembles a declaration: `word:`, `word word`, `word word "…"`, `- `.
    fn declaration_follows(&self) -> bool {
        let Some(text) = self.rest().split(['\n', '\r']).map(str::trim).find(|line| !line.is_empty()) else { return false };
        let text = text.strip_prefix("- ").unwrap_or(text);
        let word = word_of(text);
        let after = text[word.len()..].trim_start();
        let name = word_of(after);
        let rest = after[name.len()..].trim_start();
        !word.is_empty() && (after.starts_with(':') || (!name.is_empty() && (rest.is_empty() || rest.starts_with([':', '"', '\'']))))
    }

    /// Reports a string without an end, and continues at the end of its first line, or at the colon that opens a block there.
    /// Returns the text of the string on that line.
    fn unterminated(&mut self, start: usize, quote: char, indent: usize, value: &str) -> String {
        let end = self.text[start..].find(['\n', '\r']).map_or(self.text.len(), |at| start + at);
        let text = self.text[start..end].trim_end();
        let last = start + text.strip_suffix(':').unwrap_or(text).len();
        let value = value.lines().next().unwrap_or_default();
        self.at = end;
        let opens = last > start + 1 && last < start + text.len() && self.deeper_line_follows(indent);
        if opens {
            self.at = last;
        }
        // If a comma or a bracket follows, the missing quote may belong before it.
        let simple = !text[1..].trim_end_matches(':').contains([',', ')', ']', '}', ':', '"', '\'']);
        if self.prose != Prose::Everywhere {
            let found = Diagnostic::error("unterminated-string", self.span(start, self.at), "this string is never closed")
                .help(format!("add `{quote}` at its end"));
            // If there are several words, some may not belong to the text.
            let inside = text[1..].trim();
            let one_word = !inside.is_empty() && !inside.contains(char::is_whitespace);
            let added = if one_word { layout(quote.to_string()) } else { quote.to_string().into() };
            self.report(if simple { found.replace(self.span(last, last), added) } else { found });
        }
        if opens { value.trim_end().trim_end_matches(':').to_owned() } else { value.to_owned() }
    }

    /// Skips the rest of this line and its block: they belong to the text without an end.
    fn skip_deeper(&mut self, indent: usize) {
        let rest = self.rest();
        let line_length = |from: usize| rest[from..].find(['\n', '\r']).unwrap_or(rest.len() - from);
        let mut end = line_length(0);
        while end < rest.len() {
            let start = end + if rest[end..].starts_with("\r\n") { 2 } else { 1 };
            let line = &rest[start..start + line_length(start)];
            let text = line.trim_start_matches([' ', '\t']);
            if !text.is_empty() && super::columns(&line[..line.len() - text.len()]) <= indent {
                break;
            }
            end = start + line.len();
        }
        self.at += end;
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
            Some('\r' | '\n') | None => (None, 1),
            Some(c) => (None, 1 + c.len_utf8()),
        };
        self.at += length;
        match c {
            Some(c) => value.push(c),
            None => {
                let span = self.span(start, self.at);
                let text = &self.text[start..self.at];
                self.report(
                    Diagnostic::error("bad-escape", span, format!("`{text}` is not an escape"))
                        .help("known ones are `\\n`, `\\t`, `\\r`, `\\\\`, `\\\"`, `\\'` and `\\u{1F600}`"),
                );
            }
        }
    }

    fn unicode_escape(&self) -> (Option<char>, usize) {
        let rest = &self.rest()[2..];
        let Some(inside) = rest.strip_prefix('{') else { return (None, 2) };
        let digits = inside.bytes().take(7).take_while(u8::is_ascii_hexdigit).count();
        if !(1..=6).contains(&digits) || !inside[digits..].starts_with('}') {
            return (None, 2);
        }
        (u32::from_str_radix(&inside[..digits], 16).ok().and_then(char::from_u32), 2 + digits + 2)
    }

    fn long_string(&mut self, line: &mut RawLine) {
        let start = self.at;
        let body = &self.text[start + 3..];
        let Some(end) = body.find("\"\"\"") else {
            let span = self.span(start, start + 3);
            if self.prose != Prose::Everywhere {
                let found = Diagnostic::error("unterminated-string", span, "this string is never closed");
                self.report(found.help("put `\"\"\"` on a line of its own after it"));
            }
            self.at = start + 3;
            line.tokens.push(Token { kind: TokenKind::Text(String::new()), span });
            self.skip_deeper(line.indent);
            return;
        };
        let value = dedent(&body[..end].replace("\r\n", "\n").replace('\r', "\n"));
        self.at = start + 3 + end + 3;
        line.tokens.push(Token { kind: TokenKind::Text(value), span: self.span(start, self.at) });
    }
}

/// Removes the common indentation of all lines, the line end after the opening quotes, and the line of the closing quotes.
pub(crate) fn dedent(text: &str) -> String {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let text = text.trim_end_matches([' ', '\t']);
    let text = text.strip_suffix('\n').unwrap_or(text);
    let margin = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let common = text.lines().filter(|line| !line.trim().is_empty()).map(margin).min().unwrap_or(0);
    let lines: Vec<&str> = text.lines().map(|line| line.get(common..).unwrap_or("")).collect();
    lines.join("\n")
}
