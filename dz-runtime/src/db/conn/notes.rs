//! What a transaction notes for the time after its commit, and what a connection knows of lost ones.

use std::sync::atomic::Ordering;

use super::Conn;
use crate::{
    Engine,
    db::{DueWork, Work, changes::Change},
};

impl Conn {
    /// Requests that the loops for this work are woken after the commit.
    pub(crate) fn request_wake(&mut self, work: Work) {
        self.wake_requested.add(work);
    }

    /// Returns and resets the requests to wake the worker.
    pub(crate) fn take_wake_request(&mut self) -> DueWork {
        std::mem::take(&mut self.wake_requested)
    }

    /// Notes whether a write withdraws rows from a caller; without replicas, nothing needs to know it.
    pub(crate) fn note_withdrawal(&mut self, withdraws: impl FnOnce() -> bool) {
        if self.shared.is_replicated.get().is_some() {
            self.withdraws |= withdraws();
        }
    }

    /// Returns and resets whether the transaction withdraws rows.
    pub(in crate::db) fn take_withdrawal(&mut self) -> bool {
        std::mem::take(&mut self.withdraws)
    }

    /// True if another connection to the same server was lost since this one was opened or checked.
    pub(in crate::db) fn is_suspect(&self) -> bool {
        self.engine() == Engine::Postgres && self.seen_losses.is_some_and(|seen| seen != self.shared.losses.load(Ordering::Relaxed))
    }

    /// Notes that the connection was checked.
    pub(in crate::db) fn trust(&mut self) {
        if self.seen_losses.is_some() {
            self.seen_losses = Some(self.shared.losses.load(Ordering::Relaxed));
        }
    }

    /// Adds a change of a row, which is announced after the commit; without GraphQL, nothing receives it.
    pub(crate) fn note_change(&mut self, change: impl FnOnce() -> Change) {
        if cfg!(feature = "graphql") {
            self.changes.add(change());
        }
    }

    /// Announces a commit.
    pub(super) fn announce(&mut self) {
        let changes = std::mem::take(&mut self.changes);
        #[cfg(feature = "postgres")]
        {
            let shared = std::sync::Arc::clone(&self.shared);
            if let Some(notices) = shared.notices.get() {
                notices.report(self, changes.noted(), !self.wake_requested.is_empty());
            }
        }
        self.shared.announcer.announce(changes);
    }
}
