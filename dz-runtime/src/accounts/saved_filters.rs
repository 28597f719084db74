//! Saved filters of lists: rows of `dz_filters`, each of one account, which can share it with a role.

use uuid::Uuid;

use crate::{
    Error, Result, Tx, Value,
    db::{BindKind, Statement},
};

/// The largest number of filters of an account for one list.
const MAX_FILTERS: i64 = 50;
/// The largest number of filters that a list shows.
const MAX_SHOWN: i64 = 100;
/// The column of the tenant, in applications with tenants.
const TENANT: &str = "tenant";

/// A saved filter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SavedFilter {
    pub id: Uuid,
    pub name: String,
    /// The parameters of the list, as in its address.
    pub query: String,
    /// The name of the role that also sees it.
    pub role: Option<String>,
    /// True for a filter of the caller.
    pub is_own: bool,
}

/// Appends the condition on the tenant of filters, which is that of the caller.
fn append_tenant(tx: &Tx<'_>, statement: &mut Statement) {
    let Some(kind) = tx.app.tenant().and_then(|tenant| BindKind::from_kind(tenant.key().kind, tx.app)) else { return };
    statement.push(" AND ").ident(TENANT);
    match tx.caller().tenant() {
        Some(tenant) => statement.push(" = ").bind(tenant.clone(), kind),
        None => statement.push(" IS NULL"),
    };
}

/// The filters of a list that the caller has saved, or that are shared with a role of the caller, by their names.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn list(tx: &mut Tx<'_>, surface: &str) -> Result<Vec<SavedFilter>> {
    let Some(account) = tx.caller().account.as_ref().map(|account| account.id.clone()) else { return Ok(Vec::new()) };
    let key = BindKind::from_account_key(tx.app)?;
    let mut select = Statement::new();
    select.push("SELECT id, name, query, role, account FROM dz_filters WHERE surface = ").bind(text(surface), BindKind::Text);
    select.push(" AND (account = ").bind(account.clone(), key);
    for (_, role) in tx.app.roles.iter().enumerate().filter(|(bit, _)| tx.caller().roles >> bit & 1 == 1) {
        select.push(" OR role = ").bind(text(role.name), BindKind::Text);
    }
    select.push(")");
    append_tenant(tx, &mut select);
    // The own ones first, so that filters of others never hide them.
    select.push(" ORDER BY CASE WHEN account = ").bind(account.clone(), key).push(" THEN 0 ELSE 1 END, name, id LIMIT ");
    select.bind(Value::Int(MAX_SHOWN), BindKind::Int);
    let kinds = [BindKind::Uuid, BindKind::Text, BindKind::Text, BindKind::Text, key];
    let rows = tx.conn.rows(&select, &kinds)?.into_iter().filter_map(|row| match <[Value; 5]>::try_from(row) {
        Ok([Value::Uuid(id), Value::Text(name), Value::Text(query), role, owner]) => {
            let role = if let Value::Text(role) = role { Some(role) } else { None };
            Some(SavedFilter { id, name, query, role, is_own: owner == account })
        }
        _ => None,
    });
    let mut filters: Vec<SavedFilter> = rows.collect();
    filters.sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
    Ok(filters)
}

/// Saves a filter of the caller; it replaces the one with this name in the same tenant.
///
/// # Errors
/// 401 without an account; 422 if the account has too many filters for this list.
pub(crate) fn save(tx: &mut Tx<'_>, surface: &str, name: &str, query: &str, role: Option<&str>) -> Result<()> {
    let account = tx.caller().account.as_ref().ok_or_else(Error::unauthenticated)?.id.clone();
    let key = BindKind::from_account_key(tx.app)?;
    let mut replaced = Statement::new();
    replaced.push("DELETE FROM dz_filters WHERE surface = ").bind(text(surface), BindKind::Text);
    replaced.push(" AND account = ").bind(account.clone(), key).push(" AND name = ").bind(text(name), BindKind::Text);
    append_tenant(tx, &mut replaced);
    tx.conn.execute(&replaced)?;
    let mut count = Statement::new();
    count.push("SELECT count(*) FROM dz_filters WHERE surface = ").bind(text(surface), BindKind::Text);
    count.push(" AND account = ").bind(account.clone(), key);
    append_tenant(tx, &mut count);
    if let Some(Value::Int(MAX_FILTERS..)) = tx.conn.rows(&count, &[BindKind::Int])?.into_iter().flatten().next() {
        return Err(Error::validation("name", say!("dz-too-many-filters", "delete a saved filter first; there are too many")));
    }
    let tenant = tx.app.tenant().and_then(|tenant| BindKind::from_kind(tenant.key().kind, tx.app));
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_filters (id, account, surface, name, query, role").push(if tenant.is_some() { ", tenant" } else { "" });
    insert.push(") VALUES (").bind(Value::Uuid(Uuid::now_v7()), BindKind::Uuid).push(", ").bind(account, key);
    for value in [surface, name, query] {
        insert.push(", ").bind(text(value), BindKind::Text);
    }
    insert.push(", ").bind(role.map_or(Value::Null, text), BindKind::Text);
    if let Some(kind) = tenant {
        insert.push(", ").bind(tx.caller().tenant().cloned().unwrap_or_default(), kind);
    }
    // A concurrent request can have saved the same name.
    insert.push(") ON CONFLICT DO NOTHING");
    tx.conn.execute(&insert).map(drop)
}

/// Deletes a filter of the caller.
///
/// # Errors
/// 401 without an account; 404 for a filter of another account.
pub(crate) fn delete(tx: &mut Tx<'_>, surface: &str, id: Uuid) -> Result<()> {
    let account = tx.caller().account.as_ref().ok_or_else(Error::unauthenticated)?.id.clone();
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_filters WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid);
    delete.push(" AND surface = ").bind(text(surface), BindKind::Text);
    delete.push(" AND account = ").bind(account, BindKind::from_account_key(tx.app)?);
    append_tenant(tx, &mut delete);
    if tx.conn.execute(&delete)? == 0 { Err(Error::not_found()) } else { Ok(()) }
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}
