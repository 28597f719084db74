//! The module of an entity: its row struct and the typed calls.

use dz_dsl_file::model::{ArchetypeKind, Entity, Field, FieldType, Model};
use proc_macro2::TokenStream;
use quote::quote;

use super::{describe, draft, enumeration, names, types};

pub(super) fn expand(model: &Model, at: usize) -> TokenStream {
    let entity = &model.entities[at];
    let module = names::module(entity);
    let doc = match &entity.intent {
        Some(intent) => format!(" {}: {intent}", entity.title),
        None => format!(" {}.", entity.title),
    };
    let enums = enumeration::expand_owned(model, at);
    let moves = enumeration::expand_moves(model, at);
    let row = row(model, entity);
    let calls = calls(model, entity);
    let drafts = draft::expand(model, entity);
    let description = describe::expand(model, at);
    quote! {
        #[doc = #doc]
        pub mod #module {
            #enums
            #moves
            #row
            #calls
            #drafts
            #description
        }
    }
}

/// Fields with a column that people may see.
pub(super) fn visible(entity: &Entity) -> impl Iterator<Item = (u16, &Field)> {
    entity.fields.iter().enumerate().filter(|(_, field)| field.is_stored() && !field.secret).map(|(at, field)| (at as u16, field))
}

fn row(model: &Model, entity: &Entity) -> TokenStream {
    let (name, table) = (names::row(entity), names::table(entity));
    let key = names::column(entity, &entity.fields[entity.pk.0]);
    let doc = format!(" A row of `{}`.", entity.table);
    let fields = visible(entity).map(|(_, field)| {
        let (doc, ident, ty) = (format!(" {}.", field.title), names::field(field), types::of_field(model, field));
        let (column, json) = (names::column(entity, field), &field.name);
        let is_ref = matches!(field.ty, FieldType::Ref(_));
        let column = (is_ref || names::renamed(entity, field)).then(|| quote!(#[diesel(column_name = #column)]));
        let json = is_ref.then(|| quote!(#[serde(rename = #json)]));
        quote!(#[doc = #doc] #column #json pub #ident: #ty)
    });
    quote! {
        #[doc = #doc]
        #[derive(
            Debug, Clone, PartialEq,
            ::diesel::Queryable, ::diesel::Selectable, ::diesel::Identifiable,
            ::dz::__private::serde::Serialize,
        )]
        #[diesel(table_name = super::schema::#table, primary_key(#key))]
        #[serde(crate = "::dz::__private::serde")]
        pub struct #name {
            #(#fields,)*
        }
    }
}

/// The method of a field that has no column: what is computed, and the rows of a relation.
fn asked(model: &Model, at: u16, field: &Field) -> Option<TokenStream> {
    let ident = names::method(field);
    let (doc, ty, call) = match field.ty {
        FieldType::ManyToMany { entity, .. } => {
            let child = model.entity(entity);
            let (module, row) = (names::module(child), names::row(child));
            let doc = format!(" {}: rows connected with this one, as far as the caller may list them and what connects them.", field.title);
            (doc, quote!(::std::vec::Vec<super::#module::#row>), quote!(linked(tx, self, #at)))
        }
        FieldType::HasMany { entity, via } | FieldType::HasOne { entity, via } => {
            let child = model.entity(entity);
            let (module, row, via) = (names::module(child), names::row(child), via.0 as u16);
            let row = quote!(super::#module::#row);
            let doc = format!(" {}: rows that the caller may list.", field.title);
            match field.ty {
                FieldType::HasMany { .. } => (doc, quote!(::std::vec::Vec<#row>), quote!(children(tx, self, #via))),
                _ => (doc, quote!(::core::option::Option<#row>), quote!(child(tx, self, #via))),
            }
        }
        ty if field.computed.is_some() => {
            let ty = types::rust(model, ty);
            (format!(" {}, computed now.", field.title), quote!(::core::option::Option<#ty>), quote!(computed(tx, self, #at)))
        }
        _ => return None,
    };
    Some(quote! {
        #[doc = #doc]
        pub fn #ident(&self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<#ty> {
            ::dz::__private::entity::#call
        }
    })
}

fn calls(model: &Model, entity: &Entity) -> TokenStream {
    let (name, table) = (names::row(entity), names::table(entity));
    let (new, changes) = (names::new(entity), names::changes(entity));
    let key = types::rust(model, entity.fields[entity.pk.0].ty);
    let key_field = names::field(&entity.fields[entity.pk.0]);
    let fields: Vec<_> = visible(entity).map(|(_, field)| names::field(field)).collect();
    let positions = visible(entity).map(|(at, _)| at);
    let transition = entity.states.as_ref().map(|machine| {
        let state = types::rust(model, entity.fields[machine.field.0].ty);
        quote! {
            /// Moves the row to another state as the declaration and the access rules allow; gives the row as it is then.
            pub fn transition(&self, tx: &mut ::dz::Tx<'_>, to: #state) -> ::dz::Result<Self> {
                ::dz::__private::entity::transition(tx, self, to)
            }
        }
    });
    let only = matches!(entity.kind, Some(ArchetypeKind::Settings | ArchetypeKind::TenantSettings)).then(|| {
        quote! {
            /// The one row, of the system or of the tenant where the caller is, when the caller may read it. It is made with
            /// its defaults when nobody has asked for it before.
            pub fn only(tx: &mut ::dz::Tx<'_>) -> ::dz::Result<Self> {
                ::dz::__private::entity::only(tx)
            }
        }
    });
    let restore = entity.soft_delete.then(|| {
        quote! {
            /// Takes the mark from the deleted row with this key as the access rules allow; gives the row as it is then.
            pub fn restore(tx: &mut ::dz::Tx<'_>, id: #key) -> ::dz::Result<Self> {
                ::dz::__private::entity::restore(tx, id)
            }
        }
    });
    let asked = entity.fields.iter().enumerate().filter_map(|(at, field)| asked(model, at as u16, field));
    quote! {
        impl #name {
            /// The row with this key, when the caller may read it; else 404.
            pub fn find(tx: &mut ::dz::Tx<'_>, id: #key) -> ::dz::Result<Self> {
                ::dz::__private::entity::find(tx, id)
            }

            /// Changes the row as the access rules allow; gives the row as it is then.
            pub fn update(&self, tx: &mut ::dz::Tx<'_>, changes: #changes) -> ::dz::Result<Self> {
                ::dz::__private::entity::update(tx, self, changes)
            }

            #only

            #transition

            #restore

            #(#asked)*

            /// Removes the row as the access rules allow.
            pub fn delete(self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<()> {
                ::dz::__private::entity::delete(tx, self)
            }
        }

        /// A diesel query over the rows for which the caller may do `action`.
        pub fn scoped<A: ::dz::access::Action>(
            tx: &::dz::Tx<'_>,
            action: A,
        ) -> ::dz::Result<::dz::Scoped<::diesel::dsl::Filter<super::schema::#table::table, ::dz::RowCondition>>> {
            ::dz::__private::scoped(tx, super::schema::#table::table, &ENTITY, action)
        }

        impl ::dz::Entity for #name {
            type New = #new;
            type Changes = #changes;
            const DEF: &'static ::dz::__private::def::EntityDef = &ENTITY;

            fn from_row(mut row: ::dz::__private::Row) -> ::dz::Result<Self> {
                ::core::result::Result::Ok(#name { #(#fields: row.take(#positions)?,)* })
            }

            fn key(&self) -> ::dz::Value {
                ::dz::__private::IntoValue::into_value(::core::clone::Clone::clone(&self.#key_field))
            }
        }
    }
}
