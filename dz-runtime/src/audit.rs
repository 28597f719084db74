//! The audit log: rows of `dz_audit_log`, which are inserted and never changed.
//!
//! The record of an action is part of its transaction. The record of a refusal is written in a separate transaction after the
//! rollback; repeated refusals are counted instead of recorded one by one. Triggers of the table refuse changes and deletions. Only
//! [`delete_before`] removes records that are older than the configured time, after it has set the limit in the database. This
//! protects against mistakes and against access through the application, not against a role that can change the tables.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use serde_json::Value as Json;
use uuid::Uuid;

use crate::{
    Caller, Error, Result, Value,
    caller::TenantScope,
    db::{BindKind, Conn, Statement, batch, emit::Emit},
    def::{AppDef, EntityDef},
    field, label,
};

/// The action of a sign-in.
pub(crate) const SIGN_IN: &str = "sign_in";
/// The action of ending the sessions of another account.
pub(crate) const SIGN_OUT: &str = "sign_out";
/// The action of setting the password of an account by an operator.
pub(crate) const PASSWORD: &str = "password";

/// The decision about an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The action was executed.
    Allowed,
    /// The action was refused.
    Denied,
}

impl Decision {
    fn name(self) -> &'static str {
        if self == Decision::Allowed { "allowed" } else { "denied" }
    }
}

/// A record to insert.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record {
    pub at: DateTime<Utc>,
    pub account: Option<Value>,
    /// The tenant of the record.
    pub tenant: Option<Value>,
    pub action: String,
    pub entity: String,
    pub row: Option<String>,
    pub decision: Decision,
    pub rule: String,
    pub changes: Option<Json>,
    /// The number of equal refusals since the last record.
    pub times: i64,
    pub request_id: String,
}

impl Record {
    pub fn new(caller: &Caller, entity: &str, action: &str, decision: Decision) -> Record {
        Record {
            at: caller.now,
            account: caller.account.as_ref().map(|account| account.id.clone()),
            tenant: caller.tenant().cloned(),
            action: action.to_owned(),
            entity: entity.to_owned(),
            row: None,
            decision,
            rule: String::new(),
            changes: None,
            times: 1,
            request_id: caller.request_id.clone(),
        }
    }
}

/// Adds the rows of another list of the same entity.
pub(crate) fn add_rows(list: &mut Record, other: Record) {
    let Some(Json::Array(all)) = list.changes.as_mut().and_then(|changes| changes.get_mut("ids")) else { return };
    let Some(Json::Array(more)) = other.changes.and_then(|mut changes| changes.get_mut("ids").map(Json::take)) else { return };
    let known: HashSet<String> = all.iter().filter_map(Json::as_str).map(str::to_owned).collect();
    all.extend(more.into_iter().filter(|id| id.as_str().is_none_or(|id| !known.contains(id))));
}

/// Adds the rows of the next batch of a list, which repeats no row.
pub(crate) fn append_rows(list: &mut Record, other: Record) {
    let Some(Json::Array(all)) = list.changes.as_mut().and_then(|changes| changes.get_mut("ids")) else { return };
    if let Some(Json::Array(mut more)) = other.changes.and_then(|mut changes| changes.get_mut("ids").map(Json::take)) {
        all.append(&mut more);
    }
}

