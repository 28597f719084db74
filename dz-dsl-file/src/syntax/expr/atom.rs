//! Atoms: literals, durations, lists, parentheses, names and calls.

use super::{Arg, COMPARISONS, Expr, ExprKind, eat_either, is_operand, parse};
use crate::{
    Diagnostic, Near, Span,
    cursor::{Cursor, Name},
    diagnostic::near_word,
    dialect,
    lexer::is_unit,
    token::{Token, TokenKind},
};

pub(super) fn atom(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let Some(token) = cursor.peek() else {
        cursor.report_unexpected(&expected(cursor));
        return None;
    };
    let span = token.span;
    match &token.kind {
        TokenKind::Number(number) => {
            cursor.take();
            Some(spelled_duration(cursor, number, span))
        }
        TokenKind::Duration(amount, unit) => {
            cursor.take();
            Some(Expr { kind: ExprKind::Duration(*amount, unit.clone()), span })
        }
        TokenKind::Text(text) => {
            cursor.take();
            Some(Expr { kind: ExprKind::Text(text.clone()), span })
        }
        TokenKind::Mark("(") => parenthesis(cursor),
        TokenKind::Mark("[") => list(cursor),
        TokenKind::Mark("{") if cursor.peek_at(1).is_some_and(|token| token.is("}")) => {
            cursor.take();
            cursor.take();
            Some(Expr { kind: ExprKind::EmptyObject, span: Span { end: cursor.previous_span().end, ..span } })
        }
        TokenKind::Mark("{") => object(cursor),
        TokenKind::Word(word) if matches!(word.as_str(), "null" | "None") && !cursor.peek_at(1).is_some_and(|it| it.is(".")) => {
            eat_either(cursor, "null", "None");
            Some(Expr { kind: ExprKind::Null, span })
        }
        TokenKind::Word(_) if operand_is_missing(cursor) => {
            cursor.report_unexpected(&expected(cursor));
            cursor.skip();
            None
        }
        TokenKind::Word(word) if word == "via" && over_a_junction(cursor) => None,
        TokenKind::Word(_) => word(cursor),
        TokenKind::Mark(_) | TokenKind::Raw(_) => {
            cursor.report_unexpected(&expected(cursor));
            cursor.skip();
            None
        }
    }
}

/// Parses a duration: `7 days`, `7d`. Takes nothing if there is none.
pub fn duration(cursor: &mut Cursor<'_>) -> Option<(i64, String)> {
    let is_one = match &cursor.peek()?.kind {
        TokenKind::Duration(..) => true,
        TokenKind::Number(_) => {
            let unit = cursor.peek_at(1).and_then(Token::word);
            let known = |word| spelled_unit(word).is_some() || unit_meant(word).is_some();
            unit.is_some_and(known) || short_unit(cursor, 1).is_some()
        }
        _ => false,
    };
    match is_one.then(|| atom(cursor))??.kind {
        ExprKind::Duration(amount, unit) => Some((amount, unit)),
        _ => None,
    }
}

/// Words between two operands.
const JOINS: &[&str] = &["and", "or", "in", "is", "where"];

/// True if an operator word is in place of an operand: an operand follows it, which cannot follow a name.
fn operand_is_missing(cursor: &Cursor<'_>) -> bool {
    let word = |ahead: usize| cursor.peek_at(ahead).and_then(Token::word).map(str::to_lowercase);
    let joins = |word: &String| JOINS.contains(&word.as_str());
    let follows = match cursor.peek_at(1).map(|token| &token.kind) {
        Some(TokenKind::Word(_)) => !word(1).as_ref().is_some_and(joins),
        Some(TokenKind::Mark(mark)) => *mark == "[" || (*mark == "(" && word(0).is_some_and(|it| it != "in")),
        Some(_) => true,
        None => false,
    };
    follows && word(0).as_ref().is_some_and(joins)
}

