//! `experience`

use super::{
    audience::{self, Audience},
    block_head, duplicate_key, expr, field, header, key, list, no_children, unknown_key,
};
use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    diagnostic::{near_word, nearest, with_article},
    layout::Line,
    suggestion::Replacement,
};

/// `experience NAME "Title":`, a guided sequence of screens.
#[derive(Debug, Clone, PartialEq)]
pub struct Experience {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `start at step NAME`
    pub start: Option<Name>,
    /// `access:`
    pub access: Option<Audience>,
    /// `context:` values.
    pub context: Vec<field::Field>,
    /// True if a line of the context could not be parsed.
    pub context_broken: bool,
    /// Steps in order.
    pub steps: Vec<Step>,
    /// True if a step could not be parsed.
    pub steps_broken: bool,
}

/// `step NAME "Title":`
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `kind:`
    pub kind: Option<Name>,
    /// `surface NAME`
    pub surface: Option<Name>,
    /// `process NAME`
    pub process: Option<Name>,
    /// `when:`
    pub when: Option<expr::Expr>,
    /// `prefill:` lines.
    pub prefill: Vec<(Name, expr::Expr)>,
    /// `saves_to:`, the value of the context.
    pub saves_to: Option<Name>,
    /// `access:`
    pub access: Option<Audience>,
    /// `on EVENT -> step NAME` lines.
    pub transitions: Vec<Transition>,
    /// True if a line that could not be parsed may contain the action of the step.
    pub broken: bool,
}

/// `on EVENT -> step NAME`
#[derive(Debug, Clone, PartialEq)]
pub struct Transition {
    /// The event.
    pub event: Name,
    /// The next step.
    pub target: Name,
}

/// The events of a step.
pub const EVENTS: &[&str] = &["success", "failure", "continue", "back", "cancel", "approve", "reject", "skip"];

