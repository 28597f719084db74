//! The values that a running process knows.

use crate::{
    Span,
    model::{FieldId, Path, StepId},
};

/// A value that a running process knows. Two are equal when they are the same value, at any place.
#[derive(Debug, Clone)]
pub struct DataPath {
    /// Where it starts.
    pub root: DataRoot,
    /// When the root refers to a row: the field of that row that is meant.
    pub rest: Option<Path>,
    /// True when it can be null at its place, whatever the run did before.
    pub optional: bool,
    /// Its place.
    pub span: Span,
}

impl PartialEq for DataPath {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root && self.rest == other.rest
    }
}

/// Where a value of a running process starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DataRoot {
    /// The row whose event started the process: a reference to it.
    TriggerRow,
    /// An output of the process whose end started this one, by position.
    TriggerOutput(usize),
    /// What came with the signal that started it, as JSON.
    TriggerPayload,
    /// An input of the process, by position.
    Input(usize),
    /// An output of the service or process that a step called, by position.
    Output(StepId, usize),
    /// A field of the entity that describes the answer of a language model.
    Answer(StepId, FieldId),
    /// The answer of a language model as text, when nothing describes it.
    AnswerText(StepId),
    /// What a person decided, a value of [`HumanTask::outcome_enum`](super::HumanTask::outcome_enum).
    Outcome(StepId),
    /// Who decided: a reference to an account.
    DecidedBy(StepId),
    /// When it was decided.
    DecidedAt(StepId),
    /// What came with the signal that a step waited for, as JSON.
    Payload(StepId),
}

impl DataRoot {
    /// The step whose result it is.
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
