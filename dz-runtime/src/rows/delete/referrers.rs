//! Deletion of the rows that refer to a row, which itself remains.

use super::{BATCH, DeletedRows, Deletion, Keys, Referrer, is_forbidden, key, load_referrers, referrers, with_referring_tenants};
use crate::{
    Result, Tx, Value,
    def::{EntityDef, OnDelete},
};

/// True if no rule and no reference with `restrict` prevents the removal of the row and of the rows that cascade from it.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn is_deletable(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value) -> Result<bool> {
    with_referring_tenants(tx, entity, |tx| Ok(find_kept(tx, entity, id, Keys::default())?.len() == 0))
}

/// Deletes the rows that cascade from a row, and sets the references to it with `nullify` to null. The row itself remains.
///
/// A row that a rule or a reference with `restrict` keeps remains as well, with the rows that it needs.
///
/// # Errors
/// A hook refuses the deletion of a row; the database is unavailable.
pub(crate) fn delete_referrers(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value) -> Result<DeletedRows> {
    with_referring_tenants(tx, entity, |tx| {
        let mut kept = Keys::default();
        kept.insert(entity, id);
        let mut deletion = Deletion { kept: find_kept(tx, entity, id, kept)?, ..Deletion::default() };
        let (all, keys) = (referrers(tx, entity), [id.clone()]);
        for referrer in with_rule(&all, OnDelete::Cascade) {
            deletion.add_referrers(tx, referrer, &keys, true)?;
        }
        deletion.add_cascades(tx)?;
        deletion.check_restrictions(tx)?;
        for referrer in with_rule(&all, OnDelete::Nullify) {
            deletion.clear_references(tx, referrer, &keys, true)?;
        }
        deletion.remove(tx)
    })
}

fn with_rule(all: &[Referrer], rule: OnDelete) -> impl Iterator<Item = &Referrer> {
    all.iter().filter(move |referrer| referrer.entity.field(referrer.field).on_delete == rule)
}

/// The rows, of those that the removal of a row reaches, that cannot be removed. `kept` has those that are known to remain.
///
/// A row that remains also keeps the rows to which it refers, so each pass can find more, until a pass finds none.
fn find_kept(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value, mut kept: Keys) -> Result<Keys> {
    loop {
        let before = kept.len();
        pass(tx, entity, id, &mut kept)?;
        if kept.len() == before {
            return Ok(kept);
        }
    }
}

/// Follows the cascades from a row without the rows of `kept`, and adds the rows to which others keep a reference.
fn pass(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value, kept: &mut Keys) -> Result<()> {
    let mut removed = Keys::default();
    if !kept.has(entity, id) {
        removed.insert(entity, id);
    }
    let mut reached = vec![(entity, vec![id.clone()])];
    let mut at = 0;
    while let Some((target, keys)) = reached.get(at).cloned() {
        for referrer in with_rule(&referrers(tx, target), OnDelete::Cascade) {
            let mut next = Vec::new();
            for row in load_all(tx, referrer, &keys)? {
                if row.forbidden || kept.has(referrer.entity, &row.key) {
                    kept.insert(referrer.entity, &row.key);
                    kept.insert(target, &row.refers_to);
                } else if removed.insert(referrer.entity, &row.key) {
                    next.push(row.key);
                }
            }
            if !next.is_empty() {
                reached.push((referrer.entity, next));
            }
        }
        at += 1;
    }
    for (target, keys) in &reached {
        for referrer in with_rule(&referrers(tx, target), OnDelete::Restrict) {
            for row in load_all(tx, referrer, keys)? {
                if !removed.has(referrer.entity, &row.key) {
                    kept.insert(target, &row.refers_to);
                }
            }
        }
    }
    Ok(())
}

/// A row that refers to another one.
struct Found {
    key: Value,
    refers_to: Value,
    /// True if a rule forbids its deletion.
    forbidden: bool,
}

/// The rows that refer to the keys, soft-deleted ones included.
fn load_all(tx: &mut Tx<'_>, referrer: &Referrer, keys: &[Value]) -> Result<Vec<Found>> {
    let mut all = Vec::new();
    for keys in keys.chunks(BATCH) {
        let mut after = None;
        loop {
            let batch = load_referrers(tx, referrer, keys, after.as_ref(), true)?;
            after = batch.last().map(|row| key(referrer.entity, row));
            all.extend(batch.iter().map(|row| Found {
                key: key(referrer.entity, row),
                refers_to: row.value(referrer.field).clone(),
                forbidden: is_forbidden(row),
            }));
            if batch.len() < BATCH {
                break;
            }
        }
    }
    Ok(all)
}
