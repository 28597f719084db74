//! Processes: steps that run after something happened, over services, people and time.

mod data;
mod step;
mod task;

pub use data::{DataPath, DataRoot};
pub use step::{Argument, Backoff, Compensation, FailurePolicy, Flow, Retry, Step, StepAction, Target, TargetKind};
pub use task::{Effect, HumanTask, Outcome, Rows, WhichRows};

use super::{Duration, EntityId, Expr, FieldId, NameUse, Placed, ProcessId, StoryId, ValueField, words::words};
use crate::Span;

/// A process.
#[derive(Debug, Clone, PartialEq)]
pub struct Process {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// Stories it carries out, by id.
    pub implements: Vec<Placed<StoryId>>,
    /// What starts it.
    pub trigger: Trigger,
    /// What it takes.
    pub input: Vec<ProcessInput>,
    /// What it gives.
    pub output: Vec<ProcessOutput>,
    /// Its steps.
    pub flow: Flow,
    /// After how long a run fails.
    pub timeout: Option<Duration>,
    /// What happens when it is started while it runs.
    pub overlap: Overlap,
    /// Signals it sends.
    pub emits: Vec<Emitted>,
    /// The name in the declaration.
    pub span: Span,
}

/// An input of a process.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessInput {
    /// Name and type.
    pub field: ValueField,
    /// Where the value comes from when the trigger starts the process: a field of the row, or an output of the
    /// process that completed. `None`: the caller gives it, or the default.
    pub from_trigger: Option<Expr>,
}

/// An output of a process.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessOutput {
    /// Name and type.
    pub field: ValueField,
    /// Its value at the end: what is said after `=`, else the result of that name. `None` is null.
    pub value: Option<Expr>,
}

/// What starts a process.
#[derive(Debug, Clone, PartialEq)]
pub enum Trigger {
    /// A person or another process.
    Manual,
    /// `entity E created|updated|deleted`
    Entity {
        /// The entity.
        entity: Placed<EntityId>,
        /// What happens to a row of it.
        event: EntityEvent,
    },
    /// `entity E status a -> b`: an update that changes a field.
    Change {
        /// The entity.
        entity: Placed<EntityId>,
        /// The enum field.
        field: Placed<FieldId>,
        /// The value before, by position; any when `None`.
        from: Option<Placed<usize>>,
        /// The value after, by position.
        to: Placed<usize>,
    },
    /// `signal NAME`
    Signal(NameUse),
    /// `process NAME completed`
    Completed(Placed<ProcessId>),
    /// `cron "…"`, in the application's time zone.
    Cron(Cron),
}

impl Trigger {
    /// The entity and event that start the process, a change of a field being an update.
    pub fn entity_event(&self) -> Option<(EntityId, EntityEvent)> {
        match self {
            Trigger::Entity { entity, event } => Some((entity.it, *event)),
            Trigger::Change { entity, .. } => Some((entity.it, EntityEvent::Updated)),
            _ => None,
        }
    }
}

words! {
    /// What happens to a row.
    EntityEvent {
        Created = "created",
        Updated = "updated",
        Deleted = "deleted",
    }
}

/// Points in time by minute, hour, day, month and weekday: bit `n` of a set is the value `n`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cron {
    /// As written.
    pub text: String,
    /// 0 to 59.
    pub minutes: u64,
    /// 0 to 23.
    pub hours: u32,
    /// 1 to 31.
    pub days: u32,
    /// 1 to 12.
    pub months: u16,
    /// 0 (Sunday) to 6.
    pub weekdays: u8,
    /// True when day and weekday are both restricted: then one of the two is enough.
    pub either_day: bool,
    /// The text in quotes.
    pub span: Span,
}

words! {
    /// What happens when something is started while it runs: the second start is dropped, it waits, it ends the first,
    /// or both run.
    Overlap {
        Skip = "skip",
        Queue = "queue",
        CancelPrevious = "cancel_previous",
        Allow = "allow",
    }
}

/// A signal that a process sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emitted {
    /// When.
    pub moment: Moment,
    /// Which.
    pub signal: NameUse,
}

/// When a process sends a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// `on_start`
    Start,
    /// `on_complete`, also where no moment is said.
    Complete,
    /// `on_failure`
    Failure,
}
