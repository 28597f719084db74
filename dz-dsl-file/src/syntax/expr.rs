//! The expression grammar, which is the same for every position.

mod atom;

use atom::atom;
pub use atom::duration;

use crate::{
    Diagnostic, Span,
    cursor::{Cursor, Name},
    suggestion::same,
    token::{Token, TokenKind},
};

/// An expression as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// The kind of expression.
    pub kind: ExprKind,
    /// From its first to its last token.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `null`
    Null,
    /// A number as written.
    Number(String),
    /// A duration.
    Duration(i64, String),
    /// A string.
    Text(String),
    /// A word or a dotted path; also `true`, `today`, `current_user`, enum values.
    Path(Vec<Name>),
    /// A call, with its arguments.
    Call(Name, Vec<Arg>),
    /// `[…]`
    List(Vec<Expr>),
    /// `{}`, a JSON default
    EmptyObject,
    /// `{a: 1, "b c": [2]}`, a JSON value
    Object(Vec<(Name, Expr)>),
    /// `not`
    Not(Box<Expr>),
    /// `-`
    Negate(Box<Expr>),
    /// A binary operator: `and or = != < <= > >= + - * / %`
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `in`; the flag is `not in`
    In(Box<Expr>, Box<Expr>, bool),
    /// `is null`; the flag is `is not null`
    IsNull(Box<Expr>, bool),
    /// `if c: a elif d: b else: e`
    If(Vec<(Expr, Expr)>, Box<Expr>),
}

/// An argument: `*`, or an expression with `where`.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    /// `*`
    Star(Span),
    /// A value.
    Value(Expr, Option<Expr>),
}

/// The largest nesting depth. The limit prevents a stack overflow.
const MAX_DEPTH: usize = 80;

/// The largest number of operators in a line. Each operator adds a level to the tree.
const MAX_OPERATORS: usize = 500;

/// Parses an expression; `None` after a report.
pub fn parse(cursor: &mut Cursor<'_>) -> Option<Expr> {
    cursor.depth += 1;
    if cursor.depth > MAX_DEPTH {
        let span = cursor.here();
        cursor.out.push(
            Diagnostic::error("unexpected-token", span, format!("expressions are nested more than {MAX_DEPTH} levels deep"))
                .help("split it into several conditions"),
        );
        cursor.skip();
        return None;
    }
    let expr = if cursor.at_word("if") && !is_operand(cursor) { if_expr(cursor) } else { or(cursor) };
    cursor.depth -= 1;
    if cursor.depth == 0
        && let Some(expr) = &expr
    {
        cursor.out.note_expression(expr.span);
    }
    expr
}

/// Parses an expression up to the end of the line; `None` after a report, also about the text after it.
pub fn whole(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let expr = parse(cursor)?;
    let done = cursor.is_done();
    cursor.finish_expression();
    done.then_some(expr)
}

fn if_expr(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let start = cursor.here();
    cursor.take();
    let mut branches = Vec::new();
    loop {
        let condition = or(cursor)?;
        cursor.expect(":");
        branches.push((condition, or(cursor)?));
        if cursor.eat_word("elif") {
            continue;
        }
        if !cursor.eat_word("else") {
            cursor.report_unexpected_near("expected `elif` or `else`", &["elif", "else"]);
            return None;
        }
        cursor.expect(":");
        let rest = or(cursor)?;
        let span = Span { end: rest.span.end, ..start };
        return Some(Expr { kind: ExprKind::If(branches, Box::new(rest)), span });
    }
}

/// True for a sign or word between two operands that no field contains: a default begins with `=`.
pub(super) fn joins(token: &Token) -> bool {
    match &token.kind {
        TokenKind::Mark(mark) => matches!(*mark, "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%" | "."),
        TokenKind::Word(word) => matches!(word.as_str(), "and" | "or" | "in" | "is" | "not"),
        _ => false,
    }
}

fn eat_either(cursor: &mut Cursor<'_>, first: &'static str, second: &str) -> bool {
    let here = cursor.here();
    if cursor.eat_word(second) {
        cursor.out.note_synonym(here, first);
        return true;
    }
    cursor.eat_word(first)
}

/// True if the current word is an operand even if it is a keyword, because of the token after it: `not = 3`.
fn is_operand(cursor: &Cursor<'_>) -> bool {
    match cursor.peek_at(1).map(|token| &token.kind) {
        None => true,
        Some(TokenKind::Mark(mark)) => !matches!(*mark, "(" | "[" | "{" | "-" | "@"),
        Some(TokenKind::Word(word)) => matches!(word.as_str(), "and" | "or" | "AND" | "OR"),
        Some(_) => false,
    }
}

fn binary(cursor: &mut Cursor<'_>, op: &'static str, left: Expr, right: Expr) -> Option<Expr> {
    cursor.operators += 1;
    if cursor.operators > MAX_OPERATORS {
        let found = Diagnostic::error("unexpected-token", right.span, format!("this line holds more than {MAX_OPERATORS} operators"));
        cursor.out.push(found.help("compare with a list: `x in [a, b, c]`"));
        cursor.skip();
        return None;
    }
    let span = Span { end: right.span.end, ..left.span };
    Some(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span })
}

fn or(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let mut left = and(cursor)?;
    while eat_either(cursor, "or", "OR") {
        let right = and(cursor)?;
        left = binary(cursor, "or", left, right)?;
    }
    Some(left)
}

fn and(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let mut left = not(cursor)?;
    while eat_either(cursor, "and", "AND") {
        let right = not(cursor)?;
        left = binary(cursor, "and", left, right)?;
    }
    Some(left)
}

