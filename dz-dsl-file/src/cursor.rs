//! Reads the tokens of one line.

use crate::{
    Diagnostic, Diagnostics, Span,
    diagnostic::near_word,
    dialect,
    layout::Line,
    suggestion::{layout, same},
    token::{Token, TokenKind},
};

/// A text with its position.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// The text.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A reader over tokens that reports unexpected tokens.
pub struct Cursor<'a> {
    tokens: &'a [Token],
    at: usize,
    end: Span,
    /// Where findings go.
    pub out: &'a mut Diagnostics,
    /// The nesting depth of the expression that is being read.
    pub depth: usize,
    /// The number of operators in the expressions of this line so far.
    pub operators: usize,
}

/// Signs that are written in place of a colon.
const IN_PLACE_OF_COLON: &[&str] = &["=", ";"];

impl<'a> Cursor<'a> {
    /// Reads a line from its first token.
    pub fn new(line: &'a Line, out: &'a mut Diagnostics) -> Self {
        let end = line.span();
        Cursor { tokens: &line.tokens, at: 0, end: Span { start: end.end, ..end }, out, depth: 0, operators: 0 }
    }

    /// The current token.
    pub fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    /// The token `ahead` tokens after the current one.
    pub fn peek_at(&self, ahead: usize) -> Option<&'a Token> {
        self.tokens.get(self.at + ahead)
    }

    /// Takes the current token.
    pub fn take(&mut self) -> Option<&'a Token> {
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        Some(token)
    }

    /// The tokens of the line before the current one.
    pub fn tokens_before(&self) -> &'a [Token] {
        &self.tokens[..self.at]
    }

    /// True if the rest of the line contains this punctuation.
    pub fn line_has(&self, mark: &str) -> bool {
        self.tokens[self.at..].iter().any(|token| token.is(mark))
    }

    /// True at the end of the line.
    pub fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// The place of the current token, or the end of the line.
    pub fn here(&self) -> Span {
        self.peek().map_or(self.end, |token| token.span)
    }

    /// The place of the previous token.
    pub fn previous_span(&self) -> Span {
        self.previous().map_or(self.end, |token| token.span)
    }

    /// The previous token.
    pub fn previous(&self) -> Option<&'a Token> {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at))
    }

    /// True if the current token is this punctuation.
    pub fn at(&self, mark: &str) -> bool {
        self.peek().is_some_and(|token| token.is(mark))
    }

    /// True if the current token is this word.
    pub fn at_word(&self, word: &str) -> bool {
        self.peek().and_then(Token::word) == Some(word)
    }

    /// Takes this punctuation if it is the current token.
    pub fn eat(&mut self, mark: &str) -> bool {
        let here = self.at(mark);
        self.at += usize::from(here);
        here
    }

    /// Takes this word if it is the current token.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let here = self.at_word(word);
        self.at += usize::from(here);
        here
    }

    /// Takes a word.
    pub fn name(&mut self) -> Option<Name> {
        let token = self.peek()?;
        let text = token.word()?.to_owned();
        self.at += 1;
        Some(Name { text, span: token.span })
    }

    /// Takes a word, or reports that `what` is missing.
    pub fn expect_name(&mut self, what: &str) -> Option<Name> {
        let name = self.name();
        if name.is_none() {
            self.report_unexpected(&format!("expected {what}"));
        }
        name
    }

    /// Takes a word, or reports that `what` is missing and what to write.
    pub fn name_or_help(&mut self, what: &str, help: &str) -> Option<Name> {
        let name = self.name();
        if name.is_none() {
            self.report_missing(what, help);
        }
        name
    }

    /// Takes this word. A misspelt one is reported and taken; `before` is the text that follows the word, for the help.
    pub fn keyword(&mut self, word: &str, before: &str) -> bool {
        if self.eat_word(word) {
            return true;
        }
        let here = self.here();
        let near = self.peek().and_then(Token::word).and_then(|found| near_word(found, [word]));
        let shown = self.peek().map_or_else(|| "the line ends".to_owned(), |token| format!("found {}", token.describe()));
        let found =
            Diagnostic::error("unexpected-token", here, format!("expected `{word}`, but {shown}")).help(format!("write `{word} {before}`"));
        // A single remaining word is probably the one that follows the keyword.
        let alone = self.peek().and_then(Token::word).is_some() && self.peek_at(1).is_none();
        let meant = near.is_some();
        self.out.push(match (near, alone) {
            (Some(near), _) => found.replace(here, near),
            (None, true) => found.replace(Span { end: here.start, ..here }, format!("{word} ")),
            (None, false) => found,
        });
        self.at += usize::from(meant);
        meant
    }

    /// Takes a word before a name. If it is misspelt, or missing before the last name of the line, it is reported, and
    /// the name can be read.
    pub fn leading(&mut self, word: &str) -> bool {
        let last = self.peek_at(1).is_none_or(|next| next.is(":"));
        let name = self.peek().filter(|_| last && !self.at_word(word)).and_then(Token::word);
        let Some(name) = name else { return self.keyword(word, "NAME") };
        let here = self.here();
        let found = Diagnostic::error("unexpected-token", here, format!("expected `{word}`, but found `{name}`"));
        let found = found.help(format!("write `{word} {name}`")).replace(Span { end: here.start, ..here }, format!("{word} "));
        self.out.push(found);
        true
    }

    /// Takes a line's text: prose, or a string.
    pub fn prose(&mut self) -> Option<Name> {
        match self.peek() {
            Some(Token { kind: TokenKind::Raw(text), span }) => {
                self.at += 1;
                Some(Name { text: text.clone(), span: *span })
            }
            _ => self.text(),
        }
    }

    /// Takes a word or a string.
    pub fn name_or_text(&mut self) -> Option<Name> {
        self.name().or_else(|| self.text())
    }

    /// Takes a name whose parts are joined by one of `joints` without spaces: `ST-001`, `gpt-4o-mini`.
    pub fn compound(&mut self, joints: &[&str]) -> Option<Name> {
        let mut name = self.name()?;
        loop {
            let [Some(joint), Some(part)] = [self.peek(), self.peek_at(1)] else { return Some(name) };
            let TokenKind::Mark(mark) = joint.kind else { return Some(name) };
            if !joints.contains(&mark) || joint.span.start != name.span.end || part.span.start != joint.span.end {
                return Some(name);
            }
            let text = match &part.kind {
                TokenKind::Word(text) | TokenKind::Number(text) => text.clone(),
                TokenKind::Duration(amount, unit) => format!("{amount}{unit}"),
                _ => return Some(name),
            };
            self.at += 2;
            name.span.end = part.span.end;
            if text.len() != (part.span.end - part.span.start) as usize {
                self.out.push(
                    Diagnostic::error("unexpected-token", part.span, "this part of a name would be read as a number")
                        .help("put the whole name in quotes"),
                );
            }
            name.text.push_str(mark);
            name.text.push_str(&text);
        }
    }

    /// Takes a string.
    pub fn text(&mut self) -> Option<Name> {
        match self.peek() {
            Some(Token { kind: TokenKind::Text(text), span }) => {
                self.at += 1;
                Some(Name { text: text.clone(), span: *span })
            }
            _ => None,
        }
    }

    /// Takes `true` or `false`. A word of another dialect for one of them is reported and taken.
    pub fn flag(&mut self) -> Option<bool> {
        let word = self.peek().and_then(Token::word).unwrap_or_default();
        match word {
            "true" | "false" => {}
            _ => match dialect::word("flag", word) {
                Some(row) => {
                    let found =
                        Diagnostic::error("unexpected-token", self.here(), format!("expected `true` or `false`, but found `{word}`"));
                    self.out.push(found.help(row.help()).replace(self.here(), same(row.ours)));
                }
                None => {
                    self.report_unexpected_near("expected `true` or `false`", &["true", "false"]);
                    return None;
                }
            },
        }
        self.at += 1;
        Some(word == "true" || dialect::word("flag", word).is_some_and(|row| row.ours == "true"))
    }

    /// Takes the punctuation, or reports that it is missing. The reading goes on after a sign in place of a colon or an arrow.
    pub fn expect(&mut self, mark: &str) -> bool {
        if self.eat(mark) {
            return true;
        }
        let before = self.previous().map(|token| Name { text: token.describe().trim_matches('`').to_owned(), span: token.span });
        match (mark, before) {
            (":", Some(before)) if !self.is_done() => {
                self.missing_colon(&before);
                true
            }
            ("->", _) if self.sign_in_place_of_arrow() => true,
            _ => {
                self.report_unexpected(&format!("expected `{mark}`"));
                false
            }
        }
    }

    /// Reports a sign that is written in place of an arrow, and takes it.
    fn sign_in_place_of_arrow(&mut self) -> bool {
        let at = |ahead: usize, mark: &str| self.peek_at(ahead).is_some_and(|token| token.is(mark));
        let double = (at(0, "=") || at(0, "-") || at(0, "--")) && at(1, ">");
        let single = ["=>", "-", "--", ">"].into_iter().any(|mark| at(0, mark));
        if !double && !single {
            return false;
        }
        let here = self.here();
        self.at += 1 + usize::from(double);
        let span = Span { end: self.previous_span().end, ..here };
        self.out.push(Diagnostic::error("unexpected-token", span, "expected `->`").help("write `->`").replace(span, layout("->")));
        true
    }

    /// Takes a comma. A semicolon in its place is reported and taken.
    pub fn comma(&mut self) -> bool {
        if !self.at(";") || self.peek_at(1).is_none() {
            return self.eat(",");
        }
        let span = self.here();
        self.out
            .push(Diagnostic::error("unexpected-token", span, "expected `,`, but found `;`").help("write `,`").replace(span, layout(",")));
        self.at += 1;
        true
    }

    /// Reports and takes a point that is written in place of a comma.
    pub fn point_for_comma(&mut self) -> bool {
        if !self.at(".") {
            return false;
        }
        let span = self.here();
        self.out
            .push(Diagnostic::error("unexpected-token", span, "expected `,`, but found `.`").help("write `,`").replace(span, layout(",")));
        self.at += 1;
        true
    }

    /// Takes a colon that can be left out. Another sign in its place is reported and taken.
    pub fn optional_colon(&mut self) {
        if !self.eat(":") && IN_PLACE_OF_COLON.iter().any(|mark| self.at(mark)) {
            self.expect(":");
        }
    }

    /// Reports that the colon after `name` is missing, and takes a sign that is written in its place.
    pub fn missing_colon(&mut self, name: &Name) {
        let other = self.peek().filter(|token| IN_PLACE_OF_COLON.iter().any(|mark| token.is(mark))).map(|token| token.span);
        self.at += usize::from(other.is_some());
        let place = Span { start: name.span.end, end: other.map_or(name.span.end, |sign| sign.end), ..name.span };
        self.out.push(
            Diagnostic::error("missing-colon", name.span, format!("a colon is missing after `{}`", name.text))
                .help(format!("write `{}: …`", name.text))
                .replace(place, layout(":")),
        );
    }

    /// Reports the rest of the line, which may be a misspelling of one of `words`.
    pub fn finish_near(&mut self, words: &[&str]) {
        let Some(token) = self.peek() else { return };
        let near = token.word().and_then(|word| near_word(word, words.iter().copied()));
        let Some(near) = near else { return self.finish() };
        let found = Diagnostic::error("unexpected-token", token.span, format!("{} has no meaning here", token.describe()));
        self.out.push(found.help(format!("did you mean `{near}`?")).replace(token.span, near));
        self.skip();
    }

    /// Takes the colon after `name`, or reports that it is missing.
    pub fn expect_colon(&mut self, name: &Name) {
        if !self.eat(":") {
            self.missing_colon(name);
        }
    }

    /// Reports the current token, which is unexpected.
    pub fn report_unexpected(&mut self, expected: &str) {
        let found = self.peek().map_or_else(|| "the line ends".to_owned(), |token| format!("found {}", token.describe()));
        let span = self.here();
        self.out.push(Diagnostic::error("unexpected-token", span, format!("{expected}, but {found}")));
    }

    /// Reports the current token, which is unexpected and may be a misspelling of one of `words`.
    pub fn report_unexpected_near(&mut self, expected: &str, words: &[&str]) {
        let Some(token) = self.peek() else { return self.report_unexpected(expected) };
        let Some(near) = token.word().and_then(|word| near_word(word, words.iter().copied())) else {
            return self.report_unexpected(expected);
        };
        let found = Diagnostic::error("unexpected-token", token.span, format!("{expected}, but found {}", token.describe()));
        self.out.push(found.help(format!("did you mean `{near}`?")).replace(token.span, near));
    }

    /// Reports a parenthesis that is not closed here: the word here, or the one before it, may be misspelt.
    pub fn report_unclosed(&mut self, joins: &[&str]) {
        let before = self.previous().filter(|_| self.peek().is_some_and(|token| token.word().is_some()));
        let near = before.and_then(|it| Some((it.span, near_word(it.word()?, ["not", "if"])?)));
        let Some((span, near)) = near else { return self.report_unexpected_near("expected `)`", joins) };
        let found = Diagnostic::error(
            "unexpected-token",
            span,
            format!("`{}` has no meaning here", self.previous().and_then(Token::word).unwrap_or_default()),
        );
        self.out.push(found.help(format!("did you mean `{near}`?")).replace(span, near));
    }

    /// Reports that `what` is missing here, and what to write.
    pub fn report_missing(&mut self, what: &str, help: &str) {
        let found = self.peek().map_or_else(|| "the line ends".to_owned(), |token| format!("found {}", token.describe()));
        let span = self.here();
        self.out.push(Diagnostic::error("unexpected-token", span, format!("expected {what}, but {found}")).help(help));
    }

    /// Reports the rest of the line.
    pub fn finish(&mut self) {
        if let Some(token) = self.peek() {
            let span = Span { end: self.tokens[self.tokens.len() - 1].span.end, ..token.span };
            let found = Diagnostic::error("unexpected-token", span, format!("{} has no meaning here", token.describe()));
            self.out.push(found.help(if matches!(token.kind, TokenKind::Text(_)) { "remove the string" } else { "remove it" }));
            self.at = self.tokens.len();
        }
    }

    /// Reports the rest of the line after an expression.
    pub fn finish_expression(&mut self) {
        let Some(token) = self.peek() else { return };
        if let Some(more) = self.peek_at(1).filter(|more| token.is("=") && more.is(">")) {
            let span = Span { end: more.span.end, ..token.span };
            let found = Diagnostic::error("unexpected-token", span, "`=>` has no meaning here");
            self.out.push(found.help("write `>=`").replace(span, ">="));
            return self.skip();
        }
        let operand = !matches!(token.kind, TokenKind::Mark(_)) || token.is("(") || token.is("[");
        if !operand {
            return self.finish();
        }
        let said = |token: &Token| Diagnostic::error("unexpected-token", token.span, format!("{} has no meaning here", token.describe()));
        let near = |token: &Token, words: &[&'static str]| token.word().and_then(|word| near_word(word, words.iter().copied()));
        let before = self.previous();
        self.out.push(
            match (before.and_then(|it| Some((it, near(it, &["not", "if"])?))), near(token, &["and", "or", "in", "is", "not"])) {
                (Some((before, word)), _) => said(before).help(format!("did you mean `{word}`?")).replace(before.span, word),
                (None, Some(word)) => said(token).help(format!("did you mean `{word}`?")).replace(token.span, word),
                (None, None) => said(token).help("join it to the expression before it with `and`, `or` or an operator"),
            },
        );
        self.skip();
    }

    /// Skips the rest of the line without a report.
    pub fn skip(&mut self) {
        self.at = self.tokens.len();
    }

    /// Reads words or strings separated by commas, in brackets or not, to the end of the line.
    pub fn names_or_texts(&mut self, what: &str) -> Vec<Name> {
        self.separated(|cursor| {
            let name = cursor.name_or_text();
            if name.is_none() {
                cursor.report_unexpected(&format!("expected {what}"));
            }
            name
        })
    }

    /// Reads words separated by commas, in brackets or not, to the end of the line.
    pub fn names(&mut self, what: &str) -> Vec<Name> {
        self.separated(|cursor| cursor.expect_name(what))
    }

    /// Reads items separated by commas, in brackets or not, to the end of the line; `read` reads one item.
    pub fn separated<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Vec<T> {
        let bracket = self.eat("[");
        let mut items = Vec::new();
        while !(bracket && self.at("]")) {
            let Some(item) = read(self) else {
                self.skip();
                return items;
            };
            items.push(item);
            if !self.comma() {
                break;
            }
        }
        if bracket && !self.expect("]") {
            self.skip();
        }
        self.finish();
        items
    }
}
