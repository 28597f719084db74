//! The events of a run, and the commands that it issues.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::state::{RunStatus, Unit};

/// One attempt of a unit. A result names it, so that the result of an earlier attempt has no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attempt {
    /// The unit.
    pub unit: Unit,
    /// The visit: 1 when the run enters the unit for the first time, 2 in the next pass of a loop.
    pub visit: u32,
    /// The number of the attempt, from 1.
    pub number: u32,
}

/// The reason for which an attempt or a run failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failure {
    /// The code, in upper case.
    pub code: String,
    /// A sentence.
    pub detail: String,
    /// The errors of fields.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub field_errors: serde_json::Map<String, Json>,
}

impl Failure {
    /// A failure without errors of fields.
    pub fn new(code: &str, detail: impl Into<String>) -> Failure {
        Failure { code: code.to_owned(), detail: detail.into(), field_errors: serde_json::Map::new() }
    }

    /// Removes the texts, and keeps the code.
    pub(super) fn clear_texts(&mut self) {
        "The text was erased".clone_into(&mut self.detail);
        self.field_errors.clear();
    }

    /// The failure of something that took too long.
    pub fn timeout(detail: &str) -> Failure {
        Failure::new("TIMEOUT", detail)
    }
}

/// An event.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    /// The run starts.
    Start,
    /// Time has passed, or a step is ready.
    Tick,
    /// A call, another process or the effects of a unit have ended.
    Done {
        /// The attempt.
        attempt: Attempt,
        /// Its output.
        result: Result<Json, Failure>,
    },
    /// The task or timer that a unit needs before it waits could not be created.
    Refused {
        /// The attempt.
        attempt: Attempt,
        /// The reason.
        failure: Failure,
    },
    /// A condition was evaluated.
    Chosen {
        /// The attempt.
        attempt: Attempt,
        /// The value of the condition.
        result: Result<bool, Failure>,
    },
    /// A human task was decided.
    Decided {
        /// The step.
        step: usize,
        /// The visit to which the task belongs.
        visit: u32,
        /// The position of the outcome.
        outcome: usize,
        /// The output of the step.
        output: Json,
    },
    /// A signal was sent.
    Signal {
        /// Its name.
        name: String,
        /// Its payload.
        payload: Json,
        /// True if the run keeps it until it waits for it.
        keep: bool,
    },
    /// The run is cancelled.
    Cancel,
    /// A failed run continues.
    Retry,
    /// A step counts as completed without a result.
    Skip {
        /// The step.
        step: usize,
    },
}

/// What must be done in the transaction that stores the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Command {
    /// Call a service or a language model, outside of the transaction.
    Call(Attempt),
    /// Start another process.
    StartChild(Attempt),
    /// Cancel the process that a unit started.
    CancelChild(Attempt),
    /// Create a human task.
    OpenTask(Attempt),
    /// Close the task of a step that no longer waits.
    CloseTask(Attempt),
    /// Evaluate the condition of a step.
    Choose(Attempt),
    /// Make the effects of a unit.
    Apply(Attempt),
    /// The run has ended.
    End(RunStatus),
}
