//! `llm_intent`

use super::prompt::{self, Prompt};
use crate::{
    Diagnostic, Diagnostics,
    cursor::{Cursor, Name},
    layout::Line,
    syntax::{
        PresentKeys,
        duration::{self, Duration},
        expr, header, keyed,
        keys::Keys,
        no_children,
        paths::path,
        process::{self, Retry, number},
        value::{self, ValueField},
    },
};

/// `llm_intent NAME "Title":`, a request to a language model.
#[derive(Debug, Clone, PartialEq)]
pub struct Intent {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `description:`
    pub description: Option<Name>,
    /// `model:`
    pub model: Option<Name>,
    /// `prompt:`
    pub prompt: Option<Prompt>,
    /// `input:`, if the inputs are declared.
    pub input: Option<Vec<ValueField>>,
    /// `output_schema:`
    pub output_schema: Option<Name>,
    /// `timeout:`
    pub timeout: Option<Duration>,
    /// `max_tokens:`
    pub max_tokens: Option<Name>,
    /// `retry:`
    pub retry: Option<Retry>,
    /// `pii:`
    pub pii: Option<Pii>,
    /// `trigger:`
    pub trigger: Option<IntentTrigger>,
    /// The present keys.
    pub present: PresentKeys,
}

/// `pii:`, the treatment of personal data in requests.
#[derive(Debug, Clone, PartialEq)]
pub struct Pii {
    /// `scan:`
    pub scan: Option<bool>,
    /// `action:`
    pub action: Option<Name>,
}

/// `trigger:` of an intent.
#[derive(Debug, Clone, PartialEq)]
pub struct IntentTrigger {
    /// The keyword.
    pub key: Name,
    /// `on_entity:`
    pub entity: Option<Name>,
    /// `on_event:`
    pub event: Option<Name>,
    /// `when:`
    pub when: Option<expr::Expr>,
    /// `input_map:`
    pub input_map: Vec<Binding>,
    /// `write_back:`
    pub write_back: Vec<Binding>,
    /// The present keys.
    pub present: PresentKeys,
}

/// `target: source`, or `source -> target`.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// The target of the value.
    pub target: Vec<Name>,
    /// The source of the value.
    pub source: Vec<Name>,
}

pub(crate) const KEYS: &[&str] =
    &["model", "prompt", "description", "input", "output_schema", "timeout", "max_tokens", "retry", "pii", "trigger"];

/// The keys of `pii:`
pub(crate) const PII_KEYS: &[&str] = &["scan", "action"];

/// The keys of the trigger of an intent.
pub(crate) const TRIGGER_KEYS: &[&str] = &["on_entity", "on_event", "when", "input_map", "write_back"];

pub(crate) fn parse(line: &Line, text: &str, out: &mut Diagnostics) -> Option<Intent> {
    let head = header(line, "intent", out)?;
    let mut intent = Intent {
        name: head.name,
        title: head.title,
        description: None,
        model: None,
        prompt: None,
        input: None,
        output_schema: None,
        timeout: None,
        max_tokens: None,
        retry: None,
        pii: None,
        trigger: None,
        present: PresentKeys::default(),
    };
    let mut keys = Keys::new("llm_intent", KEYS);
    for child in &line.children {
        let Some(key) = keys.meant(child, out) else { continue };
        match key.text.as_str() {
            "model" => intent.model = keyed::value(child, out, |cursor| cursor.expect_name("a language model")),
            "prompt" => intent.prompt = keyed::value(child, out, keyed::text).map(|found| prompt::parse(&found, text, out)),
            "description" => intent.description = keyed::value(child, out, keyed::text),
            "input" => intent.input = Some(value::fields(child, out)),
            "output_schema" => intent.output_schema = keyed::value(child, out, |cursor| cursor.expect_name("an entity")),
            "timeout" => intent.timeout = keyed::value(child, out, duration::parse),
            "max_tokens" => intent.max_tokens = keyed::value(child, out, number),
            "retry" => intent.retry = Some(process::parse_retry(key, child, out)),
            "pii" => intent.pii = Some(pii(child, out)),
            _ => {
                intent.trigger = Some(trigger(key, child, out));
            }
        }
    }
    intent.present = keys.into_present();
    Some(intent)
}

/// `pii: redact`, `pii: true`, which is `warn`, or `scan:` and `action:` under it.
fn pii(line: &Line, out: &mut Diagnostics) -> Pii {
    let action = |cursor: &mut Cursor<'_>| cursor.expect_name("`warn`, `redact` or `reject`");
    if keyed::has_value(line) {
        return Pii { scan: None, action: keyed::value(line, out, action) };
    }
    let mut pii = Pii { scan: None, action: None };
    let mut keys = Keys::new("pii", PII_KEYS);
    for child in keyed::block(line, out) {
        let Some(key) = keys.meant(child, out) else { continue };
        match key.text.as_str() {
            "scan" => pii.scan = keyed::value(child, out, keyed::truth),
            _ => pii.action = keyed::value(child, out, action),
        }
    }
    pii
}

fn trigger(key: Name, line: &Line, out: &mut Diagnostics) -> IntentTrigger {
    let mut trigger = IntentTrigger {
        key,
        entity: None,
        event: None,
        when: None,
        input_map: Vec::new(),
        write_back: Vec::new(),
        present: PresentKeys::default(),
    };
    let mut keys = Keys::new("trigger", TRIGGER_KEYS);
    for child in keyed::block(line, out) {
        let Some(key) = keys.meant(child, out) else { continue };
        match key.text.as_str() {
            "on_entity" => trigger.entity = keyed::value(child, out, |cursor| cursor.expect_name("an entity")),
            "on_event" => {
                trigger.event = keyed::value(child, out, event);
            }
            "when" => trigger.when = keyed::value(child, out, expr::whole),
            "input_map" => trigger.input_map = bindings(child, out),
            _ => trigger.write_back = bindings(child, out),
        }
    }
    trigger.present = keys.into_present();
    trigger
}

/// `created`, `updated` or `deleted`. Only the trigger of a process has the change of a field.
fn event(cursor: &mut Cursor<'_>) -> Option<Name> {
    let event = cursor.expect_name("`created`, `updated` or `deleted`")?;
    if !cursor.is_done() && cursor.line_has("->") {
        let found = Diagnostic::error("not-allowed-here", event.span, "the change of a field does not start an intent");
        cursor.out.push(found.help(
            "write `created`, `updated` or `deleted`, or a process with the trigger `entity NAME FIELD a -> b` and a step with `llm_intent:`",
        ));
        cursor.skip();
        return None;
    }
    Some(event)
}

fn bindings(line: &Line, out: &mut Diagnostics) -> Vec<Binding> {
    let mut bindings = Vec::new();
    for child in keyed::block(line, out) {
        no_children(child, out);
        let mut cursor = keyed::entry(child, out);
        match binding(&mut cursor) {
            Some(binding) => bindings.push(binding),
            None => cursor.skip(),
        }
        cursor.finish();
    }
    bindings
}

fn binding(cursor: &mut Cursor<'_>) -> Option<Binding> {
    let first = path(cursor)?;
    if cursor.eat("->") {
        return Some(Binding { source: first, target: path(cursor)? });
    }
    if !cursor.expect(":") {
        return None;
    }
    Some(Binding { target: first, source: path(cursor)? })
}
