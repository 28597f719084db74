//! Deletion of rows, with the `on_delete` rules of the references to them.

mod referrers;

pub(crate) use referrers::{delete_referrers, is_deletable};

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    Row,
    list::from_clause,
    read::lock,
    select::{Columns, ROW, View, column},
    update::write_consequence,
    write::{Phase, Write},
};
use crate::{
    Caller, Error, Result, Tx, Value,
    access::{self, Action as _, Delete, Grant},
    db::{
        BindKind, DELETED_AT, Statement,
        emit::{Condition, Emit},
    },
    def::{EntityDef, EntityIx, FieldIx, OnDelete},
    record::FieldValues,
};

/// The number of rows that one statement loads or deletes.
const BATCH: usize = 500;

/// Deletes a row and applies the `on_delete` rules of the references to it. `version` is the value of `If-Match`.
///
/// For a row without references to it: one statement that loads it, one for each reference field that could refer to it, and one
/// that deletes it.
///
/// # Errors
/// 404, 403 and 412 for the row; 409 `REFERENCED` if a reference with `restrict` refers to a deleted row, or if a rule forbids the
/// deletion of a row that a cascade reaches.
pub fn delete(tx: &mut Tx<'_>, grant: &Grant<Delete>, id: &Value, version: Option<i64>) -> Result<()> {
    delete_with_cascades(tx, grant, id, version).map(drop)
}

