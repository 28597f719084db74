//! Events of the runs of processes, delivered to Rust code of the application after the commit.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::{describe_same_name, describe_unnamed, unnamed};
use crate::{Result, SystemCx};

/// The kind of an event of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunEvent {
    /// The run began to work. A run that waits for an earlier one (`overlap: queue`) begins later than it was started.
    Started,
    /// The run completed.
    Completed,
    /// The run failed, and its compensations have ended.
    Failed,
    /// The run was cancelled, and its compensations have ended.
    Cancelled,
}

impl RunEvent {
    /// The name in the log and in the outbox.
    pub fn name(self) -> &'static str {
        match self {
            RunEvent::Started => "process.started",
            RunEvent::Completed => "process.completed",
            RunEvent::Failed => "process.failed",
            RunEvent::Cancelled => "process.cancelled",
        }
    }

    /// The event of this name.
    pub(crate) fn from_name(name: &str) -> Option<RunEvent> {
        [RunEvent::Started, RunEvent::Completed, RunEvent::Failed, RunEvent::Cancelled].into_iter().find(|event| event.name() == name)
    }
}

impl fmt::Display for RunEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The reason for which a run failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunError {
    /// The code, in upper case.
    pub code: String,
    /// A sentence.
    pub detail: String,
    /// The step; `None` for the run as a whole.
    pub step: Option<String>,
}

/// What the outbox stores of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RunPayload {
    pub(crate) input: Map<String, Json>,
    pub(crate) output: Option<Map<String, Json>>,
    pub(crate) error: Option<RunError>,
    /// The key of the tenant, in the form of the JSON API.
    pub(crate) tenant: Json,
}

/// An event of a run, for a subscriber (see [`App::on_process`](crate::App::on_process)).
#[derive(Debug, Clone)]
pub struct RunHappened {
    /// Equal for every attempt and every subscriber; use it to detect a repeated delivery.
    pub id: Uuid,
    /// The kind of the event.
    pub event: RunEvent,
    /// The time of the event.
    pub at: DateTime<Utc>,
    /// The name of the process.
    pub process: String,
    /// The id of the run.
    pub run: Uuid,
    /// The inputs of the run, by name.
    pub input: Map<String, Json>,
    /// The outputs, of a completed run.
    pub output: Option<Map<String, Json>>,
    /// The reason, of a failed run.
    pub error: Option<RunError>,
    /// The number of the attempt, from 1.
    pub attempt: u32,
}

type Deliver = Box<dyn Fn(&SystemCx, &RunHappened) -> Result<()> + Send + Sync>;

/// A subscriber of an event of the runs of a process.
pub(crate) struct RunSubscriber {
    pub(crate) process: String,
    pub(crate) event: RunEvent,
    /// The name identifies the subscriber across restarts, as that of a subscriber of rows.
    pub(crate) name: String,
    /// True for a name that the application declares.
    is_declared: bool,
    /// Names of earlier versions, whose pending events it gets.
    pub(crate) former_names: Vec<String>,
    /// The former name that depends on the order of registration; a subscriber with a declared name does not have it.
    numbered_name: Option<String>,
    pub(crate) deliver: Deliver,
}

impl RunSubscriber {
    /// Creates a subscriber that has no declared name: its name is that of its process.
    pub(crate) fn new(
        others: &[RunSubscriber],
        process: &str,
        event: RunEvent,
        f: impl Fn(&SystemCx, &RunHappened) -> Result<()> + Send + Sync + 'static,
    ) -> RunSubscriber {
        let number = others.iter().filter(|other| other.process == process).count() + 1;
        RunSubscriber {
            process: process.to_owned(),
            event,
            name: unnamed(&format!("process {process}")),
            is_declared: false,
            former_names: Vec::new(),
            numbered_name: Some(format!("process {process} {number}")),
            deliver: Box::new(f),
        }
    }

    /// Sets the declared name.
    pub(crate) fn declare_name(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        self.is_declared = true;
        // It is perhaps that of another subscriber without a declared name.
        self.numbered_name = None;
    }

    /// True if pending events for this former name are its own.
    pub(crate) fn had_name(&self, name: &str) -> bool {
        self.former_names.iter().chain(&self.numbered_name).any(|former| former == name)
    }

    /// True if the other one has the same name and event.
    pub(crate) fn is_same(&self, other: &RunSubscriber) -> bool {
        (&self.process, self.event, &self.name) == (&other.process, other.event, &other.name)
    }

    /// The reason why this subscriber cannot have the name of another one of the same event.
    pub(crate) fn describe_duplicate(&self, first: &RunSubscriber) -> String {
        let stored = |it: &RunSubscriber| it.numbered_name.clone().unwrap_or_else(|| it.name.clone());
        match self.is_declared {
            true => describe_same_name(&self.name),
            false => describe_unnamed(&format!("`{}` of the process `{}`", self.event, self.process), [&stored(first), &stored(self)]),
        }
    }
}
