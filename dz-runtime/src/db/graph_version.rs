//! The version of the edges of an entity: a row that changes with each write, in the same transaction.
//!
//! A copy of the edges in memory is valid as long as the version is the same. The version is a random text and no number, so that a
//! database that was restored from a backup has no version of a later state.

use uuid::Uuid;

use crate::{
    Result,
    db::{Conn, facts},
    def::EntityDef,
};

fn key(edges: &EntityDef) -> String {
    format!("graph:{}", edges.table)
}

/// Changes the version.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn change(conn: &mut Conn, edges: &EntityDef) -> Result<()> {
    facts::write(conn, &key(edges), &Uuid::now_v7().simple().to_string())
}

/// The version; empty before the first write.
///
/// # Errors
/// 503 if the database is unavailable.
#[cfg(feature = "graph-algorithms")]
pub(crate) fn read(conn: &mut Conn, edges: &EntityDef) -> Result<String> {
    Ok(facts::read(conn, &key(edges))?.unwrap_or_default())
}
