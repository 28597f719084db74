//! Names of database objects, as PostgreSQL forms them: `tasks_team_created_at_idx`, `users_email_key`, `tasks_owner_fkey`,
//! `tasks_title_check`. They are ASCII without spaces and have at most 63 bytes; a longer name is cut and ends in a hash.
//!
//! A name follows from the columns of the object. `Schema::constraints` returns the columns of each name.

use std::collections::HashMap;

use super::{Check, Column, Engine, EngineSql, Index, Order, Part, Reference, Schema, Table, hash, sql::column_check};
use crate::names::in_database;

/// The longest name that PostgreSQL accepts.
const NAME_BYTES: usize = 63;

/// The form of the definition of a table. A snapshot without it has the first edition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edition {
    /// Constraints and indexes have names such as `tasks(title) check` and `tasks[team, created_at list desc, id]`.
    First,
    /// They have names as this file describes.
    Second,
    /// SQLite gives the number of a deleted row to no other row, as PostgreSQL does.
    #[default]
    Third,
}

/// The name of an object with the given `parts`; `identity` distinguishes it from every other one.
fn object(parts: &[&str], suffix: &str, identity: &str, distinct: bool) -> String {
    let full = parts.join("_");
    let ascii: String = full.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if !distinct && ascii == full && full.len() + 1 + suffix.len() <= NAME_BYTES {
        return format!("{full}_{suffix}");
    }
    let hash = format!("{:08x}", hash(identity.as_bytes(), 0) >> 32);
    let room = NAME_BYTES - hash.len() - suffix.len() - 2;
    let kept: String = ascii.chars().take(room).collect();
    format!("{}_{hash}_{suffix}", kept.trim_end_matches('_'))
}

pub(super) fn column_check_name(table: &Table, column: &Column) -> String {
    let first = format!("{}({}) check", table.name, column.name);
    match table.edition {
        Edition::First => shorten(first),
        Edition::Second | Edition::Third => object(&[&table.name, &column.name], "check", &first, false),
    }
}

/// The name of a condition on `columns`; the same columns may have several.
pub(super) fn table_check(table: &str, columns: &[&str], condition: &EngineSql) -> String {
    let parts: Vec<&str> = std::iter::once(table).chain(columns.iter().copied()).collect();
    object(&parts, "check", &condition.sqlite, true)
}

pub(super) fn check_name(table: &Table, check: &Check) -> String {
    match table.edition {
        Edition::First => shorten(check.name.clone()),
        Edition::Second | Edition::Third => check.name.clone(),
    }
}

pub(super) fn reference_name(table: &Table, reference: &Reference) -> String {
    // The tenant is in every reference between rows of tenants, and no error concerns it.
    let column = reference.columns.last().map_or("", String::as_str);
    let first = format!("{}({column}) reference", table.name);
    match table.edition {
        Edition::First => shorten(first),
        Edition::Second | Edition::Third => object(&[&table.name, column], "fkey", &first, false),
    }
}

pub(super) fn index_name(table: &Table, index: &Index) -> String {
    let first = format!("{}{}", table.name, index_identity(index));
    if table.edition == Edition::First {
        return shorten(first);
    }
    let mut columns: Vec<&str> = index.parts.iter().map(|part| part.column.as_str()).collect();
    // The key at the end of the order of a list adds no information.
    if let ([_, .., last], false, [key]) = (columns.as_slice(), index.unique, table.primary.as_slice())
        && last == key
    {
        columns.pop();
    }
    columns.insert(0, &table.name);
    object(&columns, if index.unique { "key" } else { "idx" }, &first, index.distinct)
}

/// Everything that distinguishes an index from the others of its table.
pub(super) fn index_identity(index: &Index) -> String {
    let part = |part: &Part| {
        let order = match part.order {
            Order::Plain => "",
            Order::List => " list",
            Order::Text => " text",
            Order::Positions(_) => " position",
        };
        format!("{}{order}{}", part.column, if part.descending { " desc" } else { "" })
    };
    let parts = index.parts.iter().map(part).collect::<Vec<_>>().join(", ");
    if index.unique && index.rows.is_none() {
        return format!("({parts})");
    }
    let rows = index.rows.as_ref().map_or(String::new(), |rows| format!(" {:08x}", hash(rows.sqlite.as_bytes(), 0) >> 32));
    if index.unique { format!("({parts}){rows}") } else { format!("[{parts}]{rows}") }
}

/// The index that the server creates for the primary key.
pub(super) fn key_index(table: &str) -> String {
    let mut kept = table.len().min(NAME_BYTES - "_pkey".len());
    while !table.is_char_boundary(kept) {
        kept -= 1;
    }
    format!("{}_pkey", table.split_at(kept).0)
}

/// The name of a policy, a trigger, or an index without columns.
pub(super) fn extra_name(table: &str, what: &str) -> String {
    object(&[table], what, &format!("{table} {what}"), false)
}

/// Finds the indexes with equal names: tables and indexes share one namespace.
pub(super) fn distinguish(schema: &mut Schema) {
    let mut taken: HashMap<String, usize> = HashMap::new();
    for table in &mut schema.tables {
        table.indexes.iter_mut().for_each(|index| index.distinct = false);
    }
    for table in &schema.tables {
        *taken.entry(in_database(&table.name)).or_default() += 1;
        for index in &table.indexes {
            *taken.entry(in_database(&index_name(table, index))).or_default() += 1;
        }
    }
    for table in &mut schema.tables {
        let shared: Vec<bool> =
            table.indexes.iter().map(|index| taken.get(&in_database(&index_name(table, index))).is_some_and(|count| *count > 1)).collect();
        table.indexes.iter_mut().zip(shared).for_each(|(index, shared)| index.distinct = shared);
    }
}

/// The columns of each constraint, one line each: the name, and the columns separated by commas.
pub(super) fn constraints(schema: &Schema) -> String {
    let mut lines = String::new();
    for table in &schema.tables {
        let mut add = |name: String, columns: &[&str]| lines.push_str(&format!("{name}\t{}\n", columns.join(",")));
        for column in table.columns.iter().filter(|column| column_check(column, Engine::Sqlite).is_some()) {
            add(column_check_name(table, column), &[&column.name]);
        }
        for check in &table.checks {
            let named = |column: &&Column| check.condition.sqlite.contains(&super::sql::quoted(&column.name));
            let columns: Vec<&str> = table.columns.iter().filter(named).map(|column| column.name.as_str()).collect();
            add(check_name(table, check), &columns);
        }
        for reference in &table.references {
            // No error concerns the tenant.
            add(reference_name(table, reference), &reference.columns.last().map(String::as_str).into_iter().collect::<Vec<_>>());
        }
        for index in table.indexes.iter().filter(|index| index.unique) {
            add(index_name(table, index), &index.parts.iter().map(|part| part.column.as_str()).collect::<Vec<_>>());
        }
        add(key_index(&table.name), &table.primary.iter().map(String::as_str).collect::<Vec<_>>());
    }
    lines
}

/// A name of the first edition, shortened where PostgreSQL would shorten it.
pub(super) fn shorten(full: String) -> String {
    if full.len() <= NAME_BYTES {
        return full;
    }
    let hash = format!("{:012x}", hash(full.as_bytes(), 0) >> 16);
    let mut kept = NAME_BYTES - hash.len() - 1;
    while !full.is_char_boundary(kept) {
        kept -= 1;
    }
    let kept = full.split_at(kept).0.split('(').next().unwrap_or_default();
    format!("{kept} {hash}")
}
