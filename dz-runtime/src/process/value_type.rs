//! The types of inputs, outputs and values of a running process, and their JSON.

use serde_json::{Map, Value as Json};

use super::stored;
use crate::{
    Error, Result, Value,
    def::{AppDef, EntityIx, EnumDef, EnumValueDef, FieldDef, Kind},
    field, suggest,
};

/// The type of a value: that of a field, or a list of such values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ValueType {
    field: &'static FieldDef,
    /// How many `list[…]` enclose the type.
    lists: u8,
}

/// The control for a value in a form.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum InputKind {
    /// Text, with the type of its control.
    Text(&'static str),
    /// A number.
    Number,
    /// Yes or no.
    Bool,
    /// A value with its title.
    Choice(Vec<(String, String)>),
    /// A list or an object.
    Json,
}

impl InputKind {
    /// The type of the control, if it is an `input`.
    pub fn html_type(&self) -> Option<&'static str> {
        match self {
            InputKind::Text(of) => Some(of),
            InputKind::Number => Some("text"),
            InputKind::Bool | InputKind::Choice(_) | InputKind::Json => None,
        }
    }

    /// The values of a selection, each with its title.
    pub fn choices(&self) -> Vec<(String, String)> {
        match self {
            InputKind::Bool => [("true", say!("dz-yes", "Yes")), ("false", say!("dz-no", "No"))]
                .map(|(value, title)| (value.to_owned(), title.to_owned()))
                .to_vec(),
            InputKind::Choice(choices) => choices.clone(),
            InputKind::Text(_) | InputKind::Number | InputKind::Json => Vec::new(),
        }
    }
}

/// An input or an output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ValueField {
    /// The type.
    pub ty: ValueType,
    /// True if null is not allowed.
    pub required: bool,
}

fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

impl ValueType {
    /// Resolves a stored type. Descriptions are `'static`; each version of a process is resolved once, so what is leaked is bounded.
    ///
    /// # Errors
    /// A sentence about an entity that no longer exists.
    pub(super) fn resolve(app: &'static AppDef, ty: &stored::Type) -> Result<ValueType, String> {
        ValueType::named(app, ty, ("value", "Value"))
    }

    fn named(app: &'static AppDef, ty: &stored::Type, (name, title): (&str, &str)) -> Result<ValueType, String> {
        let (mut lists, mut item) = (0_u8, ty);
        while let stored::Type::List(inner) = item {
            (lists, item) = (lists.saturating_add(1), inner);
        }
        let mut def = FieldDef::new(leak(name), leak(title), kind(app, item)?);
        if let stored::Type::Money(Some(currency)) = item {
            def.currency = Some(leak(currency));
        }
        Ok(ValueType { field: Box::leak(Box::new(def)), lists })
    }

    fn json((name, title): (&str, &str)) -> ValueType {
        ValueType { field: Box::leak(Box::new(FieldDef::new(leak(name), leak(title), Kind::Json))), lists: 0 }
    }

