//! `transitions:`, one row for each allowed transition, and the final states.

use super::{duplicate_key, entity::Block, expr, key, no_children, unknown_key};
use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    diagnostic::nearest,
    layout::Line,
    suggestion::layout,
    token::TokenKind,
};

/// `from -> to: …`
#[derive(Debug, Clone, PartialEq)]
pub struct Transition {
    /// The state before.
    pub from: From,
    /// The state after.
    pub to: Name,
    /// The text after it: the label of its button.
    pub label: Option<Name>,
    /// `role(a, b)`: one of them is required.
    pub roles: Vec<Name>,
    /// `requires a, b`: each must be set.
    pub requires: Vec<Name>,
    /// `guard:`
    pub guard: Option<expr::Expr>,
    /// `auto after …`
    pub after: Option<Wait>,
    /// `manual`
    pub manual: Option<Span>,
    /// `message:`
    pub message: Option<Name>,
    /// The row, without the lines under it.
    pub span: Span,
}

/// `final: a, b` or `failed: a, b`
#[derive(Debug, Clone, PartialEq)]
pub struct Ends {
    /// The word that begins the line.
    pub word: Name,
    /// The states.
    pub states: Vec<Name>,
}

/// The state before a transition.
#[derive(Debug, Clone, PartialEq)]
pub enum From {
    /// `*`
    Any(Span),
    /// `a` or `a, b`
    States(Vec<Name>),
}

/// A duration, as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Wait {
    /// The number of units.
    pub amount: i64,
    /// The unit, as the lexer returns it.
    pub unit: String,
    /// Its place.
    pub span: Span,
}

const ITEMS: &str = "`requires field`, `role(name)`, `auto after 3 days` or `manual`";
/// The keys under a row.
pub(crate) const KEYS: &[&str] = &["guard", "message"];
/// The lines of the block that are not rows.
pub(crate) const ENDS: &[&str] = &["final", "failed"];

pub(super) fn parse(line: &Line, block: &mut Block, out: &mut Diagnostics) {
    super::block_head(line, "rows such as `open -> done`", out);
    let (marks, rows): (Vec<&Line>, Vec<&Line>) = line.children.iter().partition(|child| is_key(child));
    block.transitions.extend(rows.iter().filter_map(|child| row(child, out)));
    for child in &marks {
        ends(child, block, out);
    }
    if rows.is_empty() && !marks.is_empty() {
        out.push(
            Diagnostic::error("empty-block", line.span(), "this block has no transitions")
                .help("add rows such as `open -> done`: `final:` and `failed:` declare the final states"),
        );
    }
}

/// True for a line of final states, also a misspelt one: a colon follows its first word.
fn is_key(line: &Line) -> bool {
    let colon = line.tokens.get(1).is_some_and(|token| token.is(":"));
    let arrow = line.tokens.iter().any(|token| token.is("->"));
    let named = !arrow && line.tokens[0].word().is_some_and(|word| ENDS.contains(&word)) && line.tokens.len() > 1;
    named || colon && line.tokens[0].word().is_some_and(|word| nearest(word, ENDS.iter().copied()).is_some())
}

fn ends(line: &Line, block: &mut Block, out: &mut Diagnostics) {
    no_children(line, out);
    let Some((word, mut cursor)) = key(line, out) else { return };
    let slot = match word.text.as_str() {
        "final" => &mut block.finals,
        "failed" => &mut block.failures,
        _ => return unknown_key(&word, "transitions", ENDS, cursor.out),
    };
    let Some(states) = states(&mut cursor) else { return };
    cursor.finish();
    match slot {
        Some(first) => duplicate_key(&word, first.word.span, out),
        None => *slot = Some(Ends { word, states }),
    }
}

