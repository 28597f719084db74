//! Typed inputs and outputs of services and of other constructs: checks of JSON objects, and the structs that hold them.

mod declare;

pub use declare::{Member, Members, Values, deserialize, serialize};
pub(crate) use declare::{check, read, to_object};

use serde_json::{Map, Value as Json};

use crate::{
    Caller, Error, Result, Value,
    db::emit,
    def::{AppDef, ValueDef},
    field,
    suggest::{MAX_MEMBERS, did_you_mean},
};

/// Checks an object against the fields, adds defaults, and returns it in normal form with every field.
///
/// # Errors
/// 422 with the errors of all fields.
pub(crate) fn complete(app: &'static AppDef, fields: &'static [ValueDef], given: &Json, caller: &Caller) -> Result<Map<String, Json>> {
    let Json::Object(given) = given else {
        return Err(Error::new(422, "VALIDATION", "The value must be a JSON object with the fields as members"));
    };
    if given.len() > MAX_MEMBERS {
        return Err(Error::new(422, "VALIDATION", format!("The value has {} members; there can be {MAX_MEMBERS}", given.len())));
    }
    let mut error: Option<Error> = None;
    let mut add = |field: &str, message: String| {
        let found = error.take().unwrap_or_else(|| Error::new(422, "VALIDATION", "Some fields need a change"));
        error = Some(found.at(field, message));
    };
    for name in given.keys().filter(|name| !fields.iter().any(|it| it.name() == *name)) {
        add(name, format!("does not exist{}", did_you_mean(name, fields.iter().map(ValueDef::name).collect())));
    }
    let mut complete = Map::new();
    for it in fields {
        match complete_field(app, it, given.get(it.name()), caller) {
            Ok(value) => drop(complete.insert(it.name().to_owned(), value)),
            Err(message) => add(it.name(), message),
        }
    }
    error.map_or(Ok(complete), Err)
}

/// The object of the texts of a form, by the names of the fields; a missing text is not a value.
///
/// # Errors
/// 422 with the errors of all fields.
pub(crate) fn from_texts<'t>(app: &'static AppDef, fields: &'static [ValueDef], text_of: impl Fn(&str) -> Option<&'t str>) -> Result<Json> {
    let zone = field::zone(app);
    let mut object = Map::new();
    let mut error: Option<Error> = None;
    for it in fields {
        let Some(text) = text_of(it.name()) else { continue };
        match field::from_text(app, &it.field, text, zone) {
            Ok(Value::Null) => {}
            Ok(value) => drop(object.insert(it.name().to_owned(), write(it, &value))),
            Err(message) => {
                let found = error.take().unwrap_or_else(|| Error::new(422, "VALIDATION", "Some fields need a change"));
                error = Some(found.at(it.name(), message));
            }
        }
    }
    error.map_or(Ok(Json::Object(object)), Err)
}

fn complete_field(app: &'static AppDef, it: &'static ValueDef, given: Option<&Json>, caller: &Caller) -> Result<Json, String> {
    let null = Json::Null;
    // A required field with a default is never null.
    let given = given.filter(|json| !(json.is_null() && it.field.required));
    let json = match (given, &it.field.default) {
        // The only default of a list is `[]`.
        (None, Some(_)) if it.is_list() => return Ok(Json::Array(Vec::new())),
        (None, Some(default)) => {
            let value = field::widen(it.field.kind, emit::constant(default, caller, app));
            return Ok(write(it, &value));
        }
        (given, _) => given.unwrap_or(&null),
    };
    if json.is_null() {
        return match (it.field.required, it.is_list()) {
            (true, _) => Err("is required".to_owned()),
            (false, true) => Ok(Json::Array(Vec::new())),
            (false, false) => Ok(Json::Null),
        };
    }
    complete_value(app, it, it.lists, json)
}

fn complete_value(app: &'static AppDef, it: &'static ValueDef, lists: u8, json: &Json) -> Result<Json, String> {
    if lists == 0 {
        return complete_item(app, it, json);
    }
    let Json::Array(items) = json else { return Err("must be a list".to_owned()) };
    let numbered = items.iter().enumerate();
    let checked = numbered.map(|(at, item)| {
        let checked = if item.is_null() { Err("is null".to_owned()) } else { complete_value(app, it, lists - 1, item) };
        checked.map_err(|message| format!("item {}: {message}", at + 1))
    });
    checked.collect::<Result<Vec<_>, _>>().map(Json::Array)
}

fn complete_item(app: &'static AppDef, it: &'static ValueDef, json: &Json) -> Result<Json, String> {
    if it.printable {
        return match json {
            Json::String(_) => Ok(json.clone()),
            Json::Bool(_) | Json::Number(_) => Ok(Json::String(json.to_string())),
            Json::Null | Json::Array(_) | Json::Object(_) => Err("must be a text, a number or a boolean".to_owned()),
        };
    }
    let value = field::from_json(app, &it.field, json)?;
    if !is_empty_text(it, &value) {
        field::check(&it.field, &value)?;
    }
    Ok(write(it, &value))
}

/// An empty text is a value of a service, unlike in the input of a user: only a missing value and null have no value.
fn is_empty_text(it: &ValueDef, value: &Value) -> bool {
    it.field.kind.is_free_text() && matches!(value, Value::Text(text) if text.is_empty())
}

/// The JSON of a single value.
fn write(it: &'static ValueDef, value: &Value) -> Json {
    let mut text = Vec::new();
    field::write_json(&it.field, value, &mut text);
    // The text was written as JSON.
    serde_json::from_slice(&text).unwrap_or_default()
}
