//! What is done without a request: the kinds of due work, and the loops that do it.
//!
//! A kind looks when something was committed that concerns it, when the next of its work is due, and at least every half
//! minute. It goes on after failures of the database, a little later each time.

mod delivery;
mod expired;
mod files;
mod timed_transitions;

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, Utc};
use tokio::task::JoinHandle;

use crate::{Result, blocking::guarded, db::Wake, output::log_event, state::State};

/// Nothing waits longer than this for somebody to look.
const INTERVAL: Duration = Duration::from_secs(30);
/// The wait after the first failure of the database; each further one doubles it, up to [`INTERVAL`].
const FIRST_RETRY: Duration = Duration::from_secs(1);

/// A kind of due work.
pub(crate) struct Kind {
    /// What one piece of it is called, and several.
    pub(crate) names: [&'static str; 2],
    /// Does some of what is due, a bounded number at a time, and stops early when it is told to.
    run: fn(&Arc<State>, &Stop) -> Result<Progress>,
}

/// What one look has done.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Pieces of work that are done.
    pub(crate) count: u64,
    /// Pieces that could not be done now, and will be tried again.
    pub(crate) postponed: u64,
    /// True when there is more.
    pub(crate) more: bool,
    /// When the next piece is due.
    pub(crate) next: Option<DateTime<Utc>>,
}

/// Every kind of due work.
pub(crate) const KINDS: [Kind; 4] = [
    Kind { names: ["timed transition", "timed transitions"], run: timed_transitions::run },
    Kind { names: ["event delivered", "events delivered"], run: delivery::run },
    Kind { names: ["expired row removed", "expired rows removed"], run: expired::run },
    Kind { names: ["file removed", "files removed"], run: files::run },
];

/// True while the loop of every kind runs.
pub(crate) fn are_all_running(state: &State) -> bool {
    state.loops.running() == KINDS.len()
}

/// Tells work to stop, between two pieces of it.
#[derive(Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// True when it is time to stop.
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does all that is due now; gives what was done by kind.
///
/// # Errors
/// 503 when the database is away.
pub(crate) fn run_due(state: &Arc<State>) -> Result<Vec<(&'static Kind, Progress)>> {
    let mut all: Vec<(&'static Kind, Progress)> = KINDS.iter().map(|kind| (kind, Progress::default())).collect();
    loop {
        let mut busy = false;
        for (kind, total) in &mut all {
            let done = guarded(|| (kind.run)(state, &Stop::default()))?;
            busy |= done.more || done.count > 0;
            total.count += done.count;
            total.postponed += done.postponed;
        }
        if !busy {
            return Ok(all);
        }
    }
}

/// Runs the loops from the start of the application to its end.
pub(crate) struct Worker {
    state: Arc<State>,
    stop: Stop,
    running: Mutex<Vec<JoinHandle<()>>>,
}

impl Worker {
    pub(crate) fn new(state: Arc<State>) -> Worker {
        Worker { state, stop: Stop::default(), running: Mutex::default() }
    }

    /// Starts the loops, each of which ends with its `shutdown`.
    pub(crate) fn start<S: Future<Output = ()> + Send + 'static>(&self, shutdown: impl Fn() -> S) {
        let wake = self.state.db.wake();
        let moved = wake.clone();
        self.state.clock.on_move(move || moved.call());
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        for kind in &KINDS {
            let (state, stop) = (self.state.clone(), self.stop.clone());
            running.push(tokio::spawn(run_loop(kind, state, stop, wake.clone(), shutdown())));
        }
    }

    /// Ends the loops, and waits until each has done the piece of work that it was doing.
    pub(crate) async fn stop(&self) {
        self.stop.request();
        let running = std::mem::take(&mut *self.running.lock().unwrap_or_else(PoisonError::into_inner));
        for kind in running {
            // A loop that panicked is over, too.
            let _ = kind.await;
        }
    }
}

/// Looks again and again.
async fn run_loop(kind: &'static Kind, state: Arc<State>, stop: Stop, wake: Arc<Wake>, shutdown: impl Future<Output = ()>) {
    let shared = state.clone();
    let _running = shared.loops.enter();
    let mut woken = wake.listen();
    let mut failures: u32 = 0;
    let mut shutdown = std::pin::pin!(shutdown);
    while !stop.is_requested() {
        woken.mark_unchanged();
        let (shared, asked) = (state.clone(), stop.clone());
        let done = tokio::task::spawn_blocking(move || guarded(|| (kind.run)(&shared, &asked))).await;
        let wait = match done {
            // The runtime is about to end.
            Err(_) => return,
            Ok(Ok(done)) => {
                failures = 0;
                sleep_duration(&state, &done)
            }
            Ok(Err(error)) => {
                let wait = FIRST_RETRY.saturating_mul(1 << failures.min(8)).min(INTERVAL);
                failures = failures.saturating_add(1);
                let why = error.internal.as_deref().unwrap_or(&error.detail);
                log_event!(warn, target: "dz::worker", kind = kind.names[1], failures, wait = wait.as_secs(), why, "due work failed; it is retried later");
                tokio::select! {
                    () = tokio::time::sleep(wait) => continue,
                    () = &mut shutdown => return,
                }
            }
        };
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            _ = woken.changed() => {}
            () = &mut shutdown => return,
        }
    }
}

/// How long to sleep when nothing wakes.
fn sleep_duration(state: &State, done: &Progress) -> Duration {
    if done.more {
        return Duration::ZERO;
    }
    let next = done.next.map(|at| (at - state.clock.now()).to_std().unwrap_or_default());
    // Not at once, so that what is due and cannot be done makes no busy loop.
    next.map_or(INTERVAL, |wait| wait.clamp(Duration::from_millis(50), INTERVAL))
}
