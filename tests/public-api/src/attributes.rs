//! Attributes that decide whether an item is public, and those that are part of its interface.

use quote::ToTokens;
use syn::{Attribute, Item, Visibility};

/// The attributes of an item; other syntax has none.
#[must_use]
pub fn attributes_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => &[],
    }
}

/// The name and the visibility of an item that is a definition.
#[must_use]
pub fn name_of(item: &Item) -> Option<(String, &Visibility)> {
    let (name, visibility) = match item {
        Item::Const(it) => (&it.ident, &it.vis),
        Item::Enum(it) => (&it.ident, &it.vis),
        Item::Fn(it) => (&it.sig.ident, &it.vis),
        Item::Static(it) => (&it.ident, &it.vis),
        Item::Struct(it) => (&it.ident, &it.vis),
        Item::Trait(it) => (&it.ident, &it.vis),
        Item::Type(it) => (&it.ident, &it.vis),
        _ => return None,
    };
    Some((name.to_string(), visibility))
}

/// Whether a visibility is `pub`, without a restriction.
#[must_use]
pub fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether the documentation leaves the item out: it is for generated code only.
#[must_use]
pub fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| it.path().is_ident("doc") && it.to_token_stream().to_string().contains("hidden"))
}

/// Whether the item exists in tests only.
#[must_use]
pub fn is_test(attributes: &[Attribute]) -> bool {
    let text = |it: &Attribute| it.to_token_stream().to_string();
    attributes.iter().any(|it| it.path().is_ident("cfg") && text(it) == "# [cfg (test)]")
}

/// The conditions of compilation, such as `feature = "testing"`.
#[must_use]
pub fn conditions(attributes: &[Attribute]) -> Vec<String> {
    let conditions = attributes.iter().filter(|it| it.path().is_ident("cfg"));
    conditions.filter_map(|it| it.meta.require_list().ok().map(|list| list.tokens.to_string())).collect()
}

/// Removes the attributes that are no part of the interface.
pub fn keep_interface(attributes: &mut Vec<Attribute>) {
    const KEPT: &[&str] = &["cfg", "derive", "deprecated", "must_use", "non_exhaustive", "macro_export"];
    attributes.retain(|it| KEPT.iter().any(|name| it.path().is_ident(name)));
}
