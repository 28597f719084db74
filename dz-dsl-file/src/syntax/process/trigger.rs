//! Triggers of processes.

use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    diagnostic::near_word,
    layout::Line,
    syntax::{keyed, keys::Keys, list},
};

/// `trigger: …`
#[derive(Debug, Clone, PartialEq)]
pub struct Trigger {
    /// Its kind.
    pub kind: TriggerKind,
    /// The text after the colon.
    pub span: Span,
}

/// The kinds of triggers.
#[derive(Debug, Clone, PartialEq)]
pub enum TriggerKind {
    /// `entity E …`
    Entity(Name, EntityEvent),
    /// `manual`, or `manual role(a, b)`
    Manual(Vec<Name>),
    /// `signal NAME`
    Signal(Name),
    /// `process NAME completed`
    Process(Name),
    /// `cron "…"`
    Cron(Name),
}

/// An event of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum EntityEvent {
    /// `created`, `updated` or `deleted`
    Event(Name),
    /// `status a -> b`: a field changes, optionally from one value.
    Change {
        /// The field.
        field: Name,
        /// The value before.
        from: Option<Name>,
        /// The value after.
        to: Name,
    },
}

pub(crate) const KINDS: &[&str] = &["entity", "manual", "signal", "process", "cron"];

/// The keys of `trigger:`
pub(crate) const KEYS: &[&str] = &["when"];

/// Reads `trigger: …`, or `when: …` under it.
pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Trigger> {
    if keyed::has_value(line) {
        return keyed::value(line, out, trigger);
    }
    let mut keys = Keys::new("trigger", KEYS);
    let mut found = None;
    for child in keyed::block(line, out) {
        if keys.meant(child, out).is_some() {
            found = keyed::value(child, out, trigger);
        }
    }
    found
}

fn trigger(cursor: &mut Cursor<'_>) -> Option<Trigger> {
    let start = cursor.here();
    let word = cursor.expect_name("what starts the process")?;
    let kind = match word.text.as_str() {
        "manual" => TriggerKind::Manual(roles(cursor)?),
        "entity" => {
            let entity = cursor.expect_name("an entity")?;
            TriggerKind::Entity(entity, event(cursor)?)
        }
        "signal" => TriggerKind::Signal(cursor.expect_name("the name of a signal")?),
        "process" => {
            let process = cursor.expect_name("a process")?;
            if !cursor.eat_word("completed") {
                cursor.report_unexpected("expected `completed`");
                return None;
            }
            TriggerKind::Process(process)
        }
        "cron" => TriggerKind::Cron(keyed::text(cursor)?),
        _ => {
            let near = near_word(&word.text, KINDS.iter().copied());
            let help = near.as_ref().map_or_else(|| format!("known ones are {}", list(KINDS)), |near| format!("did you mean `{near}`?"));
            let mut found = Diagnostic::error("unknown-value", word.span, format!("`{}` starts no process", word.text)).help(help);
            if let Some(near) = near {
                found = found.replace(word.span, near);
            }
            cursor.out.push(found);
            return None;
        }
    };
    Some(Trigger { kind, span: Span { end: cursor.previous_span().end, ..start } })
}

/// The roles that can start it: `role(a, b)`, or none.
fn roles(cursor: &mut Cursor<'_>) -> Option<Vec<Name>> {
    let mut roles = Vec::new();
    if cursor.is_done() {
        return Some(roles);
    }
    if !cursor.eat_word("role") {
        cursor.report_unexpected_near("expected `role(…)` with the roles that can start the process", &["role"]);
        return None;
    }
    if !cursor.expect("(") {
        return None;
    }
    loop {
        roles.push(cursor.expect_name("a persona")?);
        if !cursor.comma() {
            break;
        }
    }
    cursor.expect(")").then_some(roles)
}

/// `created`, or `status a -> b`, `status -> b`, `status * -> b`.
fn event(cursor: &mut Cursor<'_>) -> Option<EntityEvent> {
    let word = cursor.expect_name("`created`, `updated`, `deleted` or a change such as `status -> done`")?;
    if cursor.is_done() {
        return Some(EntityEvent::Event(word));
    }
    let from = if cursor.eat("*") { None } else { cursor.name_or_text() };
    if !cursor.expect("->") {
        return None;
    }
    let to = cursor.name_or_text();
    if to.is_none() {
        cursor.report_unexpected("expected the state after the change");
    }
    Some(EntityEvent::Change { field: word, from, to: to? })
}
