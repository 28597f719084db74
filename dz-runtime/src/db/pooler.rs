//! Poolers between the application and PostgreSQL, such as PgBouncer in transaction mode: each transaction of a connection can run in
//! another session of the server.
//!
//! Such a connection keeps nothing from one transaction to the next: no prepared statement, no lock of a session, no `LISTEN`. The
//! application then prepares each statement without a name, and runs every statement in a transaction.

use super::{BindKind, Conn, Database, Statement};
use crate::{Error, Result, Value};

/// The number of comparisons. A pooler gives the session that was used last to the next transaction, unless another client is faster.
const COMPARISONS: u32 = 4;

/// True if two open connections use the same session of the server, or one of them changes its session: a pooler assigns sessions to
/// transactions.
///
/// # Errors
/// 503 if the server does not respond.
pub(super) fn is_between(one: &mut Conn, other: &mut Conn) -> Result<bool> {
    // A statement without a name must not be prepared in another session than it is executed in.
    one.forget_statements();
    other.forget_statements();
    for _ in 0..COMPARISONS {
        let first = one.transaction(&mut session)?;
        let moved = other.transaction(&mut |conn| {
            let second = session(conn)?;
            Ok(second == first || one.transaction(&mut session)? != first)
        })?;
        if moved {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Refuses work that needs one session of the server for more than a transaction. `correction` is the end of the sentence.
///
/// # Errors
/// One sentence with the cause and the setting, if a pooler is between.
pub(crate) fn refuse(db: &Database, work: &str, correction: &str) -> Result<()> {
    match db.is_pooled() {
        false => Ok(()),
        true => Err(Error::new(
            500,
            "DATABASE",
            format!(
                "{work} needs a session of PostgreSQL, and a pooler in transaction mode assigns another one to each transaction: {correction}"
            ),
        )),
    }
}

/// The process of the server that serves the session.
fn session(conn: &mut Conn) -> Result<Option<Value>> {
    let mut select = Statement::new();
    select.push("SELECT pg_backend_pid()::bigint");
    Ok(conn.rows(&select, &[BindKind::Int])?.into_iter().flatten().next())
}