    /// The name of the field that has this type.
    pub fn name(&self) -> &'static str {
        self.field.name
    }

    /// The title of the field that has this type.
    pub fn title(&self) -> &'static str {
        self.field.title
    }

    /// The control for a value in a form.
    pub fn input_kind(&self) -> InputKind {
        if self.lists > 0 || self.field.currency.is_some() {
            return InputKind::Json;
        }
        match self.field.kind {
            Kind::Bool => InputKind::Bool,
            Kind::Int | Kind::Float => InputKind::Number,
            Kind::Date => InputKind::Text("date"),
            Kind::Email => InputKind::Text("email"),
            Kind::Enum(of) => InputKind::Choice(of.values.iter().map(|value| (value.name.to_owned(), value.title.to_owned())).collect()),
            Kind::Json => InputKind::Json,
            Kind::Uuid
            | Kind::Str(_)
            | Kind::Text
            | Kind::Decimal { .. }
            | Kind::DateTime
            | Kind::Url
            | Kind::Timezone
            | Kind::Slug
            | Kind::Currency { .. }
            | Kind::Ref(_)
            | Kind::File { .. }
            | Kind::HasMany { .. }
            | Kind::HasOne { .. }
            | Kind::ManyToMany { .. } => InputKind::Text("text"),
        }
    }

    /// The entity that a value references.
    pub fn target(&self) -> Option<EntityIx> {
        if self.lists == 0 { self.field.kind.target() } else { None }
    }

    /// Converts JSON to a value for an expression; a list stays JSON.
    pub fn parse(&self, app: &'static AppDef, json: &Json) -> Result<Value, String> {
        if self.lists > 0 {
            return Ok(if json.is_null() { Value::Null } else { Value::Json(json.clone()) });
        }
        field::from_json(app, self.field, json)
    }

    /// Checks JSON from outside, and returns it in the form in which the API writes such values: a decimal has all its places.
    ///
    /// # Errors
    /// What the value must be.
    pub fn check(&self, app: &'static AppDef, json: &Json) -> Result<Json, String> {
        fn all(app: &'static AppDef, of: ValueType, json: &Json) -> Result<Json, String> {
            if of.lists > 0 {
                let items = json.as_array().ok_or_else(|| say!("dz-must-be-a-list", "must be a list").to_owned())?;
                let of = ValueType { lists: of.lists - 1, ..of };
                return items.iter().map(|item| all(app, of, item)).collect();
            }
            let value = field::from_json(app, of.field, json)?;
            match of.field.kind.enumeration() {
                Some(known) if !known.values.iter().any(|known| matches!(&value, Value::Text(name) if known.name == name)) => {
                    let names: Vec<&str> = known.values.iter().map(|value| value.name).collect();
                    Err(say!("dz-must-be-one-of", "must be one of {names}", names = names.join(", ")))
                }
                _ => field::check(of.field, &value).map(|()| of.to_json(&value)),
            }
        }
        if json.is_null() { Ok(Json::Null) } else { all(app, *self, json) }
    }

    /// The currency of an amount.
    pub fn currency(&self) -> Option<&'static str> {
        self.field.currency.filter(|_| self.lists == 0)
    }

    /// A result of a step in the form in which the API writes such values.
    pub fn normal_form(&self, app: &'static AppDef, json: Json) -> Json {
        let json = with_currency(self.currency(), json);
        self.parse(app, &json).map_or(json, |value| self.to_json(&value))
    }

    /// The entity of the rows that a value names, and their keys.
    pub fn references(&self, app: &'static AppDef, json: &Json) -> Option<(EntityIx, Vec<Value>)> {
        fn collect(app: &'static AppDef, field: &'static FieldDef, json: &Json, keys: &mut Vec<Value>) {
            match json {
                Json::Array(items) => items.iter().for_each(|item| collect(app, field, item, keys)),
                Json::Null => {}
                Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Object(_) => keys.extend(field::from_json(app, field, json)),
            }
        }
        let target = self.field.kind.target()?;
        let mut keys = Vec::new();
        collect(app, self.field, json, &mut keys);
        Some((target, keys))
    }

    /// Converts a value to JSON.
    pub fn to_json(self, value: &Value) -> Json {
        if self.lists > 0 {
            return to_json(value);
        }
        let mut out = Vec::new();
        field::write_json(self.field, value, &mut out);
        serde_json::from_slice(&out).unwrap_or_else(|_| to_json(value))
    }
}

impl ValueField {
    /// Resolves a stored field. A type that the application no longer has becomes JSON, so that a run of an old version can be shown and
    /// ended; the expressions that use the value fail.
    pub(super) fn resolve(app: &'static AppDef, stored: &stored::Field) -> ValueField {
        let name = (stored.name.as_str(), stored.title.as_str());
        let ty = ValueType::named(app, &stored.ty, name).unwrap_or_else(|_| ValueType::json(name));
        ValueField { ty, required: stored.required }
    }
}

/// The amount that an expression computes, with the currency of the value that it becomes: expressions compute numbers, and the build
/// checks their currencies.
pub(super) fn with_currency(currency: Option<&str>, json: Json) -> Json {
    match (currency, json) {
        (Some(currency), Json::String(amount)) => serde_json::json!({ "amount": amount, "currency": currency }),
        (Some(currency), Json::Number(amount)) => serde_json::json!({ "amount": amount.to_string(), "currency": currency }),
        (_, json) => json,
    }
}

