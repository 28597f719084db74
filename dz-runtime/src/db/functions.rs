//! Functions that dz registers on every SQLite connection.

use diesel::{result::QueryResult, sqlite::SqliteConnection};

/// Registers them all.
pub(crate) fn register(conn: &mut SqliteConnection) -> QueryResult<()> {
    let _ = conn;
    Ok(())
}
