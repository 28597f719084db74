//! Retries after failures.

use crate::{
    Diagnostic, Diagnostics,
    cursor::{Cursor, Name},
    dialect::{self, Meaning},
    layout::Line,
    syntax::{
        PresentKeys,
        duration::{self, Duration},
        keyed,
        keys::Keys,
    },
    token::{Token, TokenKind},
};

/// `retry:` with its lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Retry {
    /// The keyword.
    pub key: Name,
    /// `max_attempts:`
    pub max_attempts: Option<Name>,
    /// `backoff:`
    pub backoff: Option<Name>,
    /// `interval:`
    pub interval: Option<Duration>,
    /// The present keys.
    pub present: PresentKeys,
}

/// The keys of `retry:`
pub(crate) const KEYS: &[&str] = &["max_attempts", "backoff", "interval"];

/// Reads `retry: 3`, or the block.
pub(crate) fn parse(key: Name, line: &Line, out: &mut Diagnostics) -> Retry {
    let mut retry = Retry { key, max_attempts: None, backoff: None, interval: None, present: PresentKeys::default() };
    if keyed::has_value(line) {
        retry.max_attempts = keyed::value(line, out, number);
        retry.present.broken = retry.max_attempts.is_none();
        return retry;
    }
    let mut keys = Keys::new("retry", KEYS);
    for child in keyed::block(line, out) {
        if milliseconds(child, out) {
            keys.broken = true;
            continue;
        }
        let Some(key) = keys.meant(child, out) else { continue };
        match key.text.as_str() {
            "max_attempts" => retry.max_attempts = keyed::value(child, out, number),
            "backoff" => retry.backoff = keyed::value(child, out, |cursor| cursor.expect_name("`fixed`, `linear` or `exponential`")),
            _ => retry.interval = keyed::value(child, out, duration::parse),
        }
    }
    retry.present = keys.into_present();
    retry
}

/// Reports a pause in milliseconds; true if the line contains one.
fn milliseconds(line: &Line, out: &mut Diagnostics) -> bool {
    let phrase = match line.tokens[0].word() {
        Some("initial_delay_ms") => dialect::phrase("pause-in-milliseconds"),
        Some("max_delay_ms") => dialect::phrase("longest-delay"),
        _ => return false,
    };
    let key = line.tokens[0].describe();
    let found = Diagnostic::error("unknown-key", line.tokens[0].span, format!("`retry` has no key {key}")).help(phrase.help);
    let amount = match line.tokens.as_slice() {
        [_, colon, Token { kind: TokenKind::Number(digits), .. }] if colon.is(":") => digits.parse::<u64>().ok(),
        _ => None,
    };
    out.push(match amount.filter(|_| phrase.meaning == Meaning::Same) {
        // The shortest pause is a second.
        Some(amount) => {
            let ours = format!("interval: {}s", amount.div_ceil(1000).max(1));
            found.replace(line.span(), phrase.replacement(ours, amount > 0 && amount % 1000 == 0))
        }
        None => found,
    });
    true
}

/// A number as written.
pub(crate) fn number(cursor: &mut Cursor<'_>) -> Option<Name> {
    let minus = cursor.eat("-");
    match cursor.peek() {
        Some(Token { kind: TokenKind::Number(digits), span }) => {
            let start = if minus { cursor.previous_span().start } else { span.start };
            cursor.take();
            let text = if minus { format!("-{digits}") } else { digits.clone() };
            Some(Name { text, span: crate::Span { start, ..*span } })
        }
        _ => {
            cursor.report_unexpected("expected a number");
            None
        }
    }
}
