//! Constructs without which the rules or the data of the ejected application would differ: they stop the ejection.

use dz_dsl_file::{
    Span,
    model::{Archetype, Entity, Field, FieldType, Model},
};

/// Something in a declaration that cannot be ejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What it is, with its name.
    pub what: String,
    /// Why it cannot be ejected.
    pub reason: String,
    /// Its place.
    pub span: Option<Span>,
}

impl Refusal {
    /// A refusal at a place.
    pub(crate) fn new(what: impl Into<String>, reason: impl Into<String>, span: Span) -> Refusal {
        Refusal { what: what.into(), reason: reason.into(), span: Some(span) }
    }
}

/// Everything in a declaration that stops the ejection.
pub(crate) fn find(model: &Model) -> Vec<Refusal> {
    let mut found = Vec::new();
    if let Some(tenant) = model.tenant
        && !model.entities.iter().any(|entity| entity.kind == Some(Archetype::UserMembership))
    {
        let entity = model.entity(tenant);
        let reason = "without memberships no account has a tenant";
        found.push(Refusal::new(format!("the tenant entity `{}`", entity.name), reason, entity.span));
    }
    for entity in &model.entities {
        found.extend(refuse_entity(entity));
        for field in &entity.fields {
            found.extend(refuse_field(model, entity, field));
        }
    }
    found
}

fn refuse_entity(entity: &Entity) -> Vec<Refusal> {
    let mut found = Vec::new();
    let mut refuse = |what: &str, reason: &str| {
        found.push(Refusal::new(format!("{what} of `{}`", entity.name), reason, entity.span));
    };
    if !entity.fields[entity.pk.0].ty.is_uuid() {
        refuse("the key", "the ejected backend has keys of type `uuid` only");
    }
    found
}

fn refuse_field(model: &Model, entity: &Entity, field: &Field) -> Option<Refusal> {
    let refuse = |reason: &str| Some(Refusal::new(format!("`{}.{}`", entity.name, field.name), reason, field.span));
    match field.ty {
        FieldType::Ref(target) if !model.entity(target).fields[model.entity(target).pk.0].ty.is_uuid() => {
            refuse("it refers to rows whose key is not a `uuid`")
        }
        FieldType::ManyToMany { .. }
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::Ref(_)
        | FieldType::Uuid
        | FieldType::Str(_)
        | FieldType::Text
        | FieldType::Int { .. }
        | FieldType::Float
        | FieldType::Money(_)
        | FieldType::Currency { .. }
        | FieldType::Decimal { .. }
        | FieldType::Bool
        | FieldType::Date
        | FieldType::DateTime
        | FieldType::Enum(_)
        | FieldType::Json
        | FieldType::Email
        | FieldType::Url
        | FieldType::Timezone
        | FieldType::Slug
        | FieldType::File { .. } => None,
    }
}
