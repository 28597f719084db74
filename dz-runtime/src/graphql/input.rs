//! Values in queries: checks of enumerations, and conversion to values of fields.

use dz_graphql::{Item, Schema, enum_value, field_name};
use serde_json::Value as Json;

use super::scalar::{Input, Scalar};
use crate::{
    Error, Result, Tx, Value,
    def::{AppDef, EntityDef, FieldDef, FieldIx},
    field,
    rows::{self, parse_key},
};

/// Refuses names that are not a value of their enumeration, which Juniper checks only in variables.
pub(super) fn check_type(schema: &Schema, ty: &str, value: &Input) -> Result<()> {
    if let Input::List(items) = value {
        return items.iter().try_for_each(|item| check_type(schema, ty, &item.item));
    }
    match (schema.find(ty).map(|ty| &ty.item), value) {
        (Some(Item::Enum(_, values)), Input::Enum(name) | Input::Scalar(Scalar::Text(name)))
            if !values.iter().any(|value| value.name == *name) =>
        {
            let names: Vec<&str> = values.iter().map(|value| value.name.as_str()).collect();
            let detail = format!("`{}` is not a value of {ty}; the values are {}", name.escape_default(), names.join(", "));
            Err(Error::new(422, "VALIDATION", detail))
        }
        (Some(Item::Input(members)), Input::Object(fields)) => fields.iter().try_for_each(|(name, value)| {
            let member = members.iter().find(|member| member.name == name.item);
            member.map_or(Ok(()), |member| check_type(schema, &member.ty.name, &value.item))
        }),
        _ => Ok(()),
    }
}

/// The field of an entity with this name in GraphQL.
pub(super) fn find_field(entity: &'static EntityDef, name: &str) -> Option<(FieldIx, &'static FieldDef)> {
    (0..).zip(entity.fields).find(|(_, field)| field_name(field.name) == name)
}

/// The JSON of a value; enumeration names stay as they are.
pub(super) fn to_json(value: &Input) -> Json {
    match value {
        Input::Null | Input::Variable(_) => Json::Null,
        Input::Scalar(scalar) => scalar.to_json(),
        Input::Enum(name) => Json::from(name.as_str()),
        Input::List(items) => items.iter().map(|item| to_json(&item.item)).collect(),
        Input::Object(members) => Json::Object(members.iter().map(|(name, value)| (name.item.clone(), to_json(&value.item))).collect()),
    }
}

/// The text of a scalar or an enumeration value.
pub(super) fn to_text(value: &Input) -> Option<String> {
    match value {
        Input::Scalar(scalar) => Some(scalar.to_string()),
        Input::Enum(name) => Some(name.clone()),
        Input::Null | Input::Variable(_) | Input::List(_) | Input::Object(_) => None,
    }
}

/// The key of a row in an argument.
///
/// # Errors
/// 404 for an invalid key.
pub(super) fn key(tx: &Tx<'_>, entity: &'static EntityDef, value: Option<&Input>) -> Result<Value> {
    let text = value.and_then(to_text).ok_or_else(Error::not_found)?;
    parse_key(tx, entity, &text)
}

/// The declared value of an enumeration for its name in GraphQL.
fn declared(field: &'static FieldDef, name: &str) -> Option<&'static str> {
    field.kind.enumeration()?.values.iter().map(|value| value.name).find(|value| enum_value(value) == name)
}

/// Parses a value of a filter or a state.
///
/// # Errors
/// 422 for a value of another type.
pub(super) fn compared_value(app: &'static AppDef, field: &'static FieldDef, name: &str, value: &Input) -> Result<Value> {
    let wrong = |wrong: String| Error::validation(name, wrong);
    let text = to_text(value).ok_or_else(|| wrong("must be a value".to_owned()))?;
    if let Some(declared) = declared(field, &text) {
        return Ok(Value::Text(declared.to_owned()));
    }
    if text.is_empty() && field::stored_kind(app, field).is_text() {
        return Ok(Value::Text(text));
    }
    if text.contains('\0') {
        return Err(wrong("must not contain the character U+0000".to_owned()));
    }
    let parsed = field::from_text(app, field, &text, field::zone(app)).map_err(wrong)?;
    if parsed.is_null() {
        return Err(wrong("must be a value".to_owned()));
    }
    if (field.kind.enumeration().is_some() || field.kind.digits().is_some())
        && let Err(error) = field::check(field, &parsed)
    {
        return Err(wrong(error));
    }
    Ok(parsed)
}

/// Parses the fields of an input object, and collects errors.
pub(super) fn fields(app: &'static AppDef, entity: &'static EntityDef, object: Option<&Input>) -> rows::Input {
    let mut sent = rows::Input::default();
    let Some(Input::Object(members)) = object else { return sent };
    for (name, value) in members {
        let Some((at, field)) = find_field(entity, &name.item) else { continue };
        let result = match field.currency_in {
            Some(beside) => field::currency::read(&amount(&value.item)).map(|(amount, currency)| {
                sent.field_values.set(at, amount);
                sent.field_values.set(beside, currency);
            }),
            None => written_value(app, field, &value.item).map(|value| sent.field_values.set(at, value)),
        };
        if let Err(wrong) = result {
            sent.add_error(field.name, wrong);
        }
    }
    sent
}

fn written_value(app: &'static AppDef, field: &'static FieldDef, value: &Input) -> Result<Value, String> {
    let json = to_json(value);
    match (&json, field::stored_kind(app, field)) {
        (Json::String(name), _) if field.kind.enumeration().is_some() => Ok(Value::Text(declared(field, name).unwrap_or(name).to_owned())),
        (Json::String(digits), kind) if kind.is_int() => field::int(digits),
        // JSON text in a document; in a variable it is a JSON string.
        _ if field.currency.is_some() => field::from_json(app, field, &amount(value)),
        _ => field::from_json(app, field, &json),
    }
}

/// The JSON of an amount, whose number can be written as a number too.
fn amount(value: &Input) -> Json {
    let mut json = to_json(value);
    if let Some(number) = json.get_mut("amount").filter(|amount| amount.is_number()) {
        *number = Json::from(number.to_string());
    }
    json
}