fn row(line: &Line, out: &mut Diagnostics) -> Option<Transition> {
    let mut cursor = Cursor::new(line, out);
    let from = from(&mut cursor)?;
    if !cursor.expect("->") {
        return None;
    }
    let to = state(&mut cursor)?;
    let label = cursor.text();
    if let Some(empty) = label.as_ref().filter(|text| text.text.trim().is_empty()) {
        let found = Diagnostic::error("unexpected-token", empty.span, "the label of this transition is empty");
        cursor.out.push(found.help("write the label of its button, such as `open -> done \"Finish\"`, or remove the text"));
    }
    let (roles, requires) = (Vec::new(), Vec::new());
    let mut row = Transition { from, to, label, roles, requires, guard: None, after: None, manual: None, message: None, span: line.span() };
    if cursor.eat(":") {
        if cursor.is_done() && line.children.is_empty() {
            cursor.report_unexpected(&format!("expected {ITEMS} after the colon"));
        }
        items(&mut cursor, &mut row);
    } else if is_condition(&cursor) {
        items(&mut cursor, &mut row);
    } else if let Some(second) = second_target(&cursor) {
        let found = Diagnostic::error("unexpected-token", second.span, "a transition leads to one state");
        cursor.out.push(found.help(format!("write a row of its own for `{}`", second.text)));
        cursor.skip();
    } else if !cursor.is_done() {
        let here = cursor.here();
        let before = cursor.previous_span();
        let sign = (cursor.at("=") || cursor.at(";")) && cursor.take().is_some();
        let end = if sign { here.end } else { before.end };
        cursor.out.push(
            Diagnostic::error("missing-colon", here, "a colon is missing between the transition and its conditions")
                .help("a transition with conditions looks like `open -> done: role(name)`")
                .replace(Span { start: before.end, end, ..before }, layout(":")),
        );
        items(&mut cursor, &mut row);
    }
    for child in &line.children {
        under(child, &mut row, out);
    }
    Some(row)
}

/// A further state after a comma, in place of conditions.
fn second_target(cursor: &Cursor<'_>) -> Option<Name> {
    let token = cursor.peek_at(1).filter(|_| cursor.at(","))?;
    let text = token.word().filter(|word| !["requires", "role", "auto", "manual", "guard"].contains(word))?;
    Some(Name { text: text.to_owned(), span: token.span })
}

fn from(cursor: &mut Cursor<'_>) -> Option<From> {
    let here = cursor.here();
    if cursor.eat("*") {
        return Some(From::Any(here));
    }
    states(cursor).map(From::States)
}

/// `a, b`, in brackets or without.
fn states(cursor: &mut Cursor<'_>) -> Option<Vec<Name>> {
    let bracket = cursor.eat("[");
    let mut states = vec![state(cursor)?];
    while cursor.comma() {
        states.push(state(cursor)?);
    }
    (!bracket || cursor.expect("]")).then_some(states)
}

fn state(cursor: &mut Cursor<'_>) -> Option<Name> {
    let name = cursor.name_or_text();
    if name.is_none() {
        cursor.report_unexpected("expected a state");
    }
    name
}

