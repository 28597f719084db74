//! Typed inputs and outputs: their descriptions and their structs.

use dz_dsl_file::{
    emit::services as rust,
    model::{FieldType, Model, ValueField, ValueType},
};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{describe, expr, names};

/// The descriptions of fields, for a block with the names of the description in scope.
pub(super) fn describe(model: &Model, fields: &[ValueField]) -> TokenStream {
    let fields = fields.iter().map(|field| describe_field(model, field));
    quote!(&[#(#fields,)*])
}

fn describe_field(model: &Model, it: &ValueField) -> TokenStream {
    let (name, title) = (&it.name, &it.title);
    let (inner, lists) = item_type(&it.ty, 0);
    let kind = inner.map_or_else(|| quote!(Kind::Text), |ty| describe::value_kind(model, ty));
    let mut differing = TokenStream::new();
    if it.required {
        differing.extend(quote!(required: true,));
    }
    if it.sensitive {
        differing.extend(quote!(sensitive: true,));
    }
    if let Some(currency) = inner.and_then(|ty| ty.currency()) {
        let code = currency.code();
        differing.extend(quote!(currency: Some(#code),));
    }
    if let Some(default) = &it.default {
        let default = expr::expand(model, default);
        differing.extend(quote!(default: Some(#default),));
    }
    let field = match differing.is_empty() {
        true => quote!(FieldDef::new(#name, #title, #kind)),
        false => quote!(FieldDef { #differing ..FieldDef::new(#name, #title, #kind) }),
    };
    let printable = inner.is_none();
    match (lists, printable) {
        (0, false) => quote!(ValueDef::one(#field)),
        _ => {
            let lists = Literal::u8_unsuffixed(lists);
            quote!(ValueDef { lists: #lists, printable: #printable, ..ValueDef::one(#field) })
        }
    }
}

/// The type inside of lists, and their number; no type for a value of any type that can be written as text.
fn item_type(ty: &ValueType, lists: u8) -> (Option<FieldType>, u8) {
    match ty {
        ValueType::One(ty) => (Some(*ty), lists),
        ValueType::List(inner) => item_type(inner, lists.saturating_add(1)),
        ValueType::Printable => (None, lists),
    }
}

/// The struct of fields, which `described` describes.
pub(super) fn declare_struct(model: &Model, name: &str, doc: &str, fields: &[ValueField], described: &TokenStream) -> TokenStream {
    let name = names::ident(name);
    let members = fields.iter().enumerate().map(|(at, field)| {
        let (name, doc) = (names::ident(&rust::field_name(field)), format!(" {}", field.title));
        let ty: TokenStream = rust::field_type(model, field).parse().unwrap_or_default();
        let at = Literal::usize_unsuffixed(at);
        quote!(#[doc = #doc] #name: #ty = #at,)
    });
    quote! {
        ::dz::__private::values! {
            #[doc = #doc]
            pub struct #name (super::__dz_app::APP, #described) {
                #(#members)*
            }
        }
    }
}
