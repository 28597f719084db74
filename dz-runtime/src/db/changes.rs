//! Changes of rows, for subscriptions: they are announced after the commit, those of other instances when their notification arrives.

use std::sync::Arc;

use tokio::sync::broadcast::Sender;
#[cfg(feature = "graphql")]
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::{Value, def::EntityIx};

/// The number of changes that a slow subscriber can be behind, and that one transaction announces one by one; a subscriber that misses
/// changes gets an error.
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

/// The changes of a transaction. They are noted also without a subscriber, because one can begin before the commit.
#[derive(Debug, Default)]
pub(super) struct NotedChanges(Vec<Change>);

impl NotedChanges {
    /// Notes a change. Beyond the capacity of subscribers, only the first change of each entity is noted.
    pub fn add(&mut self, change: Change) {
        let beyond = self.0.get(CAPACITY..).unwrap_or_default();
        if !beyond.iter().any(|noted| noted.entity == change.entity) {
            self.0.push(change);
        }
    }

    /// The noted changes, in their order.
    #[cfg(feature = "postgres")]
    pub fn noted(&self) -> &[Change] {
        &self.0
    }

    /// The position after the last change, for [`revert`](NotedChanges::revert).
    pub fn position(&self) -> usize {
        self.0.len()
    }

    /// Forgets the changes after a position.
    pub fn revert(&mut self, position: usize) {
        self.0.truncate(position);
    }
}

/// What subscribers receive.
#[derive(Debug, Clone, PartialEq)]
enum Announcement {
    Change(Arc<Change>),
    /// A transaction changed more rows than subscribers can receive, of these entities.
    Many(Arc<[EntityIx]>),
    /// Changes of another instance are lost.
    #[cfg(feature = "postgres")]
    Loss,
}

/// Announces changes to all subscribers of the process.
pub(super) struct Announcer(Sender<Announcement>);

impl Default for Announcer {
    fn default() -> Announcer {
        Announcer(Sender::new(CAPACITY))
    }
}

impl Announcer {
    /// True if there is a subscriber.
    #[cfg(feature = "postgres")]
    pub fn has_listeners(&self) -> bool {
        self.0.receiver_count() > 0
    }

    /// Announces that changes of another instance are lost.
    #[cfg(feature = "postgres")]
    pub fn announce_loss(&self) {
        let _ = self.0.send(Announcement::Loss);
    }

    /// Announces committed changes.
    pub fn announce(&self, noted: NotedChanges) {
        if self.0.receiver_count() == 0 {
            return;
        }
        let announcements: Vec<Announcement> = match noted.0.len() > CAPACITY {
            true => vec![Announcement::Many(noted.0.iter().map(|change| change.entity).collect())],
            false => noted.0.into_iter().map(|change| Announcement::Change(Arc::new(change))).collect(),
        };
        for announcement in announcements {
            // The last subscriber can have ended.
            let _ = self.0.send(announcement);
        }
    }

    /// The changes of an entity from now on.
    #[cfg(feature = "graphql")]
    pub fn listen(&self, entity: EntityIx) -> Changes {
        Changes { entity, receiver: self.0.subscribe() }
    }
}

/// The changes of an entity since a subscription began.
#[cfg(feature = "graphql")]
pub(crate) struct Changes {
    entity: EntityIx,
    receiver: Receiver<Announcement>,
}

/// The next change of a subscription.
#[cfg(feature = "graphql")]
#[derive(Debug)]
pub(crate) enum Next {
    Change(Arc<Change>),
    /// Changes are lost: the subscriber was too slow, or a transaction changed too many rows, or the instances could not reach
    /// the database.
    Missed,
    /// There are no more changes.
    End,
}

#[cfg(feature = "graphql")]
impl Changes {
    /// Waits for the next change.
    pub async fn next(&mut self) -> Next {
        loop {
            match self.receiver.recv().await {
                Ok(Announcement::Change(change)) if change.entity == self.entity => return Next::Change(change),
                Ok(Announcement::Many(entities)) if entities.contains(&self.entity) => return Next::Missed,
                Ok(Announcement::Change(_) | Announcement::Many(_)) => {}
                #[cfg(feature = "postgres")]
                Ok(Announcement::Loss) => return Next::Missed,
                Err(RecvError::Lagged(_)) => return Next::Missed,
                Err(RecvError::Closed) => return Next::End,
            }
        }
    }
}
