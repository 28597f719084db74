//! The module of an entity: its row struct and the typed calls.

use dz_dsl_file::{
    model::{Archetype, Entity, EntityId, Field, FieldId, Model, Via},
    project::Keys,
};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{describe, draft, enumeration, names, positions, types::Types};

pub(super) fn expand(model: &Model, at: usize, keys: Keys) -> TokenStream {
    let entity = &model.entities[at];
    let module = names::module(entity);
    let doc = match &entity.intent {
        Some(intent) => format!(" {}: {intent}", entity.title),
        None => format!(" {}.", entity.title),
    };
    let types = Types::new(model, at, keys);
    let imports = types.imports(entity.fields.iter().filter(|field| !field.secret));
    let enums = enumeration::expand_owned(model, at);
    let moves = enumeration::expand_successors(model, at);
    let row = row(&types, entity);
    let calls = calls(model, &types, EntityId(at));
    let drafts = draft::expand(&types, entity);
    let positions = positions::declare(model, EntityId(at));
    let description = describe::expand(model, at);
    quote! {
        #[doc = #doc]
        pub mod #module {
            #imports
            #enums
            #moves
            #row
            #calls
            #drafts
            #positions
            #description
        }
    }
}

/// The fields with a column that callers can read.
pub(super) fn visible(entity: &Entity) -> impl Iterator<Item = (u16, &Field)> {
    entity.fields.iter().enumerate().filter(|(_, field)| field.is_stored() && !field.secret).map(|(at, field)| (at as u16, field))
}

/// A field in the form that the macros of the runtime expect: its position, its name, its type and its title.
pub(super) fn field_line(at: u16, field: &Field, ty: &TokenStream) -> TokenStream {
    let (at, ident, title) = (Literal::u16_unsuffixed(at), names::field(field), &field.title);
    quote!(#at #ident: #ty = #title;)
}

fn row(types: &Types<'_>, entity: &Entity) -> TokenStream {
    let (name, table) = (names::row(entity), names::table(entity));
    let (new, changes) = (names::new(entity), names::changes(entity));
    let (key, key_type, raw_key) = (names::field(&entity.fields[entity.pk.0]), types.own_key(), types.raw_key());
    let doc = format!(" A row of `{}`.", entity.table);
    let fields = visible(entity).map(|(at, field)| {
        // Every reader of a row can read its key.
        let ty = if usize::from(at) == entity.pk.0 { types.field_type(field) } else { types.row_type(field) };
        field_line(at, field, &ty)
    });
    quote! {
        ::dz::__private::row! {
            #[doc = #doc]
            pub struct #name in #table by #key: #key_type as #raw_key, from #new, with #changes {
                #(#fields)*
            }
        }
    }
}

