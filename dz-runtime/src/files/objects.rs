//! Rows of `dz_files`: unused uploads, attached files, and released files.

use uuid::Uuid;

use crate::{
    Error, Result, Tx, Value,
    db::{BindKind, Conn, Statement, Work},
    def::{AppDef, EntityDef, FieldDef},
    field::File,
};

/// The state of an upload that no row uses; it is valid for a day.
pub(super) const UNUSED: &str = "waiting";
/// The state of a file that a row uses.
pub(super) const ATTACHED: &str = "held";
/// The state of a file that no row uses now; the worker deletes it.
pub(super) const RELEASED: &str = "gone";

/// The maximum number of unused uploads of an account.
pub(crate) const MAX_UNUSED: i64 = 100;

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// The kind of the keys of tenants, in applications with tenants.
fn tenant_kind(app: &'static AppDef) -> Option<BindKind> {
    app.tenant().and_then(|tenant| BindKind::from_kind(tenant.key().kind, app))
}

fn account_kind(app: &'static AppDef) -> BindKind {
    BindKind::from_kind(app.account().key().kind, app).unwrap_or(BindKind::Uuid)
}

/// Appends the condition that a column has this value, or is null.
fn push_test(statement: &mut Statement, column: &str, value: Value, kind: BindKind) {
    statement.push(" AND ").ident(column);
    match value {
        Value::Null => statement.push(" IS NULL"),
        value => statement.push(" = ").bind(value, kind),
    };
}

/// Inserts an unused upload of the caller; `stored` is its name in the folder.
pub(crate) fn insert(tx: &mut Tx<'_>, entity: &EntityDef, field: &FieldDef, stored: &str, facts: &File) -> Result<()> {
    let mut insert = Statement::new();
    let tenant = tenant_kind(tx.app);
    insert.push("INSERT INTO dz_files (id, stored, entity, field, account, name, size, type, state, since");
    insert.push(if tenant.is_some() { ", tenant) VALUES (" } else { ") VALUES (" });
    insert.bind(Value::Uuid(facts.id), BindKind::Uuid);
    for it in [stored, entity.table, field.name] {
        insert.push(", ").bind(text(it), BindKind::Text);
    }
    let account = tx.caller.account.as_ref().map_or(Value::Null, |account| account.id.clone());
    insert.push(", ").bind(account, account_kind(tx.app));
    insert.push(", ").bind(text(&facts.name), BindKind::Text);
    insert.push(", ").bind(Value::Int(i64::try_from(facts.size).unwrap_or(i64::MAX)), BindKind::Int);
    insert.push(", ").bind(text(&facts.media_type), BindKind::Text).push(", ").bind(text(UNUSED), BindKind::Text);
    insert.push(", ").bind(Value::DateTime(tx.caller.now), BindKind::DateTime);
    if let Some(kind) = tenant {
        insert.push(", ").bind(tx.caller.tenant().cloned().unwrap_or_default(), kind);
    }
    insert.push(")");
    tx.conn.execute(&insert).map(drop)
}

/// The number of unused uploads of the caller; all anonymous uploads are counted together.
pub(crate) fn count_unused(tx: &mut Tx<'_>) -> Result<i64> {
    let mut select = Statement::new();
    select.push("SELECT count(*) FROM dz_files WHERE state = ").bind(text(UNUSED), BindKind::Text);
    let account = tx.caller.account.as_ref().map_or(Value::Null, |account| account.id.clone());
    push_test(&mut select, "account", account, account_kind(tx.app));
    match tx.conn.rows(&select, &[BindKind::Int])?.into_iter().flatten().next() {
        Some(Value::Int(count)) => Ok(count),
        _ => Ok(0),
    }
}

