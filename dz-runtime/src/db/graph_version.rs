//! The version of the edges of an entity: a row that changes with each write, in the same transaction.
//!
//! A copy of the edges in memory is valid as long as the version is the same. The version is a random text and no number, so that a
//! database that was restored from a backup has no version of a later state.

use uuid::Uuid;

use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement},
    def::EntityDef,
};

fn key(edges: &EntityDef) -> Value {
    Value::Text(format!("graph:{}", edges.table))
}

/// Changes the version.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn change(conn: &mut Conn, edges: &EntityDef) -> Result<()> {
    let version = Value::Text(Uuid::now_v7().simple().to_string());
    let mut upsert = Statement::new();
    upsert.push("INSERT INTO dz_meta (key, value) VALUES (").bind(key(edges), BindKind::Text).push(", ").bind(version, BindKind::Text);
    upsert.push(") ON CONFLICT (key) DO UPDATE SET value = excluded.value");
    conn.execute(&upsert).map(drop)
}

/// The version; empty before the first write.
///
/// # Errors
/// 503 if the database is unavailable.
#[cfg(feature = "graph-algorithms")]
pub(crate) fn read(conn: &mut Conn, edges: &EntityDef) -> Result<String> {
    let mut select = Statement::new();
    select.push("SELECT value FROM dz_meta WHERE key = ").bind(key(edges), BindKind::Text);
    match conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(version)) => Ok(version),
        _ => Ok(String::new()),
    }
}
