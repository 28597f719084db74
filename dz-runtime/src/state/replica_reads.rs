//! Reads on replicas: the caller is loaded from the primary, and the rows from a replica that has every write the caller must see.
//!
//! Sessions, tokens, roles, memberships and the values of the account that rules read are those of the primary, so that the end of a
//! session or a revoked role takes effect at the next request. The same statement loads the position up to which the replica must have
//! replayed the log: that of the last write of the session or token, and that of the last write that withdrew rows from a caller.

use chrono::TimeDelta;

use super::{Job, PendingRecords, Requester, State};
use crate::{Result, Tx, output::log_event};

impl State {
    /// Runs `work` on a replica; `None` if the primary must serve it.
    ///
    /// # Errors
    /// The errors of loading the caller.
    pub(super) fn read_replica<T>(
        &self,
        requester: &Requester<'_>,
        due: &mut bool,
        left: &mut PendingRecords,
        work: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let Some(limits) = self.shared_limits.as_ref().filter(|_| self.db.has_replicas()) else { return Ok(None) };
        // The writes of a caller without a session have no place for their position.
        let Some(token) = requester.bearer.or(requester.session) else { return Ok(None) };
        let (caller, is_due, position) = self.db.read(&mut |conn| {
            let (caller, is_due) = self.load_caller(conn, requester)?;
            Ok((caller, is_due, limits.find_position(conn, token)?))
        })?;
        // The account of a new session can be as new as the session.
        let lag = TimeDelta::from_std(self.db.longest_lag()).unwrap_or(TimeDelta::MAX);
        let is_new = caller.signed_in.is_some_and(|at| caller.now - at < lag);
        if caller.account.is_none() || is_new {
            return Ok(None);
        }
        *due = is_due;
        Ok(self.db.read_replica(position, &mut |conn| self.run_unit(Job::ReadAnywhere, conn, caller.clone(), left, work)))
    }

    /// Stores the position of a write for the session or token, before the write is acknowledged. The write is complete, so that a failure
    /// has no effect on it.
    pub(super) fn note_position(&self, token: Option<&str>) {
        let Some(limits) = self.shared_limits.as_ref().filter(|_| self.db.has_replicas()) else { return };
        let Some(token) = token else { return };
        if let Err(error) = limits.note_position(token) {
            let why = error.internal.as_deref().unwrap_or(&error.detail);
            log_event!(error, target: "dz", why, "reads of replicas can lack a write of their session until the replica has it");
        }
    }
}
