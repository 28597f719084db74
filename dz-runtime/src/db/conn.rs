//! One connection, to either engine.

use super::{Statement, statement::BindKind};
use crate::{Engine, Error, Value};

/// One connection, to either engine. Counts its statements, so that tests can hold pages to a budget.
pub struct Conn {
    // inner: enum of diesel connections by cargo feature
    pub(crate) statements: u64,
}

impl Conn {
    /// The engine.
    pub fn engine(&self) -> Engine {
        todo!()
    }

    /// Runs a statement that answers with rows; `columns` says how to read each.
    pub fn rows(&mut self, statement: &Statement, columns: &[BindKind]) -> Result<Vec<Vec<Value>>, Error> {
        let _ = (statement, columns);
        todo!()
    }

    /// Runs a statement; answers with the number of rows it touched.
    ///
    /// Constraint violations come back as 409 `UNIQUE` (with the column in `field_errors`),
    /// 422 `REFERENCE`, 409 `REFERENCED`; an unreachable database as 503 `UNAVAILABLE`.
    pub fn execute(&mut self, statement: &Statement) -> Result<usize, Error> {
        let _ = statement;
        todo!()
    }

    /// Runs `work` in a transaction: `BEGIN IMMEDIATE` on SQLite, retried on PostgreSQL when it was a
    /// serialization failure or deadlock. Rolls back on an error.
    pub fn transaction<T>(&mut self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        let _ = work;
        todo!()
    }
}
