//! Changes of the edges of graphs, so that instances follow them without reading a whole graph again.

use crate::emit::schema::{ColumnType, Table};

/// The latest changes, in the order of their transactions.
pub(super) fn changes() -> Table {
    use ColumnType::{DateTime, Int, Text};
    Table::new("dz_edge_changes")
        .required("seq", Int)
        .counted()
        // The table of the edges, and their version after the change.
        .required("edges", Text(None))
        .required("version", Text(None))
        // The table and the key of the edge or node that was written; null if any of them can have changed.
        .optional("changed", Text(None))
        .optional("row_key", Text(None))
        .required("at", DateTime)
        .index(&["edges", "seq"])
}
