//! The field of a column.

use super::{Declared, Names, checks::Checks, keys, quoted, value_word};
use crate::import_schema::{
    found::{Column, Database, Table},
    naming,
    sql::{Expr, parse},
    types::{Typed, field_type},
};

/// The context of a column.
pub struct Place<'d> {
    /// The database.
    pub database: &'d Database,
    /// The names in the declaration.
    pub names: &'d Names,
    /// The table.
    pub table: &'d Table,
    /// The parsed checks of the table.
    pub checks: &'d Checks,
    /// In the table of the accounts, the fields that dz adds itself.
    pub account: &'d [String],
}

/// Writes the field of a column, with comments about the properties that it cannot express.
pub fn declare(place: &Place<'_>, column: &Column, out: &mut Declared) {
    let table = &place.table.name;
    let shown = format!("the column `{}`", column.name);
    if column.generated {
        out.leave_out("  ", table, &format!("{shown}, which the database computes; `computed` declares such a field"));
        return;
    }
    let Some(name) = place.names.field(place.table, &column.name) else { return };
    if !place.account.is_empty() && (place.account.iter().any(|own| own == name) || is_password(name)) {
        out.leave_out("  ", table, &format!("{shown}: dz stores it itself for each account"));
        return;
    }
    let typed = match typed(place, column, out) {
        Ok(typed) => typed,
        Err(reason) => {
            out.leave_out("  ", table, &format!("{shown}: {reason}"));
            return;
        }
    };
    if let Some(lost) = &typed.lost {
        out.leave_out("  ", table, &format!("part of {shown}: {lost}"));
    }
    let mut line = format!("  {name}: {}", typed.word);
    let is_key = keys::single(place.table).is_some_and(|key| key == column.name);
    if is_key {
        line.push_str(" pk");
    }
    let default = if is_key { None } else { default(column, &typed.word, table, out) };
    if !is_key {
        line.push_str(if column.required {
            " required"
        } else if default.is_some() {
            " optional"
        } else {
            ""
        });
        line.push_str(keys::unique_word(place.table, column));
    }
    line.push_str(&default.map(|value| format!(" = {value}")).unwrap_or_default());
    if name != column.name {
        match naming::is_identifier(&column.name) {
            true => line.push_str(&format!(" was: {}", column.name)),
            false => out.lines.push(format!("  # The column is named {}.", quoted(&column.name))),
        }
    }
    out.lines.push(line);
}

/// True for a password or its hash.
fn is_password(name: &str) -> bool {
    ["password", "passwd", "encrypted_password", "crypted_password"].iter().any(|word| name.starts_with(word))
}

fn typed(place: &Place<'_>, column: &Column, out: &mut Declared) -> Result<Typed, String> {
    let plain = |word: String| Ok(Typed { word, lost: None });
    let is_key = keys::single(place.table).is_some_and(|key| key == column.name);
    if let Some(reference) = keys::reference(place.table, &column.name).filter(|_| !is_key) {
        match keys::target(place.database, place.names, reference) {
            Ok(entity) => {
                let action = match (reference.on_delete.as_str(), column.required) {
                    ("CASCADE", _) => " cascade",
                    ("SET NULL", true) | ("RESTRICT" | "NO ACTION" | "SET DEFAULT", false) => " restrict",
                    _ => "",
                };
                if reference.on_delete == "SET DEFAULT" {
                    out.leave_out("  ", &place.table.name, &format!("`ON DELETE SET DEFAULT` of `{}`", column.name));
                }
                return plain(format!("ref {entity}{action}"));
            }
            Err(reason) => out.leave_out("  ", &place.table.name, &format!("the foreign key of `{}`: {reason}", column.name)),
        }
    }
    if let Some(it) = place.database.enums.iter().find(|it| it.name == column.ty) {
        return plain(naming::entity(&it.name));
    }
    if let Some(values) = place.checks.values_of(&column.name) {
        let values: Vec<String> = values.iter().map(|value| value_word(value)).collect();
        return plain(format!("enum[{}]", values.join(", ")));
    }
    if place.checks.is_boolean(&column.name) {
        return plain("bool".to_owned());
    }
    let typed = field_type(&column.ty)?;
    match (typed.word.as_str(), place.checks.length_of(&column.name)) {
        ("text", Some(length)) => plain(format!("str({length})")),
        ("text", None) if is_key => Ok(Typed { word: "str(255)".to_owned(), lost: Some("a key has at most 255 characters".to_owned()) }),
        _ => Ok(typed),
    }
}

/// The default in the language.
fn default(column: &Column, ty: &str, table: &str, out: &mut Declared) -> Option<String> {
    let sql = column.default.as_deref()?;
    let parsed = parse(sql);
    if parsed == Ok(Expr::Null) {
        return None;
    }
    let value = match &parsed {
        // A list of PostgreSQL, which is json in the declaration.
        Ok(Expr::Text(text)) if column.ty.ends_with("[]") => (text == "{}").then(|| "[]".to_owned()),
        Ok(expr) => value(expr, ty),
        Err(_) => None,
    };
    if value.is_none() {
        out.leave_out("  ", table, &format!("the default `{sql}` of `{}`", column.name));
    }
    value
}

fn value(expr: &Expr, ty: &str) -> Option<String> {
    let is_text = ty == "text" || ty.starts_with("str(");
    match expr {
        Expr::Number(number) | Expr::Text(number) if ty == "bool" => match number.to_lowercase().as_str() {
            "1" | "t" | "true" => Some("true".to_owned()),
            "0" | "f" | "false" => Some("false".to_owned()),
            _ => None,
        },
        Expr::Bool(value) if ty == "bool" => Some(value.to_string()),
        Expr::Number(number) if ty == "int" || ty == "float" || ty.starts_with("decimal") => Some(number.clone()),
        Expr::Text(number) if (ty == "int" || ty == "float" || ty.starts_with("decimal")) && number.parse::<f64>().is_ok() => {
            Some(number.clone())
        }
        Expr::Minus(inner) => value(inner, ty).map(|value| format!("-{value}")),
        Expr::Text(text) if is_text => Some(quoted(text)),
        Expr::Text(text) if ty == "json" => matches!(text.trim(), "{}" | "[]").then(|| text.trim().to_owned()),
        Expr::Text(text) if matches!(ty, "date" | "datetime" | "uuid") => matches!(text.as_str(), "now").then(|| "now".to_owned()),
        Expr::Text(text) if !ty.starts_with("ref ") => Some(value_word(text)),
        Expr::Call(name, _) if is_now(name, expr) && ty == "datetime" => Some("now".to_owned()),
        Expr::Call(name, _) if is_now(name, expr) && ty == "date" => Some("today".to_owned()),
        _ => None,
    }
}

/// True for the functions that return the current time.
fn is_now(name: &str, expr: &Expr) -> bool {
    let Expr::Call(_, arguments) = expr else { return false };
    match name {
        "now"
        | "current_timestamp"
        | "current_date"
        | "localtimestamp"
        | "statement_timestamp"
        | "clock_timestamp"
        | "transaction_timestamp" => arguments.is_empty(),
        "datetime" | "date" => *arguments == [Expr::Text("now".to_owned())],
        _ => false,
    }
}
