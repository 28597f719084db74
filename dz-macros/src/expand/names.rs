//! Every generated name.
//!
//! | DSL | Rust |
//! |---|---|
//! | entity `LineItem` | module `line_item`, structs `LineItem`, `NewLineItem`, `LineItemChanges`, static `ENTITY` |
//! | field `type` | `r#type`; a ref `owner` is `owner_id` |
//! | enum of field `status` of `Task` | `TaskStatus` in module `task`; a named enum in module `enums` |
//! | surfaces, demo, application | statics in the private module `__dz_app` |

use dz_dsl_file::{
    model::{Entity, EnumType, Field},
    names::{plural, rust_ident},
};
use proc_macro2::{Ident, Span};
use quote::format_ident;

/// An identifier, raw if it must be.
pub(super) fn ident(name: &str) -> Ident {
    let name = rust_ident(name);
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(&name, Span::call_site()),
    }
}

pub(super) fn module(entity: &Entity) -> Ident {
    ident(&entity.module)
}

pub(super) fn table(entity: &Entity) -> Ident {
    ident(&entity.table)
}

pub(super) fn row(entity: &Entity) -> Ident {
    ident(&entity.name)
}

pub(super) fn new(entity: &Entity) -> Ident {
    format_ident!("New{}", entity.name)
}

pub(super) fn changes(entity: &Entity) -> Ident {
    format_ident!("{}Changes", entity.name)
}

/// Names that diesel's `table!` uses itself, so that a column needs another name in Rust. A column is a struct there: with a
/// column `str`, diesel's own `&str` would refer to it.
const TAKEN: &[&str] = &["q", "star", "all_columns", "table", "dsl", "columns", "alias", "diesel", "bool", "str"];

/// The name of the column in diesel's table.
pub(super) fn column(entity: &Entity, field: &Field) -> Ident {
    if renamed(entity, field) { format_ident!("{}_", field.name) } else { ident(&field.name) }
}

/// True if the column's name in Rust differs from that in the database.
pub(super) fn renamed(entity: &Entity, field: &Field) -> bool {
    TAKEN.contains(&field.name.as_str()) || field.name == entity.table
}

/// The struct field; the name of a ref ends with `_id`.
pub(super) fn field(field: &Field) -> Ident {
    if field.ty.target().is_some() { format_ident!("{}_id", field.name) } else { ident(&field.name) }
}

/// The method of a reference or of a field without a column, distinct from the methods that every row has.
pub(super) fn method(field: &Field) -> Ident {
    match field.name.as_str() {
        name if RESERVED.contains(&name) => format_ident!("{name}_"),
        name => ident(name),
    }
}

/// The methods that rows have anyway.
const RESERVED: &[&str] = &["delete", "exists", "find", "find_many", "only", "restore", "transition", "transition_with", "update"];

/// The method that loads the rows of a reference for many rows, distinct from the methods of fields.
pub(super) fn batch(entity: &Entity, field: &Field) -> Ident {
    let name = format!("load_{}", plural(&field.name));
    if entity.fields.iter().any(|other| other.name == name) { format_ident!("{name}_") } else { format_ident!("{name}") }
}

pub(super) fn enumeration(it: &EnumType) -> Ident {
    ident(&it.name)
}
