//! Checks of the values of a write: types, formats, required fields, and which fields the caller may write.

use chrono::SubsecRound;

use crate::{
    Caller, Error, Tx, Value,
    caller::TenantScope,
    db::emit,
    def::{AppDef, Archetype, Auto, EntityDef, Expr, FieldDef, FieldIx, Kind},
    field::{self, widen},
    record::FieldValues,
    tenancy,
};

/// The reason why a caller may not write a field; `None` if it may.
pub(super) fn write_refusal(entity: &'static EntityDef, at: FieldIx, caller: &Caller) -> Option<&'static str> {
    let field = entity.field(at);
    if !field.is_stored() {
        return Some(if field.has_value() {
            say!("dz-is-computed", "is computed")
        } else {
            say!("dz-cannot-be-written-here", "cannot be written here")
        });
    }
    if caller.system {
        return None;
    }
    let is_generated_kind = field.kind.is_generated_key();
    let is_member = entity.tenancy.archetype == Some(Archetype::UserMembership);
    match () {
        () if field.secret => Some(say!("dz-cannot-be-written", "cannot be written")),
        () if field.auto != Auto::No => Some(say!("dz-is-set-by-the-system", "is set by the system")),
        () if at == entity.pk && is_generated_kind => Some(say!("dz-is-set-by-the-system", "is set by the system")),
        () if entity.tenancy.tenant == Some(at) && caller.tenant_scope_of(entity) != TenantScope::All => {
            Some(say!("dz-is-set-by-the-system-to-your", "is set by the system to your current tenant"))
        }
        () if field.identity && !caller.system_admin && !(is_member && caller.tenant_admin && field.name == "personas") => {
            Some(say!("dz-can-be-set-by-an-administrator-only", "can be set by an administrator only"))
        }
        () => None,
    }
}

/// True if a value has the type of the field; null has every type.
pub(super) fn is_of_kind(app: &'static AppDef, kind: Kind, value: &Value) -> bool {
    if value.is_null() {
        return true;
    }
    match kind.resolved(app) {
        Kind::Enum(of) => of.values.iter().any(|known| matches!(value, Value::Text(name) if known.name == name)),
        Kind::Str(_) | Kind::Text | Kind::Email | Kind::Url | Kind::Timezone | Kind::Currency { .. } | Kind::Slug => {
            matches!(value, Value::Text(_))
        }
        Kind::Uuid => matches!(value, Value::Uuid(_)),
        Kind::Int => matches!(value, Value::Int(_)),
        Kind::Float => matches!(value, Value::Float(number) if number.is_finite()),
        Kind::Decimal { .. } => matches!(value, Value::Decimal(_)),
        Kind::Bool => matches!(value, Value::Bool(_)),
        Kind::Date => matches!(value, Value::Date(_)),
        Kind::DateTime => matches!(value, Value::DateTime(_)),
        Kind::Json | Kind::File { .. } => matches!(value, Value::Json(_)),
        Kind::Ref(_) | Kind::HasMany { .. } | Kind::HasOne { .. } | Kind::ManyToMany { .. } => false,
    }
}

/// Converts a value to its stored form, so that equal values compare as equal.
pub(crate) fn stored_form(entity: &'static EntityDef, field: &'static FieldDef, value: Value) -> Value {
    match value {
        // A required field would have no value, although it is not null.
        Value::Json(serde_json::Value::Null) => Value::Null,
        Value::DateTime(moment) => Value::DateTime(moment.trunc_subsecs(6)),
        // Negative zero is stored as zero.
        Value::Float(number) => Value::Float(number + 0.0),
        // Accounts are found by their address, ignoring case.
        Value::Text(text) if entity.account && field.name == "email" => Value::Text(field::email::normalize_for_account(&text)),
        Value::Text(text) if field.kind.is_email() => Value::Text(field::email::normalize(&text)),
        other => other,
    }
}

/// The error of a value of a field.
fn find_error(app: &'static AppDef, entity: &'static EntityDef, at: FieldIx, value: &Value) -> Option<String> {
    let field = entity.field(at);
    if value.is_null() {
        let is_generated = at == entity.pk && field.kind.is_int();
        // A missing currency is reported at the field of its amount.
        let missing = (field.required || at == entity.pk) && !is_generated && !field.is_currency_of_amount();
        return missing.then(|| say!("dz-is-required", "is required").to_owned());
    }
    if entity.tenancy.archetype == Some(Archetype::UserMembership) && field.name == "personas" {
        return tenancy::find_unknown_persona(app, value);
    }
    if !is_of_kind(app, field.kind, value) {
        let message = field::check(field, value).err();
        return Some(message.unwrap_or_else(|| say!("dz-is-not-a-value-of-this-field", "is not a value of this field").to_owned()));
    }
    field::check(field, value).err()
}

/// The errors of a row, by field.
#[derive(Default)]
pub(super) struct FieldErrors {
    error: Option<Error>,
    /// True if a value is missing or has a wrong type, so that hooks cannot get a draft.
    incomplete: bool,
}

impl FieldErrors {
    /// Starts with the errors of values that could not be parsed.
    pub(super) fn new(input_error: Option<Error>) -> FieldErrors {
        FieldErrors { incomplete: input_error.is_some(), error: input_error }
    }

    /// Adds the error of a value without which there is no draft.
    pub(super) fn add_fatal(&mut self, field: &str, message: impl Into<String>) {
        self.incomplete = true;
        self.add_error(field, message);
    }

    fn add_error(&mut self, field: &str, message: impl Into<String>) {
        self.error = Some(match self.error.take() {
            Some(error) => error.at(field, message),
            None => Error::validation(field, message),
        });
    }

    fn has_error(&self, field: &str) -> bool {
        self.error.as_ref().is_some_and(|error| error.field_errors.contains_key(field))
    }

    /// Checks the type and the format of values.
    pub(super) fn check<'v>(
        &mut self,
        app: &'static AppDef,
        entity: &'static EntityDef,
        values: impl IntoIterator<Item = (FieldIx, &'v Value)>,
    ) {
        for (at, value) in values {
            let name = entity.field(at).name;
            let is_reported = self.has_error(name);
            if let Some(message) = find_error(app, entity, at, value).filter(|_| !is_reported) {
                self.incomplete |= value.is_null() || !is_of_kind(app, entity.field(at).kind, value);
                self.add_error(name, message);
            }
        }
    }

    /// Checks that each amount has a currency and each currency an amount.
    pub(super) fn check_amounts<'v>(&mut self, entity: &'static EntityDef, value: impl Fn(FieldIx) -> &'v Value) {
        for (field, message) in field::currency::find_errors(entity, value) {
            if !self.has_error(field.name) {
                self.add_error(field.name, message);
            }
        }
    }

    /// # Errors
    /// 422 with the errors of all fields.
    pub(super) fn into_result(self) -> Result<(), Error> {
        self.error.map_or(Ok(()), Err)
    }

    /// The errors, and true if hooks can get a draft nevertheless.
    pub(super) fn into_error(self) -> Option<(Error, bool)> {
        let incomplete = self.incomplete;
        self.error.map(|error| (error, !incomplete))
    }
}

