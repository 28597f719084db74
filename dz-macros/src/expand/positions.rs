//! Names for the positions of entities, fields and roles in the description. An expansion contains these names, so that it reads like
//! code, and a new field only changes the lines about that field.

use dz_dsl_file::{
    model::{EntityId, EnumId, FieldId, Model, Path, RoleId},
    names::variant,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::{names, types};

/// A number without a type suffix.
pub(super) fn number(value: impl Into<u64>) -> Literal {
    Literal::u64_unsuffixed(value.into())
}

/// A position without a name.
pub(super) fn index(at: usize) -> Literal {
    Literal::usize_unsuffixed(at)
}

/// The position of an entity, for the module of any entity.
pub(super) fn entity(model: &Model, id: EntityId) -> TokenStream {
    let module = names::module(model.entity(id));
    quote!(super::#module::POSITION)
}

/// The position of a field, for the module of any entity.
pub(super) fn field(model: &Model, id: EntityId, field: FieldId) -> TokenStream {
    let (module, name) = (names::module(model.entity(id)), field_names(model, id).swap_remove(field.0));
    quote!(super::#module::fields::#name)
}

/// The fields of a path after its first entity: the refs that it follows, and the field at its end.
pub(super) fn steps(model: &Model, path: &Path) -> (Vec<TokenStream>, TokenStream) {
    let mut steps: Vec<TokenStream> = path.steps(&model.entities).into_iter().map(|(id, at)| field(model, id, at)).collect();
    let end = steps.pop().unwrap_or_default();
    (steps, end)
}

/// The position of a value of an enum.
pub(super) fn value(model: &Model, id: EnumId, at: usize) -> TokenStream {
    let path = types::enumeration(model, id);
    let variant = names::ident(&model.enums[id.0].values[at].variant);
    quote!(#path::#variant as u16)
}

/// The mask of some roles.
pub(super) fn roles(model: &Model, roles: impl IntoIterator<Item = RoleId>) -> TokenStream {
    let (module, all) = (roles_module(model), role_names(model));
    let roles: Vec<&Ident> = roles.into_iter().map(|role| &all[role.0]).collect();
    if roles.is_empty() { quote!(0) } else { quote!(#(super::#module::#roles)|*) }
}

/// Declares the positions of an entity and of its fields.
pub(super) fn declare(model: &Model, id: EntityId) -> TokenStream {
    let (at, names) = (index(id.0), field_names(model, id));
    let positions = (0..names.len()).map(index);
    let doc = format!(" The positions of the fields of `{}` in its description.", model.entity(id).name);
    quote! {
        /// The position of the entity in the description of the application.
        #[allow(dead_code)]
        pub const POSITION: u16 = #at;

        #[doc = #doc]
        #[allow(missing_docs, dead_code)]
        pub mod fields {
            #(pub const #names: u16 = #positions;)*
        }
    }
}

/// Declares the roles.
pub(super) fn declare_roles(model: &Model) -> TokenStream {
    let (module, masks, variants) = (roles_module(model), role_names(model), role_variants(model));
    let roles = model.personas.iter().zip(masks).zip(variants).enumerate().map(|(at, ((role, mask), variant))| {
        let (name, title, bit) = (&role.name, &role.title, index(at));
        quote!(#variant #mask #name #title = #bit;)
    });
    quote! {
        ::dz::__private::roles! {
            #module:
            #(#roles)*
        }
    }
}

/// The variants of the enum of roles: in upper camel case, with their position if two roles have the same one.
fn role_variants(model: &Model) -> Vec<Ident> {
    let camel: Vec<String> = model.personas.iter().map(|role| variant(&role.name)).collect();
    let named = |(at, name): (usize, &String)| match camel.iter().filter(|other| *other == name).count() {
        1 => names::ident(name),
        _ => format_ident!("{name}{at}"),
    };
    camel.iter().enumerate().map(named).collect()
}

/// `roles`, unless an entity has a module with that name.
fn roles_module(model: &Model) -> Ident {
    let taken = model.entities.iter().any(|entity| entity.module == "roles");
    format_ident!("{}", if taken { "roles_" } else { "roles" })
}

fn role_names(model: &Model) -> Vec<Ident> {
    constants(model.personas.iter().map(|persona| persona.name.as_str()))
}

fn field_names(model: &Model, id: EntityId) -> Vec<Ident> {
    constants(model.entity(id).fields.iter().map(|field| field.name.as_str()))
}

/// Names of constants: in upper case, with their position if they are not valid or not unique.
fn constants<'n>(names: impl Iterator<Item = &'n str>) -> Vec<Ident> {
    let upper: Vec<String> = names.map(str::to_uppercase).collect();
    let named = |(at, name): (usize, &String)| {
        let alone = upper.iter().filter(|other| *other == name).count() == 1;
        match syn::parse_str::<Ident>(name) {
            Ok(ident) if alone => ident,
            Ok(_) | Err(_) => format_ident!("POSITION_{at}"),
        }
    };
    upper.iter().enumerate().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::constants;

    #[test]
    fn constants_have_distinct_names() {
        let of = |names: &[&str]| constants(names.iter().copied()).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(of(&["state", "due_on", "type"]), "STATE DUE_ON TYPE");
        assert_eq!(of(&["title", "Title", "größe"]), "POSITION_0 POSITION_1 GRÖSSE");
    }
}
