//! The values in a running process.

use crate::{
    Span,
    model::{FieldId, Path, StepId},
};

/// A value in a running process. Two are equal if they are the same value, at any place.
#[derive(Debug, Clone)]
pub struct DataPath {
    /// Where it starts.
    pub root: DataRoot,
    /// If the root references a row: the field of that row.
    pub rest: Option<Path>,
    /// True if it can be null at its place after any steps.
    pub optional: bool,
    /// Its place.
    pub span: Span,
}

impl PartialEq for DataPath {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root && self.rest == other.rest
    }
}

/// The root of a value in a running process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DataRoot {
    /// A reference to the row whose event started the process.
    TriggerRow,
    /// An output of the process whose completion started this one, by position.
    TriggerOutput(usize),
    /// The payload of the signal that started it, as JSON.
    TriggerPayload,
    /// An input of the process, by position.
    Input(usize),
    /// An output of the service or process that a step called, by position.
    Output(StepId, usize),
    /// A field of the entity that describes the response of a language model.
    Answer(StepId, FieldId),
    /// The response of a language model as text, if no entity describes it.
    AnswerText(StepId),
    /// The outcome of a human task, a value of [`HumanTask::outcome_enum`](super::HumanTask::outcome_enum).
    Outcome(StepId),
    /// A reference to the account that decided.
    DecidedBy(StepId),
    /// The time of the decision.
    DecidedAt(StepId),
    /// The payload of the signal of a step, as JSON.
    Payload(StepId),
}

impl DataRoot {
    /// The step of the result.
    pub fn step(self) -> Option<StepId> {
        match self {
            DataRoot::TriggerRow | DataRoot::TriggerOutput(_) | DataRoot::TriggerPayload | DataRoot::Input(_) => None,
            DataRoot::Output(step, _)
            | DataRoot::Answer(step, _)
            | DataRoot::AnswerText(step)
            | DataRoot::Outcome(step)
            | DataRoot::DecidedBy(step)
            | DataRoot::DecidedAt(step)
            | DataRoot::Payload(step) => Some(step),
        }
    }
}
