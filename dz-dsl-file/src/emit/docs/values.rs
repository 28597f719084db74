//! Types and fields of values as the pages name them.

use super::{
    Docs,
    escape::{code, markdown},
    link,
};
use crate::{
    emit::expression,
    model::{EnumId, FieldType, ValueField, ValueType},
};

impl Docs<'_> {
    /// A field type with links, for a table.
    pub(super) fn type_text(&self, ty: FieldType, from: &str) -> String {
        let plain = match ty {
            FieldType::Uuid => "uuid",
            FieldType::Str(length) => return format!("text of at most {length} characters"),
            FieldType::Text => "text",
            FieldType::Int { .. } => "integer",
            FieldType::Float => "floating-point number",
            FieldType::Decimal { precision, scale } => {
                return format!("decimal of {precision} digits, {scale} after the point");
            }
            FieldType::Bool => "yes or no",
            FieldType::Date => "date",
            FieldType::DateTime => "timestamp",
            FieldType::Enum(id) => return self.enum_link(id, from),
            FieldType::Json => "JSON",
            FieldType::Email => "email address",
            FieldType::Url => "web address",
            FieldType::Timezone => "time zone",
            FieldType::Slug => "slug",
            FieldType::Money(currency) => {
                return currency.map_or_else(|| "amount of money".to_owned(), |it| format!("amount in {}", it.code()));
            }
            FieldType::Currency { .. } => "currency",
            FieldType::File { .. } => "file",
            FieldType::Ref(entity) => return format!("reference to {}", self.entity_link(entity, from)),
            FieldType::HasMany { entity, .. } | FieldType::ManyToMany { entity, .. } => {
                return format!("rows of {}", self.entity_link(entity, from));
            }
            FieldType::HasOne { entity, .. } => return format!("row of {}", self.entity_link(entity, from)),
        };
        plain.to_owned()
    }

    /// A link to the values of an enum.
    pub(super) fn enum_link(&self, id: EnumId, from: &str) -> String {
        let name = &self.model.enums[id.0].name;
        link(name, &format!("enums.md#{}", super::escape::anchor(name)), from)
    }

    fn value_type(&self, ty: &ValueType, from: &str) -> String {
        match ty {
            ValueType::One(ty) => self.type_text(*ty, from),
            ValueType::List(inner) => format!("list of {}", self.value_type(inner, from)),
            ValueType::Printable => "any value".to_owned(),
        }
    }

    /// A row for a table: name, type, and whether it is required.
    pub(super) fn value_row(&self, field: &ValueField, from: &str) -> Vec<String> {
        let default = field.default.as_ref().map(|it| format!("default {}", code(&expression::text(self.model, self.model.account, it))));
        let sensitive = field.sensitive.then(|| "sensitive".to_owned());
        let required = if field.required { "required" } else { "optional" }.to_owned();
        let rules: Vec<String> = [Some(required), default, sensitive].into_iter().flatten().collect();
        vec![markdown(&field.name), self.value_type(&field.ty, from), rules.join(", ")]
    }
}
