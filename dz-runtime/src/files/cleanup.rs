//! Deletion by the worker: released files, unused uploads after a day, and files that a crash left without a row of `dz_files`. A file
//! with a row is not deleted while a backup runs.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    Storage,
    objects::{RELEASED, UNUSED},
};
use crate::{
    Result, Value,
    db::{BindKind, Conn, Database, Statement, backup_lease},
    output::log_event,
};

/// The time for which an unused upload is valid.
pub(crate) const UNUSED_AGE: TimeDelta = TimeDelta::hours(24);
/// The interval between checks for unused uploads.
pub(crate) const INTERVAL: TimeDelta = TimeDelta::minutes(10);
/// The number of files that one check deletes.
const BATCH: usize = 100;
/// The number of files in a row that cannot be deleted after which a check ends: the store is perhaps unavailable.
const MOST_FAILURES: usize = 3;

/// Deletes a batch of files; returns their number, and whether there are more. While a backup runs, it deletes none.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn remove_due(db: &Database, storage: &Storage, now: DateTime<Utc>, stop: &dyn Fn() -> bool) -> Result<(u64, bool)> {
    let going = db.read(&mut |conn| due(conn, now))?;
    // Read after the list: if a backup starts in between, no row uses these files in its copy of the database.
    if !going.is_empty() && backup_lease::is_any_valid(db)? {
        return Ok((0, false));
    }
    let more = going.len() == BATCH;
    let (mut done, mut failures) = (0, 0);
    for (id, stored) in going {
        if stop() {
            return Ok((done, true));
        }
        if failures == MOST_FAILURES {
            return Ok((done, false));
        }
        // First released, so that no row attaches the upload; then the content is deleted, and last the row, without which the
        // content would be found only after a day.
        if db.write(&mut |conn| mark_released(conn, id, now))? {
            // One file that cannot be deleted must not keep the others; it is tried again at the next check.
            match storage.remove(&stored) {
                Ok(()) => {
                    failures = 0;
                    done += db.write(&mut |conn| delete_released(conn, id))?;
                }
                Err(error) => {
                    failures += 1;
                    let why = error.internal.map_or(error.detail, |why| why.to_string());
                    log_event!(warn, target: "dz", id = %id, why, "a file could not be deleted; it is tried again after the others");
                    db.write(&mut |conn| postpone_released(conn, id, now))?;
                }
            }
        }
    }
    Ok((done, more && done > 0))
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// Released files, and uploads that were unused for too long.
pub(crate) fn due(conn: &mut Conn, now: DateTime<Utc>) -> Result<Vec<(Uuid, String)>> {
    let mut all = Vec::new();
    for (state, before) in [(RELEASED, now), (UNUSED, now - UNUSED_AGE)] {
        let mut select = Statement::new();
        select.push("SELECT id, stored FROM dz_files WHERE state = ").bind(text(state), BindKind::Text);
        select.push(" AND since <= ").bind(Value::DateTime(before), BindKind::DateTime);
        select.push(&format!(" ORDER BY since LIMIT {}", BATCH - all.len()));
        let rows = conn.rows(&select, &[BindKind::Uuid, BindKind::Text])?;
        all.extend(rows.into_iter().filter_map(|row| match <[Value; 2]>::try_from(row) {
            Ok([Value::Uuid(id), Value::Text(stored)]) => Some((id, stored)),
            _ => None,
        }));
    }
    Ok(all)
}

/// Puts a file that could not be deleted behind the others.
fn postpone_released(conn: &mut Conn, id: Uuid, now: DateTime<Utc>) -> Result<()> {
    let mut update = Statement::new();
    update.push("UPDATE dz_files SET since = ").bind(Value::DateTime(now), BindKind::DateTime);
    update.push(" WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid).push(" AND state = ").bind(text(RELEASED), BindKind::Text);
    conn.execute(&update).map(drop)
}

/// Releases a file before its deletion; false if a row has attached it in the meantime.
fn mark_released(conn: &mut Conn, id: Uuid, now: DateTime<Utc>) -> Result<bool> {
    let mut mark = Statement::new();
    mark.push("UPDATE dz_files SET state = ")
        .bind(text(RELEASED), BindKind::Text)
        .push(" WHERE id = ")
        .bind(Value::Uuid(id), BindKind::Uuid);
    mark.push(" AND (state = ").bind(text(RELEASED), BindKind::Text).push(" OR (state = ").bind(text(UNUSED), BindKind::Text);
    mark.push(" AND since <= ").bind(Value::DateTime(now - UNUSED_AGE), BindKind::DateTime).push("))");
    Ok(conn.execute(&mark)? > 0)
}

fn delete_released(conn: &mut Conn, id: Uuid) -> Result<u64> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_files WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid);
    delete.push(" AND state = ").bind(text(RELEASED), BindKind::Text);
    conn.execute(&delete).map(|removed| u64::try_from(removed).unwrap_or_default())
}

/// Deletes files without a row of `dz_files` that are a day old.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn remove_unknown(db: &Database, storage: &Storage, now: DateTime<Utc>) -> Result<u64> {
    remove_strays(storage, now, &mut |names| db.read(&mut |conn| find_known(conn, names)))
}

fn remove_strays(storage: &Storage, now: DateTime<Utc>, known: &mut dyn FnMut(&[String]) -> Result<HashSet<String>>) -> Result<u64> {
    let mut removed = 0;
    for store in storage.stores() {
        store.each_page(&mut |page| {
            let old: Vec<String> = page.into_iter().filter(|file| file.changed < now - UNUSED_AGE).map(|file| file.name).collect();
            for names in old.chunks(BATCH) {
                let known = known(names)?;
                for name in names.iter().filter(|name| !known.contains(*name)) {
                    removed += u64::from(store.remove(name).is_ok());
                }
            }
            Ok(())
        })?;
        removed += store.abort_unfinished(now - UNUSED_AGE)?;
    }
    Ok(removed)
}

/// The names that have a row of `dz_files`.
pub(crate) fn find_known(conn: &mut Conn, names: &[String]) -> Result<HashSet<String>> {
    let (mut select, engine) = (Statement::new(), conn.engine());
    select.push("SELECT stored FROM dz_files WHERE stored").in_list(engine, names.iter().cloned().map(Value::Text), BindKind::Text);
    let found = conn.rows(&select, &[BindKind::Text])?.into_iter().flatten();
    Ok(found.filter_map(|it| if let Value::Text(name) = it { Some(name) } else { None }).collect())
}
