//! `pub mod schema`: diesel's tables and their joins.

use std::collections::BTreeSet;

use dz_dsl_file::{
    model::{EntityId, FieldType, Model},
    project::Keys,
};
use dz_vocabulary::column_of_field;
use proc_macro2::TokenStream;
use quote::quote;

use super::{names, types};

pub(super) fn expand(model: &Model, keys: Keys) -> TokenStream {
    let tables = (0..model.entities.len()).map(|at| table(model, EntityId(at), keys));
    let joins = joins(model);
    quote! {
        /// The tables, for queries of your own.
        #[allow(missing_docs, non_snake_case)]
        pub mod schema {
            #(#tables)*
            #joins
        }
    }
}

fn table(model: &Model, id: EntityId, keys: Keys) -> TokenStream {
    let entity = model.entity(id);
    let table = names::table(entity);
    let key = names::column(entity, &entity.fields[entity.pk.0]);
    let stored = || entity.fields.iter().enumerate().filter(|(_, field)| field.is_stored() && !field.secret);
    let hidden = stored().any(|(_, field)| types::SQL.contains(&field.name.as_str()));
    let columns = stored().map(|(at, field)| {
        let sql = types::sql(model, (id, field), at == entity.pk.0, hidden, keys);
        let (column, name) = (names::column(entity, field), column_of_field(&field.name));
        let renamed = (column != name.as_ref()).then(|| quote!(#[sql_name = #name]));
        quote!(#renamed #column -> #sql)
    });
    let name = &entity.table;
    let renamed = (table != name.as_str()).then(|| quote!(#[sql_name = #name]));
    quote! {
        ::dz::__private::table! {
            #renamed #table (#key) {
                #(#columns,)*
            }
        }
    }
}

/// `joinable!` if exactly one ref leads from a table to another, and permission to use the two tables in one query. (diesel's macro
/// for all tables at once grows with the square of their number.)
fn joins(model: &Model) -> TokenStream {
    let mut tokens = TokenStream::new();
    let mut together = TokenStream::new();
    let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (at, entity) in model.entities.iter().enumerate() {
        for (position, field) in entity.fields.iter().enumerate() {
            let Some(target) = field.ty.target() else { continue };
            if target.0 == at {
                continue;
            }
            let alone = entity.fields.iter().enumerate().all(|(other, it)| other == position || it.ty != FieldType::Ref(target));
            let back = model.entity(target).fields.iter().any(|it| it.ty == FieldType::Ref(EntityId(at)));
            let (child, parent, column) = (names::table(entity), names::table(model.entity(target)), names::column(entity, field));
            if alone && !back {
                tokens.extend(quote!(::diesel::joinable!(#child -> #parent (#column));));
            }
            let pair = (at.min(target.0), at.max(target.0));
            if pairs.insert(pair) {
                together.extend(quote!(#child, #parent;));
            }
        }
    }
    if !together.is_empty() {
        tokens.extend(quote!(::dz::__private::allow_tables_together! { #together }));
    }
    tokens
}