/// The keys of deleted rows.
pub(crate) type DeletedRows = Vec<(&'static EntityDef, Vec<Value>)>;

/// As [`delete`]; returns the row and the rows that were deleted with it.
///
/// # Errors
/// Those of [`delete`].
pub(crate) fn delete_with_cascades(tx: &mut Tx<'_>, grant: &Grant<Delete>, id: &Value, version: Option<i64>) -> Result<DeletedRows> {
    let entity = grant.entity;
    let row = lock(tx, entity, Delete::NAME, id, version)?;
    with_referring_tenants(tx, entity, |tx| {
        let mut deletion = Deletion::default();
        deletion.add(tx, entity, vec![row], !entity.soft_delete)?;
        deletion.add_cascades(tx)?;
        deletion.check_restrictions(tx)?;
        deletion.remove(tx)
    })
}

/// Runs `work` for a caller who reaches all rows that can refer to a row of the entity: rows of every tenant can refer to a row
/// without a tenant.
fn with_referring_tenants<T>(tx: &mut Tx<'_>, entity: &EntityDef, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
    let all_tenants = entity.tenancy.tenant.is_none() && tx.app.tenant().is_some();
    let caller = Caller { all_tenants, ..tx.caller.clone() };
    tx.for_caller(caller, work)
}

/// The rows to delete, in the order in which they were found: a row precedes the rows that its deletion cascades to.
#[derive(Default)]
struct Deletion {
    batches: Vec<Batch>,
    keys: Keys,
    /// Rows that remain although a cascade reaches them.
    kept: Keys,
    /// Reference fields between rows that are deleted together, which would block each other.
    cycles: HashSet<(EntityIx, FieldIx)>,
}

/// Rows of one entity that are deleted together.
struct Batch {
    entity: &'static EntityDef,
    rows: Vec<Row>,
    /// True for removal, false for soft deletion. A cascade from a removed row removes, because a soft-deleted row could not keep
    /// its reference.
    removed: bool,
}

/// A reference field whose target is the entity.
pub(super) struct Referrer {
    pub(super) entity: &'static EntityDef,
    pub(super) field: FieldIx,
}

pub(super) fn referrers(tx: &Tx<'_>, target: &EntityDef) -> Vec<Referrer> {
    let mut all = Vec::new();
    for entity in tx.app.entities {
        for (at, field) in (0..).zip(entity.fields) {
            if field.kind.target() == Some(target.ix) {
                all.push(Referrer { entity, field: at });
            }
        }
    }
    all
}

fn key(entity: &EntityDef, row: &Row) -> Value {
    row.value(entity.pk).clone()
}

/// The keys of rows by entity, as text, because `Value` has no order and no hash.
#[derive(Default)]
struct Keys(HashMap<EntityIx, HashSet<String>>);

impl Keys {
    fn has(&self, entity: &EntityDef, key: &Value) -> bool {
        self.0.get(&entity.ix).is_some_and(|keys| keys.contains(&key.to_key_text().unwrap_or_default()))
    }

    /// Adds a key; false if it is there.
    fn insert(&mut self, entity: &EntityDef, key: &Value) -> bool {
        self.0.entry(entity.ix).or_default().insert(key.to_key_text().unwrap_or_default())
    }

    fn len(&self) -> usize {
        self.0.values().map(HashSet::len).sum()
    }
}

/// True if a rule forbids the deletion of a row that [`load_referrers`] loaded.
fn is_forbidden(row: &Row) -> bool {
    row.extra.first() == Some(&Value::Bool(true))
}

impl Deletion {
    fn has(&self, entity: &EntityDef, row: &Row) -> bool {
        self.keys.has(entity, row.value(entity.pk))
    }

    /// Adds rows and runs their hooks.
    fn add(&mut self, tx: &mut Tx<'_>, entity: &'static EntityDef, rows: Vec<Row>, removed: bool) -> Result<()> {
        let mut writes: Vec<Write> = rows.into_iter().map(|row| Write::delete(entity, row, removed)).collect();
        writes.iter_mut().try_for_each(|write| write.run_phase(tx, Phase::Prepare).map(drop))?;
        let rows: Vec<Row> = writes.into_iter().filter_map(|write| write.before).collect();
        for row in &rows {
            self.keys.insert(entity, row.value(entity.pk));
        }
        self.batches.push(Batch { entity, rows, removed });
        Ok(())
    }

    /// Adds the rows that cascades reach, until there are no more.
    fn add_cascades(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let mut at = 0;
        while let Some(Batch { entity, rows, removed }) = self.batches.get(at) {
            let (entity, removed) = (*entity, *removed);
            let keys: Vec<_> = rows.iter().map(|row| key(entity, row)).collect();
            for referrer in referrers(tx, entity) {
                if referrer.entity.field(referrer.field).on_delete == OnDelete::Cascade {
                    self.add_referrers(tx, &referrer, &keys, removed)?;
                }
            }
            at += 1;
        }
        Ok(())
    }

    fn add_referrers(&mut self, tx: &mut Tx<'_>, referrer: &Referrer, keys: &[Value], removed: bool) -> Result<()> {
        let entity = referrer.entity;
        let mut after = None;
        loop {
            let mut batch = load_referrers(tx, referrer, keys, after.as_ref(), removed)?;
            let full = batch.len() == BATCH;
            after = batch.last().map(|row| key(entity, row));
            if batch.iter().any(|row| self.has(entity, row)) {
                self.cycles.insert((entity.ix, referrer.field));
                batch.retain(|row| !self.has(entity, row));
            }
            batch.retain(|row| !self.kept.has(entity, row.value(entity.pk)));
            if let Some(forbidden) = batch.iter().find(|row| is_forbidden(row)) {
                return Err(self.blocked_error(tx, entity, &key(entity, forbidden)));
            }
            if !batch.is_empty() {
                self.add(tx, entity, batch, removed || !entity.soft_delete)?;
            }
            if !full {
                return Ok(());
            }
        }
    }

    /// Refuses if a remaining row refers to a deleted one with `restrict`, and clears the references with `nullify`.
    fn check_restrictions(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let mut restrictions: BTreeMap<EntityIx, Vec<Value>> = BTreeMap::new();
        for at in 0..self.batches.len() {
            let Some(Batch { entity, rows, removed }) = self.batches.get(at) else { break };
            let (entity, removed) = (*entity, *removed);
            let keys: Vec<_> = rows.iter().map(|row| key(entity, row)).collect();
            for referrer in referrers(tx, entity) {
                match referrer.entity.field(referrer.field).on_delete {
                    OnDelete::Cascade => {}
                    OnDelete::Restrict => {
                        let found = self.remaining_referrers(tx, &referrer, &keys, removed)?;
                        if !found.is_empty() {
                            restrictions.entry(referrer.entity.ix).or_default().extend(found.iter().map(|row| key(referrer.entity, row)));
                        }
                    }
                    OnDelete::Nullify => self.clear_references(tx, &referrer, &keys, removed)?,
                }
            }
        }
        if restrictions.is_empty() { Ok(()) } else { Err(referenced_error(tx, restrictions)?) }
    }

    /// Sets the references of remaining rows to the keys to null.
    fn clear_references(&mut self, tx: &mut Tx<'_>, referrer: &Referrer, keys: &[Value], removed: bool) -> Result<()> {
        for row in self.remaining_referrers(tx, referrer, keys, removed)? {
            let mut changes = FieldValues::default();
            changes.set(referrer.field, Value::Null);
            write_consequence(tx, referrer.entity, row, changes)?;
        }
        Ok(())
    }

    /// The rows that refer to the keys and are not deleted themselves.
    fn remaining_referrers(&mut self, tx: &mut Tx<'_>, referrer: &Referrer, keys: &[Value], removed: bool) -> Result<Vec<Row>> {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let batch = load_referrers(tx, referrer, keys, after.as_ref(), removed)?;
            let full = batch.len() == BATCH;
            after = batch.last().map(|row| key(referrer.entity, row));
            let (deleted, remaining): (Vec<_>, Vec<_>) = batch.into_iter().partition(|row| self.has(referrer.entity, row));
            if !deleted.is_empty() {
                self.cycles.insert((referrer.entity.ix, referrer.field));
            }
            all.extend(remaining);
            let enough = referrer.entity.field(referrer.field).on_delete == OnDelete::Restrict && !all.is_empty();
            if !full || enough {
                return Ok(all);
            }
        }
    }

    /// Deletes the rows in reverse order, and returns their keys.
    fn remove(self, tx: &mut Tx<'_>) -> Result<DeletedRows> {
        for (ix, field) in &self.cycles {
            let entity = tx.app.entity(*ix);
            let mine = self.batches.iter().filter(|of| of.entity.ix == *ix && of.removed);
            for keys in mine.flat_map(|of| of.rows.chunks(BATCH)) {
                let field = entity.field(*field);
                if !field.required {
                    let mut update = Statement::new();
                    update.push("UPDATE ").ident(entity.table).push(" SET ").ident(field.name).push(" = NULL WHERE ");
                    tx.conn.execute(push_keys(&mut update, tx.app, tx.conn.engine(), entity, keys)?)?;
                }
            }
        }
        let mut deleted = DeletedRows::new();
        for Batch { entity, rows, removed } in self.batches.into_iter().rev() {
            deleted.push((entity, rows.iter().map(|row| key(entity, row)).collect()));
            for keys in rows.chunks(BATCH) {
                let mut delete = Statement::new();
                match removed {
                    true => delete.push("DELETE FROM ").ident(entity.table).push(" WHERE "),
                    false => {
                        delete.push("UPDATE ").ident(entity.table).push(" SET ").ident(DELETED_AT).push(" = ");
                        delete.bind(Value::DateTime(tx.caller.now), BindKind::DateTime);
                        delete.push(", dz_version = dz_version + 1 WHERE ")
                    }
                };
                tx.conn.execute(push_keys(&mut delete, tx.app, tx.conn.engine(), entity, keys)?)?;
            }
            for row in rows {
                Write::delete(entity, row, removed).run_phase(tx, Phase::Follow)?;
            }
        }
        Ok(deleted)
    }

    /// 409 for a row that the cascade must not delete.
    fn blocked_error(&self, tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value) -> Error {
        referenced_error(tx, BTreeMap::from([(entity.ix, vec![id.clone()])])).unwrap_or_else(|error| error)
    }
}

