//! The order in which transactions that collided are repeated on PostgreSQL: one after another.

use std::{
    thread,
    time::{Duration, Instant},
};

use crate::{
    Error, Value,
    db::{Conn, Statement, statement::BindKind},
};

/// Identifies the slot of repeated transactions among the advisory locks of a PostgreSQL server ("dz retry" in bytes).
const LOCK: i64 = 0x647a_2072_6574_7279;
/// The maximum time that a transaction waits for the slot. A thread can repeat a transaction while it has another one, which would
/// never release the slot.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(10);

impl Conn {
    /// Waits until no other transaction that collided is repeated, so that they do not collide with each other again. The slot is
    /// released at the end of the transaction.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(super) fn wait_for_slot(&mut self) -> Result<(), Error> {
        let mut select = Statement::new();
        select.push("SELECT pg_try_advisory_xact_lock(").bind(Value::Int(LOCK), BindKind::Int).push(")");
        let begun = Instant::now();
        while self.rows(&select, &[BindKind::Bool])?.concat() != [Value::Bool(true)] && begun.elapsed() < PATIENCE {
            thread::sleep(PAUSE);
        }
        Ok(())
    }
}