/// The expected token, and the token before it, for messages.
fn expected(cursor: &Cursor<'_>) -> String {
    cursor
        .previous()
        .map_or_else(|| "expected an expression".to_owned(), |before| format!("expected an expression after {}", before.describe()))
}

/// Parses `7 days`, which is the same as `7d`.
fn spelled_duration(cursor: &mut Cursor<'_>, number: &str, span: Span) -> Expr {
    let mut unit = cursor.peek().and_then(Token::word).and_then(spelled_unit).or_else(|| short_unit(cursor, 0));
    if let (None, Some(meant), Some(token)) = (unit, misspelt_unit(cursor), cursor.peek()) {
        let found = Diagnostic::error("unexpected-token", token.span, format!("{} is not a unit of time", token.describe()));
        cursor.out.push(found.help(format!("did you mean `{meant}`?")).replace(token.span, meant.clone()));
        unit = spelled_unit(&meant);
    }
    match (unit, number.parse::<i64>()) {
        (Some(unit), Ok(amount)) => {
            cursor.take();
            Expr { kind: ExprKind::Duration(amount, unit.to_owned()), span: Span { end: cursor.previous_span().end, ..span } }
        }
        _ => Expr { kind: ExprKind::Number(number.to_owned()), span },
    }
}

/// The unit of which the word after a number is a misspelling.
fn misspelt_unit(cursor: &Cursor<'_>) -> Option<Near<'static>> {
    unit_meant(cursor.peek().and_then(Token::word)?)
}

fn unit_meant(word: &str) -> Option<Near<'static>> {
    const UNITS: &[&str] = &["seconds", "minutes", "hours", "days", "weeks", "months", "years"];
    let joins = matches!(word.to_lowercase().as_str(), "and" | "or" | "not" | "in" | "is" | "if" | "elif" | "else" | "where");
    if joins || word.len() <= 2 {
        return None;
    }
    near_word(word, UNITS.iter().copied())
}

/// The unit `ahead` of the cursor in its short form: `7 d` is the same as `7d`. A size in bytes is not a duration.
fn short_unit(cursor: &Cursor<'_>, ahead: usize) -> Option<&'static str> {
    let word = cursor.peek_at(ahead).and_then(Token::word)?;
    let is_name = cursor.peek_at(ahead + 1).is_some_and(|next| [":", "(", "."].iter().any(|mark| next.is(mark)));
    ["s", "min", "h", "d", "w", "m", "y"].into_iter().find(|unit| *unit == word && !is_name)
}

fn spelled_unit(word: &str) -> Option<&'static str> {
    let unit = match word.strip_suffix('s').unwrap_or(word) {
        "second" => "s",
        "minute" => "min",
        "hour" => "h",
        "day" => "d",
        "week" => "w",
        "month" => "m",
        "year" => "y",
        _ => return None,
    };
    debug_assert!(is_unit(unit));
    Some(unit)
}

/// Reports `via Junction(…)` as one mistake.
fn over_a_junction(cursor: &mut Cursor<'_>) -> bool {
    let (Some(name), true) = (cursor.peek_at(1).and_then(Token::word), cursor.peek_at(2).is_some_and(|it| it.is("("))) else {
        return false;
    };
    let phrase = dialect::phrase("rows-over-a-junction");
    let found = Diagnostic::error("unexpected-token", cursor.here(), format!("`via {name}(…)` is not a condition"));
    cursor.out.push(found.help(phrase.help));
    cursor.skip();
    true
}

fn parenthesis(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let start = cursor.here();
    cursor.take();
    let mut inner = parse(cursor)?;
    let end = cursor.here();
    if cursor.at(",") {
        let found = Diagnostic::error("unexpected-token", start, "several values in parentheses belong to a function");
        cursor.out.push(found.label(end, "the second one").help("write the function's name before it, or `[a, b]` for a list"));
        cursor.skip();
        return None;
    }
    if cursor.at_word("where") {
        let aggregate = if counted(cursor) { "count" } else { "any" };
        let found = Diagnostic::error("unexpected-token", start, "`where` is allowed in a call only");
        cursor.out.push(
            found
                .label(end, "this one")
                .help(format!("write `{aggregate}(… where …)`"))
                .replace(Span { end: start.start, ..start }, aggregate),
        );
        cursor.skip();
        return None;
    }
    if !cursor.eat(")") {
        cursor.report_unclosed(JOINS);
        return None;
    }
    inner.span = Span { end: end.end, ..start };
    Some(inner)
}

