//! Waking the loops when something was committed that concerns them.

use tokio::sync::watch::{Receiver, Sender, channel};

/// Wakes whoever listens; a call that nobody waits for is heard at the next wait.
pub(crate) struct Wake(Sender<()>);

impl Wake {
    /// Wakes the loops.
    pub(crate) fn notify(&self) {
        self.0.send_modify(|()| ());
    }

    /// Hears the calls from now on.
    pub(crate) fn listen(&self) -> Receiver<()> {
        self.0.subscribe()
    }
}

impl Default for Wake {
    fn default() -> Wake {
        Wake(channel(()).0)
    }
}
