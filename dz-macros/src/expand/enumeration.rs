//! Rust enums for enumerations.

use dz_dsl_file::model::{EntityId, EnumType, Model};
use proc_macro2::TokenStream;
use quote::quote;

use super::names;

/// Enums that are declared on their own.
pub(super) fn expand_named(model: &Model) -> TokenStream {
    let named: Vec<TokenStream> = model.enums.iter().filter(|it| it.owner.is_none()).map(expand).collect();
    if named.is_empty() {
        return TokenStream::new();
    }
    quote! {
        /// The enumerations that are declared on their own.
        pub mod enums {
            #(#named)*
        }
    }
}

/// Enums of an entity's own fields.
pub(super) fn expand_owned(model: &Model, entity: usize) -> TokenStream {
    let owned = model.enums.iter().filter(|it| it.owner.is_some_and(|(owner, _)| owner == EntityId(entity))).map(expand);
    quote!(#(#owned)*)
}

fn expand(it: &EnumType) -> TokenStream {
    let name = names::enumeration(it);
    let doc = it.title.as_ref().map_or_else(|| format!(" The values of `{}`.", it.name), |title| format!(" {title}"));
    let text = it.name.as_str();
    let ordered = it.ordered;
    let values: Vec<TokenStream> = it
        .values
        .iter()
        .map(|value| {
            let (variant, value, title) = (names::ident(&value.variant), &value.name, &value.title);
            quote!(#variant = #value, #title)
        })
        .collect();
    quote! {
        ::dz::__private::enumeration! {
            #[doc = #doc]
            pub enum #name (#text, ordered = #ordered) {
                #(#values;)*
            }
        }
    }
}