/// Attaches an unused upload to a row, if it was made for this field by the same account in the same tenant. Of two concurrent
/// attempts one succeeds.
pub(super) fn take(tx: &mut Tx<'_>, entity: &EntityDef, field: &FieldDef, id: Uuid) -> Result<Option<File>> {
    let mut update = Statement::new();
    update.push("UPDATE dz_files SET state = ").bind(text(ATTACHED), BindKind::Text);
    update.push(", since = ").bind(Value::DateTime(tx.caller.now), BindKind::DateTime);
    update.push(" WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid).push(" AND state = ").bind(text(UNUSED), BindKind::Text);
    update.push(" AND since > ").bind(Value::DateTime(tx.caller.now - super::cleanup::UNUSED_AGE), BindKind::DateTime);
    push_test(&mut update, "entity", text(entity.table), BindKind::Text);
    push_test(&mut update, "field", text(field.name), BindKind::Text);
    if !tx.caller.system {
        let account = tx.caller.account.as_ref().map_or(Value::Null, |account| account.id.clone());
        push_test(&mut update, "account", account, account_kind(tx.app));
        if let Some(kind) = tenant_kind(tx.app) {
            push_test(&mut update, "tenant", tx.caller.tenant().cloned().unwrap_or_default(), kind);
        }
    }
    update.push(" RETURNING name, size, type");
    Ok(tx.conn.rows(&update, &[BindKind::Text, BindKind::Int, BindKind::Text])?.into_iter().next().and_then(|row| read_file(id, row)))
}

fn read_file(id: Uuid, row: Vec<Value>) -> Option<File> {
    match <[Value; 3]>::try_from(row) {
        Ok([Value::Text(name), Value::Int(size), Value::Text(media_type)]) => {
            Some(File { id, name, size: u64::try_from(size).unwrap_or_default(), media_type })
        }
        _ => None,
    }
}

/// A file by its identifier, which is known only to those who received it.
pub(crate) fn find(tx: &mut Tx<'_>, id: Uuid) -> Result<Option<File>> {
    let mut select = Statement::new();
    select.push("SELECT name, size, type FROM dz_files WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid);
    Ok(tx.conn.rows(&select, &[BindKind::Text, BindKind::Int, BindKind::Text])?.into_iter().next().and_then(|row| read_file(id, row)))
}

/// The names of all files that rows use, in the folder.
#[cfg(feature = "sqlite")]
pub(crate) fn find_attached(conn: &mut Conn) -> Result<Vec<String>> {
    let mut select = Statement::new();
    select.push("SELECT stored FROM dz_files WHERE state = ").bind(text(ATTACHED), BindKind::Text).push(" ORDER BY stored");
    let found = conn.rows(&select, &[BindKind::Text])?.into_iter().flatten();
    Ok(found.filter_map(|it| if let Value::Text(name) = it { Some(name) } else { None }).collect())
}

/// Releases files that no row uses now; the worker deletes them after the commit.
pub(super) fn release(tx: &mut Tx<'_>, ids: &[Uuid]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let mut update = Statement::new();
    update.push("UPDATE dz_files SET state = ").bind(text(RELEASED), BindKind::Text);
    update.push(", since = ").bind(Value::DateTime(tx.caller.now), BindKind::DateTime).push(" WHERE id");
    update.in_list(tx.engine(), ids.iter().copied().map(Value::Uuid), BindKind::Uuid).uncacheable();
    tx.conn.execute(&update)?;
    tx.conn.request_wake(Work::Files);
    Ok(())
}

/// Releases the unused uploads of an account.
pub(crate) fn release_unused(tx: &mut Tx<'_>, account: &Value) -> Result<()> {
    let mut select = Statement::new();
    select.push("SELECT id FROM dz_files WHERE state = ").bind(text(UNUSED), BindKind::Text);
    push_test(&mut select, "account", account.clone(), account_kind(tx.app));
    let found = tx.conn.rows(&select, &[BindKind::Uuid])?.into_iter().flatten();
    let ids: Vec<Uuid> = found.filter_map(|id| if let Value::Uuid(id) = id { Some(id) } else { None }).collect();
    release(tx, &ids)
}

/// The name of a file in the folder.
///
/// # Errors
/// 500 if `dz_files` has no row for it, for example in a partially restored database.
pub(crate) fn find_stored_name(conn: &mut Conn, id: Uuid) -> Result<String> {
    let mut select = Statement::new();
    select.push("SELECT stored FROM dz_files WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid);
    match conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(stored)) => Ok(stored),
        _ => Err(Error::internal(format_args!("the file {id} has no row in dz_files"))),
    }
}
