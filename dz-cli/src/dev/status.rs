//! The state of the build and of the application, which is sent to the pages in the browser.

use std::{
    process,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::json;
use tokio::sync::watch;

/// The state of the last build.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Building,
    Ready,
    Failed { title: String, text: String },
}

/// The application that answers requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upstream {
    /// Its port on this machine.
    pub port: u16,
    /// Its version.
    pub version: String,
}

/// The state that the proxy and the builds share.
pub struct Shared {
    upstream: Mutex<Option<Upstream>>,
    state: watch::Sender<State>,
    versions: AtomicU64,
}

impl Shared {
    /// The initial state: a build begins, and no application runs.
    pub fn new() -> Shared {
        Shared { upstream: Mutex::new(None), state: watch::Sender::new(State::Building), versions: AtomicU64::new(0) }
    }

    /// Records that a build begins.
    pub fn building(&self) {
        self.state.send_replace(State::Building);
    }

    /// Records that the build succeeded: a new application serves on a port, or the previous one still serves.
    pub fn ready(&self, port: Option<u16>) {
        if let Some(port) = port {
            // Differs from versions of earlier processes, whose pages may still be open.
            let version = format!("{}-{}", process::id(), self.versions.fetch_add(1, Ordering::Relaxed));
            *self.upstream.lock().unwrap_or_else(PoisonError::into_inner) = Some(Upstream { port, version });
        }
        self.state.send_replace(State::Ready);
    }

    /// Records a failure; the previous version still serves requests.
    pub fn failed(&self, title: &str, text: &str) {
        self.state.send_replace(State::Failed { title: title.to_owned(), text: text.to_owned() });
    }

    /// The application that answers requests.
    pub fn upstream(&self) -> Option<Upstream> {
        self.upstream.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notifies about changes.
    pub fn changes(&self) -> Changes {
        let mut receiver = self.state.subscribe();
        receiver.mark_changed();
        Changes(receiver)
    }

    /// The state as a server-sent event.
    pub fn event(&self) -> String {
        let version = self.upstream().map(|it| it.version);
        let event = match &*self.state.borrow() {
            State::Building => json!({ "state": "building", "version": version }),
            State::Ready => json!({ "state": "ready", "version": version }),
            State::Failed { title, text } => json!({ "state": "failed", "version": version, "title": title, "text": text }),
        };
        format!("data: {event}\n\n")
    }
}

/// A receiver of states; the first one is the present state.
pub struct Changes(watch::Receiver<State>);

impl Changes {
    /// Waits for the next change; false if there are no more changes.
    pub async fn next(&mut self) -> bool {
        self.0.changed().await.is_ok()
    }
}