/// Writes a record.
pub(crate) fn insert(conn: &mut Conn, app: &'static AppDef, record: &Record) -> Result<()> {
    let key = BindKind::from_account_key(app)?;
    let text = |text: &str| Value::Text(text.to_owned());
    let tenant = tenant_kind(app)?;
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_audit_log (id, at, account, action, entity, row_id, decision, rule, changes, times, request_id");
    insert.push(if tenant.is_some() { ", tenant) VALUES (" } else { ") VALUES (" });
    insert.bind(Value::Uuid(Uuid::now_v7()), BindKind::Uuid).push(", ").bind(Value::DateTime(record.at), BindKind::DateTime);
    insert.push(", ").bind(record.account.clone().unwrap_or_default(), key);
    let row = record.row.as_deref().map_or(Value::Null, text);
    for value in [text(&record.action), text(&record.entity), row, text(record.decision.name()), text(&record.rule)] {
        insert.push(", ").bind(value, BindKind::Text);
    }
    insert.push(", ").bind(record.changes.clone().map_or(Value::Null, Value::Json), BindKind::Json);
    insert.push(", ").bind(Value::Int(record.times), BindKind::Int);
    insert.push(", ").bind(text(&record.request_id), BindKind::Text);
    if let Some(kind) = tenant {
        insert.push(", ").bind(record.tenant.clone().unwrap_or_default(), kind);
    }
    insert.push(")");
    conn.execute(&insert).map(drop)
}

/// The kind of the keys of tenants; `None` without tenants.
fn tenant_kind(app: &'static AppDef) -> Result<Option<BindKind>> {
    let Some(tenant) = app.tenant() else { return Ok(None) };
    BindKind::from_kind(tenant.key().kind, app).map(Some).ok_or_else(|| Error::internal("a key without a column"))
}

/// The filter for audit records.
#[derive(Debug, Clone, Default)]
pub(crate) struct AuditFilter {
    pub entity: Option<String>,
    pub action: Option<String>,
    pub decision: Option<String>,
    pub row: Option<String>,
    /// True for records with changed values only.
    pub changed: bool,
    /// A mail address.
    pub account: Option<String>,
    /// The key of a tenant, or its name.
    pub tenant: Option<String>,
    /// Only records that are older than this one.
    pub before: Option<Uuid>,
}

/// A record that was read from the log.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AuditEntry {
    pub id: Uuid,
    pub at: DateTime<Utc>,
    /// The key of the account, and its address if it still exists.
    pub account: Option<String>,
    pub email: Option<String>,
    /// The key of the tenant, and its name if it still exists.
    pub tenant: Option<String>,
    pub tenant_name: Option<String>,
    pub action: String,
    pub entity: String,
    pub row: Option<String>,
    pub decision: String,
    pub rule: String,
    pub changes: Option<Json>,
    pub times: i64,
    pub request_id: String,
}

/// Finds at most `limit` records that match the filter and that the caller may see, the newest first.
pub(crate) fn find(
    conn: &mut Conn,
    app: &'static AppDef,
    caller: &Caller,
    tenant_scope: &TenantScope,
    filter: &AuditFilter,
    limit: i64,
) -> Result<Vec<AuditEntry>> {
    let (account, key) = (app.account(), BindKind::from_account_key(app)?);
    let emit = Emit { app, engine: conn.engine(), caller };
    let mut select = Statement::new();
    select
        .push("SELECT l.id, l.at, l.account, a.")
        .ident("email")
        .push(", l.action, l.entity, l.row_id, l.decision, l.rule, l.changes, l.times, l.request_id");
    let t = BindKind::Text;
    let mut kinds = vec![BindKind::Uuid, BindKind::DateTime, key, t, t, t, t, t, t, BindKind::Json, BindKind::Int, t];
    let tenant = app.tenant().zip(tenant_kind(app)?).map(|(tenant, kind)| (tenant, kind, label::RowLabel::without_sensitive(app, tenant)));
    if let Some((tenant, kind, name)) = tenant {
        select.push(", l.tenant, ").append(emit.field_value(tenant, name.field, "t"));
        kinds.extend([kind, BindKind::from_kind(name.field.kind, app).unwrap_or(t)]);
    }
    select
        .push(" FROM dz_audit_log AS l LEFT JOIN ")
        .ident(account.table)
        .push(" AS a ON a.")
        .ident(account.key().name)
        .push(" = l.account");
    if let Some((tenant, ..)) = tenant {
        select.push(" LEFT JOIN ").append(emit.visible_rows(tenant)).push(" AS t ON t.").ident(tenant.key().name).push(" = l.tenant");
    }
    select.push(" WHERE l.times > 0");
    for (column, value) in [
        ("l.entity", &filter.entity),
        ("l.action", &filter.action),
        ("l.decision", &filter.decision),
        ("l.row_id", &filter.row),
        ("a.\"email\"", &filter.account),
    ] {
        if let Some(value) = value {
            select.push(" AND ").push(column).push(" = ").bind(Value::Text(replace_nul(value)), BindKind::Text);
        }
    }
    if filter.changed {
        select.push(" AND l.changes IS NOT NULL");
    }
    match tenant {
        Some((tenant, kind, _)) => {
            push_tenant_scope(&mut select, app, tenant_scope, kind);
            if let Some(named) = &filter.tenant {
                push_tenant_filter(&mut select, &emit, tenant, kind, named);
            }
        }
        None if *tenant_scope != TenantScope::All => return Ok(Vec::new()),
        None => {}
    }
    if let Some(before) = filter.before {
        select.push(" AND l.id < ").bind(Value::Uuid(before), BindKind::Uuid);
    }
    select.push(" ORDER BY l.id DESC LIMIT ").bind(Value::Int(limit), BindKind::Int).uncacheable();
    let name = |value: &Value| tenant.filter(|_| !value.is_null()).map(|(.., name)| name.text(app, value, &Value::Null));
    Ok(conn.rows(&select, &kinds)?.into_iter().filter_map(|row| read_entry(row, name)).collect())
}

