//! `process`

pub(crate) mod effect;
pub(crate) mod human_task;
pub(crate) mod retry;
pub(crate) mod step;
pub(crate) mod trigger;

pub use effect::{Effect, EffectKind, Values};
pub use human_task::{Confirm, HumanTask, Outcome, Setting};
pub use retry::Retry;
pub(super) use retry::number;
pub use step::{Action, Step, Wait};
pub use trigger::{EntityEvent, Trigger, TriggerKind};

use super::{
    PresentKeys,
    duration::{self, Duration},
    header, keyed,
    keys::Keys,
    no_children,
    value::{self, ValueField},
};
use crate::{
    Diagnostics,
    cursor::{Cursor, Name},
    layout::Line,
};

pub(super) use retry::parse as parse_retry;
pub(super) use step::block as parse_steps;

/// `process NAME "Title":` with its steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Process {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `implements:`
    pub implements: Vec<Name>,
    /// `trigger:`
    pub trigger: Option<Trigger>,
    /// `input:`
    pub input: Vec<ValueField>,
    /// `output:`
    pub output: Vec<ValueField>,
    /// Steps in order, those of `parallel` inside it.
    pub steps: Vec<Step>,
    /// `compensations:`
    pub compensations: Vec<Step>,
    /// `timeout:`
    pub timeout: Option<Duration>,
    /// `overlap:`
    pub overlap: Option<Name>,
    /// `emits:`, each with its event, if there is one.
    pub emits: Vec<(Option<Name>, Name)>,
    /// The present keys.
    pub present: PresentKeys,
}

pub(crate) const KEYS: &[&str] =
    &["implements", "trigger", "input", "output", "steps", "compensations", "timeout", "overlap", "emits", "step", "parallel"];

/// The events of `emits:`
pub(crate) const EMITS: &[&str] = &["on_start", "on_complete", "on_failure"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Process> {
    let head = header(line, "process", out)?;
    let mut process = Process {
        name: head.name,
        title: head.title,
        implements: Vec::new(),
        trigger: None,
        input: Vec::new(),
        output: Vec::new(),
        steps: Vec::new(),
        compensations: Vec::new(),
        timeout: None,
        overlap: None,
        emits: Vec::new(),
        present: PresentKeys::default(),
    };
    let mut keys = Keys::new("process", KEYS);
    for child in &line.children {
        if step::is_step(child) {
            process.steps.extend(step::parse(child, out));
            continue;
        }
        let Some(key) = keys.meant(child, out) else { continue };
        match key.text.as_str() {
            "implements" => process.implements = story_ids(child, out),
            "trigger" => process.trigger = trigger::parse(child, out),
            "input" => process.input = value::fields(child, out),
            "output" => process.output = value::fields(child, out),
            "steps" => process.steps.extend(step::block(child, out)),
            "compensations" => process.compensations = step::compensations(child, out),
            "timeout" => process.timeout = keyed::value(child, out, duration::parse),
            "overlap" => process.overlap = overlap(child, out),
            _ => process.emits = emits(child, out),
        }
    }
    process.present = keys.into_present();
    Some(process)
}

/// `ST-001`, or several in brackets or not.
pub(super) fn story_ids(line: &Line, out: &mut Diagnostics) -> Vec<Name> {
    let mut ids = Vec::new();
    keyed::value(line, out, |cursor| {
        ids = cursor.separated(|cursor| {
            let id = cursor.compound(&["-"]).or_else(|| cursor.text());
            if id.is_none() {
                cursor.report_unexpected("expected the id of a story");
            }
            id
        });
        Some(())
    });
    ids
}

pub(super) fn overlap(line: &Line, out: &mut Diagnostics) -> Option<Name> {
    keyed::value(line, out, |cursor| cursor.expect_name("`skip`, `queue`, `cancel_previous` or `allow`"))
}

/// `emits: a, b`, or `on_start:`, `on_complete:` and `on_failure:` under it.
fn emits(line: &Line, out: &mut Diagnostics) -> Vec<(Option<Name>, Name)> {
    let mut emitted = Vec::new();
    if keyed::has_value(line) {
        keyed::value(line, out, |cursor| {
            emitted.extend(cursor.names("a signal").into_iter().map(|name| (None, name)));
            Some(())
        });
        return emitted;
    }
    let mut keys = Keys::new("emits", EMITS);
    for child in keyed::block(line, out) {
        no_children(child, out);
        if child.tokens[0].is("-") {
            let mut cursor = Cursor::new(child, out);
            cursor.take();
            emitted.extend(cursor.names("a signal").into_iter().map(|name| (None, name)));
            continue;
        }
        let Some(moment) = keys.meant(child, out) else { continue };
        keyed::inline(child, out, |cursor| {
            emitted.extend(cursor.names("a signal").into_iter().map(|name| (Some(moment.clone()), name)));
            Some(())
        });
    }
    emitted
}
