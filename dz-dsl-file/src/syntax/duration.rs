//! Durations in processes, schedules and language models, where `m` means minutes.

use crate::{
    Diagnostic, Span,
    cursor::Cursor,
    suggestion::same,
    token::{Token, TokenKind},
};

/// A duration, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duration {
    /// The number of units.
    pub amount: i64,
    /// The unit.
    pub unit: Unit,
    /// Its place.
    pub span: Span,
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the language")]
pub enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// Parses `30s`, `5 minutes`, `2d`; `None` after a report.
pub(super) fn parse(cursor: &mut Cursor<'_>) -> Option<Duration> {
    let span = cursor.here();
    let (amount, unit) = match cursor.peek().map(|token| &token.kind) {
        Some(TokenKind::Duration(amount, unit)) => {
            let Some(unit) = letters(unit, *amount, span, cursor) else {
                let found = Diagnostic::error("bad-duration", span, format!("`{amount}{unit}` is not a duration"));
                cursor.out.push(found.help("durations look like `30s`, `5 minutes`, `24h` or `2d`"));
                return None;
            };
            cursor.take();
            (*amount, unit)
        }
        Some(TokenKind::Number(digits)) => {
            let Ok(amount) = digits.parse::<i64>() else {
                let found = Diagnostic::error("bad-duration", span, format!("`{digits}` is not a whole number of units of time"));
                cursor.out.push(found.help("write whole numbers: `90s` in place of `1.5 minutes`"));
                return None;
            };
            cursor.take();
            (amount, word(amount, span, cursor))
        }
        _ => {
            cursor.report_unexpected("expected a duration such as `30s`, `5 minutes` or `2d`");
            return None;
        }
    };
    let span = Span { end: cursor.previous_span().end, ..span };
    if amount == 0 {
        cursor.out.push(Diagnostic::error("bad-duration", span, "a duration cannot be zero").help("write at least `1s`"));
        return None;
    }
    Some(Duration { amount, unit, span })
}

/// True if a duration begins here.
pub(super) fn starts(cursor: &Cursor<'_>) -> bool {
    matches!(cursor.peek().map(|token| &token.kind), Some(TokenKind::Duration(..) | TokenKind::Number(_)))
}

fn letters(unit: &str, amount: i64, span: Span, cursor: &mut Cursor<'_>) -> Option<Unit> {
    Some(match unit {
        "s" => Unit::Second,
        "min" => Unit::Minute,
        "h" => Unit::Hour,
        "d" => Unit::Day,
        "w" => Unit::Week,
        "y" => Unit::Year,
        "m" => {
            let plural = if amount == 1 { "" } else { "s" };
            let written = format!("{amount} minute{plural}");
            cursor.out.push(
                Diagnostic::lint("ambiguous-duration", span, format!("`{amount}m` means {written} here, and months elsewhere"))
                    .help(format!("write `{written}`"))
                    .replace(span, same(written)),
            );
            Unit::Minute
        }
        _ => return None,
    })
}

/// Parses the unit after a number, in words or short; without a unit, the number counts seconds.
fn word(amount: i64, span: Span, cursor: &mut Cursor<'_>) -> Unit {
    let word = cursor.peek().and_then(Token::word).unwrap_or_default().to_owned();
    let place = Span { end: cursor.here().end, ..span };
    let Some(unit) = unit_word(&word).or_else(|| letters(&word, amount, place, cursor)) else {
        let found = Diagnostic::lint("ambiguous-duration", span, format!("`{amount}` without a unit counts seconds"));
        cursor.out.push(found.help(format!("write `{amount}s`")).replace(span, same(format!("{amount}s"))));
        return Unit::Second;
    };
    cursor.take();
    unit
}

fn unit_word(word: &str) -> Option<Unit> {
    Some(match word.strip_suffix('s').unwrap_or(word) {
        "second" => Unit::Second,
        "minute" => Unit::Minute,
        "hour" => Unit::Hour,
        "day" => Unit::Day,
        "week" => Unit::Week,
        "month" => Unit::Month,
        "year" => Unit::Year,
        _ => return None,
    })
}

/// True for a word such as `days`.
pub(super) fn is_unit_word(word: &str) -> bool {
    unit_word(word).is_some()
}
