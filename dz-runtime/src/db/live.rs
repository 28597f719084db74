//! The rows that are there: those of an entity whose deletions only mark are without the marked ones.

use super::Statement;
use crate::def::EntityDef;

/// The hidden column that marks a deleted row, on entities that keep them.
pub(crate) const DELETED_AT: &str = "deleted_at";

/// The rows of an entity as they stand in a `FROM` or `JOIN`, to be followed by an alias.
pub(crate) fn live(entity: &EntityDef) -> Statement {
    let mut rows = Statement::new();
    match entity.soft_delete {
        true => rows.push("(SELECT * FROM ").ident(entity.table).push(" WHERE ").ident(DELETED_AT).push(" IS NULL)"),
        false => rows.ident(entity.table),
    };
    rows
}