fn not(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let start = cursor.here();
    if is_operand(cursor) || !eat_either(cursor, "not", "NOT") {
        return comparison(cursor);
    }
    cursor.depth += 1;
    if cursor.depth > MAX_DEPTH {
        return parse(cursor);
    }
    let inner = not(cursor)?;
    cursor.depth -= 1;
    let span = Span { end: inner.span.end, ..start };
    Some(Expr { kind: ExprKind::Not(Box::new(inner)), span })
}

/// The comparisons, each with its meaning.
pub(crate) const COMPARISONS: &[(&str, &str)] =
    &[("=", "="), ("==", "="), ("!=", "!="), ("<=", "<="), (">=", ">="), ("<", "<"), (">", ">")];

fn comparison_mark(cursor: &Cursor<'_>) -> Option<&'static str> {
    // `=>` is not a comparison.
    if cursor.at("=") && cursor.peek_at(1).is_some_and(|next| next.is(">")) {
        return None;
    }
    COMPARISONS.iter().find(|(mark, _)| cursor.at(mark)).map(|(_, op)| *op)
}

fn comparison(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let left = sum(cursor)?;
    let result = if let Some(op) = comparison_mark(cursor) {
        let here = cursor.here();
        if cursor.at("==") {
            cursor.out.note_synonym(here, op);
        }
        cursor.take();
        let op = if op == "<" && cursor.at(">") { not_equal(cursor, here) } else { op };
        let right = sum(cursor)?;
        binary(cursor, op, left, right)?
    } else if eat_either(cursor, "is", "IS") {
        let negated = eat_either(cursor, "not", "NOT");
        let end = cursor.here();
        if cursor.at("[") && !negated {
            let is = cursor.previous_span();
            let found = Diagnostic::error("unexpected-token", is, "`is` compares with `null` only");
            cursor.out.push(found.help("write `in` before a list").replace(is, "in"));
            cursor.skip();
            return None;
        }
        if !eat_either(cursor, "null", "NULL") && !eat_either(cursor, "null", "None") {
            cursor.report_unexpected_near("expected `null`", if negated { &["null"] } else { &["null", "not"] });
            return None;
        }
        let span = Span { end: end.end, ..left.span };
        Expr { kind: ExprKind::IsNull(Box::new(left), negated), span }
    } else if let Some(negated) = in_follows(cursor) {
        let list = sum(cursor)?;
        let span = Span { end: list.span.end, ..left.span };
        Expr { kind: ExprKind::In(Box::new(left), Box::new(list), negated), span }
    } else {
        return Some(left);
    };
    chained(cursor, &result)?;
    Some(result)
}

/// Reports `<>`, which other languages use for `!=`, and skips it.
fn not_equal(cursor: &mut Cursor<'_>, less: Span) -> &'static str {
    let span = Span { end: cursor.here().end, ..less };
    cursor.take();
    let found = Diagnostic::error("unexpected-token", span, "`<>` has no meaning here");
    cursor.out.push(found.help("write `!=`").replace(span, same("!=")));
    "!="
}

/// Reports comparisons after a comparison, and skips them.
fn chained(cursor: &mut Cursor<'_>, first: &Expr) -> Option<()> {
    let Some(mark) = comparison_mark(cursor) else { return Some(()) };
    let here = cursor.here();
    let mut found = Diagnostic::error("chained-comparison", here, "comparisons cannot be chained")
        .label(first.span, "already compared here")
        .help("join two comparisons with `and`: `a < b and b < c`");
    let mut links = 0;
    let mut whole = Some(());
    while whole.is_some() && comparison_mark(cursor).is_some() {
        cursor.take();
        links += 1;
        whole = sum(cursor).map(|_| ());
    }
    if let Some(middle) = middle(first).filter(|_| links == 1) {
        found = found.help(format!("write `and {middle} {mark}`")).replace(here, format!("and {middle} {mark}"));
    }
    cursor.out.push(found);
    whole
}

/// The right side of a comparison as text, if it is simple enough for a message.
fn middle(comparison: &Expr) -> Option<String> {
    let ExprKind::Binary(_, _, right) = &comparison.kind else { return None };
    match &right.kind {
        ExprKind::Path(path) => Some(path.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(".")),
        ExprKind::Number(number) => Some(number.clone()),
        _ => None,
    }
}

fn in_follows(cursor: &mut Cursor<'_>) -> Option<bool> {
    if eat_either(cursor, "in", "IN") {
        return Some(false);
    }
    let negated = (cursor.at_word("not") || cursor.at_word("NOT"))
        && cursor.peek_at(1).and_then(Token::word).is_some_and(|word| matches!(word, "in" | "IN"));
    if negated {
        eat_either(cursor, "not", "NOT");
        eat_either(cursor, "in", "IN");
        return Some(true);
    }
    None
}

fn sum(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let mut left = product(cursor)?;
    loop {
        let op = if cursor.eat("+") {
            "+"
        } else if cursor.eat("-") {
            "-"
        } else {
            return Some(left);
        };
        let right = product(cursor)?;
        left = binary(cursor, op, left, right)?;
    }
}

fn product(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let mut left = unary(cursor)?;
    loop {
        let op = if cursor.eat("*") {
            "*"
        } else if cursor.eat("/") {
            "/"
        } else if cursor.eat("%") {
            "%"
        } else {
            return Some(left);
        };
        let right = unary(cursor)?;
        left = binary(cursor, op, left, right)?;
    }
}

fn unary(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let start = cursor.here();
    if !cursor.eat("-") {
        return atom(cursor);
    }
    cursor.depth += 1;
    if cursor.depth > MAX_DEPTH {
        return parse(cursor);
    }
    let inner = unary(cursor)?;
    cursor.depth -= 1;
    let span = Span { end: inner.span.end, ..start };
    Some(Expr { kind: ExprKind::Negate(Box::new(inner)), span })
}