fn items(cursor: &mut Cursor<'_>, row: &mut Transition) {
    while !cursor.is_done() {
        let here = cursor.here();
        let required = cursor.at_word("requires");
        if cursor.eat_word("requires") {
            requires(cursor, row);
        } else if cursor.at_word("role") {
            role(cursor, row);
        } else if cursor.eat_word("auto") {
            auto(cursor, row, here);
        } else if cursor.eat_word("manual") {
            manual(cursor, row, here);
        } else if cursor.eat(":") && cursor.is_done() {
            // A colon can introduce the lines under the row.
            return;
        } else if let Some(word) = KEYS.iter().find(|word| cursor.at_word(word)) {
            let found = Diagnostic::error("unexpected-token", here, format!("expected {ITEMS}, but found `{word}`"));
            cursor.out.push(found.help(format!("put `{word}:` on a line of its own, deeper than the transition")));
            return cursor.skip();
        } else if is_condition(cursor) {
            let found = Diagnostic::error("unexpected-token", here, format!("expected {ITEMS}, but found a condition"));
            cursor.out.push(found.help("write the condition on a line of its own, deeper than the transition: `guard: …`"));
            return cursor.skip();
        } else if let Some(found) = field_after_and(cursor, row) {
            cursor.out.push(found);
            requires(cursor, row);
        } else if compares(cursor) {
            let found = Diagnostic::error("unexpected-token", here, format!("expected {ITEMS}, but found a comparison"));
            cursor.out.push(found.help("write the condition on a line of its own, deeper than the transition: `guard: …`"));
            return cursor.skip();
        } else {
            cursor.report_unexpected_near(&format!("expected {ITEMS}"), &["requires", "role", "auto", "manual", "or", "and"]);
            return cursor.skip();
        }
        let or = cursor.here();
        let alternatives = ["or", "OR"].iter().any(|word| cursor.eat_word(word));
        let joined = alternatives || ["and", "AND"].iter().any(|word| cursor.eat_word(word)) || cursor.eat(",");
        if alternatives && (required || cursor.at_word("requires")) && !cursor.at_word("manual") && !cursor.is_done() {
            let found =
                Diagnostic::warning("or-between-conditions", or, "roles are alternatives, but a required field is required in any case");
            cursor.out.push(
                found
                    .help("write `and`, which is what it means; for a real alternative, write a `guard:`, such as `guard: role(name) or field != null`")
                    .replace(or, "and"),
            );
        }
        if joined && cursor.is_done() {
            cursor.report_unexpected(&format!("expected {ITEMS}"));
        }
    }
}

/// True if a condition of another language begins here, such as `if hours > 3`.
fn is_condition(cursor: &Cursor<'_>) -> bool {
    ["if", "when", "unless"].iter().any(|word| cursor.at_word(word)) && cursor.peek_at(1).is_some()
}

/// The report of a field after `requires a and`, where a comma joins the fields.
fn field_after_and(cursor: &Cursor<'_>, row: &Transition) -> Option<Diagnostic> {
    let [.., field, and] = cursor.tokens_before() else { return None };
    let is_list = row.requires.last().is_some_and(|last| last.span == field.span) && matches!(and.word(), Some("and" | "AND"));
    let word = cursor.peek().filter(|_| is_list && !compares(cursor)).and_then(|token| token.word())?;
    let found = Diagnostic::error("unexpected-token", cursor.here(), format!("expected {ITEMS}, but found `{word}`"));
    let place = Span { start: field.span.end, ..and.span };
    Some(found.help(format!("a comma joins required fields: `requires …, {word}`")).replace(place, ","))
}

/// True if a comparison of a field begins here.
fn compares(cursor: &Cursor<'_>) -> bool {
    const SIGNS: &[&str] = &["=", "!=", "<", "<=", ">", ">="];
    cursor.peek().is_some_and(|token| token.word().is_some())
        && cursor.peek_at(1).is_some_and(|token| SIGNS.iter().any(|sign| token.is(sign)))
}

fn requires(cursor: &mut Cursor<'_>, row: &mut Transition) {
    loop {
        let Some(field) = cursor.expect_name("a field that must be set") else { return cursor.skip() };
        row.requires.push(field);
        if !cursor.at(",") || item_follows(cursor) {
            return;
        }
        cursor.take();
    }
}

/// True if the text after the comma begins another condition: a field can have the name `role` or `manual`.
fn item_follows(cursor: &Cursor<'_>) -> bool {
    let word = |ahead: usize| cursor.peek_at(ahead).and_then(|token| token.word());
    match word(1) {
        Some("role") => cursor.peek_at(2).is_some_and(|token| token.is("(")),
        Some("auto") => word(2) == Some("after"),
        Some("requires") => word(2).is_some(),
        Some("manual") => cursor.peek_at(2).is_none(),
        _ => false,
    }
}

