//! Facts about LLM intents for the application.

use crate::model::{Auto, Duration, EntityId, FieldType, Model, ValueField, ValueType};

/// The fields of an entity that an answer can have: without the key, and without values that dz or the database sets, files and
/// secrets.
pub fn answer_fields(model: &Model, id: EntityId) -> Vec<ValueField> {
    let entity = model.entity(id);
    let mut fields = Vec::new();
    for (at, field) in entity.fields.iter().enumerate() {
        let is_set_by_dz = at == entity.pk.0
            || entity.tenant.is_some_and(|tenant| tenant.0 == at)
            || field.auto != Auto::No
            || field.computed.is_some()
            || field.secret
            || field.identity;
        let Some(ty) = answer_type(field.ty).filter(|_| !is_set_by_dz) else { continue };
        fields.push(ValueField {
            name: field.name.clone(),
            title: field.title.clone(),
            ty: ValueType::One(ty),
            required: field.required && field.default.is_none(),
            default: None,
            sensitive: field.sensitive,
            span: field.span,
        });
    }
    fields
}

/// The type of a field in an answer; `None` for a type that an answer cannot contain.
fn answer_type(ty: FieldType) -> Option<FieldType> {
    match ty {
        FieldType::Uuid
        | FieldType::Str(_)
        | FieldType::Text
        | FieldType::Int { .. }
        | FieldType::Float
        | FieldType::Decimal { .. }
        | FieldType::Money(_)
        | FieldType::Bool
        | FieldType::Date
        | FieldType::DateTime
        | FieldType::Enum(_)
        | FieldType::Json
        | FieldType::Email
        | FieldType::Url
        | FieldType::Timezone
        | FieldType::Slug
        | FieldType::Ref(_) => Some(ty),
        // A code of three letters.
        FieldType::Currency { .. } => Some(FieldType::Str(3)),
        FieldType::File { .. } | FieldType::HasMany { .. } | FieldType::HasOne { .. } | FieldType::ManyToMany { .. } => None,
    }
}

/// The length of a duration in seconds; a month has 30 days.
pub fn seconds(duration: Duration) -> i64 {
    duration.months.saturating_mul(30 * 86_400).saturating_add(duration.seconds)
}
