//! The deletion of many rows in several short transactions, so that it blocks no other writer.

use super::{Conn, Database, Statement};
use crate::{Engine, Result};

/// The largest number of rows that one transaction deletes.
const ROWS: u32 = 1_000;

/// Deletes some of the rows that fulfil a condition, which begins with ` WHERE `; the result is their number, 0 if none is left.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn delete_some(conn: &mut Conn, table: &str, condition: Statement) -> Result<usize> {
    let mut delete = Statement::new();
    let (before, after) = match conn.engine() {
        Engine::Sqlite => ("rowid IN (SELECT rowid", ")"),
        Engine::Postgres => ("ctid = ANY (ARRAY(SELECT ctid", "))"),
    };
    delete.push("DELETE FROM ").ident(table).push(" WHERE ").push(before).push(" FROM ").ident(table).append(condition);
    delete.push(&format!(" LIMIT {ROWS}")).push(after);
    conn.execute(&delete)
}

/// Repeats a deletion, each time in a transaction of its own, until no row is left or `is_stopped`; the result is the number of rows.
///
/// # Errors
/// Those of the deletion; 503 if the database is unavailable.
pub(crate) fn repeat(db: &Database, is_stopped: impl Fn() -> bool, some: &mut dyn FnMut(&mut Conn) -> Result<usize>) -> Result<u64> {
    let mut count = 0;
    while !is_stopped() {
        let removed = db.write(some)?;
        count += u64::try_from(removed).unwrap_or_default();
        if removed == 0 {
            break;
        }
    }
    Ok(count)
}
