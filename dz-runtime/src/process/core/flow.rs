//! The control flow of a process: its steps by position, and where each continues.

use chrono::{DateTime, Months, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::retry::Retry;
use crate::value::storage;

/// The steps of a process. The first one is at position 0; those of a `parallel` name it as their parent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flow {
    /// The steps.
    pub steps: Vec<Step>,
    /// The compensations.
    pub compensations: Vec<Compensation>,
    /// The timeout of a run.
    pub timeout: Option<Delay>,
}

/// A step.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// Its action.
    pub action: Action,
    /// The `parallel` that contains it.
    pub parent: Option<usize>,
    /// True if it changes rows after its action.
    pub has_effects: bool,
    /// The timeout of an attempt.
    pub timeout: Option<Delay>,
    /// The retry.
    pub retry: Option<Retry>,
    /// The next step.
    pub next: Target,
    /// The next step after a failure.
    pub on_failure: Target,
    /// Its compensation.
    pub compensate: Option<usize>,
}

/// The actions of steps.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// A call that runs outside of the database.
    Call,
    /// Another process.
    Subprocess,
    /// A human task, with the next step of each outcome.
    Task(Vec<Target>),
    /// A time.
    WaitFor(Delay),
    /// A signal.
    WaitSignal(String),
    /// A condition.
    Condition {
        /// The next step if it is true.
        on_true: Target,
        /// The next step if it is false.
        on_false: Target,
    },
    /// Concurrent steps.
    Parallel {
        /// The steps.
        branches: Vec<usize>,
        /// What happens to the other branches if one fails.
        on_any_failure: FailurePolicy,
    },
    /// Only effects.
    Effects,
}

/// What happens to the other branches if one fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FailurePolicy {
    /// They are cancelled.
    FailFast,
    /// They finish first.
    WaitAll,
    /// They are cancelled and compensated.
    Rollback,
}

/// A compensation.
#[derive(Debug, Clone)]
pub(crate) struct Compensation {
    /// Its action: a call, another process, or effects.
    pub action: Action,
    /// True if it changes rows after its action.
    pub has_effects: bool,
    /// The timeout of an attempt.
    pub timeout: Option<Delay>,
    /// The retry.
    pub retry: Option<Retry>,
}

/// A next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Target {
    /// The step at this position.
    Step(usize),
    /// The process completes, or the branch of a `parallel`.
    Complete,
    /// The process fails, or the branch of a `parallel`.
    Fail,
}

/// A span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Delay {
    /// Calendar months.
    #[serde(default)]
    pub months: u32,
    /// Seconds.
    #[serde(default)]
    pub seconds: i64,
}

impl Delay {
    /// The time after this span; the last time that can be stored for a span that is too long.
    pub fn after(self, at: DateTime<Utc>) -> DateTime<Utc> {
        let months = at.checked_add_months(Months::new(self.months));
        let seconds = TimeDelta::try_seconds(self.seconds);
        months
            .zip(seconds)
            .and_then(|(at, seconds)| at.checked_add_signed(seconds))
            .map_or(storage::nearest_storable(DateTime::<Utc>::MAX_UTC), storage::nearest_storable)
    }
}
