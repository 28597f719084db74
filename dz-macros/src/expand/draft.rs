//! `New…` and `…Changes`: what a caller gives to make or change a row.

use dz_dsl_file::model::{Auto, Entity, Field, FieldType, Model};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{entity::visible, names, types};

/// Fields that people give.
fn given(entity: &Entity) -> impl Iterator<Item = (u16, &Field)> {
    visible(entity).filter(|(_, field)| field.auto == Auto::No)
}

/// True when a new row cannot be made without the field.
fn needed(entity: &Entity, at: u16, field: &Field) -> bool {
    let generated = usize::from(at) == entity.pk.0 && matches!(field.ty, FieldType::Uuid | FieldType::Int { .. });
    // The tenant is that of the caller; only the system names one.
    let filled = entity.tenant.is_some_and(|tenant| tenant.0 == usize::from(at));
    field.required && field.default.is_none() && !generated && !filled
}

pub(super) fn expand(model: &Model, entity: &Entity) -> TokenStream {
    let new = new(model, entity);
    let changes = changes(model, entity);
    quote!(#new #changes)
}

fn new(model: &Model, entity: &Entity) -> TokenStream {
    let (name, row, table) = (names::new(entity), names::row(entity), names::table(entity));
    let doc = format!(" A new row of `{}`; what is `None` gets its default.", entity.table);
    let mut fields = Vec::new();
    let mut into = Vec::new();
    let mut from = Vec::new();
    let mut defaults = Vec::new();
    let mut params: Vec<(Ident, TokenStream)> = Vec::new();
    for (at, field) in given(entity) {
        let (ident, title) = (names::field(field), format!(" {}.", field.title));
        let inner = types::rust(model, field.ty);
        if needed(entity, at, field) {
            fields.push(quote!(#[doc = #title] pub #ident: #inner));
            into.push(quote!(given.set(#at, self.#ident)));
            from.push(quote!(#ident: given.required(#at)?));
            defaults.push(quote!(#ident));
            params.push((ident, inner));
        } else {
            fields.push(quote!(#[doc = #title] pub #ident: ::core::option::Option<#inner>));
            into.push(quote!(given.maybe(#at, self.#ident)));
            from.push(quote!(#ident: given.optional(#at)?));
            defaults.push(quote!(#ident: ::core::option::Option::None));
        }
    }
    let default = params.is_empty().then(|| {
        quote! {
            impl ::core::default::Default for #name {
                fn default() -> Self { Self::new() }
            }
        }
    });
    let (param_names, param_types): (Vec<_>, Vec<_>) = params.into_iter().unzip();
    quote! {
        #[doc = #doc]
        #[derive(Debug, Clone, PartialEq)]
        pub struct #name {
            #(#fields,)*
        }

        impl #name {
            /// With what is required; everything else gets its default.
            #[allow(clippy::too_many_arguments)]
            pub fn new(#(#param_names: impl ::core::convert::Into<#param_types>),*) -> Self {
                #(let #param_names = #param_names.into();)*
                #name { #(#defaults,)* }
            }

            /// Makes the row as the access rules allow.
            pub fn create(self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<#row> {
                ::dz::__private::entity::create(tx, self)
            }
        }

        #default

        impl ::dz::Draft for #name {
            fn into_given(self) -> ::dz::__private::Given {
                let mut given = ::dz::__private::Given::default();
                #(#into;)*
                given
            }

            #[allow(unused_mut)]
            fn from_given(mut given: ::dz::__private::Given) -> ::dz::Result<Self> {
                ::core::result::Result::Ok(#name { #(#from,)* })
            }
        }

        impl ::diesel::Insertable<super::schema::#table::table> for #name {
            type Values = ::dz::__private::written::New<super::schema::#table::table>;

            fn values(self) -> Self::Values {
                ::dz::__private::written::new(&ENTITY, self)
            }
        }
    }
}

fn changes(model: &Model, entity: &Entity) -> TokenStream {
    let (name, table) = (names::changes(entity), names::table(entity));
    let doc = format!(" Changes to a row of `{}`; what is `None` stays.", entity.table);
    let changeable = || given(entity).filter(|(at, _)| usize::from(*at) != entity.pk.0);
    let idents: Vec<_> = changeable().map(|(_, field)| names::field(field)).collect();
    let titles = changeable().map(|(_, field)| format!(" {}.", field.title));
    let stored: Vec<_> = changeable().map(|(_, field)| types::of_field(model, field)).collect();
    let positions: Vec<_> = changeable().map(|(at, _)| at).collect();
    let changeset = (!idents.is_empty()).then(|| {
        quote! {
            impl ::diesel::AsChangeset for #name {
                type Target = super::schema::#table::table;
                type Changeset = ::dz::__private::written::Changes;

                fn as_changeset(self) -> Self::Changeset {
                    ::dz::__private::written::changes(&ENTITY, self)
                }
            }
        }
    });
    quote! {
        #[doc = #doc]
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct #name {
            #(#[doc = #titles] pub #idents: ::core::option::Option<#stored>,)*
        }

        impl ::dz::Draft for #name {
            fn into_given(self) -> ::dz::__private::Given {
                let mut given = ::dz::__private::Given::default();
                #(given.maybe(#positions, self.#idents);)*
                given
            }

            #[allow(unused_mut, unused_variables)]
            fn from_given(mut given: ::dz::__private::Given) -> ::dz::Result<Self> {
                ::core::result::Result::Ok(#name { #(#idents: given.optional(#positions)?,)* })
            }
        }

        #changeset
    }
}
