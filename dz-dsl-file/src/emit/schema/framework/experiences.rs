//! The states of experiences.

use super::TENANT;
use crate::emit::schema::{ColumnType, OnDelete, Table};

/// One state for each account, experience and tenant; `table` has the column of the account.
pub(super) fn states(table: Table, tenant: Option<(&Table, ColumnType)>) -> Table {
    use ColumnType::{DateTime, Int, Text};
    let table = table
        .required("experience", Text(None))
        // The key of the tenant, or nothing: a part of the key cannot be null.
        .required("scope", Text(None))
        .required("step", Text(None))
        // Counts the changes, so that a page that shows an earlier step changes nothing.
        .required("version", Int)
        .required("state", Text(None))
        .required("changed_at", DateTime)
        .key(&["account", "experience", "scope"]);
    match tenant {
        Some((tenant, key)) => {
            let target = tenant.primary.first().map_or("id", String::as_str);
            table.optional(TENANT, key).reference(TENANT, &tenant.name, target, OnDelete::Cascade).index(&[TENANT])
        }
        None => table,
    }
}
