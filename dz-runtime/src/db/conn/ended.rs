//! Connections that the server has ended while they were not in use.

use crate::db::Conn;

impl Conn {
    /// True if the server has ended the connection, for example by its restart. Only what this machine has already received is read, so
    /// that the check costs no exchange with the server; a connection whose end was not announced is not detected.
    pub(in crate::db) fn has_ended(&mut self) -> bool {
        #[cfg(feature = "postgres")]
        if let Some(postgres) = self.postgres() {
            // The first call reads the farewell of the server, the second one finds the end after it.
            return (0..2).any(|_| postgres.notifications_iter().any(|received| received.is_err()));
        }
        false
    }
}
