//! Steps of a process: their action, and the next step.

use dz_vocabulary::Backoff;

use super::{Effect, HumanTask};
use crate::{
    Span,
    model::{CompensationId, Duration, Expr, LlmIntentId, NameUse, Placed, ProcessId, ServiceId, StepId, words::words},
};

/// Steps in order, and their compensations. A [`StepId`] is an index of `steps`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Flow {
    /// Every step; those of a `parallel` follow it directly.
    pub steps: Vec<Step>,
    /// The first step.
    pub first: Option<StepId>,
    /// Compensations, which run in the reverse order of the completed steps if the process fails.
    pub compensations: Vec<Compensation>,
}

/// A step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Identifier, unique in its process.
    pub name: String,
    /// Title.
    pub title: String,
    /// Its action.
    pub action: StepAction,
    /// The `parallel` that contains it.
    pub parent: Option<StepId>,
    /// Values for the inputs of the called construct.
    pub inputs: Vec<Argument>,
    /// The name of its result, in addition to the name of the step.
    pub output: Option<NameUse>,
    /// Its effects on rows after a success.
    pub effects: Vec<Effect>,
    /// The timeout.
    pub timeout: Option<Duration>,
    /// The retry.
    pub retry: Option<Retry>,
    /// The next step. Conditions and outcomes can replace it.
    pub next: Target,
    /// The next step after a failure.
    pub on_failure: Target,
    /// Its compensation.
    pub compensate: Option<Placed<CompensationId>>,
    /// The name in the declaration.
    pub span: Span,
}

/// A next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The kind.
    pub to: TargetKind,
    /// Its place; `None` if it follows from the order of the steps.
    pub span: Option<Span>,
}

/// The kinds of next steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetKind {
    /// A step.
    Step(StepId),
    /// The process completes; inside a `parallel`, the branch completes.
    Complete,
    /// The process fails; inside a `parallel`, the branch fails.
    Fail,
}

/// The actions of steps.
#[derive(Debug, Clone, PartialEq)]
pub enum StepAction {
    /// Calls a service.
    Service(Placed<ServiceId>),
    /// Runs another process and waits for it.
    Subprocess(Placed<ProcessId>),
    /// Runs an LLM intent.
    LlmIntent(Placed<LlmIntentId>),
    /// Creates a human task.
    HumanTask(Box<HumanTask>),
    /// Waits for a time.
    WaitFor(Duration),
    /// Waits for a signal.
    WaitSignal(NameUse),
    /// Chooses the next step by a condition.
    Condition {
        /// The condition.
        condition: Placed<Expr>,
        /// The next step if it is true.
        on_true: Target,
        /// The next step if it is false.
        on_false: Target,
    },
    /// Runs steps concurrently.
    Parallel {
        /// The steps.
        branches: Vec<StepId>,
        /// What happens to the other branches if one fails.
        on_any_failure: FailurePolicy,
    },
    /// Only its effects.
    Effects,
}

/// What an action calls: a construct with typed inputs and results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    /// A service.
    Service(ServiceId),
    /// Another process.
    Process(ProcessId),
    /// An LLM intent.
    LlmIntent(LlmIntentId),
}

impl StepAction {
    /// What the action calls, with the place of its name; `None` for an action without a call.
    pub fn callee(&self) -> Option<Placed<Callee>> {
        match self {
            StepAction::Service(it) => Some(Placed { it: Callee::Service(it.it), span: it.span }),
            StepAction::Subprocess(it) => Some(Placed { it: Callee::Process(it.it), span: it.span }),
            StepAction::LlmIntent(it) => Some(Placed { it: Callee::LlmIntent(it.it), span: it.span }),
            StepAction::HumanTask(_)
            | StepAction::WaitFor(_)
            | StepAction::WaitSignal(_)
            | StepAction::Condition { .. }
            | StepAction::Parallel { .. }
            | StepAction::Effects => None,
        }
    }
}

words! {
    /// What happens to the other branches if one fails: they are cancelled, they finish before the step fails, or they are cancelled
    /// and compensated.
    FailurePolicy {
        FailFast = "fail_fast",
        WaitAll = "wait_all",
        Rollback = "rollback",
    }
}

/// A value for an input.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// The position of the input.
    pub input: Placed<usize>,
    /// The value.
    pub value: Expr,
    /// The place of the value.
    pub span: Span,
}

/// A retry after failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// The number of attempts.
    pub max_attempts: u32,
    /// The growth of the delays.
    pub backoff: Backoff,
    /// The first delay.
    pub interval: Duration,
    /// The keyword.
    pub span: Span,
}

words! { for Backoff }

/// A compensation of steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Compensation {
    /// Identifier, unique among the compensations of its process.
    pub name: String,
    /// Title.
    pub title: String,
    /// Its action: a service, a subprocess, a language model, or effects.
    pub action: StepAction,
    /// Values for the inputs of the called construct.
    pub inputs: Vec<Argument>,
    /// Its effects on rows.
    pub effects: Vec<Effect>,
    /// The timeout.
    pub timeout: Option<Duration>,
    /// The retry.
    pub retry: Option<Retry>,
    /// The name in the declaration.
    pub span: Span,
}

impl Step {
    /// The human task, if the step is one.
    pub fn task(&self) -> Option<&HumanTask> {
        if let StepAction::HumanTask(task) = &self.action { Some(task) } else { None }
    }
}

impl Flow {
    /// The step with this id.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0]
    }

    /// Every possible next step of a step, without the branches of a `parallel`.
    pub fn targets(&self, id: StepId) -> Vec<Target> {
        let mut targets = self.success_targets(id);
        targets.push(self.step(id).on_failure);
        targets
    }

    /// The possible next steps of a step after a success, without the branches of a `parallel`.
    pub fn success_targets(&self, id: StepId) -> Vec<Target> {
        let step = self.step(id);
        match &step.action {
            StepAction::Condition { on_true, on_false, .. } => vec![*on_true, *on_false],
            StepAction::HumanTask(task) => task.outcomes.iter().map(|outcome| outcome.goto).collect(),
            StepAction::Service(_)
            | StepAction::Subprocess(_)
            | StepAction::LlmIntent(_)
            | StepAction::WaitFor(_)
            | StepAction::WaitSignal(_)
            | StepAction::Parallel { .. }
            | StepAction::Effects => vec![step.next],
        }
    }
}
