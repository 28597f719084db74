//! The version of the edges of an entity: a row that changes with each write, in the same transaction; and the latest changes.
//!
//! A copy of the edges in memory is valid as long as the version is the same, and can follow the changes since its version. The version is
//! a random text and no number, so that a database that was restored from a backup has no version of a later state.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement, facts},
    def::EntityDef,
};

/// The table of the changes.
const CHANGES: &str = "dz_edge_changes";

/// The largest number of changes that a copy of the edges follows.
#[cfg(feature = "graph-algorithms")]
pub(crate) const MOST_CHANGES: usize = 1_000;

/// A change of the edges.
#[cfg(feature = "graph-algorithms")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// The version after it.
    pub version: String,
    /// The table and the key of the edge or node that was written; `None` if any of them can have changed.
    pub row: Option<(String, String)>,
}

/// The graph of a tenant, or of all rows without tenants; without a tenant, the graphs of all tenants.
fn graph(edges: &EntityDef, tenant: Option<&str>) -> String {
    tenant.map_or_else(|| edges.table.to_owned(), |tenant| format!("{}:{tenant}", edges.table))
}

fn key(graph: &str) -> String {
    format!("graph:{graph}")
}

/// The version of a graph.
#[cfg(feature = "graph-algorithms")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Version {
    /// That of the tenant; empty before the first write.
    pub own: String,
    /// That of writes that concern the graphs of all tenants.
    pub all: String,
}

/// Changes the version after a write of an edge or a node; without a row and a tenant, after a write that can concern any of them.
///
/// The change of the version locks it until the end of the transaction, so the changes are numbered in the order of their transactions.
/// Each tenant has a version of its own, so that no tenant waits for the writes of another one.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn change(
    conn: &mut Conn,
    edges: &EntityDef,
    tenant: Option<&str>,
    row: Option<(&EntityDef, &Value)>,
    now: DateTime<Utc>,
) -> Result<()> {
    let (version, graph) = (Uuid::now_v7().simple().to_string(), graph(edges, tenant));
    facts::write(conn, &key(&graph), &version)?;
    // A row without a key in text form counts as any row.
    let row = row.and_then(|(entity, key)| Some((entity.table, key.to_key_text()?)));
    let (table, row_key) = row.map_or((Value::Null, Value::Null), |(table, key)| (Value::Text(table.to_owned()), Value::Text(key)));
    let mut insert = Statement::new();
    insert.push("INSERT INTO ").ident(CHANGES).push(" (edges, version, changed, row_key, at) VALUES (");
    for (at, value) in [Value::Text(graph), Value::Text(version), table, row_key].into_iter().enumerate() {
        insert.push(if at == 0 { "" } else { ", " }).bind(value, BindKind::Text);
    }
    insert.push(", ").bind(Value::DateTime(now), BindKind::DateTime).push(")");
    conn.execute(&insert).map(drop)
}

/// The version of the graph of a tenant.
///
/// # Errors
/// 503 if the database is unavailable.
#[cfg(feature = "graph-algorithms")]
pub(crate) fn read(conn: &mut Conn, edges: &EntityDef, tenant: Option<&str>) -> Result<Version> {
    let mut read = |tenant| facts::read(conn, &key(&graph(edges, tenant))).map(Option::unwrap_or_default);
    let own = read(tenant)?;
    Ok(Version { own, all: if tenant.is_some() { read(None)? } else { String::new() } })
}

/// The latest changes of the graph of a tenant, the last first.
///
/// # Errors
/// 503 if the database is unavailable.
#[cfg(feature = "graph-algorithms")]
pub(crate) fn latest_changes(conn: &mut Conn, edges: &EntityDef, tenant: Option<&str>) -> Result<Vec<Change>> {
    let mut select = Statement::new();
    select.push("SELECT version, changed, row_key FROM ").ident(CHANGES).push(" WHERE edges = ");
    select.bind(Value::Text(graph(edges, tenant)), BindKind::Text).push(&format!(" ORDER BY seq DESC LIMIT {MOST_CHANGES}"));
    let rows = conn.rows(&select, &[BindKind::Text; 3])?;
    let read = |row: &Vec<Value>| match row.as_slice() {
        [Value::Text(version), Value::Text(table), Value::Text(key)] => {
            Some(Change { version: version.clone(), row: Some((table.clone(), key.clone())) })
        }
        [Value::Text(version), ..] => Some(Change { version: version.clone(), row: None }),
        _ => None,
    };
    Ok(rows.iter().filter_map(read).collect())
}
