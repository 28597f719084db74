//! Which reads and writes of rows the audit log records: who, when, which action, which row, by which rule, and the changes.
//!
//! The record of a write is part of its transaction. A connection that only reads cannot store records: the unit of work holds
//! them, and they are stored before the response is sent.

use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use super::{
    Row, explain,
    list::from_clause,
    select::{Columns, ROW, View, column},
    write_condition::row_as_table,
};
use crate::{
    Caller, Result, Tx, Value,
    access::{self, Action as _, List, Read},
    audit::{Decision, Record},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit, Scope},
    },
    def::{EntityDef, Expr, FieldDef},
    field, tenancy,
};

/// Replaces a sensitive value in the audit log.
const MASK: &str = "•••";

/// Whether the audit log records an action of a caller.
enum Coverage {
    No,
    Yes,
    /// If one of these conditions holds for the row.
    When(Vec<&'static Expr>),
}

fn coverage(entity: &'static EntityDef, action: &str, caller: &Caller) -> Coverage {
    let mut open = Vec::new();
    for line in entity.audits.iter().filter(|line| line.action.is_none_or(|name| name == action)) {
        match line.when.as_ref().map_or(Some(true), |when| access::decide_by_role(when, &caller.for_entity(entity))) {
            Some(true) => return Coverage::Yes,
            Some(false) => {}
            None => open.extend(line.when.as_ref()),
        }
    }
    if open.is_empty() { Coverage::No } else { Coverage::When(open) }
}

/// True if an action of the caller is or can be recorded, without knowledge of the row.
pub(crate) fn is_audited(entity: &'static EntityDef, action: &str, caller: &Caller) -> bool {
    !matches!(coverage(entity, action, caller), Coverage::No)
}

/// At least one of the conditions holds for the row with the alias `ROW`; a condition that compares a null attribute of the caller
/// counts as true.
fn condition(emit: &Emit<'_>, entity: &'static EntityDef, when: &[&'static Expr]) -> Condition {
    let scope = Scope { entity: entity.ix, alias: ROW, outer: None };
    let caller = emit.caller.for_entity(entity);
    let emit = Emit { caller: &caller, ..*emit };
    when.iter().fold(Condition::Never, |all, when| all.or(emit.condition(when, scope, true)))
}

fn holds(tx: &mut Tx<'_>, entity: &'static EntityDef, when: &[&'static Expr], values: &[Value]) -> Result<bool> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let mut select = Statement::new();
    select.push("SELECT ").append(condition(&emit, entity, when).into_sql());
    select.push(" FROM (").append(row_as_table(&emit, entity, values)).push(") AS ").ident(ROW);
    let answer = tx.conn.rows(&select, &[BindKind::Bool])?.into_iter().flatten().next();
    Ok(answer == Some(Value::Bool(true)))
}

/// Records a write to a row, with the values before and after.
pub(crate) fn record_write(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    action: &'static str,
    before: Option<&Row>,
    after: Option<&Row>,
) -> Result<()> {
    if entity.audits.is_empty() {
        return Ok(());
    }
    let Some(row) = after.or(before) else { return Ok(()) };
    let is_recorded = match coverage(entity, action, &tx.caller) {
        Coverage::No => false,
        Coverage::Yes => true,
        Coverage::When(when) => holds(tx, entity, &when, &row.values)?,
    };
    if !is_recorded {
        return Ok(());
    }
    // The rule is evaluated for the row before the write, as the write itself did first.
    let values = before.unwrap_or(row).values.clone();
    let rule = explain::verdict(tx, entity, action, Some(&values))?.rule;
    let changes = changes(entity, before, after);
    let key = row.value(entity.pk).to_key_text();
    let tenant = tenancy::record_tenant(&tx.caller, entity, Some(row));
    tx.add_record(Record { row: key, tenant, rule, changes, ..Record::new(&tx.caller, entity.name, action, Decision::Allowed) })
}

/// Records that a response contains a row, outside a list of its entity.
pub(crate) fn record_read(tx: &mut Tx<'_>, entity: &'static EntityDef, row: &Row) -> Result<()> {
    if entity.audits.is_empty() {
        return Ok(());
    }
    // A read changes nothing.
    record_write(tx, entity, Read::NAME, Some(row), Some(row))
}

/// As [`record_read`], for the rows with these keys that the caller may read.
pub(crate) fn record_reads(tx: &mut Tx<'_>, entity: &'static EntityDef, keys: Vec<Value>) -> Result<()> {
    if keys.is_empty() || !is_audited(entity, Read::NAME, &tx.caller) {
        return Ok(());
    }
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let Some(kind) = BindKind::from_kind(entity.key().kind, tx.app) else { return Ok(()) };
    let columns = Columns::all(&emit, entity, ROW, View::Whole);
    let mut select = Statement::new();
    select.push("SELECT ").append(columns.sql.clone()).append(from_clause(&emit, entity));
    select.push(" WHERE ").push(&column(ROW, entity.key().name)).in_list(emit.engine, keys, kind);
    select.push(" AND ").append(access::row_condition(&emit, entity, Read::NAME, ROW).into_sql());
    select.push(" ORDER BY ").push(&column(ROW, entity.key().name));
    let rows: Vec<Row> = tx.conn.rows(&select, &columns.kinds)?.into_iter().map(|answer| columns.row(answer)).collect();
    rows.iter().try_for_each(|row| record_read(tx, entity, row))
}

/// Records a list of rows: one record with their keys.
pub(super) fn record_list(tx: &mut Tx<'_>, entity: &'static EntityDef, rows: &[Row]) -> Result<()> {
    record_keys(tx, entity, rows.iter().filter_map(|row| row.values.get(usize::from(entity.pk))))
}

/// As [`record_list`], for the rows of a scoped query, by the texts of their keys.
pub(crate) fn record_query(tx: &mut Tx<'_>, entity: &'static EntityDef, keys: Vec<String>) -> Result<()> {
    let kind = entity.key().kind;
    let value = |key: String| match key {
        key if kind.is_uuid() => Uuid::parse_str(&key).map(Value::Uuid).ok(),
        key if kind.is_int() => key.parse().map(Value::Int).ok(),
        key => Some(Value::Text(key)),
    };
    let keys: Vec<Value> = keys.into_iter().filter_map(value).collect();
    record_keys(tx, entity, keys.iter())
}

/// As [`record_list`], for the rows with these keys.
pub(super) fn record_keys<'k>(tx: &mut Tx<'_>, entity: &'static EntityDef, keys: impl Iterator<Item = &'k Value>) -> Result<()> {
    let keys: Vec<&Value> = keys.collect();
    if keys.is_empty() || entity.audits.is_empty() {
        return Ok(());
    }
    let keys = keys.into_iter();
    let ids: Vec<String> = match coverage(entity, List::NAME, &tx.caller) {
        Coverage::No => return Ok(()),
        Coverage::Yes => keys.filter_map(Value::to_key_text).collect(),
        Coverage::When(when) => filter_keys(tx, entity, &when, keys.cloned().collect())?,
    };
    if ids.is_empty() {
        return Ok(());
    }
    let rule = explain::verdict(tx, entity, List::NAME, None)?.rule;
    let changes = Some(json!({ "ids": ids }));
    let tenant = tenancy::record_tenant(&tx.caller, entity, None);
    tx.add_list(Record { tenant, rule, changes, ..Record::new(&tx.caller, entity.name, List::NAME, Decision::Allowed) })
}

/// The keys of the rows for which at least one of the conditions holds.
fn filter_keys(tx: &mut Tx<'_>, entity: &'static EntityDef, when: &[&'static Expr], keys: Vec<Value>) -> Result<Vec<String>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let Some(kind) = BindKind::from_kind(entity.key().kind, tx.app) else { return Ok(Vec::new()) };
    let key = column(ROW, entity.key().name);
    let mut select = Statement::new();
    select.push("SELECT ").push(&key).append(from_clause(&emit, entity)).push(" WHERE ").push(&key);
    select.in_list(emit.engine, keys, kind).push(" AND ").append(condition(&emit, entity, when).into_sql());
    select.push(" ORDER BY ").push(&key);
    Ok(tx.conn.rows(&select, &[kind])?.into_iter().flatten().filter_map(|key| key.to_key_text()).collect())
}

/// The differences between the row before and after; without secrets, with sensitive values masked.
fn changes(entity: &'static EntityDef, before: Option<&Row>, after: Option<&Row>) -> Option<Json> {
    let value = |row: Option<&Row>, at: usize| row.and_then(|row| row.values.get(at)).cloned().unwrap_or_default();
    let mut all = Map::new();
    for (at, field) in entity.fields.iter().enumerate().filter(|(_, field)| field.kind.is_stored() && !field.secret) {
        let (old, new) = (value(before, at), value(after, at));
        if old == new {
            continue;
        }
        let mut change = Map::new();
        for (name, row, value) in [("from", before, old), ("to", after, new)] {
            if row.is_some() {
                change.insert(name.to_owned(), to_json(field, &value));
            }
        }
        all.insert(field.name.to_owned(), Json::Object(change));
    }
    (!all.is_empty()).then_some(Json::Object(all))
}

fn to_json(field: &'static FieldDef, value: &Value) -> Json {
    if field.sensitive && !value.is_null() {
        return MASK.into();
    }
    let mut bytes = Vec::new();
    field::write_json(field, value, &mut bytes);
    serde_json::from_slice(&bytes).unwrap_or_default()
}
