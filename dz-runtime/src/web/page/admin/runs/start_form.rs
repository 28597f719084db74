//! The forms that start a process, with a control for each of its inputs.

use dz_vocabulary::text_key as key;
use serde_json::{Map, Value as Json};

use super::process_title;
use crate::{
    Error, Result, Tx,
    process::{
        definition::{Definition, Processes},
        start,
        value_type::{InputKind, ValueField},
    },
    texts,
    web::{Call, page::form::submit::to_sentence},
};

/// The start of the names of form fields, so that an input can have any name.
const PREFIX: &str = "input.";

/// The form of a process.
pub(super) struct StartForm {
    pub name: String,
    pub title: String,
    pub fields: Vec<InputField>,
    /// True after a refused start.
    pub open: bool,
}

/// The control of an input.
pub(super) struct InputField {
    pub id: String,
    pub name: String,
    pub label: String,
    pub required: bool,
    pub value: String,
    pub kind: InputKind,
    pub error: Option<String>,
}

/// The forms of the processes that a user can start; after a refusal with the values that were sent.
pub(super) fn build(tx: &Tx<'_>, call: &Call, refused: Option<&Error>) -> Result<Vec<StartForm>> {
    let processes = tx.state::<Processes>()?;
    let sent = call.form.iter().find(|(name, _)| name == "process").map(|(_, value)| value.as_str());
    Ok(start::manual(&processes).map(|process| form(tx, call, process, refused.filter(|_| sent == Some(process.name.as_str())))).collect())
}

fn form(tx: &Tx<'_>, call: &Call, process: &Definition, refused: Option<&Error>) -> StartForm {
    let fields = process.input_fields(tx.app, tx.now()).into_iter().map(|(field, default)| {
        let name = field.ty.name();
        let sent = call.form.iter().find(|(key, _)| refused.is_some() && key.strip_prefix(PREFIX) == Some(name));
        let messages = refused.and_then(|error| error.field_errors.iter().find(|(of, _)| of.as_str() == name));
        InputField {
            id: format!("{}-{name}", process.name),
            name: format!("{PREFIX}{name}"),
            label: texts::declared(&key::process_input(&process.name, name), field.ty.title()),
            required: field.required && default.is_null(),
            value: sent.map_or_else(|| text(&default), |(_, value)| value.clone()),
            kind: field.ty.input_kind(),
            error: messages.map(|(_, messages)| to_sentence(&messages.join(", "))),
        }
    });
    StartForm {
        name: process.name.clone(),
        title: process_title(&process.name, &process.title),
        fields: fields.collect(),
        open: refused.is_some(),
    }
}

fn text(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => value.to_string(),
    }
}

/// The inputs that a form sends.
pub(super) fn read(tx: &Tx<'_>, call: &Call, name: &str) -> Result<Json> {
    let processes = tx.state::<Processes>()?;
    let mut input = Map::new();
    let Some(process) = start::manual(&processes).find(|process| process.name == name) else { return Ok(Json::Object(input)) };
    for (key, value) in &call.form {
        let Some(name) = key.strip_prefix(PREFIX) else { continue };
        let field = process.input.iter().map(|(field, ..)| field).find(|field| field.ty.name() == name);
        input.insert(name.to_owned(), field.map_or_else(|| Json::from(value.as_str()), |field| parse(field, value)));
    }
    Ok(Json::Object(input))
}

/// The JSON of a value in a form: text, or JSON for a type whose values are not text. What cannot be read stays text, which the check of
/// the input refuses with the name of the field.
fn parse(field: &ValueField, value: &str) -> Json {
    let value = value.trim();
    if value.is_empty() {
        return Json::Null;
    }
    match field.ty.input_kind() {
        InputKind::Text(_) | InputKind::Choice(_) => Json::from(value),
        InputKind::Number | InputKind::Bool | InputKind::Json => serde_json::from_str(value).unwrap_or_else(|_| Json::from(value)),
    }
}

/// The reasons for which a start was refused.
pub(super) fn explain(error: &Error) -> String {
    let messages = error.field_errors.iter().map(|(name, messages)| to_sentence(&format!("{name} {}", messages.join(", "))));
    std::iter::once(error.detail.clone()).chain(messages).collect::<Vec<_>>().join(" ")
}

/// A form with sample data.
#[cfg(test)]
pub(super) fn sample(text: &str) -> StartForm {
    let kinds = [
        InputKind::Text("text"),
        InputKind::Number,
        InputKind::Bool,
        InputKind::Json,
        InputKind::Choice(vec![(text.to_owned(), text.to_owned())]),
    ];
    let field = |(at, kind)| InputField {
        id: format!("field-{at}"),
        name: text.to_owned(),
        label: text.to_owned(),
        required: true,
        value: text.to_owned(),
        kind,
        error: Some(text.to_owned()),
    };
    StartForm { name: text.to_owned(), title: text.to_owned(), fields: kinds.into_iter().enumerate().map(field).collect(), open: true }
}
