//! Processes: an event starts their steps, which call services, create human tasks and wait.

mod data;
mod step;
mod task;

pub use data::{DataPath, DataRoot};
pub use step::{Argument, Callee, Compensation, FailurePolicy, Flow, Retry, Step, StepAction, Target, TargetKind};
pub use task::{Effect, HumanTask, Outcome, Rows, WhichRows};

use super::{Duration, EntityId, Expr, FieldId, NameUse, Placed, ProcessId, RoleId, StoryId, ValueField, words::words};
use crate::Span;

/// A process.
#[derive(Debug, Clone, PartialEq)]
pub struct Process {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// The ids of the stories that it implements.
    pub implements: Vec<Placed<StoryId>>,
    /// The trigger.
    pub trigger: Trigger,
    /// The inputs.
    pub input: Vec<ProcessInput>,
    /// The outputs.
    pub output: Vec<ProcessOutput>,
    /// Its steps.
    pub flow: Flow,
    /// The timeout of a run.
    pub timeout: Option<Duration>,
    /// The treatment of a start while it runs.
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
    /// The value if the trigger starts the process: a field of the row, or an output of the completed process. `None`: the caller
    /// passes it, or it has its default.
    pub from_trigger: Option<Expr>,
}

/// An output of a process.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessOutput {
    /// Name and type.
    pub field: ValueField,
    /// Its value at the end: the expression after `=`, else the result of that name. `None` is null.
    pub value: Option<Expr>,
}

/// The triggers of processes.
#[derive(Debug, Clone, PartialEq)]
pub enum Trigger {
    /// A user or another process; the roles of the users, or none for administrators of the whole system.
    Manual(Vec<Placed<RoleId>>),
    /// `entity E created|updated|deleted`
    Entity {
        /// The entity.
        entity: Placed<EntityId>,
        /// The event of its rows.
        event: EntityEvent,
    },
    /// `entity E status a -> b`: an update that changes a field.
    Change {
        /// The entity.
        entity: Placed<EntityId>,
        /// The enum field.
        field: Placed<FieldId>,
        /// The value before, by position; `None` for any value.
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
    /// The entity and event that start the process; a change of a field is an update.
    pub fn entity_event(&self) -> Option<(EntityId, EntityEvent)> {
        match self {
            Trigger::Entity { entity, event } => Some((entity.it, *event)),
            Trigger::Change { entity, .. } => Some((entity.it, EntityEvent::Updated)),
            Trigger::Manual(_) | Trigger::Signal(_) | Trigger::Completed(_) | Trigger::Cron(_) => None,
        }
    }
}

words! {
    /// The events of a row.
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
    /// True if day and weekday are both restricted: then one of the two is enough.
    pub either_day: bool,
    /// The text in quotes.
    pub span: Span,
}

words! {
    /// The treatment of a second start during a run: it is dropped, it is delayed, it ends the first run, or both run.
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
    /// The event at which it is sent.
    pub event: EmitEvent,
    /// The signal.
    pub signal: NameUse,
}

/// The events at which a process sends a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmitEvent {
    /// `on_start`
    Start,
    /// `on_complete`, which is the default.
    Complete,
    /// `on_failure`
    Failure,
}
