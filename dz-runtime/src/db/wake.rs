//! The signal that wakes the loops of the worker after a commit.

use tokio::sync::watch::{Receiver, Sender, channel};

/// Wakes all listeners. A notification without a waiting listener is delivered at the next wait.
pub(crate) struct Wake(Sender<()>);

impl Wake {
    /// Wakes all listeners.
    pub(crate) fn notify(&self) {
        self.0.send_modify(|()| ());
    }

    /// A listener for notifications from now on.
    pub(crate) fn listen(&self) -> Receiver<()> {
        self.0.subscribe()
    }
}

impl Default for Wake {
    fn default() -> Wake {
        Wake(channel(()).0)
    }
}