fn role(cursor: &mut Cursor<'_>, row: &mut Transition) {
    cursor.take();
    if !cursor.expect("(") {
        return cursor.skip();
    }
    loop {
        let Some(role) = cursor.expect_name("a persona") else { return cursor.skip() };
        row.roles.push(role);
        if !cursor.comma() && !cursor.point_for_comma() {
            break;
        }
    }
    if !cursor.expect(")") {
        cursor.skip();
    }
}

fn auto(cursor: &mut Cursor<'_>, row: &mut Transition, word: Span) {
    if cursor.at_word("when") {
        let found = Diagnostic::error("unexpected-token", cursor.here(), "`auto` takes a duration, and no condition");
        cursor.out.push(
            found.help("write `auto after 3 days`: a timed transition counts from entering the state; it cannot follow a date field"),
        );
        return cursor.skip();
    }
    if !cursor.eat_word("after") {
        cursor.report_unexpected_near("expected `after`, as in `auto after 3 days`", &["after"]);
        return cursor.skip();
    }
    let here = cursor.here();
    match expr::duration(cursor) {
        Some((amount, unit)) => {
            let span = Span { end: cursor.previous_span().end, ..here };
            if amount == 0 {
                cursor.out.push(Diagnostic::error("bad-duration", span, "a duration cannot be zero").help("write at least `1s`"));
            }
            let wait = Wait { amount, unit, span };
            match &row.after {
                Some(first) => duplicate_key(&Name { text: "auto".to_owned(), span: word }, first.span, cursor.out),
                None => row.after = Some(wait),
            }
        }
        None => {
            let found = no_wait(cursor, here);
            cursor.out.push(found.help("write it as `3 days`, `24 hours`, `2 weeks`, or short as `3d`, `24h`, `2w`"));
            cursor.skip();
        }
    }
}

/// The report of a missing duration: a number with an unknown unit, or another token.
fn no_wait(cursor: &Cursor<'_>, here: Span) -> Diagnostic {
    let number = cursor.peek().is_some_and(|token| matches!(token.kind, TokenKind::Number(_)));
    if let Some(unit) = cursor.peek_at(1).filter(|token| number && token.word().is_some()) {
        return Diagnostic::error("bad-duration", unit.span, format!("{} is not a unit of time", unit.describe()));
    }
    let found = cursor.peek().map_or_else(|| "the line ends".to_owned(), |token| format!("this is {}", token.describe()));
    Diagnostic::error("bad-duration", here, format!("a duration is needed here, but {found}"))
}

fn manual(cursor: &mut Cursor<'_>, row: &mut Transition, word: Span) {
    match row.manual {
        Some(first) => duplicate_key(&Name { text: "manual".to_owned(), span: word }, first, cursor.out),
        None => row.manual = Some(word),
    }
}

/// True for a line of conditions, such as `role(vet)` or `requires notes`.
fn is_item(line: &Line) -> bool {
    let colon = line.tokens.get(1).is_some_and(|token| token.is(":"));
    !colon && line.tokens[0].word().is_some_and(|word| matches!(word, "requires" | "role" | "auto" | "manual"))
}

fn under(line: &Line, row: &mut Transition, out: &mut Diagnostics) {
    no_children(line, out);
    if is_item(line) {
        return items(&mut Cursor::new(line, out), row);
    }
    let Some((name, mut cursor)) = key(line, out) else { return };
    match name.text.as_str() {
        "guard" => {
            let Some(guard) = expr::whole(&mut cursor) else { return };
            match &row.guard {
                Some(first) => out.push(
                    Diagnostic::error("duplicate-key", name.span, "a transition has one `guard:`")
                        .label(first.span, "first set here")
                        .help("join the two conditions with `and`"),
                ),
                None => row.guard = Some(guard),
            }
        }
        "message" => match (cursor.text(), &row.message) {
            (Some(_), Some(first)) => duplicate_key(&name, first.span, cursor.out),
            (Some(text), None) => {
                cursor.finish();
                row.message = Some(text);
            }
            (None, _) => cursor.report_unexpected("expected a text in quotes"),
        },
        _ => unknown_key(&name, "transition", KEYS, out),
    }
}
