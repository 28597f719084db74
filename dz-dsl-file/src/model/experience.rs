//! Experiences: guided sequences of screens.

use dz_vocabulary::StepEvent;

use super::{Audience, Expr, FieldId, Placed, ProcessId, SurfaceId, Type, words::words};
use crate::Span;

/// A guided sequence of screens, whose state is stored for each account until it ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Experience {
    /// Identifier.
    pub name: String,
    /// Title shown to people.
    pub title: String,
    /// The callers who can use it; `None` means that only the screens restrict the callers.
    pub access: Option<Audience>,
    /// The values that it collects; each is null until a step saves it.
    pub context: Vec<ContextValue>,
    /// Its first step.
    pub start: ExperienceStepId,
    /// Its steps in file order; at least one.
    pub steps: Vec<ExperienceStep>,
    /// The name in the declaration.
    pub span: Span,
}

/// Index of a step in [`Experience::steps`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExperienceStepId(pub usize);

/// A value that an experience collects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextValue {
    /// Identifier, as in `context.name`.
    pub name: String,
    /// Its type.
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
    /// Its kind.
    pub kind: StepKind,
    /// The step is skipped unless this condition is true.
    pub when: Option<Placed<Expr>>,
    /// Initial values of the form, in the entity of the surface.
    pub prefill: Vec<(Placed<FieldId>, Expr)>,
    /// The value of [`Experience::context`] that stores the step's result.
    pub saves_to: Option<Placed<usize>>,
    /// Who can enter it, in addition to the rule of the experience.
    pub access: Option<Audience>,
    /// The next steps; a step without any is an end.
    pub transitions: Vec<StepTransition>,
    /// The name in the declaration.
    pub span: Span,
}

/// The kinds of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// A surface is shown.
    Surface(Placed<SurfaceId>),
    /// A process runs.
    Process(Placed<ProcessId>),
}

/// `on EVENT -> step NAME`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepTransition {
    /// The event.
    pub event: StepEvent,
    /// The next step.
    pub target: ExperienceStepId,
    /// The target's name in the declaration.
    pub span: Span,
}

words! {
    for StepEvent {
        Success = "success",
        Failure = "failure",
        Continue = "continue",
        Back = "back",
        Cancel = "cancel",
        Approve = "approve",
        Reject = "reject",
        Skip = "skip",
    }
}
