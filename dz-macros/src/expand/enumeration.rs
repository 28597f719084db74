//! Rust enums for enumerations.

use dz_dsl_file::model::{EntityId, EnumType, FieldType, Model};
use proc_macro2::TokenStream;
use quote::quote;

use super::{names, types};

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

/// What the machine of an entity lets a state become: functions of the state's own type where the entity owns it, else of
/// the entity's module, since several entities may share a type and move in different ways.
pub(super) fn expand_moves(model: &Model, at: usize) -> TokenStream {
    let entity = &model.entities[at];
    let Some(machine) = &entity.states else { return TokenStream::new() };
    let FieldType::Enum(id) = entity.fields[machine.field.0].ty else { return TokenStream::new() };
    let states = &model.enums[id.0];
    let path = types::enumeration(model, id);
    let variant = |at: usize| names::ident(&states.values[at].variant);
    let arms = (0..states.values.len()).map(|from| {
        let (here, next) = (variant(from), machine.from(from).map(|it| variant(it.to)));
        quote!(#path::#here => &[#(#path::#next),*],)
    });
    let successors = quote! { match self_ { #(#arms)* } };
    if states.owner.is_some() {
        return quote! {
            impl #path {
                /// The states that a row in this state may move to, as far as the declaration goes; who may take a move, and
                /// when, is asked when it is taken.
                pub fn successors(self) -> &'static [#path] {
                    let self_ = self;
                    #successors
                }

                /// True when a declared move leads from this state to the other.
                pub fn can_become(self, other: #path) -> ::core::primitive::bool {
                    self.successors().contains(&other)
                }
            }
        };
    }
    quote! {
        /// The states that a row in this state may move to, as far as the declaration goes; who may take a move, and when,
        /// is asked when it is taken.
        pub fn successors(self_: #path) -> &'static [#path] {
            #successors
        }

        /// True when a declared move leads from one state to the other.
        pub fn can_become(from: #path, to: #path) -> ::core::primitive::bool {
            successors(from).contains(&to)
        }
    }
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
