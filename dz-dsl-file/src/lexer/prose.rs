//! Prose: lines of text that is not in the language.

use super::{Lexer, RawLine, word_of};
use crate::{
    diagnostic::nearest,
    token::{Token, TokenKind},
};

/// How much of a construct is prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prose {
    /// None of it.
    Nowhere,
    /// Possibly all of it: quotes and brackets end at the end of their line, and missing ones are not reported.
    Everywhere,
    /// The text after a line that begins with one of these words and a colon, and the lines under it: the rest of each line is
    /// text as written, without quotes, brackets or comments.
    Under(&'static [&'static str]),
}

impl Lexer<'_> {
    /// Reads a line of prose; false if the current line is not prose.
    pub(super) fn prose_line(&mut self, line: &mut RawLine) -> bool {
        let Prose::Under(openers) = self.prose else { return false };
        if self.is_blank() {
            return false;
        }
        if self.prose_block.is_some_and(|block| line.indent > block) {
            if self.rest().starts_with('-') {
                self.mark('-', line);
            } else if self.opens_prose(openers) {
                self.opener(line);
            }
            self.raw(line);
            return true;
        }
        self.prose_block = None;
        if self.margin.is_none_or(|margin| line.indent <= margin) || !self.opens_prose(openers) {
            return false;
        }
        self.prose_block = Some(line.indent);
        self.opener(line);
        self.skip_blanks();
        if self.is_blank() && self.deeper_line_follows(line.indent) {
            self.comment();
        }
        self.raw(line);
        true
    }

    /// True at one of the words, followed by a colon.
    fn opens_prose(&self, openers: &[&str]) -> bool {
        let word = word_of(self.rest());
        let colon = self.rest()[word.len()..].trim_start_matches([' ', '\t']).starts_with(':');
        // A word that differs by one letter is parsed as the correct word.
        colon && !word.is_empty() && (openers.contains(&word) || nearest(word, openers.iter().copied()).is_some())
    }

    fn opener(&mut self, line: &mut RawLine) {
        self.word(line);
        self.skip_blanks();
        self.mark(':', line);
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
    }

    /// True if the next line with content is deeper than `indent`.
    pub(super) fn deeper_line_follows(&self, indent: usize) -> bool {
        let next = self.rest().split(['\n', '\r']).skip(1).find(|line| {
            let text = line.trim();
            !text.is_empty() && !text.starts_with('#') && !text.starts_with("//")
        });
        next.is_some_and(|line| super::columns(&line[..line.len() - line.trim_start_matches([' ', '\t']).len()]) > indent)
    }

    /// Reads the rest of the line: as a string if it is one string in quotes, else as raw text.
    fn raw(&mut self, line: &mut RawLine) {
        self.skip_blanks();
        let start = self.at;
        let end = self.rest().find(['\n', '\r']).map_or(self.text.len(), |at| start + at);
        let text = self.text[start..end].trim_end();
        let quoted = text.strip_suffix(':').map_or(text, str::trim_end);
        if is_string(text) || is_string(quoted) {
            if let Some(quote) = self.peek() {
                self.string(quote, line);
            }
            self.skip_blanks();
            if self.peek() == Some(':') {
                self.mark(':', line);
            }
        } else if !text.is_empty() {
            let span = self.span(start, start + text.len());
            line.tokens.push(Token { kind: TokenKind::Raw(text.to_owned()), span });
        }
        self.at = end;
        self.line_end();
    }
}

/// True for a text that is one string in quotes.
fn is_string(text: &str) -> bool {
    let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) else { return false };
    let mut chars = text[1..].chars();
    while let Some(c) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote {
            // Three quotes open a string over several lines, which prose cannot contain.
            return chars.as_str().is_empty();
        }
    }
    false
}