pub(crate) const KINDS: &[&str] = &["surface", "process"];
pub(crate) const KEYS: &[&str] = &["start", "step", "access", "context"];
pub(crate) const STEP_KEYS: &[&str] = &["kind", "surface", "process", "on", "when", "prefill", "saves_to", "access"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Experience> {
    let head = header(line, "experience", out)?;
    let mut it = Experience {
        name: head.name,
        title: head.title,
        start: None,
        access: None,
        context: Vec::new(),
        context_broken: false,
        steps: Vec::new(),
        steps_broken: false,
    };
    let mut seen: Vec<Name> = Vec::new();
    for child in &line.children {
        let name = Name { text: super::shown_word(child), span: child.tokens[0].span };
        let Some(key) = known_key(&name, "experience", KEYS, out) else {
            // The unknown block may contain steps, or values of the context.
            it.context_broken |= !child.children.is_empty();
            it.steps_broken |= !child.children.is_empty();
            continue;
        };
        if key != "step" && is_twin(&name, key, &mut seen, out) {
            continue;
        }
        match key {
            "step" => {
                let step = step(child, out);
                it.steps_broken |= step.is_none();
                it.steps.extend(step);
            }
            "start" => it.start = start(child, out),
            "access" => it.access = access(child, out),
            _ => {
                block_head(child, "values such as `order: ref Order`", out);
                it.context = child.children.iter().filter_map(|value| context_value(value, out)).collect();
                it.context_broken |= it.context.len() < child.children.len() || child.children.is_empty();
            }
        }
    }
    if it.steps.is_empty() && !line.children.is_empty() && !it.steps_broken {
        out.push(
            Diagnostic::error("empty-block", it.name.span, format!("experience `{}` has no step", it.name.text))
                .help("add `step NAME:` with `surface NAME` under it"),
        );
    }
    Some(it)
}

/// The key at the beginning of a line; a misspelt key is reported and replaced.
fn known_key(name: &Name, block: &str, keys: &[&'static str], out: &mut Diagnostics) -> Option<&'static str> {
    if let Some(key) = keys.iter().find(|key| **key == name.text) {
        return Some(key);
    }
    unknown_key(name, block, keys, out);
    nearest(&name.text, keys.iter().copied()).and_then(|near| keys.iter().find(|key| **key == near).copied())
}

/// Reports a duplicate key; true if it is one. A misspelt key does not count as the first one.
fn is_twin(name: &Name, key: &str, seen: &mut Vec<Name>, out: &mut Diagnostics) -> bool {
    let first = seen.iter().find(|it| it.text == key).map(|it| it.span);
    match first {
        Some(_) if name.text != key => true,
        Some(first) => {
            duplicate_key(name, first, out);
            true
        }
        None => {
            seen.extend((name.text == key).then(|| name.clone()));
            false
        }
    }
}

fn start(line: &Line, out: &mut Diagnostics) -> Option<Name> {
    no_children(line, out);
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    if !cursor.keyword("at", "step NAME") || !cursor.leading("step") {
        return None;
    }
    let name = cursor.expect_name("a step")?;
    cursor.finish();
    Some(name)
}

fn access(line: &Line, out: &mut Diagnostics) -> Option<Audience> {
    no_children(line, out);
    let (_, mut cursor) = key(line, out)?;
    audience::parse(&mut cursor)
}

/// `NAME: TYPE`
fn context_value(line: &Line, out: &mut Diagnostics) -> Option<field::Field> {
    if line.tokens[0].word().is_none() {
        out.push(
            Diagnostic::error("unexpected-token", line.span(), format!("expected a value, but found {}", line.tokens[0].describe()))
                .help("values look like `order: ref Order`"),
        );
        return None;
    }
    field::parse(line, out)
}

fn step(line: &Line, out: &mut Diagnostics) -> Option<Step> {
    let head = header(line, "step", out)?;
    let mut step = Step {
        name: head.name,
        title: head.title,
        kind: None,
        surface: None,
        process: None,
        when: None,
        prefill: Vec::new(),
        saves_to: None,
        access: None,
        transitions: Vec::new(),
        broken: false,
    };
    let mut seen: Vec<Name> = Vec::new();
    for child in &line.children {
        let name = Name { text: super::shown_word(child), span: child.tokens[0].span };
        if EVENTS.contains(&name.text.as_str()) {
            let before = Span { end: name.span.start, ..name.span };
            let found = Diagnostic::error("unknown-key", name.span, format!("`step` has no key `{}`", name.text));
            out.push(found.help(format!("write `on {} -> step NAME`", name.text)).replace(before, "on "));
            continue;
        }
        let Some(key) = known_key(&name, "step", STEP_KEYS, out) else {
            step.broken = true;
            continue;
        };
        if key != "prefill" {
            no_children(child, out);
        }
        if key == "on" {
            let Some(it) = transition(child, out) else { continue };
            match step.transitions.iter().find(|first| first.event.text == it.event.text) {
                Some(first) => duplicate_key(&it.event, first.event.span, out),
                None => step.transitions.push(it),
            }
        } else if !is_twin(&name, key, &mut seen, out) {
            step_key(child, key, &mut step, out);
        }
    }
    Some(step)
}

fn step_key(line: &Line, word: &str, step: &mut Step, out: &mut Diagnostics) {
    match word {
        "surface" => {
            step.surface = target(line, "a surface", out);
            step.broken |= step.surface.is_none();
        }
        "process" => {
            step.process = target(line, "a process", out);
            step.broken |= step.process.is_none();
        }
        "access" => step.access = key(line, out).and_then(|(_, mut cursor)| audience::parse(&mut cursor)),
        "prefill" => prefill(line, step, out),
        _ => {
            let Some((_, mut cursor)) = key(line, out) else { return };
            match word {
                "kind" => step.kind = kind(&mut cursor),
                "when" => {
                    step.when = expr::parse(&mut cursor);
                    if step.when.is_some() {
                        cursor.finish();
                    }
                }
                _ => step.saves_to = saves_to(&mut cursor),
            }
        }
    }
}

/// `surface NAME`; a colon after the word, as in the steps of a process, is accepted.
fn target(line: &Line, what: &str, out: &mut Diagnostics) -> Option<Name> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    cursor.eat(":");
    let name = cursor.expect_name(what)?;
    cursor.finish();
    Some(name)
}

fn kind(cursor: &mut Cursor<'_>) -> Option<Name> {
    let kind = cursor.expect_name("`surface` or `process`")?;
    cursor.finish();
    one_of(kind, "kind of step", KINDS, cursor.out)
}

fn one_of(word: Name, what: &str, words: &[&str], out: &mut Diagnostics) -> Option<Name> {
    if words.contains(&word.text.as_str()) {
        return Some(word);
    }
    let found = Diagnostic::error("unknown-value", word.span, format!("`{}` is not {}", word.text, with_article(what)));
    out.push(match near_word(&word.text, words.iter().copied()) {
        Some(near) => found.help(format!("did you mean `{near}`? Known ones are {}", list(words))).replace(word.span, near),
        None => found.help(format!("known ones are {}", list(words))),
    });
    None
}

/// `context.NAME`, or the name alone.
fn saves_to(cursor: &mut Cursor<'_>) -> Option<Name> {
    let mut name = cursor.expect_name("a value of the context")?;
    if cursor.eat(".") {
        if name.text != "context" {
            let found = Diagnostic::error("unknown-context", name.span, format!("`{}` is not a name that a step knows", name.text));
            let near = near_word(&name.text, ["context"]).map_or_else(|| "context".into(), Replacement::from);
            cursor.out.push(found.help("values are kept in `context.…`").replace(name.span, near));
        }
        name = cursor.expect_name("a value of the context")?;
    }
    cursor.finish();
    Some(name)
}

fn prefill(line: &Line, step: &mut Step, out: &mut Diagnostics) {
    block_head(line, "lines such as `customer: context.customer`", out);
    for child in &line.children {
        no_children(child, out);
        let Some((name, mut cursor)) = key(child, out) else { continue };
        let Some(value) = expr::parse(&mut cursor) else { continue };
        cursor.finish();
        step.prefill.push((name, value));
    }
}

/// `on EVENT -> step NAME`
fn transition(line: &Line, out: &mut Diagnostics) -> Option<Transition> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    let event = cursor.expect_name("an event")?;
    if !cursor.expect("->") {
        return None;
    }
    if !cursor.leading("step") {
        return None;
    }
    let target = cursor.expect_name("a step")?;
    cursor.finish();
    Some(Transition { event: one_of(event, "event of a step", EVENTS, out)?, target })
}
