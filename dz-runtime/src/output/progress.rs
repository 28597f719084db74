//! The progress of a command that takes longer than a second, on standard error.
//!
//! A command begins a [`Progress`]; the work on its thread calls [`step`] with what it does. On every other thread, such as that of a
//! request, `step` has no effect, so that the same work can run in the server.

use std::{
    cell::RefCell,
    fmt,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::print_error;

/// The time until the first line.
const FIRST: Duration = Duration::from_secs(1);
/// The longest time between two lines: the interval doubles, so that a long command prints few lines.
const LONGEST: Duration = Duration::from_secs(32);

thread_local! {
    static CURRENT: RefCell<Option<Arc<Shared>>> = const { RefCell::new(None) };
}

/// The state that the command and the thread that prints share.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    step: String,
    is_ended: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A command whose progress is printed until it is dropped.
pub(crate) struct Progress {
    shared: Arc<Shared>,
    printer: Option<JoinHandle<()>>,
}

impl Progress {
    /// Begins the progress of a command on this thread.
    pub(crate) fn start() -> Progress {
        Progress::with_output(FIRST, |line| print_error(format_args!("{line}")))
    }

    /// As [`start`](Progress::start), unless the output of the command is for programs.
    pub(crate) fn unless_json(json: bool) -> Option<Progress> {
        (!json).then(Progress::start)
    }

    fn with_output(first: Duration, print: impl Fn(&str) + Send + 'static) -> Progress {
        let shared = Arc::<Shared>::default();
        let of_printer = shared.clone();
        // Without a thread the command works, and shows no progress.
        let printer = thread::Builder::new().name("dz progress".to_owned()).spawn(move || print_steps(&of_printer, first, &print)).ok();
        CURRENT.with_borrow_mut(|current| *current = Some(shared.clone()));
        Progress { shared, printer }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        CURRENT.with_borrow_mut(Option::take);
        self.shared.lock().is_ended = true;
        self.shared.ended.notify_all();
        if let Some(printer) = self.printer.take() {
            // A panic of the thread that prints does not affect the command.
            let _ = printer.join();
        }
    }
}

/// Sets what the command on this thread does now.
pub(crate) fn step(text: fmt::Arguments<'_>) {
    CURRENT.with_borrow(|current| {
        if let Some(shared) = current {
            let mut state = shared.lock();
            state.step.clear();
            // Writing to a string does not fail.
            let _ = fmt::write(&mut state.step, text);
        }
    });
}

/// Prints the current step after the first interval, and then at growing intervals, until the command ends.
fn print_steps(shared: &Shared, first: Duration, print: &dyn Fn(&str)) {
    let begin = Instant::now();
    let (mut interval, mut next) = (first, first);
    let mut state = shared.lock();
    while !state.is_ended {
        let elapsed = begin.elapsed();
        if elapsed < next {
            state = shared.ended.wait_timeout(state, next - elapsed).unwrap_or_else(PoisonError::into_inner).0;
            continue;
        }
        if !state.step.is_empty() {
            let line = format!("{} ({} s)", state.step, elapsed.as_secs());
            // Standard error can be slow, and the command must not wait for it.
            drop(state);
            print(&line);
            state = shared.lock();
        }
        next = elapsed + interval;
        interval = (interval * 2).min(LONGEST);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_long_command_prints_its_steps() {
        let (sender, lines) = mpsc::channel();
        let progress = Progress::with_output(Duration::from_millis(1), move |line| {
            let _ = sender.send(line.to_owned());
        });
        step(format_args!("row {} of {}", 1, 2));
        let line = |wanted: &str| lines.iter().find(|line| line.starts_with(wanted)).expect("a line");
        assert_eq!(line("row 1"), "row 1 of 2 (0 s)");
        step(format_args!("row 2 of 2"));
        assert_eq!(line("row 2"), "row 2 of 2 (0 s)");
        drop(progress);
        assert!(lines.iter().all(|line| line.starts_with("row 2")), "the thread has ended");
        step(format_args!("after the end"));
        CURRENT.with_borrow(|current| assert!(current.is_none()));
    }

    #[test]
    fn a_short_command_and_another_thread_print_nothing() {
        let (sender, lines) = mpsc::channel();
        let progress = Progress::with_output(Duration::from_secs(3_600), move |line| {
            let _ = sender.send(line.to_owned());
        });
        step(format_args!("here"));
        thread::spawn(|| step(format_args!("elsewhere"))).join().expect("the thread");
        assert_eq!(progress.shared.lock().step, "here");
        drop(progress);
        assert_eq!(lines.iter().count(), 0);
    }
}
