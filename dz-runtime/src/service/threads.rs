//! The threads on which services run, each one call at a time. A thread waits for the next call for a while, because the start of a thread
//! takes longer than a short call.

use std::{
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Duration,
};

/// A call.
pub(super) type Work = Box<dyn FnOnce() + Send>;

/// How long a thread waits for the next call.
const IDLE: Duration = Duration::from_secs(10);
/// The largest number of waiting threads.
const MOST_WAITING: usize = 16;

/// The waiting threads.
#[derive(Clone, Default)]
pub(super) struct Threads(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    /// The number of the thread that waited last.
    last: u64,
    threads: Vec<(u64, Sender<Work>)>,
}

impl Threads {
    /// Runs a call on a thread that runs no other one.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn run(&self, mut work: Work) -> io::Result<()> {
        loop {
            let waiting = self.lock().threads.pop();
            let Some((_, thread)) = waiting else { break };
            match thread.send(work) {
                Ok(()) => return Ok(()),
                // The thread has ended.
                Err(unsent) => work = unsent.0,
            }
        }
        let threads = self.clone();
        thread::Builder::new().name("dz service".to_owned()).spawn(move || threads.serve(work)).map(drop)
    }

    /// Runs calls until none arrives for a while.
    fn serve(&self, first: Work) {
        let (sender, calls) = channel();
        let mut work = first;
        loop {
            work();
            let Some(number) = self.wait(&sender) else { return };
            let next = match calls.recv_timeout(IDLE) {
                Err(RecvTimeoutError::Timeout) if self.leave(number) => return,
                // Another thread has chosen this one, and sends its call.
                Err(RecvTimeoutError::Timeout) => calls.recv().ok(),
                next => next.ok(),
            };
            let Some(next) = next else { return };
            work = next;
        }
    }

    /// Adds a waiting thread; `None` if there are enough.
    fn wait(&self, sender: &Sender<Work>) -> Option<u64> {
        let mut waiting = self.lock();
        if waiting.threads.len() >= MOST_WAITING {
            return None;
        }
        waiting.last += 1;
        let number = waiting.last;
        waiting.threads.push((number, sender.clone()));
        Some(number)
    }

    /// Removes a waiting thread; false if it was chosen for a call.
    fn leave(&self, number: u64) -> bool {
        let mut waiting = self.lock();
        let before = waiting.threads.len();
        waiting.threads.retain(|(of, _)| *of != number);
        waiting.threads.len() < before
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiting_thread_runs_the_next_call_and_a_busy_one_does_not() {
        let threads = Threads::default();
        let (sender, ids) = channel();
        let report = |until: Option<std::sync::mpsc::Receiver<()>>| -> Work {
            let sender = sender.clone();
            Box::new(move || {
                if let Some(until) = until {
                    let _ = until.recv();
                }
                let _ = sender.send(thread::current().id());
            })
        };
        threads.run(report(None)).expect("a thread");
        let first = ids.recv().expect("a call");
        while threads.lock().threads.is_empty() {
            thread::yield_now();
        }
        let (end, ended) = channel();
        threads.run(report(Some(ended))).expect("a thread");
        threads.run(report(None)).expect("a thread");
        let other = ids.recv().expect("a call");
        assert_ne!(other, first, "the first thread is busy");
        end.send(()).expect("a call that waits");
        assert_eq!(ids.recv().expect("a call"), first);
    }
}