/// True if the current parenthesis is followed by a comparison.
fn counted(cursor: &Cursor<'_>) -> bool {
    let mut depth = 1;
    let mut ahead = 0;
    while let Some(token) = cursor.peek_at(ahead) {
        depth += i32::from(token.is("(")) - i32::from(token.is(")"));
        ahead += 1;
        if depth == 0 {
            return cursor.peek_at(ahead).is_some_and(|next| COMPARISONS.iter().any(|(mark, _)| next.is(mark)));
        }
    }
    false
}

fn list(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let start = cursor.here();
    cursor.take();
    let mut items = Vec::new();
    while !cursor.at("]") && !cursor.is_done() {
        items.push(parse(cursor)?);
        if !cursor.comma() {
            break;
        }
    }
    let end = cursor.here();
    if !cursor.expect("]") {
        return None;
    }
    Some(Expr { kind: ExprKind::List(items), span: Span { end: end.end, ..start } })
}

/// Takes a comma, which must be followed by another argument.
fn separator(cursor: &mut Cursor<'_>) -> bool {
    let comma = cursor.here();
    let found = cursor.comma();
    if found && cursor.at(")") {
        let report = Diagnostic::error("unexpected-token", comma, "there is nothing between this comma and `)`");
        cursor.out.push(report.help("add what is missing, or remove the comma").replace(comma, ""));
    }
    found
}

fn object(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let start = cursor.here();
    cursor.take();
    let mut members = Vec::new();
    while !cursor.at("}") && !cursor.is_done() {
        let Some(name) = cursor.name_or_text() else {
            cursor.report_unexpected("expected a name");
            cursor.skip();
            return None;
        };
        if !cursor.expect(":") {
            return None;
        }
        members.push((name, parse(cursor)?));
        if !cursor.comma() {
            break;
        }
    }
    let end = cursor.here();
    if !cursor.expect("}") {
        return None;
    }
    Some(Expr { kind: ExprKind::Object(members), span: Span { end: end.end, ..start } })
}

fn word(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let first = cursor.name()?;
    let start = first.span;
    if cursor.at("(") {
        return call(cursor, first);
    }
    let mut path = vec![first];
    while cursor.eat(".") {
        if operand_is_missing(cursor) {
            cursor.report_unexpected("expected a field after `.`");
            cursor.skip();
            return None;
        }
        path.push(cursor.expect_name("a field after `.`")?);
    }
    let span = Span { end: cursor.previous_span().end, ..start };
    Some(Expr { kind: ExprKind::Path(path), span })
}

fn call(cursor: &mut Cursor<'_>, name: Name) -> Option<Expr> {
    cursor.take();
    let mut args = Vec::new();
    while !cursor.at(")") && !cursor.is_done() {
        let here = cursor.here();
        if cursor.eat("*") {
            args.push(Arg::Star(here));
        } else if cursor.at_word("where") && !is_operand(cursor) {
            cursor.report_unexpected("expected what to look at, such as a relation");
            cursor.skip();
            return None;
        } else {
            let value = parse(cursor)?;
            let condition = if eat_either(cursor, "where", "WHERE") { Some(parse(cursor)?) } else { None };
            args.push(Arg::Value(value, condition));
        }
        if !separator(cursor) {
            break;
        }
    }
    let end = cursor.here();
    if !cursor.eat(")") {
        cursor.report_unclosed(JOINS);
        return None;
    }
    let span = Span { end: end.end, ..name.span };
    Some(Expr { kind: ExprKind::Call(name, args), span })
}
