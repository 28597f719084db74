//! Poolers between the application and PostgreSQL, such as PgBouncer in transaction mode: each transaction of a connection can run in
//! another session of the server.
//!
//! Such a connection keeps nothing from one transaction to the next: no prepared statement, no lock of a session, no `LISTEN`. The
//! application then prepares each statement without a name, and runs every statement in a transaction.

use super::{BindKind, Conn, Statement};
use crate::{Error, Value};

/// The number of comparisons. A pooler gives the session that was used last to the next transaction, unless another client is faster.
const COMPARISONS: u32 = 4;

/// True if two open connections use the same session of the server, or one of them changes its session: a pooler assigns sessions to
/// transactions.
///
/// # Errors
/// 503 if the server does not respond.
pub(super) fn is_between(one: &mut Conn, other: &mut Conn) -> Result<bool, Error> {
    // A statement without a name must not be prepared in another session than it is executed in.
    one.forget_statements();
    other.forget_statements();
    for _ in 0..COMPARISONS {
        let first = in_transaction(one, &mut session)?;
        let moved = in_transaction(other, &mut |conn| {
            let second = session(conn)?;
            Ok(second == first || in_transaction(one, &mut session)? != first)
        })?;
        if moved {
            return Ok(true);
        }
    }
    Ok(false)
}

fn in_transaction<T>(conn: &mut Conn, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
    conn.transaction(work)
}

/// The process of the server that serves the session.
fn session(conn: &mut Conn) -> Result<Option<Value>, Error> {
    let mut select = Statement::new();
    select.push("SELECT pg_backend_pid()::bigint");
    Ok(conn.rows(&select, &[BindKind::Int])?.into_iter().flatten().next())
}
