//! Steps of a process: what each does, and where it goes on.

use super::{Effect, HumanTask};
use crate::{
    Span,
    model::{CompensationId, Duration, Expr, LlmIntentId, NameUse, Placed, ProcessId, ServiceId, StepId, words::words},
};

/// Steps in order, and what undoes them. A [`StepId`] is an index of `steps`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Flow {
    /// Every step, those of a `parallel` right after it.
    pub steps: Vec<Step>,
    /// The first step.
    pub first: Option<StepId>,
    /// What undoes steps when the process fails, in the opposite order of the steps that ran.
    pub compensations: Vec<Compensation>,
}

/// A step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Identifier, unique in its process.
    pub name: String,
    /// Title.
    pub title: String,
    /// What it does.
    pub action: StepAction,
    /// The `parallel` it belongs to.
    pub parent: Option<StepId>,
    /// Values for the inputs of what it calls.
    pub inputs: Vec<Argument>,
    /// What its result is called, besides the name of the step.
    pub output: Option<NameUse>,
    /// What it does to rows after it succeeded.
    pub effects: Vec<Effect>,
    /// After how long it fails.
    pub timeout: Option<Duration>,
    /// How often it is tried again.
    pub retry: Option<Retry>,
    /// Where it goes on. Conditions and outcomes may say otherwise.
    pub next: Target,
    /// Where it goes on after a failure.
    pub on_failure: Target,
    /// What undoes it.
    pub compensate: Option<Placed<CompensationId>>,
    /// The name in the declaration.
    pub span: Span,
}

/// Where a process goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Where.
    pub to: TargetKind,
    /// Where it is said; `None` when it follows from the order of the steps.
    pub span: Option<Span>,
}

/// Where a process goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetKind {
    /// At a step.
    Step(StepId),
    /// It ends well; inside a `parallel` that branch does.
    Complete,
    /// It fails; inside a `parallel` that branch does.
    Fail,
}

/// What a step does.
#[derive(Debug, Clone, PartialEq)]
pub enum StepAction {
    /// Calls a service.
    Service(Placed<ServiceId>),
    /// Runs another process and waits for it.
    Subprocess(Placed<ProcessId>),
    /// Asks a language model.
    LlmIntent(Placed<LlmIntentId>),
    /// Asks a person.
    HumanTask(Box<HumanTask>),
    /// Waits.
    WaitFor(Duration),
    /// Waits for a signal.
    WaitSignal(NameUse),
    /// Decides.
    Condition {
        /// True or false.
        condition: Placed<Expr>,
        /// Where it goes on when true.
        on_true: Target,
        /// Where it goes on when false.
        on_false: Target,
    },
    /// Runs steps side by side.
    Parallel {
        /// The steps.
        branches: Vec<StepId>,
        /// What becomes of the others when one fails.
        on_any_failure: FailurePolicy,
    },
    /// Nothing but its effects.
    Effects,
}

words! {
    /// What becomes of the other branches when one fails: they are cancelled, they go on before the step fails, or
    /// they are cancelled and undone.
    FailurePolicy {
        FailFast = "fail_fast",
        WaitAll = "wait_all",
        Rollback = "rollback",
    }
}

/// A value for an input.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// Position among the inputs of what is called.
    pub input: Placed<usize>,
    /// The value.
    pub value: Expr,
    /// Where the value is written.
    pub span: Span,
}

/// How often what failed is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// How often it is tried in all.
    pub max_attempts: u32,
    /// How the pauses grow.
    pub backoff: Backoff,
    /// The first pause.
    pub interval: Duration,
    /// The keyword.
    pub span: Span,
}

words! {
    /// How pauses between attempts grow: not at all, by the first pause each time, or to twice the one before.
    Backoff {
        Fixed = "fixed",
        Linear = "linear",
        Exponential = "exponential",
    }
}

/// What undoes a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Compensation {
    /// Identifier, unique among the compensations of its process.
    pub name: String,
    /// Title.
    pub title: String,
    /// What it does: a service, a subprocess, a language model, or effects.
    pub action: StepAction,
    /// Values for the inputs of what it calls.
    pub inputs: Vec<Argument>,
    /// What it does to rows.
    pub effects: Vec<Effect>,
    /// After how long it fails.
    pub timeout: Option<Duration>,
    /// How often it is tried again.
    pub retry: Option<Retry>,
    /// The name in the declaration.
    pub span: Span,
}

impl Step {
    /// What it asks a person to do.
    pub fn task(&self) -> Option<&HumanTask> {
        match &self.action {
            StepAction::HumanTask(task) => Some(task),
            _ => None,
        }
    }
}

impl Flow {
    /// The step with this id.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0]
    }

    /// Everywhere a run may go after a step; for a `parallel`, its branches are not among them.
    pub fn targets(&self, id: StepId) -> Vec<Target> {
        let step = self.step(id);
        let mut targets = match &step.action {
            StepAction::Condition { on_true, on_false, .. } => vec![*on_true, *on_false],
            StepAction::HumanTask(task) => task.outcomes.iter().map(|outcome| outcome.goto).collect(),
            _ => vec![step.next],
        };
        targets.push(step.on_failure);
        targets
    }
}
