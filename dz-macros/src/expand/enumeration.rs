//! Rust enums for the enums of the language.

use dz_dsl_file::model::{EntityId, EnumType, Model};
use proc_macro2::TokenStream;
use quote::quote;

use super::{names, types};

/// Named enums.
pub(super) fn expand_named(model: &Model) -> TokenStream {
    let named: Vec<TokenStream> = model.enums.iter().filter(|it| it.owner.is_none()).map(expand).collect();
    if named.is_empty() {
        return TokenStream::new();
    }
    quote! {
        /// The named enums.
        pub mod enums {
            #(#named)*
        }
    }
}

/// The anonymous enums of an entity's fields.
pub(super) fn expand_owned(model: &Model, entity: usize) -> TokenStream {
    let owned = model.enums.iter().filter(|it| it.owner.is_some_and(|(owner, _)| owner == EntityId(entity))).map(expand);
    quote!(#(#owned)*)
}

/// The successors of a state: functions of the state's own type if the entity owns it, else of the entity's module, because several
/// entities can share a type and have different transitions.
pub(super) fn expand_successors(model: &Model, at: usize) -> TokenStream {
    let entity = &model.entities[at];
    let Some(machine) = &entity.states else { return TokenStream::new() };
    let Some(id) = entity.fields[machine.field.0].ty.enumeration() else { return TokenStream::new() };
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
                /// The states to which the declaration has a transition from this one. Roles and guards are checked when a transition is made.
                pub fn successors(self) -> &'static [#path] {
                    let self_ = self;
                    #successors
                }

                /// True if the declaration has a transition from this state to the other.
                pub fn can_become(self, other: #path) -> ::core::primitive::bool {
                    self.successors().contains(&other)
                }
            }
        };
    }
    quote! {
        /// The states to which the declaration has a transition from this one. Roles and guards are checked when a transition is made.
        pub fn successors(self_: #path) -> &'static [#path] {
            #successors
        }

        /// True if the declaration has a transition from one state to the other.
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
