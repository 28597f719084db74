//! The text of a prompt.

use serde_json::{Map, Value as Json};

use crate::{
    Result, SystemCx, Value,
    def::{FieldIx, LlmIntentDef, PromptPart, ValueDef},
    field, rows,
};

/// Writes the prompt with the inputs. Values behind references are read as the system.
///
/// # Errors
/// 503 if the database is unavailable.
pub(super) fn render(system: &SystemCx, intent: &LlmIntentDef, input: &Map<String, Json>) -> Result<String> {
    let mut prompt = String::new();
    for part in intent.prompt {
        match part {
            PromptPart::Text(text) => prompt.push_str(text),
            PromptPart::Input(at, path) => {
                let it = &intent.input[usize::from(*at)];
                let given = input.get(it.name()).unwrap_or(&Json::Null);
                match path {
                    [] => prompt.push_str(&text(given)),
                    path => prompt.push_str(&read_path(system, it, given, path)?),
                }
            }
        }
    }
    Ok(prompt)
}

/// The text of a value: a text without quotes, the items of a list after commas, JSON for other values.
fn text(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
        Json::Bool(_) | Json::Number(_) | Json::Object(_) => value.to_string(),
    }
}

/// The value at the end of a path from the row of a reference; nothing if a row on the path does not exist.
fn read_path(system: &SystemCx, it: &'static ValueDef, given: &Json, path: &'static [FieldIx]) -> Result<String> {
    let app = system.app();
    let Some(target) = it.field.kind.target() else { return Ok(String::new()) };
    let Ok(key) = field::from_json(app, &it.field, given) else { return Ok(String::new()) };
    system.read(|tx| {
        let (mut entity, mut key) = (app.entity(target), key.clone());
        for (at, ix) in path.iter().enumerate() {
            let Some(mut values) = rows::load_values(tx, entity, &key)? else { return Ok(String::new()) };
            let (it, value) = (entity.field(*ix), std::mem::take(&mut values[usize::from(*ix)]));
            match it.kind.target() {
                Some(next) if at + 1 < path.len() => (entity, key) = (app.entity(next), value),
                _ => return Ok(display(it, &value)),
            }
        }
        Ok(String::new())
    })
}

fn display(it: &'static crate::def::FieldDef, value: &Value) -> String {
    let mut json = Vec::new();
    field::write_json(it, value, &mut json);
    text(&serde_json::from_slice(&json).unwrap_or_default())
}
