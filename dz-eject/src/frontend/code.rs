//! TypeScript as text: names, literals and lines of limited width.

use dz_dsl_file::model::{Entity, EnumType, Model};
use heck::{ToLowerCamelCase, ToShoutySnakeCase, ToUpperCamelCase};

use crate::names;

/// Names that the files use for something else.
const TAKEN: &[&str] = &[
    "Array",
    "Boolean",
    "Change",
    "EntityPages",
    "Error",
    "FieldErrors",
    "FieldInfo",
    "Headers",
    "Infinity",
    "ListProps",
    "ListQuery",
    "Loaded",
    "Map",
    "Money",
    "Mutation",
    "Number",
    "Object",
    "Page",
    "Partial",
    "Problem",
    "Promise",
    "Query",
    "QueryClient",
    "QueryClientProvider",
    "ReactNode",
    "Record",
    "Reload",
    "RequestInit",
    "Response",
    "Row",
    "RowDetail",
    "RowForm",
    "RowList",
    "Set",
    "StoredFile",
    "String",
    "Symbol",
    "Transition",
    "Transitions",
    "Versioned",
];

/// The width of a line.
const WIDTH: usize = 100;

/// The TypeScript type of an entity.
pub(super) fn entity(entity: &Entity) -> String {
    free(&entity.name)
}

/// The TypeScript type of an enumeration.
pub(super) fn choice(model: &Model, of: &EnumType) -> String {
    free(&names::choice(model, of))
}

fn free(name: &str) -> String {
    if TAKEN.contains(&name) { format!("{name}Row") } else { name.to_owned() }
}

/// The constant with the values of an enumeration.
pub(super) fn values(model: &Model, of: &EnumType) -> String {
    format!("{}_VALUES", choice(model, of).to_shouty_snake_case())
}

/// The name of many rows in hooks: `TastingNotes`.
pub(super) fn plural(of: &Entity) -> String {
    match of.table.to_upper_camel_case() {
        same if same == entity(of) => format!("{same}List"),
        plural => plural,
    }
}

/// The name of a value of an entity: `tastingNote`.
pub(super) fn variable(of: &Entity) -> String {
    entity(of).to_lower_camel_case()
}

/// A text as a literal, with the quotes that need fewer escapes.
pub(super) fn literal(text: &str) -> String {
    let json = serde_json::to_string(text).unwrap_or_default();
    match text.contains('"') && !text.contains('\'') {
        true => format!("'{}'", json[1..json.len() - 1].replace("\\\"", "\"")),
        false => json,
    }
}

/// The name of a member of an object.
pub(super) fn member(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit());
    if is_plain { name.to_owned() } else { literal(name) }
}

/// A list between delimiters: in one line if it fits, else with a line for each item.
pub(super) fn list(start: &str, items: &[String], end: &str) -> String {
    let space = if start.ends_with('{') { " " } else { "" };
    let line = format!("{start}{space}{}{space}{end}", items.join(", "));
    match line.chars().count() <= WIDTH {
        true => format!("{line}\n"),
        false => format!("{start}\n{}{end}\n", items.iter().map(|item| format!("  {item},\n")).collect::<String>()),
    }
}

/// The import of names, if there are any.
pub(super) fn import(keyword: &str, mut items: Vec<String>, from: &str) -> String {
    items.sort_unstable();
    items.dedup();
    match items.is_empty() {
        true => String::new(),
        false => list(&format!("{keyword} {{"), &items, &format!("}} from {};", literal(from))),
    }
}
