//! The names and types of a service in Rust, for the generated module `services` and for the stubs that implement it.

use crate::{
    model::{EnumId, FieldType, Model, Service, ValueField, ValueType},
    names,
};

/// The module of the generated application that contains the traits and structs of services.
pub const MODULE: &str = "services";

/// The name of the method of a service's trait.
pub const METHOD: &str = "call";

/// The trait of a service: `Estimate` for `estimate`.
pub fn trait_name(service: &Service) -> String {
    names::rust_ident(&names::variant(&service.name))
}

/// The struct of a service's inputs: `EstimateInput` for `estimate`.
pub fn input_name(service: &Service) -> String {
    format!("{}Input", names::variant(&service.name))
}

/// The struct of a service's outputs: `EstimateOutput` for `estimate`.
pub fn output_name(service: &Service) -> String {
    format!("{}Output", names::variant(&service.name))
}

/// The struct field of an input or output; the name of a ref ends with `_id`. In JSON it has the name of the declaration.
pub fn field_name(field: &ValueField) -> String {
    match &field.ty {
        ValueType::One(ty) if ty.target().is_some() => format!("{}_id", field.name),
        ValueType::One(_) | ValueType::List(_) | ValueType::Printable => names::rust_ident(&field.name),
    }
}

/// The type of a struct field, with paths as seen from [`MODULE`]: an `Option` if null is allowed, unless it is a list, which is
/// empty instead.
pub fn field_type(model: &Model, field: &ValueField) -> String {
    let inner = rust_type(model, &field.ty);
    match field.ty {
        ValueType::List(_) => inner,
        ValueType::One(_) | ValueType::Printable if field.required => inner,
        ValueType::One(_) | ValueType::Printable => format!("::core::option::Option<{inner}>"),
    }
}

fn rust_type(model: &Model, ty: &ValueType) -> String {
    match ty {
        ValueType::One(ty) => single_type(model, *ty),
        ValueType::List(inner) => format!("::std::vec::Vec<{}>", rust_type(model, inner)),
        ValueType::Printable => "::std::string::String".to_owned(),
    }
}

fn single_type(model: &Model, ty: FieldType) -> String {
    let path = match ty {
        FieldType::Uuid => "::dz::Uuid",
        FieldType::Str(_)
        | FieldType::Text
        | FieldType::Email
        | FieldType::Url
        | FieldType::Timezone
        | FieldType::Slug
        | FieldType::Currency { .. } => "::std::string::String",
        FieldType::Int { .. } => "::core::primitive::i64",
        FieldType::Float => "::core::primitive::f64",
        FieldType::Decimal { .. } | FieldType::Money(_) => "::dz::Decimal",
        FieldType::Bool => "::core::primitive::bool",
        FieldType::Date => "::dz::NaiveDate",
        FieldType::DateTime => "::dz::DateTime<::dz::Utc>",
        FieldType::Json => "::dz::Json",
        FieldType::File { .. } => "::dz::File",
        FieldType::Enum(id) => return enum_path(model, id),
        FieldType::Ref(entity) => return single_type(model, model.field(entity, model.entity(entity).pk).ty),
        // The language refuses relations as values.
        FieldType::HasMany { .. } | FieldType::HasOne { .. } | FieldType::ManyToMany { .. } => "()",
    };
    path.to_owned()
}

fn enum_path(model: &Model, id: EnumId) -> String {
    let it = &model.enums[id.0];
    let module = it.owner.map_or_else(|| "enums".to_owned(), |(entity, _)| names::rust_ident(&model.entity(entity).module));
    format!("super::{module}::{}", names::rust_ident(&it.name))
}
