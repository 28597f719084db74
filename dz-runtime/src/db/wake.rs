//! The signal that wakes the loops of the worker after a commit.

use tokio::sync::watch::{Receiver, Sender, channel};

/// Work that a commit can make due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Timed transitions of rows.
    TimedTransitions,
    /// Events of the outbox.
    Events,
    /// Runs of processes.
    Runs,
    /// Jobs.
    Jobs,
    /// Files that no row uses.
    Files,
    /// Work that only the clock makes due.
    Timed,
}

impl Work {
    const COUNT: usize = 6;
}

/// Some kinds of work.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DueWork(u8);

impl DueWork {
    /// Every kind.
    pub(crate) const ALL: DueWork = DueWork(u8::MAX);

    /// Adds a kind.
    pub(crate) fn add(&mut self, work: Work) {
        self.0 |= 1 << work as u8;
    }

    /// True without a kind.
    #[cfg(any(test, feature = "postgres"))]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Wakes the listeners of a kind of work: a commit that stores a job must not make every other loop look for work. A notification without
/// a waiting listener is delivered at the next wait.
pub(crate) struct Wake([Sender<()>; Work::COUNT]);

impl Wake {
    /// Wakes the listeners of some kinds.
    pub(crate) fn notify(&self, due: DueWork) {
        for (at, sender) in self.0.iter().enumerate() {
            if due.0 >> at & 1 == 1 {
                sender.send_modify(|()| ());
            }
        }
    }

    /// A listener for notifications from now on.
    pub(crate) fn listen(&self, work: Work) -> Receiver<()> {
        self.0[work as usize].subscribe()
    }
}

impl Default for Wake {
    fn default() -> Wake {
        Wake(std::array::from_fn(|_| channel(()).0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_listeners_of_the_work_are_woken() {
        let wake = Wake::default();
        let mut listening = [Work::Jobs, Work::Runs, Work::Timed].map(|work| wake.listen(work));
        let mut due = DueWork::default();
        assert!(due.is_empty());
        due.add(Work::Jobs);
        wake.notify(due);
        assert_eq!(listening.each_ref().map(|it| it.has_changed().unwrap_or_default()), [true, false, false]);
        listening.iter_mut().for_each(Receiver::mark_unchanged);
        wake.notify(DueWork::ALL);
        assert_eq!(listening.each_ref().map(|it| it.has_changed().unwrap_or_default()), [true; 3]);
    }
}
