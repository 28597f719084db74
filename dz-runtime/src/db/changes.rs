//! Changes of rows of this process, for subscriptions: they are announced after the commit.

use std::sync::Arc;

use tokio::sync::broadcast::Sender;
#[cfg(feature = "graphql")]
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::{Value, def::EntityIx};

/// The number of changes that a slow subscriber can be behind; a subscriber that misses changes gets an error.
const CAPACITY: usize = 1_024;

/// A change of a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    pub entity: EntityIx,
    /// The name of its event.
    pub event: &'static str,
    pub key: Value,
    /// The tenant of the row; null for a row without one.
    pub tenant: Value,
}

/// Announces changes to all subscribers of the process.
pub(super) struct Announcer(Sender<Arc<Change>>);

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
            let _ = self.0.send(Arc::new(change));
        }
    }

    /// The changes from now on.
    #[cfg(feature = "graphql")]
    pub fn listen(&self) -> Changes {
        Changes(self.0.subscribe())
    }
}

/// The changes since a subscription began.
#[cfg(feature = "graphql")]
pub(crate) struct Changes(Receiver<Arc<Change>>);

/// The next change of a subscription.
#[cfg(feature = "graphql")]
#[derive(Debug)]
pub(crate) enum Next {
    Change(Arc<Change>),
    /// The subscriber was too slow, and changes are lost.
    Missed,
    /// There are no more changes.
    End,
}

#[cfg(feature = "graphql")]
impl Changes {
    /// Waits for the next change.
    pub async fn next(&mut self) -> Next {
        match self.0.recv().await {
            Ok(change) => Next::Change(change),
            Err(RecvError::Lagged(_)) => Next::Missed,
            Err(RecvError::Closed) => Next::End,
        }
    }
}