/// The methods of a reference: the row that it points to, and those of many rows in one statement.
fn reference(model: &Model, types: &Types<'_>, entity: &Entity, field: &Field) -> Option<TokenStream> {
    let to = field.ty.target()?;
    let target = model.entity(to);
    let (module, row) = (names::module(target), names::row(target));
    let row = quote!(super::#module::#row);
    let (method, batch, column) = (names::method(field), names::batch(entity, field), names::field(field));
    let (key, key_type) = (names::field(&target.fields[target.pk.0]), types.key(to));
    let optional = types.optional(&row);
    let doc = format!(" {}: the row, if the reference is set and the caller may read the row.", field.title);
    let batch_doc = format!(" {}: the rows of many rows by key, in one statement, as far as the caller may read them.", field.title);
    Some(quote! {
        #[doc = #doc]
        pub fn #method(&self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<#optional> {
            ::dz::__private::typed_rows::reference(tx, ::core::clone::Clone::clone(&self.#column))
        }

        #[doc = #batch_doc]
        pub fn #batch(tx: &mut ::dz::Tx<'_>, rows: &[Self]) -> ::dz::Result<::std::collections::HashMap<#key_type, #row>> {
            let keys = rows.iter().map(|row| ::core::clone::Clone::clone(&row.#column));
            ::dz::__private::typed_rows::references(tx, keys, |row: &#row| ::core::clone::Clone::clone(&row.#key))
        }
    })
}

/// The method of a field without a column: a computed field, or a relation.
fn method(model: &Model, types: &Types<'_>, id: EntityId, at: FieldId, field: &Field) -> Option<TokenStream> {
    let at = positions::field(model, id, at);
    let ident = names::method(field);
    let (doc, ty, call) = match field.ty.relation() {
        Some((child, Via::Junction(_))) => {
            let child = model.entity(child);
            let (module, row) = (names::module(child), names::row(child));
            let doc = format!(" {}: rows connected with this one, as far as the caller may list them and what connects them.", field.title);
            let many = types.named("Vec");
            (doc, quote!(#many<super::#module::#row>), quote!(linked(tx, self, #at)))
        }
        Some((id, Via::Ref(via))) => {
            let child = model.entity(id);
            let (module, row, via) = (names::module(child), names::row(child), positions::field(model, id, via));
            let row = quote!(super::#module::#row);
            let doc = format!(" {}: rows that the caller may list.", field.title);
            if field.ty.is_single() {
                (doc, types.optional(&row), quote!(child(tx, self, #via)))
            } else {
                let many = types.named("Vec");
                (doc, quote!(#many<#row>), quote!(children(tx, self, #via)))
            }
        }
        None => {
            field.computed.as_ref()?;
            let ty = types.optional(&types.rust(field.ty));
            (format!(" {}, computed now.", field.title), ty, quote!(computed(tx, self, #at)))
        }
    };
    Some(quote! {
        #[doc = #doc]
        pub fn #ident(&self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<#ty> {
            ::dz::__private::typed_rows::#call
        }
    })
}

/// The methods that only some entities have.
fn calls(model: &Model, types: &Types<'_>, id: EntityId) -> Option<TokenStream> {
    let entity = model.entity(id);
    let name = names::row(entity);
    let transition = entity.states.as_ref().map(|machine| {
        let (state, changes) = (types.rust(entity.fields[machine.field.0].ty), names::changes(entity));
        quote! {
            /// Makes a transition to another state, as the declaration and the access rules allow; returns the row after it.
            pub fn transition(&self, tx: &mut ::dz::Tx<'_>, to: #state) -> ::dz::Result<Self> {
                ::dz::__private::typed_rows::transition(tx, self, to)
            }

            /// Makes a transition and changes fields in the same write, with the access rule of the transition.
            pub fn transition_with(&self, tx: &mut ::dz::Tx<'_>, to: #state, changes: #changes) -> ::dz::Result<Self> {
                ::dz::__private::typed_rows::transition_with(tx, self, to, changes)
            }
        }
    });
    let singleton = matches!(entity.kind, Some(Archetype::Settings | Archetype::TenantSettings)).then(|| {
        quote! {
            /// The single row of the system or of the active tenant, if the caller can read it. It is created with its defaults at the first
            /// use.
            pub fn singleton(tx: &mut ::dz::Tx<'_>) -> ::dz::Result<Self> {
                ::dz::__private::typed_rows::singleton(tx)
            }
        }
    });
    let restore = entity.soft_delete.then(|| {
        let key = types.own_key();
        quote! {
            /// Restores the soft-deleted row with this key, as the access rules allow; returns the restored row.
            pub fn restore(tx: &mut ::dz::Tx<'_>, id: #key) -> ::dz::Result<Self> {
                ::dz::__private::typed_rows::restore(tx, id)
            }
        }
    });
    let asked = entity.fields.iter().enumerate().filter_map(|(at, field)| method(model, types, id, FieldId(at), field));
    let references = visible(entity).filter_map(|(_, field)| reference(model, types, entity, field));
    let calls: Vec<TokenStream> = singleton.into_iter().chain(transition).chain(restore).chain(references).chain(asked).collect();
    (!calls.is_empty()).then(|| {
        quote! {
            impl #name {
                #(#calls)*
            }
        }
    })
}
