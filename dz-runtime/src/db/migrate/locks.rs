//! The lock that only one migrating process holds, and the locks of tables, for which a migration waits only for a short time.

use std::{
    thread,
    time::{Duration, Instant},
};

use super::{Conn, refusal, schema};
use crate::{
    Engine, Error, Value,
    db::{BindKind, Statement},
    output::log_event,
};

/// How long a migration waits for another process.
const PROCESS_WAIT: Duration = Duration::from_secs(600);
/// The time between two attempts to get the lock of another process.
const POLL: Duration = Duration::from_millis(200);
/// How long a migration waits for the lock of a table. Requests that need the table wait behind it. The time is shorter than
/// PostgreSQL's `deadlock_timeout`, so that the migration gives way, and not a request.
const TABLE_WAIT: &str = "500ms";
/// How long every fourth attempt waits. PostgreSQL ends an automatic vacuum of the table for a statement that has waited for
/// `deadlock_timeout`, which is a second by default.
const LONG_WAIT: &str = "1500ms";
/// The number of attempts to get the locks of the tables.
const ATTEMPTS: u32 = 60;
/// The longest delay between two attempts.
const MAX_DELAY: Duration = Duration::from_secs(5);

/// Tries to get an advisory lock of PostgreSQL with `function` until no other process has it.
///
/// A session that waits inside a statement holds a snapshot, and the concurrent build of an index waits for the end of every older
/// snapshot. The session therefore waits between statements.
pub(in crate::db) fn wait_for_process(conn: &mut Conn, function: &str) -> Result<(), Error> {
    let started = Instant::now();
    let mut attempt = Statement::new();
    attempt.push("SELECT ").push(function).push("(").push(&schema::LOCK.to_string()).push(")");
    while conn.rows(&attempt, &[BindKind::Bool])?.into_iter().flatten().next() != Some(Value::Bool(true)) {
        if started.elapsed() > PROCESS_WAIT {
            return Err(refusal("another process has migrated the database for ten minutes: wait for its end, and try again".to_owned()));
        }
        thread::sleep(POLL);
    }
    Ok(())
}

/// Limits how long a statement waits for the locks of tables, until the end of the transaction.
pub(super) fn limit_wait(conn: &mut Conn, wait: &str) -> Result<(), Error> {
    match conn.engine() {
        Engine::Sqlite => Ok(()),
        Engine::Postgres => conn.batch(&format!("SET LOCAL lock_timeout = '{wait}'")),
    }
}

/// True for the message of a database that did not give a lock, after which the transaction can be repeated.
fn is_busy(message: &str) -> bool {
    ["lock timeout", "deadlock detected"].iter().any(|words| message.contains(words))
}

/// Repeats `work`, which is one transaction, until it gets the locks that it needs; it gets the limit for each of them.
pub(super) fn retry<T>(name: &str, work: &mut dyn FnMut(&str) -> Result<T, Error>) -> Result<T, Error> {
    for attempt in 1.. {
        let error = match work(if attempt % 4 == 0 { LONG_WAIT } else { TABLE_WAIT }) {
            Err(error) if is_busy(&error.detail) => error,
            done => return done,
        };
        if attempt == ATTEMPTS {
            let why = format!(
                "the migration `{name}` got no lock on its tables in {ATTEMPTS} attempts and changed nothing: end the transactions that use \
                 them for long (they are in `pg_stat_activity`), and migrate again"
            );
            return Err(Error { internal: error.internal, ..refusal(why) });
        }
        if attempt == 1 {
            log_event!(info, target: "dz", "the migration `{name}` waits for locks on its tables: it gives way to requests, and tries again");
        }
        thread::sleep((POLL * attempt).min(MAX_DELAY));
    }
    Err(refusal(format!("the migration `{name}` was not tried")))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn only_a_missing_lock_is_tried_again() {
        let count = Cell::new(0);
        let busy = || refusal("the migration `x` failed and changed nothing: canceling statement due to lock timeout".to_owned());
        let tried = retry("x", &mut |wait| {
            count.set(count.get() + 1);
            if count.get() < 4 { Err(busy()) } else { Ok((count.get(), wait.to_owned())) }
        });
        assert_eq!(tried.map_err(|error| error.detail), Ok((4, LONG_WAIT.to_owned())));
        let failed = retry::<()>("x", &mut |_| {
            count.set(count.get() + 1);
            Err(refusal("a row violates a check".to_owned()))
        });
        assert_eq!((failed.is_err(), count.get()), (true, 5));
    }
}
