//! The erasure of the data of an account.
//!
//! The account is deleted with the rows that cascade from it. If other rows keep a reference to it, the rows that cascade are deleted,
//! the account remains without personal values, and the sensitive fields of the rows that still refer to it are cleared. Records of the
//! audit log name the account by its key alone.

use chrono::{DateTime, Utc};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::{AccountReference, background, references};
use crate::{
    Engine, Error, Result, Tx, Value,
    access::{self, Delete},
    db::{BindKind, Conn, Statement},
    def::{EntityDef, FieldDef, OnDelete},
    files,
    rows::{self, DeletedRows},
};

/// The tables of dz whose rows remain when their account is deleted.
const REMAINING: [&str; 2] = ["dz_files", "dz_audit_log"];
/// The table of invitations, which name a person by the mail address; only applications with tenants have it.
const INVITATIONS: &str = "dz_invitations";
/// The trigger that refuses changes of the audit log.
const GUARD: &str = "dz_audit_log_unchanged";

/// What was erased, and what remains.
#[derive(Debug)]
pub(in crate::app) struct Erased {
    /// True if the row of the account is deleted; false if it remains without personal values.
    pub deleted: bool,
    /// Cleared fields: entity, field, number of rows; also tables of dz with their columns.
    pub cleared: Vec<(&'static str, &'static str, usize)>,
    /// Values that remain: entity, field, number of rows, reason.
    pub remaining: Vec<(&'static str, &'static str, usize, &'static str)>,
    /// The number of records of the audit log whose changes were removed.
    pub records: usize,
}

impl Erased {
    /// The report for programs.
    pub fn json(&self) -> Json {
        let cleared: Vec<Json> =
            self.cleared.iter().map(|(entity, field, rows)| json!({"entity": entity, "field": field, "rows": rows})).collect();
        let remaining = self.remaining.iter();
        let remaining: Vec<Json> = remaining
            .map(|(entity, field, rows, reason)| json!({"entity": entity, "field": field, "rows": rows, "reason": reason}))
            .collect();
        let account = if self.deleted { "deleted" } else { "anonymised" };
        json!({"account": account, "cleared": cleared, "remaining": remaining, "audit_records": self.records})
    }
}

/// Erases the data of an account. It runs as the role that owns the tables, because the audit log otherwise refuses changes.
///
/// # Errors
/// A hook or a rule refuses the deletion; the database is unavailable. Nothing is changed then.
pub(in crate::app) fn erase(tx: &mut Tx<'_>, account: &Value) -> Result<Erased> {
    let (app, entity) = (tx.app, tx.app.account());
    let mut erased = Erased { deleted: false, cleared: Vec::new(), remaining: Vec::new(), records: 0 };
    tx.conn.note_withdrawal(|| true);
    let traces = background::traces(tx.conn, app, account)?;
    delete_own_rows(tx, account)?;
    erased.deleted = !entity.soft_delete && rows::is_deletable(tx, entity, account)?;
    let deleted = match erased.deleted {
        true => delete_account(tx, account)?,
        false => erase_kept(tx, account, &mut erased)?,
    };
    background::clear(tx.conn, app, account, &traces, &deleted, &mut erased)?;
    // The deletion itself is recorded with the values of the deleted rows.
    let now = tx.now();
    erased.records = clear_records(tx.conn, entity, account, now)?;
    Ok(erased)
}

fn delete_account(tx: &mut Tx<'_>, account: &Value) -> Result<DeletedRows> {
    let grant = access::ask::<Delete>(tx.app, tx.engine(), tx.caller(), tx.app.account())?;
    rows::delete_with_cascades(tx, &grant, account, None)
}

/// Erases the data of an account whose row remains; returns the deleted rows.
fn erase_kept(tx: &mut Tx<'_>, account: &Value, erased: &mut Erased) -> Result<DeletedRows> {
    let entity = tx.app.account();
    // First, because a reference from the account could otherwise keep a row that is about the account.
    anonymise(tx, account, erased)?;
    let mut deleted = rows::delete_referrers(tx, entity, account)?;
    let kept = kept_references(tx, account, erased)?;
    for reference in &kept {
        clear_sensitive(tx, account, reference, erased)?;
    }
    if kept.is_empty() && entity.soft_delete {
        deleted.extend(delete_account(tx, account)?);
    }
    Ok(deleted)
}

/// Deletes the rows of dz's own tables that belong to the account or to its mail address.
fn delete_own_rows(tx: &mut Tx<'_>, account: &Value) -> Result<()> {
    let app = tx.app;
    files::release_unused(tx, account)?;
    let kind = BindKind::from_account_key(app)?;
    let columns = app.schema.for_engine(tx.engine()).columns.lines().filter_map(|line| {
        let mut parts = line.split('\t');
        Some((parts.next()?, parts.next()?))
    });
    for (table, column) in columns.filter(|(table, _)| table.starts_with("dz_")) {
        let mut statement = Statement::new();
        match (table, column) {
            (INVITATIONS, "email") => {
                let entity = app.account();
                statement.push("DELETE FROM ").ident(table).push(" WHERE email IN (SELECT \"email\" FROM ").ident(entity.table);
                statement.push(" WHERE ").ident(entity.key().name).push(" = ").bind(account.clone(), kind).push(")");
            }
            ("dz_files", "account") => {
                statement.push("UPDATE dz_files SET account = NULL WHERE account = ").bind(account.clone(), kind);
            }
            (_, "account") if !REMAINING.contains(&table) => {
                statement.push("DELETE FROM ").ident(table).push(" WHERE account = ").bind(account.clone(), kind);
            }
            _ => continue,
        }
        tx.conn.execute(&statement)?;
    }
    Ok(())
}

/// The number of rows of an entity that a condition selects.
fn count(conn: &mut Conn, entity: &EntityDef, condition: &Statement) -> Result<usize> {
    let mut select = Statement::new();
    select.push("SELECT count(*) FROM ").ident(entity.table).append(condition.clone());
    match conn.rows(&select, &[BindKind::Int])?.into_iter().flatten().next() {
        Some(Value::Int(count)) => Ok(usize::try_from(count).unwrap_or_default()),
        _ => Ok(0),
    }
}

/// The references with rows that still refer to the account, which it reports.
fn kept_references(tx: &mut Tx<'_>, account: &Value, erased: &mut Erased) -> Result<Vec<AccountReference>> {
    let mut kept = Vec::new();
    for reference in references(tx.app) {
        let Some(condition) = reference.condition(tx.app, account) else { continue };
        let rows = count(tx.conn, reference.entity, &condition)?;
        if rows > 0 {
            let reason = match reference.field.on_delete {
                OnDelete::Restrict => "`restrict` keeps the rows, which name the account by its key",
                OnDelete::Cascade | OnDelete::Nullify => "a rule or another row keeps the rows, which name the account by its key",
            };
            erased.remaining.push((reference.entity.name, reference.field.name, rows, reason));
            kept.push(reference);
        }
    }
    Ok(kept)
}

/// Sets sensitive fields of rows that refer to the account to null.
fn clear_sensitive(tx: &mut Tx<'_>, account: &Value, of: &AccountReference, erased: &mut Erased) -> Result<()> {
    let Some(condition) = of.condition(tx.app, account) else { return Ok(()) };
    for field in of.entity.fields.iter().filter(|field| field.sensitive && field.is_stored()) {
        let mut with_value = condition.clone();
        with_value.push(" AND ").ident(field.name).push(" IS NOT NULL");
        if field.required {
            let rows = count(tx.conn, of.entity, &with_value)?;
            if rows > 0 {
                erased.remaining.push((of.entity.name, field.name, rows, "the field is required"));
            }
            continue;
        }
        let rows = rows::overwrite(tx, of.entity, &[(field, Value::Null)], &with_value)?;
        if rows > 0 {
            erased.cleared.push((of.entity.name, field.name, rows));
        }
    }
    Ok(())
}

/// A value without meaning for a field of the account; `None` if the value must remain.
fn pseudonym(field: &FieldDef, kind: BindKind, id: Uuid) -> Option<Value> {
    match (field.name, kind, field.required) {
        ("email", ..) => Some(Value::Text(format!("erased-{}@erased.invalid", id.simple()))),
        ("is_active", ..) => Some(Value::Bool(false)),
        (_, _, false) => Some(Value::Null),
        (_, BindKind::Text, true) if field.kind.enumeration().is_none() && !field.unique => Some(Value::Text("-".to_owned())),
        _ => None,
    }
}

/// Replaces the values of the account. Hooks and invariants do not run, so that none can keep a value.
fn anonymise(tx: &mut Tx<'_>, account: &Value, erased: &mut Erased) -> Result<()> {
    let entity = tx.app.account();
    let id = Uuid::now_v7();
    let mut values = Vec::new();
    for field in entity.fields.iter().filter(|field| field.is_stored() && field.name != entity.key().name) {
        let Some(kind) = BindKind::from_kind(field.kind, tx.app) else { continue };
        match pseudonym(field, kind, id) {
            Some(value) => {
                values.push((field, value));
                erased.cleared.push((entity.name, field.name, 1));
            }
            None => erased.remaining.push((entity.name, field.name, 1, "the field is required")),
        }
    }
    let mut condition = Statement::new();
    condition.push(" WHERE ").ident(entity.key().name).push(" = ").bind(account.clone(), BindKind::from_account_key(tx.app)?);
    match rows::overwrite(tx, entity, &values, &condition)? {
        1 => Ok(()),
        _ => Err(Error::not_found()),
    }
}

/// Removes the values of the account, and of the rows that were deleted with it `now`, from their records in the audit log; that and
/// when something happened remains.
fn clear_records(conn: &mut Conn, entity: &EntityDef, account: &Value, now: DateTime<Utc>) -> Result<usize> {
    let guard = guard_of_sqlite(conn)?;
    match conn.engine() {
        Engine::Sqlite => conn.batch(&format!("DROP TRIGGER \"{GUARD}\""))?,
        Engine::Postgres => conn.batch(&format!("ALTER TABLE dz_audit_log DISABLE TRIGGER \"{GUARD}\""))?,
    }
    let mut update = Statement::new();
    update.push("UPDATE dz_audit_log AS r SET changes = NULL WHERE changes IS NOT NULL AND (entity = ");
    update.bind(Value::Text(entity.name.to_owned()), BindKind::Text).push(" AND row_id = ");
    update.bind(account.to_key_text().map_or(Value::Null, Value::Text), BindKind::Text);
    update.push(" OR EXISTS (SELECT 1 FROM dz_audit_log AS d WHERE d.action = 'delete' AND d.account IS NULL AND d.at = ");
    update.bind(Value::DateTime(now), BindKind::DateTime).push(" AND d.entity = r.entity AND d.row_id = r.row_id))");
    let records = conn.execute(&update)?;
    match conn.engine() {
        Engine::Sqlite => conn.batch(&guard)?,
        Engine::Postgres => conn.batch(&format!("ALTER TABLE dz_audit_log ENABLE TRIGGER \"{GUARD}\""))?,
    }
    Ok(records)
}

/// The statement that creates the trigger; empty on PostgreSQL, where a trigger can be disabled.
fn guard_of_sqlite(conn: &mut Conn) -> Result<String> {
    if conn.engine() == Engine::Postgres {
        return Ok(String::new());
    }
    let mut select = Statement::new();
    select.push("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ").bind(Value::Text(GUARD.to_owned()), BindKind::Text);
    match conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(sql)) => Ok(sql),
        _ => Err(Error::internal("the audit log has no trigger")),
    }
}
