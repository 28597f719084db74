//! One unit of work: a connection, a caller, and the typed calls.

use crate::{Caller, Engine, db::Conn, def::AppDef};

/// One unit of work on one connection, for one caller. It is not a diesel connection: everything it
/// offers applies the access rules.
pub struct Tx<'c> {
    pub(crate) conn: &'c mut Conn,
    pub(crate) app: &'static AppDef,
    pub(crate) caller: Caller,
}

impl Tx<'_> {
    /// Who asks.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The engine.
    pub fn engine(&self) -> Engine {
        self.conn.engine()
    }

    /// Runs `work` so that its failure undoes only its own writes, and reading may go on.
    pub fn savepoint<T>(&mut self, work: impl FnMut(&mut Self) -> crate::Result<T>) -> crate::Result<T> {
        let _ = work;
        todo!()
    }
}
