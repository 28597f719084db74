//! Numbers and durations.

use unicode_ident::is_xid_continue;

use super::{Lexer, RawLine};
use crate::{
    Diagnostic, Span, dialect,
    token::{Token, TokenKind},
};

impl Lexer<'_> {
    pub(super) fn number(&mut self, line: &mut RawLine) {
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
        let unit = &self.rest()[..self.rest().find(|c| !is_xid_continue(c)).unwrap_or(self.rest().len())];
        self.at += unit.len();
        let span = self.span(start, self.at);
        let kind = if unit.is_empty() {
            self.check_range(&digits, span);
            TokenKind::Number(digits)
        } else {
            match (is_unit(unit), digits.parse::<i64>()) {
                (true, Ok(amount)) => TokenKind::Duration(amount, unit.to_owned()),
                _ if self.days_ago(&digits, unit, span, line) => return,
                _ if continues_name(start, line) => TokenKind::Word(self.text[start..self.at].to_owned()),
                _ => {
                    let found = Diagnostic::error("bad-number", span, format!("`{digits}{unit}` is neither a number nor a duration"));
                    self.report(match size_unit(unit) {
                        Some(known) => {
                            found.help("write KB, MB or GB after a size: a MB is 1,000,000 bytes").replace(span, format!("{digits}{known}"))
                        }
                        None => found
                            .help("durations look like `7d`, `24h`, `30min`, `2w`, `3m`, `1y`; names that start with a digit need quotes"),
                    });
                    TokenKind::Number(digits)
                }
            }
        };
        line.tokens.push(Token { kind, span });
    }

    /// Reports `7_days_ago` and `7_days_from_now`, and reads them as `today - 7d` and `today + 7d`.
    fn days_ago(&mut self, amount: &str, unit: &str, span: Span, line: &mut RawLine) -> bool {
        let ago = unit.strip_suffix("_ago");
        let word = ago.or_else(|| unit.strip_suffix("_from_now")).map(|word| word.strip_suffix('s').unwrap_or(word));
        let units = [("day", "d"), ("week", "w"), ("month", "m"), ("year", "y"), ("hour", "h"), ("minute", "min")];
        let Some((word, unit)) = units.into_iter().find(|(long, _)| word == Some(*long)) else { return false };
        let Ok(count) = amount.parse::<i64>() else { return false };
        let from = if matches!(word, "hour" | "minute") { "now" } else { "today" };
        let written = &self.text[span.start as usize..span.end as usize];
        let (name, sign) = if ago.is_some() { ("days-ago", "-") } else { ("days-from-now", "+") };
        let (phrase, ours) = (dialect::phrase(name), format!("{from} {sign} {amount}{unit}"));
        let found = Diagnostic::error("bad-number", span, format!("`{written}` is neither a number nor a duration"));
        self.report(found.help(format!("{}: `{ours}`", phrase.help)).replace(span, phrase.replacement(ours, true)));
        for kind in [TokenKind::Word(from.to_owned()), TokenKind::Mark(sign), TokenKind::Duration(count, unit.to_owned())] {
            line.tokens.push(Token { kind, span });
        }
        true
    }

    fn check_range(&mut self, digits: &str, span: Span) {
        let too_large = match digits.split_once('.') {
            None => digits.parse::<i64>().is_err(),
            Some((whole, fraction)) => whole.trim_start_matches('0').len() + fraction.len() > 28,
        };
        if too_large {
            let shown = if digits.len() > 40 { "this number".to_owned() } else { format!("`{digits}`") };
            self.report(
                Diagnostic::error("number-out-of-range", span, format!("{shown} is beyond what a number can hold"))
                    .help("whole numbers reach to 9223372036854775807, decimals have at most 28 digits"),
            );
        }
    }
}

/// True if a hyphen joins the text at `start` to a name, as in `gpt-4o`. Parsers of names with hyphens accept it as a part;
/// others report it as an unknown word.
fn continues_name(start: usize, line: &RawLine) -> bool {
    let mut end = start as u32;
    let mut tokens = line.tokens.iter().rev();
    while let (Some(hyphen), Some(part)) = (tokens.next(), tokens.next()) {
        if !hyphen.is("-") || hyphen.span.end != end || part.span.end != hyphen.span.start {
            return false;
        }
        match part.kind {
            TokenKind::Word(_) => return true,
            TokenKind::Number(_) | TokenKind::Duration(..) => end = part.span.start,
            _ => return false,
        }
    }
    false
}

/// True for the units of durations and file sizes.
pub fn is_unit(unit: &str) -> bool {
    matches!(unit, "s" | "min" | "h" | "d" | "w" | "m" | "y" | "KB" | "MB" | "GB")
}

/// The unit of a file size for another spelling, such as `MiB` or `mb`.
fn size_unit(unit: &str) -> Option<&'static str> {
    match unit.to_ascii_lowercase().as_str() {
        "kb" | "kib" => Some("KB"),
        "mb" | "mib" => Some("MB"),
        "gb" | "gib" => Some("GB"),
        _ => None,
    }
}
