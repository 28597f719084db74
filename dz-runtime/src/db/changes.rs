//! Changes of rows, for subscriptions: they are announced after the commit, those of other instances when their notice arrives.

use std::sync::Arc;

use tokio::sync::broadcast::Sender;
#[cfg(feature = "graphql")]
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::{Value, def::EntityIx};

/// The number of changes that a slow subscriber can be behind; a subscriber that misses changes gets an error.
pub(super) const CAPACITY: usize = 1_024;

/// A change of a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    pub entity: EntityIx,
    /// The name of its entity.
    pub name: &'static str,
    /// The name of its event.
    pub event: &'static str,
    pub key: Value,
    /// The tenant of the row; null for a row without one.
    pub tenant: Value,
}

/// What a subscriber hears.
#[derive(Clone)]
enum Heard {
    Change(Arc<Change>),
    /// Changes of another instance are lost.
    Loss,
}

/// Announces changes to all subscribers of the process.
pub(super) struct Announcer(Sender<Heard>);

impl Default for Announcer {
    fn default() -> Announcer {
        Announcer(Sender::new(CAPACITY))
    }
}

impl Announcer {
    /// True if there is a subscriber.
    pub fn has_listeners(&self) -> bool {
        self.0.receiver_count() > 0
    }

    /// Announces committed changes.
    pub fn announce(&self, changes: Vec<Change>) {
        for change in changes {
            // Without a subscriber, the change has no receiver.
            let _ = self.0.send(Heard::Change(Arc::new(change)));
        }
    }

    /// Announces that changes of another instance are lost.
    #[cfg(feature = "postgres")]
    pub fn announce_loss(&self) {
        let _ = self.0.send(Heard::Loss);
    }

    /// The changes from now on.
    #[cfg(feature = "graphql")]
    pub fn listen(&self) -> Changes {
        Changes(self.0.subscribe())
    }
}

/// The changes since a subscription began.
#[cfg(feature = "graphql")]
pub(crate) struct Changes(Receiver<Heard>);

/// The next change of a subscription.
#[cfg(feature = "graphql")]
#[derive(Debug)]
pub(crate) enum Next {
    Change(Arc<Change>),
    /// Changes are lost, because the subscriber was too slow, or the instances could not reach the database.
    Missed,
    /// There are no more changes.
    End,
}

#[cfg(feature = "graphql")]
impl Changes {
    /// Waits for the next change.
    pub async fn next(&mut self) -> Next {
        match self.0.recv().await {
            Ok(Heard::Change(change)) => Next::Change(change),
            Ok(Heard::Loss) | Err(RecvError::Lagged(_)) => Next::Missed,
            Err(RecvError::Closed) => Next::End,
        }
    }
}
