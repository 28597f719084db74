//! `New…` and `…Changes`: the fields of a new row, and those of an update.

use dz_dsl_file::model::{Auto, Entity, Field};
use proc_macro2::TokenStream;
use quote::quote;

use super::{
    entity::{field_line, visible},
    names,
    types::Types,
};

/// The fields that callers can set.
fn writable(entity: &Entity) -> impl Iterator<Item = (u16, &Field)> {
    visible(entity).filter(|(_, field)| field.auto == Auto::No)
}

/// True if a new row requires the field.
fn is_needed(entity: &Entity, at: u16, field: &Field) -> bool {
    let generated = usize::from(at) == entity.pk.0 && field.ty.is_generated_key();
    // The tenant is that of the caller; only the system can set another one.
    let filled = entity.tenant.is_some_and(|tenant| tenant.0 == usize::from(at));
    field.required && field.default.is_none() && !generated && !filled
}

pub(super) fn expand(types: &Types<'_>, entity: &Entity) -> TokenStream {
    let new = new(types, entity);
    let changes = changes(types, entity);
    quote!(#new #changes)
}

fn new(types: &Types<'_>, entity: &Entity) -> TokenStream {
    let (name, row, table) = (names::new(entity), names::row(entity), names::table(entity));
    let doc = format!(" A new row of `{}`; what is `None` gets its default.", entity.table);
    let (needed, other): (Vec<_>, Vec<_>) = writable(entity).partition(|(at, field)| is_needed(entity, *at, field));
    let line = |(at, field): (u16, &Field)| field_line(at, field, &types.value(field));
    let (needed, other) = (needed.into_iter().map(line), other.into_iter().map(line));
    quote! {
        ::dz::__private::new_row! {
            #[doc = #doc]
            pub struct #name of #row in #table {
                #(#needed)*
            } or default {
                #(#other)*
            }
        }
    }
}

fn changes(types: &Types<'_>, entity: &Entity) -> TokenStream {
    let (name, row, table) = (names::changes(entity), names::row(entity), names::table(entity));
    let doc = format!(" Changes to a row of `{}`; what is `None` or `Keep` stays.", entity.table);
    let changeable = writable(entity).filter(|(at, _)| usize::from(*at) != entity.pk.0);
    let line = |(at, field): (u16, &Field)| {
        let value = types.value(field);
        let change = if field.required { types.named("Option") } else { quote!(::dz::Change) };
        field_line(at, field, &quote!(#change<#value>))
    };
    let fields = changeable.map(line);
    quote! {
        ::dz::__private::changes! {
            #[doc = #doc]
            pub struct #name of #row in #table {
                #(#fields)*
            }
        }
    }
}
