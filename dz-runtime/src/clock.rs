//! The clock of an application.

use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};

type Listener = Box<dyn Fn() + Send + Sync>;

/// The current time: that of the machine, corrected by the server of a PostgreSQL database, or a stopped clock for tests.
///
/// The whole application uses the clock of [`App::clock`](crate::App::clock): `now()` and `today()` in rules, defaults and
/// `auto_add`, sessions, throttling, timed transitions and retries. Clones share their time.
///
/// ```
/// use chrono::{TimeDelta, Utc};
/// use dz_runtime::Clock;
/// let clock = Clock::stopped("2026-03-01T08:00:00Z".parse().unwrap());
/// let copy = clock.clone();
/// clock.advance(TimeDelta::days(2));
/// assert_eq!(copy.now().to_rfc3339(), "2026-03-03T08:00:00+00:00");
/// assert!(Clock::system().now() <= Utc::now());
/// ```
#[derive(Clone, Default)]
pub struct Clock(Source);

/// Where the time comes from.
#[derive(Clone)]
enum Source {
    Machine {
        /// The difference of the clock of this machine, in microseconds; for tests.
        ahead: i64,
        /// What is added to the time of the machine, in microseconds.
        correction: Option<Arc<AtomicI64>>,
    },
    Stopped(Arc<Stopped>),
}

impl Default for Source {
    fn default() -> Source {
        Source::Machine { ahead: 0, correction: None }
    }
}

/// A stopped time.
struct Stopped {
    /// Microseconds since 1970.
    micros: AtomicI64,
    start: (DateTime<Utc>, Instant),
    listeners: Mutex<Vec<Listener>>,
}

impl Clock {
    /// The time of the machine.
    pub fn system() -> Clock {
        Clock::default()
    }

    /// The time of a machine whose clock is ahead by a duration, or behind by a negative one: for tests of several instances. On PostgreSQL
    /// the application corrects it as it corrects the clock of a real machine.
    pub fn ahead(by: TimeDelta) -> Clock {
        Clock(Source::Machine { ahead: by.num_microseconds().unwrap_or_default(), correction: None })
    }

    /// A clock that stops at a time until [`advance`](Clock::advance) or [`set`](Clock::set) changes it.
    pub fn stopped(at: DateTime<Utc>) -> Clock {
        let stopped = Stopped { micros: AtomicI64::new(at.timestamp_micros()), start: (at, Instant::now()), listeners: Mutex::default() };
        Clock(Source::Stopped(Arc::new(stopped)))
    }

    /// The current time, in microseconds.
    pub fn now(&self) -> DateTime<Utc> {
        match &self.0 {
            Source::Machine { correction, .. } => {
                let correction = correction.as_ref().map_or(0, |correction| correction.load(Ordering::Relaxed));
                self.machine_now() + TimeDelta::microseconds(correction)
            }
            Source::Stopped(stopped) => {
                DateTime::from_timestamp_micros(stopped.micros.load(Ordering::SeqCst)).unwrap_or(DateTime::<Utc>::MAX_UTC)
            }
        }
    }

    /// The time of the machine without a correction.
    pub(crate) fn machine_now(&self) -> DateTime<Utc> {
        match &self.0 {
            Source::Machine { ahead, .. } => Utc::now() + TimeDelta::microseconds(*ahead),
            Source::Stopped(_) => Utc::now(),
        }
    }

    /// This clock with a correction, which clones share; a stopped clock has none.
    pub(crate) fn correctable(self) -> Clock {
        match self.0 {
            Source::Machine { ahead, .. } => Clock(Source::Machine { ahead, correction: Some(Arc::default()) }),
            Source::Stopped(stopped) => Clock(Source::Stopped(stopped)),
        }
    }

    /// Sets the correction: the time of the machine and `by` are the current time.
    pub(crate) fn correct(&self, by: TimeDelta) {
        if let Source::Machine { correction: Some(correction), .. } = &self.0 {
            correction.store(by.num_microseconds().unwrap_or_default(), Ordering::Relaxed);
        }
    }

    /// The current instant, for measuring durations.
    pub fn instant(&self) -> Instant {
        match &self.0 {
            Source::Machine { .. } => Instant::now(),
            Source::Stopped(stopped) => {
                let (at, start) = stopped.start;
                start.checked_add((self.now() - at).to_std().unwrap_or(Duration::ZERO)).unwrap_or(start)
            }
        }
    }

    fn as_stopped(&self) -> Option<&Arc<Stopped>> {
        match &self.0 {
            Source::Machine { .. } => None,
            Source::Stopped(stopped) => Some(stopped),
        }
    }

    /// The time of a stopped clock, in microseconds since 1970.
    pub(crate) fn stopped_micros(&self) -> Option<i64> {
        self.as_stopped().map(|stopped| stopped.micros.load(Ordering::SeqCst))
    }

    /// Advances a stopped clock; it has no effect on the time of the machine.
    pub fn advance(&self, by: TimeDelta) {
        if let Some(stopped) = self.as_stopped() {
            stopped.micros.fetch_add(by.num_microseconds().unwrap_or(i64::MAX), Ordering::SeqCst);
            stopped.notify_listeners();
        }
    }

    /// Sets a stopped clock; it has no effect on the time of the machine.
    pub fn set(&self, at: DateTime<Utc>) {
        if let Some(stopped) = self.as_stopped() {
            stopped.micros.store(at.timestamp_micros(), Ordering::SeqCst);
            stopped.notify_listeners();
        }
    }

    /// Calls `listener` after each change of a stopped clock.
    pub(crate) fn on_change(&self, listener: impl Fn() + Send + Sync + 'static) {
        if let Some(stopped) = self.as_stopped() {
            stopped.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(listener));
        }
    }
}

impl Stopped {
    fn notify_listeners(&self) {
        for listener in self.listeners.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            listener();
        }
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Source::Machine { ahead: 0, .. } => f.write_str("Clock::system()"),
            Source::Machine { ahead, .. } => write!(f, "Clock::ahead({} s)", ahead / 1_000_000),
            Source::Stopped(_) => write!(f, "Clock::stopped({})", self.now()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_applies_to_all_copies() {
        let clock = Clock::ahead(TimeDelta::seconds(-90)).correctable();
        let copy = clock.clone();
        assert!((Utc::now() - copy.now()).num_seconds() >= 89);
        clock.correct(TimeDelta::seconds(90));
        assert!((Utc::now() - copy.now()).num_seconds().abs() < 60);
        assert!((Utc::now() - copy.machine_now()).num_seconds() >= 89);
        let system = Clock::system();
        system.correct(TimeDelta::days(1));
        assert!(system.now() <= Utc::now(), "without an instance to correct it, the clock of the machine decides");
    }

    #[test]
    fn copies_share_their_time_and_notify_listeners() {
        let clock = Clock::stopped(DateTime::UNIX_EPOCH);
        let (copy, before) = (clock.clone(), clock.instant());
        let heard = Arc::new(AtomicI64::new(0));
        let hears = heard.clone();
        copy.on_change(move || {
            hears.fetch_add(1, Ordering::SeqCst);
        });
        clock.advance(TimeDelta::seconds(90));
        clock.set(DateTime::UNIX_EPOCH + TimeDelta::minutes(5));
        assert_eq!(copy.now(), DateTime::UNIX_EPOCH + TimeDelta::minutes(5));
        assert_eq!(copy.instant() - before, Duration::from_secs(300));
        assert_eq!(heard.load(Ordering::SeqCst), 2);
    }
}
