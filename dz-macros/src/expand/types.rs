//! Every type mapping: a field's Rust type and its SQL type.

use dz_dsl_file::model::{EnumId, Field, FieldType, Model};
use proc_macro2::TokenStream;
use quote::quote;

use super::names;

/// The Rust type of a value that is there.
pub(super) fn rust(model: &Model, ty: FieldType) -> TokenStream {
    match ty {
        FieldType::Uuid => quote!(::dz::Uuid),
        FieldType::Str(_) | FieldType::Text | FieldType::Email | FieldType::Url | FieldType::Timezone | FieldType::Slug => {
            quote!(::std::string::String)
        }
        FieldType::Int { .. } => quote!(::core::primitive::i64),
        FieldType::Float => quote!(::core::primitive::f64),
        FieldType::Decimal { .. } | FieldType::Money(Some(_)) => quote!(::dz::Decimal),
        FieldType::Bool => quote!(::core::primitive::bool),
        FieldType::Date => quote!(::dz::NaiveDate),
        FieldType::DateTime => quote!(::dz::DateTime<::dz::Utc>),
        FieldType::Enum(id) => enumeration(model, id),
        FieldType::Json => quote!(::dz::Json),
        FieldType::Ref(entity) => {
            let target = model.entity(entity);
            rust(model, model.field(entity, target.pk).ty)
        }
        FieldType::HasMany { .. } | FieldType::HasOne { .. } | FieldType::ManyToMany { .. } => quote!(()),
        FieldType::File { .. } => quote!(::dz::File),
        FieldType::Money(None) => refused(),
    }
}

/// For what the model can hold and a build refuses before anything expands.
pub(super) fn refused() -> TokenStream {
    unreachable!("a declaration that needs this is refused first")
}

/// The Rust type of a field: an `Option` when null is allowed.
pub(super) fn of_field(model: &Model, field: &Field) -> TokenStream {
    let inner = rust(model, field.ty);
    if field.required { inner } else { quote!(::core::option::Option<#inner>) }
}

/// The SQL type of a column.
pub(super) fn sql(model: &Model, field: &Field) -> TokenStream {
    let inner = sql_inner(model, field.ty);
    if field.required { inner } else { quote!(::diesel::sql_types::Nullable<#inner>) }
}

fn sql_inner(model: &Model, ty: FieldType) -> TokenStream {
    match ty {
        FieldType::Uuid => quote!(::dz::sql_types::Uuid),
        FieldType::Int { .. } => quote!(::dz::sql_types::BigInt),
        FieldType::Float => quote!(::dz::sql_types::Double),
        FieldType::Decimal { .. } | FieldType::Money(Some(_)) => {
            let (precision, scale) = ty.digits().unwrap_or_default();
            let (precision, scale) = (proc_macro2::Literal::u8_unsuffixed(precision), proc_macro2::Literal::u8_unsuffixed(scale));
            quote!(::dz::sql_types::Decimal<#precision, #scale>)
        }
        FieldType::Bool => quote!(::dz::sql_types::Bool),
        FieldType::Date => quote!(::dz::sql_types::Date),
        FieldType::DateTime => quote!(::dz::sql_types::DateTime),
        FieldType::Json | FieldType::File { .. } => quote!(::dz::sql_types::Json),
        FieldType::Ref(entity) => {
            let target = model.entity(entity);
            sql_inner(model, model.field(entity, target.pk).ty)
        }
        _ => quote!(::dz::sql_types::Text),
    }
}

/// The path of an enum, from inside an entity's module.
pub(super) fn enumeration(model: &Model, id: EnumId) -> TokenStream {
    let it = &model.enums[id.0];
    let name = names::enumeration(it);
    match it.owner {
        Some((entity, _)) => {
            let module = names::module(model.entity(entity));
            quote!(super::#module::#name)
        }
        None => quote!(super::enums::#name),
    }
}
