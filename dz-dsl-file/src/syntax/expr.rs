//! The one expression grammar, for every position.

use crate::{
    Diagnostic, Span,
    cursor::{Cursor, Name},
    diagnostic::nearest,
    lexer::is_unit,
    token::{Token, TokenKind},
};

/// An expression as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// From its first to its last token.
    pub span: Span,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `null`
    Null,
    /// A number as written.
    Number(String),
    /// A length of time.
    Duration(i64, String),
    /// A string.
    Text(String),
    /// A word or a dotted path; also `true`, `today`, `current_user`, enum values.
    Path(Vec<Name>),
    /// A call, with what stands in the parentheses.
    Call(Name, Vec<Arg>),
    /// `[…]`
    List(Vec<Expr>),
    /// `{}`, a JSON default
    EmptyObject,
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

/// Deeper nesting than any person writes; refused so that no text can exhaust the stack.
const MAX_DEPTH: usize = 80;

/// More operators than any person writes on a line; each makes the tree deeper for those who walk it.
const MAX_OPERATORS: usize = 500;

/// Reads an expression; `None` after a report.
pub fn parse(cursor: &mut Cursor<'_>) -> Option<Expr> {
    cursor.depth += 1;
    if cursor.depth > MAX_DEPTH {
        let span = cursor.here();
        cursor.out.push(
            Diagnostic::error("unexpected-token", span, format!("expressions stand more than {MAX_DEPTH} deep in each other"))
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

/// Reads an expression that reaches to the end of the line; `None` after a report, also about what stands behind it.
pub fn whole(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let expr = parse(cursor)?;
    let done = cursor.done();
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
            cursor.unexpected("expected `elif` or `else`");
            return None;
        }
        cursor.expect(":");
        let rest = or(cursor)?;
        let span = Span { end: rest.span.end, ..start };
        return Some(Expr { kind: ExprKind::If(branches, Box::new(rest)), span });
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

/// True when the word here is an operand whatever it says, since what follows can only follow one: `not = 3`.
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

const COMPARISONS: &[(&str, &str)] = &[("=", "="), ("==", "="), ("!=", "!="), ("<=", "<="), (">=", ">="), ("<", "<"), (">", ">")];

fn comparison_mark(cursor: &Cursor<'_>) -> Option<&'static str> {
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
        let right = sum(cursor)?;
        binary(cursor, op, left, right)?
    } else if eat_either(cursor, "is", "IS") {
        let negated = eat_either(cursor, "not", "NOT");
        let end = cursor.here();
        if !eat_either(cursor, "null", "NULL") && !eat_either(cursor, "null", "None") {
            cursor.unexpected("expected `null`");
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

/// Reports comparisons after a comparison, and reads past them.
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

/// The right side of a comparison, when a message can repeat it.
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

fn atom(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let Some(token) = cursor.peek() else {
        cursor.unexpected(&expected(cursor));
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
            Some(Expr { kind: ExprKind::EmptyObject, span: Span { end: cursor.before().end, ..span } })
        }
        TokenKind::Word(word) if matches!(word.as_str(), "null" | "None") && !cursor.peek_at(1).is_some_and(|it| it.is(".")) => {
            eat_either(cursor, "null", "None");
            Some(Expr { kind: ExprKind::Null, span })
        }
        TokenKind::Word(_) if operand_is_missing(cursor) => {
            cursor.unexpected(&expected(cursor));
            cursor.skip();
            None
        }
        TokenKind::Word(_) => word(cursor),
        TokenKind::Mark(_) => {
            cursor.unexpected(&expected(cursor));
            cursor.skip();
            None
        }
    }
}

/// A length of time and nothing else: `7 days`, `7d`. Takes nothing when there is none.
pub fn duration(cursor: &mut Cursor<'_>) -> Option<(i64, String)> {
    let is_one = match &cursor.peek()?.kind {
        TokenKind::Duration(..) => true,
        TokenKind::Number(_) => cursor.peek_at(1).and_then(Token::word).and_then(spelled_unit).is_some(),
        _ => false,
    };
    match is_one.then(|| atom(cursor))??.kind {
        ExprKind::Duration(amount, unit) => Some((amount, unit)),
        _ => None,
    }
}

/// True when a joining word stands where an operand should: an operand follows it, which could not follow a name.
fn operand_is_missing(cursor: &Cursor<'_>) -> bool {
    const JOINS: &[&str] = &["and", "or", "in", "is", "where"];
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

/// What a message expects here, and behind what.
fn expected(cursor: &Cursor<'_>) -> String {
    cursor.last().map_or_else(|| "expected an expression".to_owned(), |before| format!("expected an expression after {}", before.shown()))
}

/// `7 days` is the same as `7d`.
fn spelled_duration(cursor: &mut Cursor<'_>, number: &str, span: Span) -> Expr {
    let mut unit = cursor.peek().and_then(Token::word).and_then(spelled_unit);
    if let (None, Some(meant), Some(token)) = (unit, misspelt_unit(cursor), cursor.peek()) {
        let found = Diagnostic::error("unexpected-token", token.span, format!("{} is no unit of time", token.shown()));
        cursor.out.push(found.help(format!("did you mean `{meant}`?")).replace(token.span, meant));
        unit = spelled_unit(meant);
    }
    match (unit, number.parse::<i64>()) {
        (Some(unit), Ok(amount)) => {
            cursor.take();
            Expr { kind: ExprKind::Duration(amount, unit.to_owned()), span: Span { end: cursor.before().end, ..span } }
        }
        _ => Expr { kind: ExprKind::Number(number.to_owned()), span },
    }
}

/// The unit that a word behind a number was meant to be.
fn misspelt_unit(cursor: &Cursor<'_>) -> Option<&'static str> {
    const UNITS: &[&str] = &["seconds", "minutes", "hours", "days", "weeks", "months", "years"];
    let word = cursor.peek().and_then(Token::word)?;
    let joins = matches!(word.to_lowercase().as_str(), "and" | "or" | "not" | "in" | "is" | "if" | "elif" | "else" | "where");
    nearest(word, UNITS.iter().copied()).filter(|_| !joins && word.len() > 2)
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

fn parenthesis(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let start = cursor.here();
    cursor.take();
    let mut inner = parse(cursor)?;
    let end = cursor.here();
    if cursor.at_word("where") {
        let aggregate = if counted(cursor) { "count" } else { "any" };
        let found = Diagnostic::error("unexpected-token", start, "`where` stands in a call only");
        cursor.out.push(
            found
                .label(end, "this one")
                .help(format!("write `{aggregate}(… where …)`"))
                .replace(Span { end: start.start, ..start }, aggregate),
        );
        cursor.skip();
        return None;
    }
    if !cursor.expect(")") {
        return None;
    }
    inner.span = Span { end: end.end, ..start };
    Some(inner)
}

/// True when the bracket that is open here is compared with something once it is closed.
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
    while !cursor.at("]") && !cursor.done() {
        items.push(parse(cursor)?);
        if !cursor.eat(",") {
            break;
        }
    }
    let end = cursor.here();
    if !cursor.expect("]") {
        return None;
    }
    Some(Expr { kind: ExprKind::List(items), span: Span { end: end.end, ..start } })
}

/// Takes a comma, behind which another argument must come.
fn separator(cursor: &mut Cursor<'_>) -> bool {
    let comma = cursor.here();
    let found = cursor.eat(",");
    if found && cursor.at(")") {
        let report = Diagnostic::error("unexpected-token", comma, "nothing stands between this comma and `)`");
        cursor.out.push(report.help("add what is missing, or remove the comma").replace(comma, ""));
    }
    found
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
            cursor.unexpected("expected a field after `.`");
            cursor.skip();
            return None;
        }
        path.push(cursor.expect_name("a field after `.`")?);
    }
    let span = Span { end: cursor.before().end, ..start };
    Some(Expr { kind: ExprKind::Path(path), span })
}

fn call(cursor: &mut Cursor<'_>, name: Name) -> Option<Expr> {
    cursor.take();
    let mut args = Vec::new();
    while !cursor.at(")") && !cursor.done() {
        let here = cursor.here();
        if cursor.eat("*") {
            args.push(Arg::Star(here));
        } else if cursor.at_word("where") && !is_operand(cursor) {
            cursor.unexpected("expected what to look at, such as a relation");
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
    let joins = cursor.peek().and_then(Token::word).filter(|word| nearest(word, ["where"]).is_some());
    if let Some(word) = joins {
        let found = Diagnostic::error("unexpected-token", end, format!("expected `)`, but found `{word}`"));
        cursor.out.push(found.help("did you mean `where`?").replace(end, "where"));
        cursor.skip();
        return None;
    }
    if !cursor.expect(")") {
        return None;
    }
    let span = Span { end: end.end, ..name.span };
    Some(Expr { kind: ExprKind::Call(name, args), span })
}
