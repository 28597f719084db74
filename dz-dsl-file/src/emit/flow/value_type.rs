//! The types of values.

use super::Json;
use crate::model::{FieldType, Model, ValueType};

/// Describes the type of an input or an output.
pub(super) fn describe(model: &Model, ty: &ValueType) -> Json {
    match ty {
        ValueType::One(ty) => field_type(model, *ty),
        ValueType::List(item) => Json::tagged("list", describe(model, item)),
        ValueType::Printable => Json::text("json"),
    }
}

/// Describes the type of a field. A field without a column has no value.
pub(super) fn field_type(model: &Model, ty: FieldType) -> Json {
    match ty {
        FieldType::Uuid => Json::text("uuid"),
        FieldType::Str(length) => Json::tagged("str", Json::Int(length.into())),
        FieldType::Text => Json::text("text"),
        FieldType::Int { .. } => Json::text("int"),
        FieldType::Float => Json::text("float"),
        FieldType::Decimal { precision, scale } => {
            Json::tagged("decimal", Json::list([Json::Int(precision.into()), Json::Int(scale.into())]))
        }
        FieldType::Bool => Json::text("bool"),
        FieldType::Date => Json::text("date"),
        FieldType::DateTime => Json::text("datetime"),
        FieldType::Enum(of) => {
            let of = &model.enums[of.0];
            let values = of.values.iter().map(|value| Json::list([Json::text(&value.name), Json::text(&value.title)]));
            let of = Json::object([("name", Json::text(&of.name)), ("ordered", Json::Bool(of.ordered)), ("values", Json::list(values))]);
            Json::tagged("enum", of)
        }
        FieldType::Email => Json::text("email"),
        FieldType::Url => Json::text("url"),
        FieldType::Timezone => Json::text("timezone"),
        FieldType::Slug => Json::text("slug"),
        FieldType::Money(currency) => Json::tagged("money", Json::optional(currency.map(|it| Json::text(it.code())))),
        FieldType::Currency { .. } => Json::text("text"),
        FieldType::Ref(entity) => Json::tagged("ref", Json::text(&model.entity(entity).name)),
        FieldType::Json | FieldType::File { .. } | FieldType::HasMany { .. } | FieldType::HasOne { .. } | FieldType::ManyToMany { .. } => {
            Json::text("json")
        }
    }
}