fn kind(app: &'static AppDef, ty: &stored::Type) -> Result<Kind, String> {
    Ok(match ty {
        stored::Type::Uuid => Kind::Uuid,
        stored::Type::Str(length) => Kind::Str(*length),
        stored::Type::Text => Kind::Text,
        stored::Type::Int => Kind::Int,
        stored::Type::Float => Kind::Float,
        stored::Type::Decimal(precision, scale) => Kind::Decimal { precision: *precision, scale: *scale },
        stored::Type::Money(_) => Kind::Decimal { precision: 28, scale: 4 },
        stored::Type::Bool => Kind::Bool,
        stored::Type::Date => Kind::Date,
        stored::Type::Datetime => Kind::DateTime,
        stored::Type::Json | stored::Type::List(_) => Kind::Json,
        stored::Type::Email => Kind::Email,
        stored::Type::Url => Kind::Url,
        stored::Type::Timezone => Kind::Timezone,
        stored::Type::Slug => Kind::Slug,
        stored::Type::Ref(name) => {
            let entity = app.entities.iter().find(|entity| entity.name == name);
            Kind::Ref(entity.ok_or_else(|| format!("the entity `{name}` no longer exists"))?.ix)
        }
        stored::Type::Enum(of) => {
            let values = of.values.iter().map(|(name, title)| EnumValueDef { name: leak(name), title: leak(title) });
            let values = Box::leak(values.collect::<Vec<_>>().into_boxed_slice());
            Kind::Enum(Box::leak(Box::new(EnumDef { name: leak(&of.name), values, ordered: of.ordered })))
        }
    })
}

/// Converts a value without a type to JSON.
pub(crate) fn to_json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(value) => Json::from(*value),
        Value::Float(value) => serde_json::Number::from_f64(*value).map_or(Json::Null, Json::Number),
        Value::Decimal(value) => Json::String(value.to_string()),
        Value::Text(text) => Json::String(text.clone()),
        Value::Uuid(id) => Json::String(id.to_string()),
        Value::Date(date) => Json::String(date.to_string()),
        Value::DateTime(at) => Json::String(field::datetime_text(at)),
        Value::Json(json) => json.clone(),
    }
}

/// Checks the members of an input: each is known, has its type, and is there if it is required. The result has all members.
///
/// # Errors
/// 422 with all members that are wrong.
pub(crate) fn check_members(app: &'static AppDef, fields: &[(ValueField, Json)], input: &Json) -> Result<Map<String, Json>> {
    let empty = Map::new();
    let members = match input {
        Json::Object(members) => members,
        Json::Null => &empty,
        _ => return Err(Error::bad_request("the input must be a JSON object")),
    };
    if members.len() > suggest::MAX_MEMBERS {
        return Err(Error::bad_request(format!("the input has {} members; send at most {}", members.len(), suggest::MAX_MEMBERS)));
    }
    let mut wrong: Vec<(String, String)> = Vec::new();
    let names: Vec<&str> = fields.iter().map(|(field, _)| field.ty.name()).collect();
    for name in members.keys().filter(|name| !names.contains(&name.as_str())) {
        let near = suggest::did_you_mean(name, names.clone());
        wrong.push((name.clone(), format!("is not an input{near}")));
    }
    let mut checked = Map::new();
    for (field, default) in fields {
        let name = field.ty.name();
        let value = members.get(name).filter(|value| !value.is_null()).unwrap_or(default);
        match field.ty.check(app, value) {
            Err(message) => wrong.push((name.to_owned(), message)),
            Ok(value) if value.is_null() && field.required => {
                wrong.push((name.to_owned(), say!("dz-is-required", "is required").to_owned()))
            }
            Ok(value) => drop(checked.insert(name.to_owned(), value)),
        }
    }
    match wrong.is_empty() {
        true => Ok(checked),
        false => {
            let error = Error::new(422, "VALIDATION", "Some inputs need a change");
            Err(wrong.into_iter().fold(error, |error, (name, message)| error.at(&name, message)))
        }
    }
}
