//! Experiences: guided ways over several screens.

use super::{Audience, Expr, FieldId, Placed, ProcessId, SurfaceId, Type};
use crate::Span;

/// A guided way over screens, kept per account until it ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Experience {
    /// Identifier.
    pub name: String,
    /// Title shown to people.
    pub title: String,
    /// Who may walk it; `None` leaves that to the screens.
    pub access: Option<Audience>,
    /// The values it gathers on the way; each is null until a step saves it.
    pub context: Vec<ContextValue>,
    /// The step it starts at.
    pub start: ExperienceStepId,
    /// Its steps in file order; at least one.
    pub steps: Vec<ExperienceStep>,
    /// The name in the declaration.
    pub span: Span,
}

/// Index of a step in [`Experience::steps`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExperienceStepId(pub usize);

/// A value that an experience gathers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextValue {
    /// Identifier, as in `context.name`.
    pub name: String,
    /// What it holds.
    pub ty: Type,
    /// The name in the declaration.
    pub span: Span,
}

/// A step.
#[derive(Debug, Clone, PartialEq)]
pub struct ExperienceStep {
    /// Identifier.
    pub name: String,
    /// Title shown to people.
    pub title: String,
    /// What happens in it.
    pub kind: StepKind,
    /// The step is passed over unless this holds.
    pub when: Option<Placed<Expr>>,
    /// Values that the form begins with, in the entity of the surface.
    pub prefill: Vec<(Placed<FieldId>, Expr)>,
    /// The value of [`Experience::context`] that the step's result is kept in.
    pub saves_to: Option<Placed<usize>>,
    /// Who may enter it, besides what the experience asks.
    pub access: Option<Audience>,
    /// What follows; a step without moves is an end.
    pub moves: Vec<StepMove>,
    /// The name in the declaration.
    pub span: Span,
}

/// What happens in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// A surface is shown.
    Surface(Placed<SurfaceId>),
    /// A process runs.
    Process(Placed<ProcessId>),
}

/// `on EVENT -> step NAME`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepMove {
    /// What happens.
    pub event: StepEvent,
    /// The step that follows.
    pub target: ExperienceStepId,
    /// The target's name in the declaration.
    pub span: Span,
}

/// What may happen in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepEvent {
    /// `success`
    Success,
    /// `failure`
    Failure,
    /// `continue`
    Continue,
    /// `back`
    Back,
    /// `cancel`
    Cancel,
    /// `approve`
    Approve,
    /// `reject`
    Reject,
    /// `skip`
    Skip,
}
