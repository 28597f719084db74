//! Background work: the kinds of due work, and their loops.
//!
//! A loop runs after commits that concern it, when its next work is due, and at least every 30 seconds. After a failure of the database
//! it retries with increasing delays.

mod delivery;
mod expired;
mod figures;
mod files;
mod jobs;
pub(crate) mod partitions;
mod processes;
mod schedules;
mod timed_transitions;

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, Utc};
pub(crate) use figures::StoredWork;
use tokio::task::JoinHandle;

use crate::{
    Engine, Result,
    blocking::catch_panic,
    db::{DueWork, ProcessLock, Wake, Work, slow_statement::with_route},
    output::log_event,
    state::State,
};

/// The maximum time between two runs of a loop.
const INTERVAL: Duration = Duration::from_secs(30);
/// The same on SQLite, in an application with processes.
const WITHOUT_WAKE: Duration = Duration::from_secs(3);
/// The delay after the first failure of the database; each further failure doubles it, up to [`INTERVAL`].
const FIRST_RETRY: Duration = Duration::from_secs(1);

/// A kind of due work.
pub(crate) struct Kind {
    /// Its name in the singular and in the plural.
    pub(crate) names: [&'static str; 2],
    /// Does a bounded part of the due work, and stops early if `Stop` requests it.
    run: fn(&Arc<State>, &Stop) -> Result<Progress>,
    /// The commits that wake its loops.
    work: Work,
    /// The maximum number of its loops: pieces of work that one instance does at the same time.
    loops: usize,
}

impl Kind {
    /// The number of its loops in an application. Without jobs one loop is sufficient: it reports jobs of an earlier version.
    fn count_loops(&self, state: &State) -> usize {
        self.loops.min(state.hooks.jobs.count().max(1))
    }
}

/// The result of one run.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Completed work.
    pub(crate) count: u64,
    /// Failed work, which is retried later.
    pub(crate) postponed: u64,
    /// True if more work is due.
    pub(crate) more: bool,
    /// The time at which the next work is due.
    pub(crate) next: Option<DateTime<Utc>>,
}

/// Every kind of due work.
pub(crate) const KINDS: [Kind; 7] = [
    Kind { names: ["timed transition", "timed transitions"], run: timed_transitions::run, work: Work::TimedTransitions, loops: 1 },
    Kind { names: ["event delivered", "events delivered"], run: delivery::run, work: Work::Events, loops: 1 },
    Kind { names: ["schedule due", "schedules due"], run: schedules::run, work: Work::Timed, loops: 1 },
    Kind { names: ["run continued", "runs continued"], run: processes::run, work: Work::Runs, loops: 2 },
    // A long job must not delay the others.
    Kind { names: ["job done", "jobs done"], run: jobs::run, work: Work::Jobs, loops: 4 },
    Kind { names: ["expired row removed", "expired rows removed"], run: expired::run, work: Work::Timed, loops: 1 },
    Kind { names: ["file removed", "files removed"], run: files::run, work: Work::Files, loops: 1 },
];

/// True while the loops of all kinds run.
pub(crate) fn are_all_running(state: &State) -> bool {
    let (running, expected) = loops(state);
    running == expected
}

/// The number of running loops, and of those that must run.
pub(crate) fn loops(state: &State) -> (usize, usize) {
    let expected = if state.config.settings.worker { KINDS.iter().map(|kind| kind.count_loops(state)).sum() } else { 0 };
    (state.loops.running(), expected)
}

/// Requests the end of the loops; they stop between two pieces of work.
#[derive(Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// True if the loops must stop.
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does all due work, and returns the progress of each kind.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn run_due(state: &Arc<State>) -> Result<Vec<(&'static Kind, Progress)>> {
    let mut all: Vec<(&'static Kind, Progress)> = KINDS.iter().map(|kind| (kind, Progress::default())).collect();
    loop {
        let mut busy = false;
        for (kind, total) in &mut all {
            let done = catch_panic(|| (kind.run)(state, &Stop::default()))?;
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
    /// Shows other processes that this one works on the same file.
    _lock: Option<ProcessLock>,
}

impl Worker {
    pub(crate) fn new(state: Arc<State>, lock: Option<ProcessLock>) -> Worker {
        Worker { state, stop: Stop::default(), running: Mutex::default(), _lock: lock }
    }

    /// Starts the loops; each ends with its `shutdown`.
    pub(crate) fn start<S: Future<Output = ()> + Send + 'static>(&self, shutdown: impl Fn() -> S) {
        let wake = self.state.db.wake();
        let moved = wake.clone();
        self.state.clock.on_change(move || moved.notify(DueWork::ALL));
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        for kind in KINDS.iter().flat_map(|kind| std::iter::repeat_n(kind, kind.count_loops(&self.state))) {
            let (state, stop) = (self.state.clone(), self.stop.clone());
            running.push(tokio::spawn(run_loop(kind, state, stop, wake.clone(), shutdown())));
        }
    }

    /// Ends the loops, and waits until each has completed its current piece of work.
    pub(crate) async fn stop(&self) {
        self.stop.request();
        let running = std::mem::take(&mut *self.running.lock().unwrap_or_else(PoisonError::into_inner));
        for kind in running {
            // A loop that panicked has also ended.
            let _ = kind.await;
        }
    }
}

/// Runs the work of a kind again and again.
async fn run_loop(kind: &'static Kind, state: Arc<State>, stop: Stop, wake: Arc<Wake>, shutdown: impl Future<Output = ()>) {
    let shared = state.clone();
    let _running = shared.loops.enter();
    let mut woken = wake.listen(kind.work);
    let mut failures: u32 = 0;
    let mut shutdown = std::pin::pin!(shutdown);
    while !stop.is_requested() {
        woken.mark_unchanged();
        let (shared, asked) = (state.clone(), stop.clone());
        let done = tokio::task::spawn_blocking(move || with_route(kind.names[1], || catch_panic(|| (kind.run)(&shared, &asked)))).await;
        let wait = match done {
            // The async runtime is shutting down.
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

/// The maximum time between two runs. On SQLite no command can wake the loops, so an application with processes looks for work more often.
fn longest_sleep(state: &State) -> Duration {
    let hears_of_commands = state.db.engine() == Engine::Postgres || state.app.processes.is_empty();
    if hears_of_commands { INTERVAL } else { WITHOUT_WAKE }
}

/// The delay until the next run if no commit wakes the loop.
fn sleep_duration(state: &State, done: &Progress) -> Duration {
    if done.more {
        return Duration::ZERO;
    }
    let next = done.next.map(|at| (at - state.clock.now()).to_std().unwrap_or_default());
    // A lower limit prevents a busy loop over work that is due and fails.
    let longest = longest_sleep(state);
    next.map_or(longest, |wait| wait.clamp(Duration::from_millis(50), longest))
}