/// Appends the condition that the key is one of those of `rows`.
fn push_keys<'s>(
    statement: &'s mut Statement,
    app: &'static crate::def::AppDef,
    engine: crate::Engine,
    entity: &'static EntityDef,
    rows: &[Row],
) -> Result<&'s Statement> {
    let kind = BindKind::from_kind(entity.key().kind, app).ok_or_else(|| Error::internal("a key without a column"))?;
    statement.ident(entity.key().name).in_list(engine, rows.iter().map(|row| key(entity, row)), kind);
    Ok(statement)
}

/// One batch of the complete rows that refer to the keys, ordered by key and locked; `extra` contains whether a rule forbids the
/// deletion. For a removal, soft-deleted rows are included.
fn load_referrers(tx: &mut Tx<'_>, referrer: &Referrer, keys: &[Value], after: Option<&Value>, removed: bool) -> Result<Vec<Row>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let (entity, field) = (referrer.entity, referrer.entity.field(referrer.field));
    let internal = || Error::internal("a key without a column");
    let kind = BindKind::from_kind(field.kind, tx.app).ok_or_else(internal)?;
    let key_kind = BindKind::from_kind(entity.key().kind, tx.app).ok_or_else(internal)?;
    let columns = Columns::all(&emit, entity, ROW, View::Whole);
    let mut select = Statement::new();
    select.push("SELECT ").append(columns.sql.clone()).push(", ");
    select.append(access::forbid_condition(&emit, entity, Delete::NAME, ROW).into_sql());
    match removed {
        true => select.push(" FROM ").ident(entity.table).push(" AS ").ident(ROW),
        false => select.append(from_clause(&emit, entity)),
    };
    select.push(" WHERE ").push(&column(ROW, field.name)).in_list(emit.engine, keys.iter().cloned(), kind);
    if let Some(after) = after {
        select.push(" AND ").push(&column(ROW, entity.key().name)).push(" > ").bind(after.clone(), key_kind);
    }
    select.push(" ORDER BY ").push(&column(ROW, entity.key().name)).push(&format!(" LIMIT {BATCH}"));
    if emit.engine == crate::Engine::Postgres {
        select.push(" FOR UPDATE OF ").ident(ROW);
    }
    let kinds: Vec<_> = columns.kinds.iter().copied().chain([BindKind::Bool]).collect();
    Ok(tx.conn.rows(&select, &kinds)?.into_iter().map(|answer| columns.row(answer)).collect())
}

