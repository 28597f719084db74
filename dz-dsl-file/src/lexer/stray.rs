//! Characters that start no token, with the signs that they probably mean.

use super::{Lexer, RawLine};
use crate::{
    Diagnostic,
    dialect::{self, Meaning},
    suggestion::{layout, same},
    token::{Token, TokenKind},
};

const QUOTES: &[char] = &['“', '”', '„', '‘', '’', '«', '»', '`'];

impl Lexer<'_> {
    /// Reports a run of a character that starts no token, and continues with its probable meaning.
    pub(super) fn stray(&mut self, c: char, line: &mut RawLine) {
        if QUOTES.contains(&c) && self.curly(line) {
            return;
        }
        let start = self.at;
        self.at += self.rest().len() - self.rest().trim_start_matches(c).len();
        let span = self.span(start, self.at);
        let text = &self.text[start..self.at];
        let shown = if text.chars().count() > 8 { c.escape_debug().to_string() } else { text.escape_debug().to_string() };
        let found = Diagnostic::error("unexpected-token", span, format!("`{shown}` has no meaning here"));
        // `!!` and `---` are repetitions of the sign.
        let row = dialect::word("sign", text).or_else(|| dialect::word("sign", &text[..c.len_utf8()]));
        let Some((ours, meaning)) = row.map(|row| (row.ours, row.meaning)) else {
            return self.report(found.help(match c {
                c if c.is_whitespace() => "put an ordinary space in its place",
                c if QUOTES.contains(&c) => "use straight quotation marks, `\"…\"`",
                _ => "remove it",
            }));
        };
        // `!x` needs a space after it becomes `not x`.
        let beside = ours.starts_with(char::is_alphabetic) && self.peek().is_some_and(|next| !next.is_whitespace());
        let space = if beside { " " } else { "" };
        let instead = format!("{ours}{space}");
        let instead = if meaning == Meaning::Same { same(instead) } else { instead.into() };
        self.report(found.help(format!("write `{ours}`")).replace(span, instead));
        let kind = match super::MARKS.iter().find(|mark| **mark == ours) {
            Some(mark) => TokenKind::Mark(mark),
            None => TokenKind::Word(ours.to_owned()),
        };
        line.tokens.push(Token { kind, span });
    }

    /// Reads a text in typographic quotes that ends on its line; false if there is none.
    fn curly(&mut self, line: &mut RawLine) -> bool {
        let start = self.at;
        let rest = self.rest().split(['\n', '\r']).next().unwrap_or_default();
        let mut chars = rest.char_indices().skip(1);
        let Some((end, last)) = chars.find(|(_, c)| QUOTES.contains(c) || *c == '"') else { return false };
        let inside = rest[..end].trim_start_matches(QUOTES);
        let text = inside.to_owned();
        self.at += end + last.len_utf8();
        let span = self.span(start, self.at);
        self.report(
            Diagnostic::error("unexpected-token", span, "these quotation marks are not straight")
                .help(format!("use straight quotation marks: \"{text}\""))
                .replace(span, layout(format!("\"{}\"", text.replace('\\', "\\\\")))),
        );
        line.tokens.push(Token { kind: TokenKind::Text(text), span });
        true
    }
}
