//! Additional fields of accounts and memberships in requests.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::{
    Error, Result,
    accounts::additional_fields::AdditionalFields,
    def::AppDef,
    field,
    record::FieldValues,
    rows::Input,
    web::{Call, request::body},
};

/// Reads the fields of a new account beside address, name and password.
///
/// # Errors
/// 422 that names every missing, unknown and invalid field, and fields that a new user cannot set.
pub(crate) fn read_new_account(app: &'static AppDef, call: &Call) -> Result<FieldValues> {
    let needed = AdditionalFields::for_account(app);
    if let Some((field, why)) = needed.unsupported_field(true) {
        let detail = say!(
            "dz-is-required-and-why-ask-an-administrator",
            "is required and {why}: ask an administrator to create your account",
            why = why
        );
        return Err(Error::validation(&needed.name(field), detail));
    }
    let given = read_fields(app, call, &needed)?;
    let missing = needed.fields.iter().filter(|(at, field)| field.required && given.get(*at).is_none());
    let missing = missing.fold(None::<Error>, |error, (_, field)| {
        let error =
            error.unwrap_or_else(|| Error::new(422, "VALIDATION", say!("dz-some-fields-need-a-change", "Some fields need a change")));
        Some(error.at(&needed.name(field), say!("dz-is-required", "is required")))
    });
    missing.map_or(Ok(given), Err)
}

/// Reads the fields in the member of `needed`. Missing values are not checked.
///
/// # Errors
/// 422 that names every unknown and invalid field.
pub(crate) fn read_fields(app: &'static AppDef, call: &Call, needed: &AdditionalFields) -> Result<FieldValues> {
    let sent = match &call.json {
        Some(_) => read_json(app, call, needed)?,
        None => read_form(app, call, needed),
    };
    let mut given = sent.into_values().map_err(|error| {
        let wrong = error.field_errors.into_iter().map(|(name, wrong)| (format!("{}.{name}", needed.member), wrong));
        Error {
            field_errors: wrong.collect(),
            ..Error::new(422, "VALIDATION", say!("dz-some-fields-need-a-change", "Some fields need a change"))
        }
    })?;
    given.0.retain(|(at, value)| !value.is_null() && needed.fields.iter().any(|(needed, _)| needed == at));
    Ok(given)
}

fn read_json(app: &'static AppDef, call: &Call, needed: &AdditionalFields) -> Result<Input> {
    let members = body::parse_object(call)?;
    let Some(raw) = members.get(needed.member) else { return Ok(Input::default()) };
    let wrong = |_| Error::validation(needed.member, say!("dz-must-be-an-object-with-fields", "must be an object with fields"));
    let fields: BTreeMap<String, &RawValue> = serde_json::from_str(raw.get()).map_err(wrong)?;
    body::check_count(fields.len())?;
    let (known, unknown): (BTreeMap<_, _>, BTreeMap<_, _>) =
        fields.into_iter().partition(|(name, _)| needed.fields.iter().any(|(_, field)| field.name == name));
    let mut sent = body::parse_fields(app, needed.entity, known);
    unknown.into_keys().for_each(|name| sent.add_error(&name, say!("dz-is-not-a-field-of-this-form", "is not a field of this form")));
    Ok(sent)
}

fn read_form(app: &'static AppDef, call: &Call, needed: &AdditionalFields) -> Input {
    let mut sent = Input::default();
    for (at, field) in &needed.fields {
        let name = needed.control_name(field);
        let Some((_, text)) = call.form.iter().find(|(given, _)| *given == name) else { continue };
        match field::from_text(app, field, text.trim(), field::zone(app)) {
            Ok(value) => sent.field_values.set(*at, value),
            Err(wrong) => sent.add_error(field.name, wrong),
        }
    }
    sent
}