/// Replaces U+0000, which text of PostgreSQL cannot contain.
fn replace_nul(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// Restricts the records to those that the caller may see. An administrator of a tenant sees the records of the tenant about rows
/// with a tenant, and those of the application. Accounts, tenants and settings belong to the whole system.
fn push_tenant_scope(select: &mut Statement, app: &'static AppDef, tenant_scope: &TenantScope, kind: BindKind) {
    match tenant_scope {
        TenantScope::All => return,
        TenantScope::None => {
            select.push(" AND FALSE");
            return;
        }
        TenantScope::One(tenant) => select.push(" AND l.tenant = ").bind(tenant.clone(), kind),
    };
    select.push(" AND l.entity IN (").bind(Value::Text(String::new()), BindKind::Text);
    for entity in app.entities.iter().filter(|entity| entity.tenancy.tenant.is_some()) {
        select.push(", ").bind(Value::Text(entity.name.to_owned()), BindKind::Text);
    }
    select.push(")");
}

/// Restricts the records to the tenant with this key or name.
fn push_tenant_filter(select: &mut Statement, emit: &Emit<'_>, tenant: &'static EntityDef, kind: BindKind, named: &str) {
    let label = label::RowLabel::without_sensitive(emit.app, tenant).field;
    let key = field::from_text(emit.app, tenant.key(), named, field::zone(emit.app)).ok().filter(|key| !key.is_null());
    select.push(" AND (FALSE");
    if let Some(key) = key {
        select.push(" OR l.tenant = ").bind(key, kind);
    }
    if label.kind.is_text() {
        select.push(" OR ").append(emit.field_value(tenant, label, "t")).push(" = ").bind(Value::Text(replace_nul(named)), BindKind::Text);
    }
    select.push(")");
}

fn read_entry(mut row: Vec<Value>, name: impl Fn(&Value) -> Option<String>) -> Option<AuditEntry> {
    let text = |value: Value| match value {
        Value::Text(text) => Some(text),
        _ => None,
    };
    let mut tenant = row.split_off(row.len().min(12)).into_iter();
    let (tenant, label) = (tenant.next().unwrap_or_default(), tenant.next().unwrap_or_default());
    let [id, at, account, email, action, entity, row, decision, rule, changes, times, request] = <[Value; 12]>::try_from(row).ok()?;
    let (Value::Uuid(id), Value::DateTime(at)) = (id, at) else { return None };
    Some(AuditEntry {
        id,
        at,
        account: account.to_key_text(),
        email: text(email),
        tenant: tenant.to_key_text(),
        tenant_name: name(&label),
        action: text(action).unwrap_or_default(),
        entity: text(entity).unwrap_or_default(),
        row: text(row),
        decision: text(decision).unwrap_or_default(),
        rule: text(rule).unwrap_or_default(),
        changes: if let Value::Json(json) = changes { Some(json) } else { None },
        times: if let Value::Int(times) = times { times } else { 1 },
        request_id: text(request).unwrap_or_default(),
    })
}

/// Deletes records that are older than `before` from the log or from one of its partitions, after it has set this limit, which the
/// triggers check.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn delete_before(conn: &mut Conn, table: &str, before: DateTime<Utc>) -> Result<usize> {
    let moment = || (Value::DateTime(before), BindKind::DateTime);
    let mut horizon = Statement::new();
    horizon.push("DELETE FROM dz_audit_horizon");
    conn.execute(&horizon)?;
    let (value, kind) = moment();
    let mut set = Statement::new();
    set.push("INSERT INTO dz_audit_horizon (kept_from) VALUES (").bind(value, kind).push(")");
    conn.execute(&set)?;
    let (value, kind) = moment();
    let mut condition = Statement::new();
    condition.push(" WHERE at < ").bind(value, kind);
    let gone = batch::delete_some(conn, table, condition)?;
    conn.execute(&horizon)?;
    Ok(gone)
}