/// 409 `REFERENCED`; its text names only entities of which the caller can list a row.
fn referenced_error(tx: &mut Tx<'_>, restrictions: BTreeMap<EntityIx, Vec<Value>>) -> Result<Error> {
    let caller = Caller { all_tenants: false, ..tx.caller.clone() };
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &caller };
    let mut named = Vec::new();
    for (ix, keys) in restrictions {
        let entity = tx.app.entity(ix);
        let Some(kind) = BindKind::from_kind(entity.key().kind, tx.app) else { continue };
        let listable = access::list_condition(&emit, entity, ROW);
        if matches!(listable, Condition::Never) {
            continue;
        }
        let mut select = Statement::new();
        select.push("SELECT count(*)").append(from_clause(&emit, entity)).push(" WHERE ").push(&column(ROW, entity.key().name));
        select.in_list(emit.engine, keys, kind).push(" AND ").append(listable.into_sql());
        if let Some(Value::Int(1..)) = tx.conn.rows(&select, &[BindKind::Int])?.into_iter().flatten().next() {
            named.push(entity.title_plural.to_lowercase());
        }
    }
    Ok(Error::new(
        409,
        "REFERENCED",
        match named.is_empty() {
            true => say!("dz-other-rows-refer-to-this-one-so", "Other rows refer to this one, so it cannot be deleted").to_owned(),
            false => {
                say!("dz-cannot-be-deleted-as-long", "It cannot be deleted as long as these refer to it: {rows}", rows = named.join(", "))
            }
        },
    ))
}
