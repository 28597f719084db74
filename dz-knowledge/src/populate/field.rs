//! Field types as a declaration writes them.

use dz_dsl_file::model::{FieldType, Model, ValueType};

/// The text of a type.
pub fn type_text(model: &Model, ty: FieldType) -> String {
    match ty {
        FieldType::Uuid => "uuid".to_owned(),
        FieldType::Str(n) => format!("str({n})"),
        FieldType::Text => "text".to_owned(),
        FieldType::Int { wide: false } => "int".to_owned(),
        FieldType::Int { wide: true } => "int(64)".to_owned(),
        FieldType::Float => "float".to_owned(),
        FieldType::Decimal { precision, scale } => format!("decimal({precision},{scale})"),
        FieldType::Bool => "bool".to_owned(),
        FieldType::Date => "date".to_owned(),
        FieldType::DateTime => "datetime".to_owned(),
        FieldType::Enum(id) => {
            let values: Vec<&str> = model.enums[id.0].values.iter().map(|value| value.name.as_str()).collect();
            match model.enums[id.0].owner {
                Some(_) => format!("enum[{}]", values.join(", ")),
                None => model.enums[id.0].name.clone(),
            }
        }
        FieldType::Json => "json".to_owned(),
        FieldType::Email => "email".to_owned(),
        FieldType::Url => "url".to_owned(),
        FieldType::Timezone => "timezone".to_owned(),
        FieldType::Slug => "slug".to_owned(),
        FieldType::Money(None) => "money".to_owned(),
        FieldType::Money(Some(currency)) => format!("money({})", currency.code()),
        FieldType::Currency { .. } => "str(3)".to_owned(),
        FieldType::File { limit: None } => "file".to_owned(),
        FieldType::File { limit: Some(bytes) } => format!("file({bytes} bytes)"),
        FieldType::Ref(id) => format!("ref {}", model.entity(id).name),
        FieldType::HasMany { entity, .. } => format!("has_many {}", model.entity(entity).name),
        FieldType::HasOne { entity, .. } => format!("has_one {}", model.entity(entity).name),
        FieldType::ManyToMany { entity, through } => {
            format!("has_many {} via {}", model.entity(entity).name, model.entity(through.entity).name)
        }
    }
}

/// The text of the type of an input or output.
pub fn value_text(model: &Model, ty: &ValueType) -> String {
    match ty {
        ValueType::One(ty) => type_text(model, *ty),
        ValueType::List(inner) => format!("list[{}]", value_text(model, inner)),
        ValueType::Printable => "text".to_owned(),
    }
}