/// The maximum number of refusals of one kind that are recorded in a window,
const MAX_RECORDS: u32 = 10;
/// the length of a window,
const WINDOW: Duration = Duration::from_secs(60);
/// and the maximum number of kinds in memory; the oldest is removed.
const MAX_KINDS: usize = 10_000;

/// The kind of a refusal: the caller, the action, and the entity.
type RefusalKind = (String, &'static str, u16);

/// Counts refusals, so that repeated ones add few records to the log.
#[derive(Default)]
pub(crate) struct Refusals {
    counts: Mutex<HashMap<RefusalKind, RefusalCount>>,
}

struct RefusalCount {
    since: Instant,
    recorded: u32,
    omitted: i64,
}

impl Refusals {
    /// The number of refusals that the next record represents; `None` if this one is only counted.
    pub fn note(&self, who: &str, action: &'static str, entity: u16, now: Instant) -> Option<i64> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= MAX_KINDS {
            counts.retain(|_, it| it.omitted > 0 || now.saturating_duration_since(it.since) < WINDOW);
            if counts.len() >= MAX_KINDS
                && let Some(oldest) = counts.iter().min_by_key(|(_, it)| it.since).map(|(kind, _)| kind.clone())
            {
                counts.remove(&oldest);
            }
        }
        let it = counts.entry((who.to_owned(), action, entity)).or_insert(RefusalCount { since: now, recorded: 0, omitted: 0 });
        if now.saturating_duration_since(it.since) >= WINDOW {
            (it.since, it.recorded) = (now, 0);
        }
        if it.recorded >= MAX_RECORDS {
            it.omitted += 1;
            return None;
        }
        it.recorded += 1;
        Some(1 + std::mem::take(&mut it.omitted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_refusals_are_counted() {
        let refusals = Refusals::default();
        let start = Instant::now();
        let recorded = (0..100).filter(|_| refusals.note("ann", "read", 1, start).is_some()).count();
        assert_eq!(recorded, 10);
        assert_eq!(refusals.note("ben", "read", 1, start), Some(1));
        // The first record after the window represents the refusals that were only counted.
        assert_eq!(refusals.note("ann", "read", 1, start + WINDOW), Some(91));
        assert_eq!(refusals.note("ann", "read", 1, start + WINDOW), Some(1));
    }

    #[test]
    fn the_memory_for_refusals_is_limited() {
        let refusals = Refusals::default();
        for n in 0..MAX_KINDS + 100 {
            refusals.note(&n.to_string(), "read", 1, Instant::now());
        }
        assert!(refusals.counts.lock().unwrap().len() <= MAX_KINDS);
    }
}
