//! The Rust and SQL types of columns.

use std::collections::BTreeSet;

use dz_dsl_file::model::{Entity, Field, FieldType, Model};

use crate::names;

/// The types of a field: in Rust, in SQL, and the function that reads it from JSON.
pub(super) struct ColumnTypes {
    pub rust: String,
    pub sql: String,
    pub parse: String,
}

/// The types of a stored field, without null.
pub(super) fn types(model: &Model, field: &Field) -> ColumnTypes {
    let of = |rust: &str, sql: &str, parse: &str| ColumnTypes { rust: rust.into(), sql: sql.into(), parse: format!("values::{parse}") };
    match names::column_type(model, field.ty) {
        FieldType::Uuid | FieldType::Ref(_) => of("Id", "Identifier", "id"),
        FieldType::Int { .. } => of("i64", "BigInt", "int"),
        FieldType::Float => of("f64", "Double", "float"),
        FieldType::Decimal { .. } | FieldType::Money(_) => {
            let (precision, scale) = field.ty.digits().unwrap_or_default();
            let number = of(&format!("Number<{precision}, {scale}>"), &format!("Exact<{precision}, {scale}>"), "number");
            match (field.ty.is_money(), field.ty.currency()) {
                (true, Some(currency)) => ColumnTypes { parse: format!("|raw| values::money(raw, {:?})", currency.code()), ..number },
                (true, None) => ColumnTypes { parse: "amounts::read".to_owned(), ..number },
                (false, _) => number,
            }
        }
        FieldType::Bool => of("bool", "Bool", "boolean"),
        FieldType::Date => of("NaiveDate", "Date", "date"),
        FieldType::DateTime => of("Timestamp", "Instant", "timestamp"),
        FieldType::Enum(id) => of(&names::choice(model, &model.enums[id.0]), "Text", "choice"),
        FieldType::Json | FieldType::File { .. } => of("Document", "Json", "document"),
        FieldType::Email => of("String", "Text", "email"),
        FieldType::Str(_)
        | FieldType::Text
        | FieldType::Url
        | FieldType::Timezone
        | FieldType::Slug
        | FieldType::Currency { .. }
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::ManyToMany { .. } => of("String", "Text", "text"),
    }
}

/// True if a column cannot be null.
pub(super) fn is_required(entity: &Entity, field: &Field) -> bool {
    field.required || std::ptr::eq(&entity.fields[entity.pk.0], field)
}

/// The Rust type of a field of a row.
pub(super) fn rust_type(model: &Model, entity: &Entity, field: &Field) -> String {
    let rust = types(model, field).rust;
    if is_required(entity, field) { rust } else { format!("Option<{rust}>") }
}

/// The `use` lines of a text: only names that occur in it.
pub(super) fn imports(text: &str, known: &[(&str, &[&str])]) -> String {
    // `Value::Id` is not the type `Id`, and comments and literals use nothing.
    let separate: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect();
    let separate = without_literals(&separate).replace("::", "::\u{0}");
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\u{0}';
    let words: BTreeSet<&str> = separate.split(|c: char| !is_part(c)).collect();
    // A field or a variable can have the name of a function.
    let is_called = |name: &str| {
        separate.match_indices(name).any(|(at, _)| {
            let (before, after) = (&separate[..at], &separate[at + name.len()..]);
            let is_start = !before.ends_with(|c: char| is_part(c) || c == '.') && !before.ends_with("fn ");
            is_start && ["(", "!", "::"].iter().any(|next| after.starts_with(next))
        })
    };
    let is_used = |name: &str| if name.starts_with(char::is_lowercase) { is_called(name) } else { words.contains(name) };
    let mut lines = String::new();
    for (path, names) in known {
        let used: Vec<&str> = names.iter().copied().filter(|name| is_used(name)).collect();
        match used.as_slice() {
            [] => {}
            [one] => lines.push_str(&format!("use {path}::{one};\n")),
            several => lines.push_str(&format!("use {path}::{{{}}};\n", several.join(", "))),
        }
    }
    lines
}

/// The code without the contents of text literals.
fn without_literals(code: &str) -> String {
    let (mut is_inside, mut is_escaped) = (false, false);
    code.chars()
        .filter(|c| {
            let was_inside = is_inside;
            match c {
                '"' if !is_escaped => is_inside = !is_inside,
                _ => {}
            }
            is_escaped = was_inside && *c == '\\' && !is_escaped;
            !was_inside
        })
        .collect()
}
