//! Columns for which a migration has no value for existing rows, and the placeholders where its author writes one.

use super::{Column, Engine, EngineSql, Schema, diff::Changes, sql::quoted};

/// The text with which each placeholder begins.
pub const PLACEHOLDER: &str = "dz: value";

/// A required column without a value for existing rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfilled {
    /// The entity; dz's own tables have none.
    pub entity: Option<String>,
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
}

/// The columns that become required, or are new and required, without a default.
pub fn unfilled(old: &Schema, new: &Schema, engine: Engine) -> Vec<Unfilled> {
    let changes = Changes::new(old, new, engine);
    let of_tables =
        changes.shared.iter().flat_map(|shared| shared.columns.iter().map(move |(column, before)| (shared.new, *column, *before)));
    of_tables
        .filter(|(_, column, before)| is_unfilled(column, *before))
        .map(|(table, column, _)| Unfilled { entity: table.entity.clone(), table: table.name.clone(), column: column.name.clone() })
        .collect()
}

fn is_unfilled(column: &Column, before: Option<&Column>) -> bool {
    let has_value = column.fill.is_some() || (before.is_none() && column.default.is_some());
    column.required && !has_value && before.is_none_or(|before| !before.required)
}

/// `new` with a placeholder as the value of each such column. The placeholder is null, so that the migration fails on rows until a value
/// replaces it, and passes if there are no rows.
pub(super) fn with_placeholders(old: &Schema, new: &Schema, engine: Engine) -> Schema {
    let mut filled = new.clone();
    for Unfilled { table, column, .. } in unfilled(old, new, engine) {
        let columns = filled.tables.iter_mut().filter(|it| it.name == table).flat_map(|it| &mut it.columns);
        for found in columns.filter(|it| it.name == column) {
            found.fill =
                Some(EngineSql::both(format!("NULL /* {PLACEHOLDER} of {}.{} in existing rows */", quoted(&table), quoted(&column))));
        }
    }
    filled
}
