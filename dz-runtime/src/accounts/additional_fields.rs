//! Additional fields of accounts and memberships: those that the declaration requires beside the fields of the archetype.
//!
//! A membership is created when its invitation is accepted. The inviter sends the fields of the membership with the invitation, which
//! stores them. A new user sends the fields of the account with the acceptance or the registration.

use serde_json::{Map, Value as Json};

use crate::{
    Error, Result, Tx, Value,
    def::{AppDef, Auto, EntityDef, FieldDef, FieldIx},
    field,
    record::FieldValues,
    rows,
};

/// The fields that a request sends in one member of its body: `"membership": {"desk": 4}`, or `membership-desk=4` in a form.
pub(crate) struct AdditionalFields {
    /// The name of the member, and the prefix of the names in a form.
    pub member: &'static str,
    pub entity: &'static EntityDef,
    pub fields: Vec<(FieldIx, &'static FieldDef)>,
}

impl AdditionalFields {
    /// The fields that a new user sends beside address, name and password.
    pub fn for_account(app: &'static AppDef) -> AdditionalFields {
        AdditionalFields::new("account", app.account(), &["email", "name"])
    }

    /// The fields that an inviter sends for a membership; `None` if the application has no memberships.
    pub fn for_membership(app: &'static AppDef) -> Option<AdditionalFields> {
        let members = app.members()?;
        let set = [members.account, members.tenant, members.personas, members.accepted].map(|at| members.entity.field(at).name);
        let set: Vec<&str> = set.into_iter().chain(["invited_by", "invited_at"]).collect();
        Some(AdditionalFields::new("membership", members.entity, &set))
    }

    fn new(member: &'static str, entity: &'static EntityDef, set: &[&str]) -> AdditionalFields {
        let is_needed = |at: FieldIx, field: &FieldDef| {
            let is_given = field.default.is_none() && field.auto == Auto::No && !field.kind.is_bool();
            field.is_stored() && (field.required || field.is_currency_of_amount()) && is_given && at != entity.pk && !field.secret
        };
        let all = entity.fields.iter().enumerate().filter_map(|(at, field)| Some((FieldIx::try_from(at).ok()?, field)));
        // The currency of a required amount is also required.
        let amount = |field: &FieldDef| field.kind.amount().filter(|_| field.is_currency_of_amount()).map(|amount| entity.field(amount));
        let needed = all.filter(|(at, field)| is_needed(*at, field) && amount(field).is_none_or(|amount| amount.required));
        AdditionalFields { member, entity, fields: needed.filter(|(_, field)| !set.contains(&field.name)).collect() }
    }

    /// The name of a field in errors, for example `membership.desk`.
    pub fn name(&self, field: &FieldDef) -> String {
        format!("{}.{}", self.member, field.name)
    }

    /// The name of a field in forms, where it is also an HTML id, for example `membership-desk`.
    pub fn control_name(&self, field: &FieldDef) -> String {
        format!("{}-{}", self.member, field.name)
    }

    /// A field that such a form cannot contain, and the reason: a file, or with `no_refs` a reference, because a new user cannot see rows
    /// yet.
    pub fn unsupported_field(&self, no_refs: bool) -> Option<(&'static FieldDef, &'static str)> {
        self.fields.iter().find_map(|(_, field)| match field.kind.target() {
            Some(_) if no_refs => Some((*field, "is a reference, and a new user sees no rows to choose from")),
            Some(_) => None,
            None => field.kind.is_file().then_some((*field, "is a file")),
        })
    }

    /// Replaces the names of fields in an error about a row by the names in the request.
    pub fn qualify_errors(&self, mut error: Error) -> Error {
        for (_, field) in &self.fields {
            if let Some(wrong) = error.field_errors.remove(field.name) {
                error.field_errors.insert(self.name(field), wrong);
            }
        }
        error
    }

    /// Checks the values as the creation of a row would: required fields have valid values, and references point to rows that the caller
    /// can see.
    ///
    /// # Errors
    /// 422 that names every invalid field.
    pub fn check(&self, tx: &mut Tx<'_>, given: &FieldValues) -> Result<()> {
        if let Some((field, why)) = self.unsupported_field(false) {
            let detail = format!("is required and {why}, which no invitation can contain: make the field optional");
            return Err(Error::validation(&self.name(field), detail));
        }
        let whole = self.fields.iter().map(|(at, _)| (*at, given.get(*at).cloned().unwrap_or_default()));
        rows::check_part(tx, self.entity, &FieldValues(whole.collect())).map_err(|error| self.qualify_errors(error))?;
        for (at, field) in &self.fields {
            let (Some(target), Some(key)) = (field.kind.target(), given.get(*at)) else { continue };
            let target = tx.app.entity(target);
            let found = match rows::label(tx, target, key) {
                Err(error) if matches!(error.status, 401 | 403) => None,
                found => found?,
            };
            if found.is_none() {
                return Err(Error::validation(&self.name(field), "names no row that you can see"));
            }
        }
        Ok(())
    }

    /// The values as they are stored in an invitation.
    pub fn to_stored(&self, given: &FieldValues) -> Value {
        let member = |(at, field): &(FieldIx, &'static FieldDef)| {
            let mut json = Vec::new();
            field::write_json(field, given.get(*at)?, &mut json);
            Some((field.name.to_owned(), serde_json::from_slice(&json).ok()?))
        };
        Value::Json(Json::Object(self.fields.iter().filter_map(member).collect::<Map<_, _>>()))
    }

    /// The stored values for callers who can invite, without fields that only some callers can read.
    pub fn to_json_for_inviter(&self, kept: &Value) -> Json {
        let Value::Json(Json::Object(kept)) = kept else { return Json::Object(Map::new()) };
        let is_shown = |name: &str| self.fields.iter().any(|(_, field)| field.name == name && !field.sensitive);
        Json::Object(kept.iter().filter(|(name, _)| is_shown(name)).map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    /// The stored values of fields that still exist.
    pub fn read_stored(&self, app: &'static AppDef, kept: &Value) -> FieldValues {
        let Value::Json(Json::Object(kept)) = kept else { return FieldValues::default() };
        let value = |(at, field): &(FieldIx, &'static FieldDef)| {
            let value = field::from_json(app, field, kept.get(field.name)?).ok()?;
            Some((*at, value))
        };
        FieldValues(self.fields.iter().filter_map(value).collect())
    }

    /// Parses the values of `--set` or `--member field=value`.
    ///
    /// # Errors
    /// 400 for an unknown field, a field that is given twice, or an invalid value.
    pub fn parse_texts(&self, app: &'static AppDef, texts: &[(String, String)]) -> Result<FieldValues> {
        let mut given = FieldValues::default();
        for (name, text) in texts {
            let known = self.fields.iter().find(|(_, field)| field.name == name);
            let (at, field) = known.ok_or_else(|| {
                let names: Vec<String> = self.fields.iter().map(|(_, field)| format!("`{}`", field.name)).collect();
                let known = if names.is_empty() { "it needs none".to_owned() } else { format!("it needs {}", names.join(", ")) };
                Error::bad_request(format!("`{name}` is not a further required field of a {}; {known}", self.member))
            })?;
            if given.get(*at).is_some() {
                return Err(Error::bad_request(format!("`{name}` is given twice; give it once")));
            }
            let value = field::from_text(app, field, text, field::zone(app));
            given.set(*at, value.map_err(|wrong| Error::bad_request(format!("`{name}` {wrong}")))?);
        }
        Ok(given)
    }
}
