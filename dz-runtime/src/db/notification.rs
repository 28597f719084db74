//! Notifications between processes: a command wakes the worker of a running application.
//!
//! Only PostgreSQL has them (`NOTIFY`); on SQLite, an application looks for work at short intervals.

use super::{Conn, Database, open};
use crate::{Engine, Error};

/// The name of the channel. A notification is for all clients of one database.
const CHANNEL: &str = "dz_wake";

/// A connection that receives notifications. It is not one of a pool, because it stays open.
pub(crate) struct Listener(Conn);

impl Listener {
    /// Opens the connection.
    ///
    /// # Errors
    /// The server does not respond.
    pub(super) fn open(target: &open::Target) -> Result<Listener, Error> {
        let mut conn = target.connect(open::Purpose::Write)?;
        conn.batch(&format!("LISTEN {CHANNEL}"))?;
        Ok(Listener(conn))
    }
}

impl Database {
    /// Notifies the other processes that use the database of new work.
    ///
    /// # Errors
    /// 503 `UNAVAILABLE` if the database is unavailable.
    pub(crate) fn notify_processes(&self) -> Result<(), Error> {
        match self.engine() {
            Engine::Sqlite => Ok(()),
            Engine::Postgres => self.run_without_transaction(&mut |conn| conn.batch(&format!("NOTIFY {CHANNEL}"))),
        }
    }

    /// Wakes the worker if another process has notified this one since the last call, and at the first call, before which notifications
    /// can be lost. Without a listener, it opens one.
    ///
    /// # Errors
    /// The connection is lost, or cannot be opened.
    pub(crate) fn receive_notifications(&self, listener: Option<Listener>) -> Result<Listener, Error> {
        let (mut listener, is_new) = match listener {
            Some(listener) => (listener, false),
            None => (self.open_listener()?, true),
        };
        if listener.0.take_notifications()? || is_new {
            self.wake().notify();
        }
        Ok(listener)
    }
}
