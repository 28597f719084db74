//! Spaces between two tokens of a line.

use crate::token::{Token, TokenKind};

/// Words between operands or before one: no argument list follows them, and a minus after them belongs to the next token.
const OPERATORS: &[&str] = &["and", "or", "not", "in", "is", "if", "elif", "else", "where", "computed"];

/// The number of spaces before token `at` of a line (none or one), which is not its first. `inside` contains for each token
/// whether it is part of an expression: elsewhere a hyphen or a slash can be part of a name.
pub(super) fn before(tokens: &[Token], inside: &[bool], at: usize) -> usize {
    let Some(([.., prev], [next, ..])) = tokens.split_at_checked(at) else { return 0 };
    let touching = prev.span.end == next.span.start;
    let third = at.checked_sub(2).and_then(|at| tokens.get(at));
    match (mark(prev), mark(next)) {
        ("(" | "[" | "{" | "@", _) | (_, ")" | "]" | "}" | "," | ";" | "?" | ":") => 0,
        (".", _) => usize::from(third.is_some_and(is_number) && is_number(next)),
        ("," | ";", _) => 1,
        (":", _) => usize::from(!(touching && third.is_some_and(is_number) && is_number(next))),
        (_, ".") => usize::from(!ends_operand(prev)),
        ("-", _) if is_unary(tokens, at - 1) => usize::from(!binds(next)),
        ("->", _) | (_, "->") => 1,
        (_, "(") => usize::from(prev.word().is_none_or(is_operator)),
        (_, "[") => usize::from(prev.word().is_none_or(|word| is_operator(word) || !(touching || word == "enum"))),
        _ if is_option(tokens, at) => 0,
        ("-", _) if at == 1 => 1,
        (sign, _) if is_arithmetic(sign) => usize::from(!touching || inside.get(at - 1).copied().unwrap_or_default()),
        (_, sign) if is_arithmetic(sign) => usize::from(!touching || inside.get(at).copied().unwrap_or_default()),
        _ => 1,
    }
}

fn mark(token: &Token) -> &'static str {
    match token.kind {
        TokenKind::Mark(mark) => mark,
        _ => "",
    }
}

fn is_arithmetic(mark: &str) -> bool {
    matches!(mark, "+" | "-" | "*" | "/" | "%")
}

fn is_number(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Number(_) | TokenKind::Duration(..))
}

fn is_operator(word: &str) -> bool {
    OPERATORS.iter().any(|it| word.eq_ignore_ascii_case(it))
}

/// True for a token that can be continued, as by `.name`.
fn ends_operand(token: &Token) -> bool {
    match token.kind {
        TokenKind::Mark(mark) => matches!(mark, ")" | "]" | "}" | "."),
        _ => true,
    }
}

/// True for a token after which a minus needs no space.
fn binds(token: &Token) -> bool {
    !matches!(token.kind, TokenKind::Mark(mark) if mark != "(")
}

/// True for a minus that belongs to the next token. The dash of a list item is none.
fn is_unary(tokens: &[Token], at: usize) -> bool {
    let Some(prev) = at.checked_sub(1).and_then(|at| tokens.get(at)) else { return false };
    match &prev.kind {
        TokenKind::Mark(mark) => !matches!(*mark, ")" | "]" | "}" | "?" | "."),
        TokenKind::Word(word) => is_operator(word),
        _ => false,
    }
}

/// True on both sides of the sign in `field title widget=textarea` and `auth_profile: basic realm="x"`, which is not a
/// comparison.
fn is_option(tokens: &[Token], at: usize) -> bool {
    let [first, second, ..] = tokens else { return false };
    if first.word() == Some("auth_profile") && second.is(":") {
        return [at.checked_sub(1), Some(at)].into_iter().flatten().any(|at| tokens.get(at).is_some_and(|token| token.is("=")));
    }
    let sign = |at: usize| {
        let named = at.checked_sub(1).and_then(|at| tokens.get(at)).and_then(Token::word) == Some("widget");
        named && tokens.get(at).is_some_and(|token| token.is("="))
    };
    first.word() == Some("field") && second.word().is_some() && (sign(at) || sign(at - 1))
}