/// The value of a field of a new row for which the caller sent none.
pub(super) fn default_value(tx: &Tx<'_>, entity: &'static EntityDef, at: FieldIx) -> Value {
    let field = entity.field(at);
    match field.auto {
        Auto::Add | Auto::Update if field.kind.is_date() => return Value::Date(tx.caller.today),
        Auto::Add | Auto::Update => return Value::DateTime(tx.caller.now.trunc_subsecs(6)),
        Auto::No => {}
    }
    match &field.default {
        _ if entity.tenancy.tenant == Some(at) => tx.caller.tenant().cloned().unwrap_or_default(),
        Some(default) => stored_form(entity, field, constant(default, field.kind, &tx.caller, tx.app)),
        None if at == entity.pk && field.kind.is_uuid() => Value::Uuid(uuid::Uuid::now_v7()),
        None if field.required && field.kind.is_bool() => Value::Bool(false),
        None => Value::Null,
    }
}

/// Evaluates a constant expression as a value of a field.
pub(crate) fn constant(expr: &Expr, kind: Kind, caller: &Caller, app: &'static AppDef) -> Value {
    widen(kind, emit::constant(expr, caller, app))
}

/// Converts values to their stored form; a value for a relation is an error.
pub(super) fn normalize(entity: &'static EntityDef, field_values: FieldValues, errors: &mut FieldErrors) -> FieldValues {
    let mut normalized = FieldValues::default();
    for (at, value) in field_values.0 {
        match entity.fields.get(usize::from(at)) {
            Some(field) if field.has_value() => normalized.set(at, stored_form(entity, field, widen(field.kind, value))),
            Some(field) => errors.add_fatal(field.name, say!("dz-cannot-be-written-here", "cannot be written here")),
            None => {}
        }
    }
    normalized
}

/// Checks values that become part of a new row later: their types and formats, and whether the caller of the unit of work may write
/// the fields. A null counts as a missing value.
///
/// # Errors
/// 422 with the errors of all fields.
pub(crate) fn check_part(tx: &Tx<'_>, entity: &'static EntityDef, field_values: &FieldValues) -> Result<(), Error> {
    let mut errors = FieldErrors::default();
    let field_values = normalize(entity, field_values.clone(), &mut errors);
    for at in field_values.fields() {
        if let Some(why) = write_refusal(entity, at, &tx.caller) {
            errors.add_fatal(entity.field(at).name, why);
        }
    }
    errors.check(tx.app, entity, field_values.0.iter().map(|(at, value)| (*at, value)));
    errors.check_amounts(entity, |at| field_values.get(at).unwrap_or(&Value::Null));
    errors.into_result()
}
