//! dz's own tables and columns: what every application has beside what it declares.
//!
//! A new one is added here and nowhere else; migrations and the comparison at start follow from it.

use super::{Column, ColumnType, Fill, OnDelete, Table};
use crate::model::Entity;

/// The hidden column that counts the versions of a row.
pub const VERSION: &str = "dz_version";
/// The hidden column that says since when a row is in its state.
pub const STATE_SINCE: &str = "dz_state_since";

/// dz's own tables. They may refer to the tables of entities, such as that of the accounts.
pub fn tables(account: &Table) -> Vec<Table> {
    use ColumnType::{DateTime, Text, Uuid};
    let key = account.primary.first().and_then(|key| account.column(key));
    let (key, account_key) = key.map_or(("id", ColumnType::Uuid), |key| (key.name.as_str(), key.ty));
    let of_account = |table: Table| table.required("account", account_key).reference("account", &account.name, key, OnDelete::Cascade);
    vec![
        // Facts about the database itself, such as which schema it has.
        Table::new("dz_meta").required("key", Text(None)).required("value", Text(None)).key(&["key"]),
        of_account(Table::new("dz_roles")).required("role", Text(None)).key(&["account", "role"]),
        of_account(Table::new("dz_sessions").required("token_hash", Text(None)).required("id", Uuid))
            .required("device", Text(None))
            .required("created_at", DateTime)
            .required("seen_at", DateTime)
            .required("expires_at", DateTime)
            .key(&["token_hash"])
            .index(&["account"]),
        of_account(Table::new("dz_tokens").required("token_hash", Text(None)).required("id", Uuid))
            .required("scope", Text(None))
            .optional("roles", Text(None))
            .required("created_at", DateTime)
            .required("seen_at", DateTime)
            .required("expires_at", DateTime)
            .key(&["token_hash"])
            .index(&["account"]),
    ]
}

/// dz's own columns of an entity's table.
pub(super) fn columns(entity: &Entity) -> Vec<Column> {
    hidden(entity.states.is_some())
}

/// dz's own columns of the table of an entity with or without a state machine.
pub fn hidden(has_states: bool) -> Vec<Column> {
    let mut columns =
        vec![Column { default: Some("1".to_owned()), fill: Some(Fill::both("1")), ..Column::new(VERSION, ColumnType::Int, true) }];
    if has_states {
        // Nobody knows when rows that are there entered their state; for their timers they enter it now.
        columns.push(Column { fill: Some(super::fill::now()), ..Column::new(STATE_SINCE, ColumnType::DateTime, true) });
    }
    columns
}
