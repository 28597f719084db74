//! Locks of many rows on PostgreSQL, in the order of their keys. Transactions that write the same rows in different orders then wait for
//! each other instead of colliding.

use std::collections::{BTreeMap, HashSet};

use super::{
    check::is_of_kind,
    delete::{Referrer, referrers},
    list::from_clause,
    select::{ROW, column},
};
use crate::{
    Engine, Error, Result, Tx, Value,
    access::{self, Action as _, Delete, Read},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::{EntityDef, EntityIx, OnDelete},
};

/// The first part of the advisory locks of imports ("dzim" in bytes); the second one is a digest of the table.
const IMPORT_LOCK: i32 = 0x647a_696d;

/// Locks the rows with these keys that the caller can read and that `action` covers, until the end of the transaction. The deletion of
/// rows also locks the rows that it deletes or changes.
///
/// A write of many rows calls this before its first write. Locks within a savepoint would be released with it.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn lock_in_order(tx: &mut Tx<'_>, entity: &'static EntityDef, action: &'static str, keys: Vec<Value>) -> Result<()> {
    if tx.engine() != Engine::Postgres || keys.len() < 2 {
        return Ok(());
    }
    lock_rows(tx, entity, action, keys)
}

/// Locks rows of several entities that the caller can read, the entities in their order.
///
/// # Errors
/// 503 if the database is unavailable.
#[cfg(feature = "graphql")]
pub(crate) fn lock_entities_in_order(tx: &mut Tx<'_>, rows: BTreeMap<EntityIx, Vec<Value>>) -> Result<()> {
    if tx.engine() != Engine::Postgres || rows.values().map(Vec::len).sum::<usize>() < 2 {
        return Ok(());
    }
    rows.into_iter().try_for_each(|(ix, keys)| {
        let entity = tx.app.entity(ix);
        lock_rows(tx, entity, Read::NAME, keys)
    })
}

fn lock_rows(tx: &mut Tx<'_>, entity: &'static EntityDef, action: &'static str, keys: Vec<Value>) -> Result<()> {
    let keys: Vec<Value> = keys.into_iter().filter(|key| is_of_kind(tx.app, entity.key().kind, key)).collect();
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let kind = BindKind::from_kind(entity.key().kind, tx.app).ok_or_else(|| Error::internal("a key without a column"))?;
    let key = column(ROW, entity.key().name);
    let mut select = Statement::new();
    select.push("SELECT ").push(&key).append(from_clause(&emit, entity)).push(" WHERE ").push(&key).in_list(emit.engine, keys, kind);
    for checked_action in [Read::NAME, action] {
        match access::row_condition(&emit, entity, checked_action, ROW) {
            Condition::Always => {}
            Condition::Never => return Ok(()),
            Condition::Rows(rows) => {
                select.push(" AND ").append(rows);
            }
        }
    }
    let locked = lock_selected(tx, select, &key, kind)?;
    if action == Delete::NAME { lock_cascades(tx, entity, locked) } else { Ok(()) }
}

/// Locks the rows that the deletion of these rows also deletes or changes, one level after another.
fn lock_cascades(tx: &mut Tx<'_>, entity: &'static EntityDef, keys: Vec<Value>) -> Result<()> {
    let mut seen: HashSet<(EntityIx, String)> = HashSet::new();
    let mut level = BTreeMap::from([(entity.ix, keys)]);
    while !level.is_empty() {
        let mut next: BTreeMap<EntityIx, Vec<Value>> = BTreeMap::new();
        for (ix, mut keys) in level {
            keys.retain(|key| seen.insert((ix, key.to_key_text().unwrap_or_default())));
            if keys.is_empty() {
                continue;
            }
            for referrer in referrers(tx, tx.app.entity(ix)) {
                match referrer.entity.field(referrer.field).on_delete {
                    OnDelete::Restrict => {}
                    OnDelete::Nullify => drop(lock_referrers(tx, &referrer, &keys)?),
                    OnDelete::Cascade => {
                        let found = lock_referrers(tx, &referrer, &keys)?;
                        next.entry(referrer.entity.ix).or_default().extend(found);
                    }
                }
            }
        }
        level = next;
    }
    Ok(())
}

fn lock_referrers(tx: &mut Tx<'_>, referrer: &Referrer, keys: &[Value]) -> Result<Vec<Value>> {
    let (entity, field) = (referrer.entity, referrer.entity.field(referrer.field));
    let internal = || Error::internal("a key without a column");
    let kind = BindKind::from_kind(field.kind, tx.app).ok_or_else(internal)?;
    let key_kind = BindKind::from_kind(entity.key().kind, tx.app).ok_or_else(internal)?;
    let key = column(ROW, entity.key().name);
    let mut select = Statement::new();
    select.push("SELECT ").push(&key).push(" FROM ").ident(entity.table).push(" AS ").ident(ROW);
    select.push(" WHERE ").push(&column(ROW, field.name)).in_list(tx.engine(), keys.iter().cloned(), kind);
    lock_selected(tx, select, &key, key_kind)
}

/// Locks the selected rows, and returns their keys.
fn lock_selected(tx: &mut Tx<'_>, mut select: Statement, key: &str, kind: BindKind) -> Result<Vec<Value>> {
    select.push(" ORDER BY ").push(key).push(" FOR UPDATE OF ").ident(ROW);
    Ok(tx.conn.rows(&select, &[kind])?.into_iter().flatten().collect())
}

/// Waits until no other import into the table runs in the tenant. Imports insert their rows in the order of their files, so that two
/// files with the same unique values in different orders would collide.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn lock_imports(tx: &mut Tx<'_>, entity: &'static EntityDef) -> Result<()> {
    if tx.engine() == Engine::Postgres {
        let name = format!("{} {:?}", entity.table, tx.tenant());
        let mut lock = Statement::new();
        lock.push("SELECT pg_advisory_xact_lock(").push(&IMPORT_LOCK.to_string());
        lock.push(", hashtext(").bind(Value::Text(name), BindKind::Text).push(")) IS NULL");
        tx.conn.rows(&lock, &[BindKind::Bool])?;
    }
    Ok(())
}
