//! What is written down of what callers do: who, when, what, on which row, by which rule, and what changed.
//!
//! In a transaction that writes, the record is part of it. A connection that only reads cannot keep it: then the unit of
//! work holds it until its answer is ready, and no answer leaves before its records are kept.

use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use super::{
    Row, explain,
    guard::as_stored,
    list::from,
    select::{Columns, ROW, View, column},
};
use crate::{
    Caller, Result, Tx, Value,
    access::{self, Action as _, List, Read},
    audit::{Decision, Record},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit, Scope},
    },
    def::{EntityDef, Expr, FieldDef, Kind},
    field, tenancy,
};

/// Shown in the place of a sensitive value.
const MASK: &str = "•••";

/// Whether what a caller does is written down.
enum Covered {
    No,
    Yes,
    /// When one of these conditions on the row holds.
    When(Vec<&'static Expr>),
}

fn covered(entity: &'static EntityDef, action: &str, caller: &Caller) -> Covered {
    let mut open = Vec::new();
    for line in entity.audits.iter().filter(|line| line.action.is_none_or(|name| name == action)) {
        match line.when.as_ref().map_or(Some(true), |when| access::by_role(when, &caller.on(entity))) {
            Some(true) => return Covered::Yes,
            Some(false) => {}
            None => open.extend(line.when.as_ref()),
        }
    }
    if open.is_empty() { Covered::No } else { Covered::When(open) }
}

/// True when a refusal of an action is written down, as far as that is known without the row.
pub(crate) fn covers(entity: &'static EntityDef, action: &str, caller: &Caller) -> bool {
    !matches!(covered(entity, action, caller), Covered::No)
}

/// One of the conditions holds for the row known as `ROW`; one that nobody can judge does.
fn condition(emit: &Emit<'_>, entity: &'static EntityDef, when: &[&'static Expr]) -> Condition {
    let scope = Scope { entity: entity.ix, alias: ROW, outer: None };
    let caller = emit.caller.on(entity);
    let emit = Emit { caller: &caller, ..*emit };
    when.iter().fold(Condition::Never, |all, when| all.or(emit.condition(when, scope, true)))
}

fn holds(tx: &mut Tx<'_>, entity: &'static EntityDef, when: &[&'static Expr], values: &[Value]) -> Result<bool> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let mut select = Statement::new();
    select.push("SELECT ").append(condition(&emit, entity, when).into_sql());
    select.push(" FROM (").append(as_stored(&emit, entity, values)).push(") AS ").ident(ROW);
    let answer = tx.conn.rows(&select, &[BindKind::Bool])?.into_iter().flatten().next();
    Ok(answer == Some(Value::Bool(true)))
}

/// Writes down what was done to a row: as it was, as it is.
pub(crate) fn done(
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
    let wanted = match covered(entity, action, &tx.caller) {
        Covered::No => false,
        Covered::Yes => true,
        Covered::When(when) => holds(tx, entity, &when, &row.values)?,
    };
    if !wanted {
        return Ok(());
    }
    // By the row as it was: that is what its rule was asked about first.
    let judged = before.unwrap_or(row).values.clone();
    let rule = explain::verdict(tx, entity, action, Some(&judged))?.rule;
    let changes = changes(entity, before, after);
    let key = row.value(entity.pk).to_key_text();
    let tenant = tenancy::of_record(&tx.caller, entity, Some(row));
    tx.keep_record(Record { row: key, tenant, rule, changes, ..Record::new(&tx.caller, entity.name, action, Decision::Allowed) })
}

/// Writes down that an answer shows one row whole, outside a list of its entity.
pub(crate) fn read(tx: &mut Tx<'_>, entity: &'static EntityDef, row: &Row) -> Result<()> {
    if entity.audits.is_empty() {
        return Ok(());
    }
    // A row that was read has not changed.
    done(tx, entity, Read::NAME, Some(row), Some(row))
}

/// As [`read`], of the rows with these keys that the caller may read.
pub(crate) fn shown_in(tx: &mut Tx<'_>, entity: &'static EntityDef, keys: Vec<Value>) -> Result<()> {
    if keys.is_empty() || !covers(entity, Read::NAME, &tx.caller) {
        return Ok(());
    }
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let Some(kind) = BindKind::of(entity.key().kind, tx.app) else { return Ok(()) };
    let columns = Columns::of(&emit, entity, ROW, View::Whole);
    let mut select = Statement::new();
    select.push("SELECT ").append(columns.sql.clone()).append(from(&emit, entity));
    select.push(" WHERE ").push(&column(ROW, entity.key().name)).in_list(emit.engine, keys, kind);
    select.push(" AND ").append(access::rows(&emit, entity, Read::NAME, ROW).into_sql());
    select.push(" ORDER BY ").push(&column(ROW, entity.key().name));
    let rows: Vec<Row> = tx.conn.rows(&select, &columns.kinds)?.into_iter().map(|answer| columns.row(answer)).collect();
    rows.iter().try_for_each(|row| read(tx, entity, row))
}

/// Writes down that rows were listed: one record with their keys.
pub(super) fn listed(tx: &mut Tx<'_>, entity: &'static EntityDef, rows: &[Row]) -> Result<()> {
    if entity.audits.is_empty() {
        return Ok(());
    }
    list(tx, entity, rows.iter().filter_map(|row| row.values.get(usize::from(entity.pk))))
}

/// As [`listed`], of the rows that a query of the application's own shows, by the texts of their keys.
pub(crate) fn listed_by_query(tx: &mut Tx<'_>, entity: &'static EntityDef, keys: Vec<String>) -> Result<()> {
    let value = |key: String| match entity.key().kind {
        Kind::Uuid => Uuid::parse_str(&key).map(Value::Uuid).ok(),
        Kind::Int => key.parse().map(Value::Int).ok(),
        _ => Some(Value::Text(key)),
    };
    let keys: Vec<Value> = keys.into_iter().filter_map(value).collect();
    list(tx, entity, keys.iter())
}

fn list<'k>(tx: &mut Tx<'_>, entity: &'static EntityDef, keys: impl Iterator<Item = &'k Value>) -> Result<()> {
    let keys: Vec<&Value> = keys.collect();
    if keys.is_empty() {
        return Ok(());
    }
    let keys = keys.into_iter();
    let ids: Vec<String> = match covered(entity, List::NAME, &tx.caller) {
        Covered::No => return Ok(()),
        Covered::Yes => keys.filter_map(Value::to_key_text).collect(),
        Covered::When(when) => among(tx, entity, &when, keys.cloned().collect())?,
    };
    if ids.is_empty() {
        return Ok(());
    }
    let rule = explain::verdict(tx, entity, List::NAME, None)?.rule;
    let changes = Some(json!({ "ids": ids }));
    let tenant = tenancy::of_record(&tx.caller, entity, None);
    tx.keep_list(Record { tenant, rule, changes, ..Record::new(&tx.caller, entity.name, List::NAME, Decision::Allowed) })
}

/// The keys of the rows for which one of the conditions holds.
fn among(tx: &mut Tx<'_>, entity: &'static EntityDef, when: &[&'static Expr], keys: Vec<Value>) -> Result<Vec<String>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let Some(kind) = BindKind::of(entity.key().kind, tx.app) else { return Ok(Vec::new()) };
    let key = column(ROW, entity.key().name);
    let mut select = Statement::new();
    select.push("SELECT ").push(&key).append(from(&emit, entity)).push(" WHERE ").push(&key);
    select.in_list(emit.engine, keys, kind).push(" AND ").append(condition(&emit, entity, when).into_sql());
    select.push(" ORDER BY ").push(&key);
    Ok(tx.conn.rows(&select, &[kind])?.into_iter().flatten().filter_map(|key| key.to_key_text()).collect())
}

/// What differs between a row as it was and as it is; secrets never, sensitive values masked.
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
                change.insert(name.to_owned(), shown(field, &value));
            }
        }
        all.insert(field.name.to_owned(), Json::Object(change));
    }
    (!all.is_empty()).then_some(Json::Object(all))
}

fn shown(field: &'static FieldDef, value: &Value) -> Json {
    if field.sensitive && !value.is_null() {
        return MASK.into();
    }
    let mut bytes = Vec::new();
    field::write_json(field, value, &mut bytes);
    serde_json::from_slice(&bytes).unwrap_or_default()
}
