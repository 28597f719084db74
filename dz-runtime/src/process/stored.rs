//! The description of a process as it is stored with a run: JSON that `dz_dsl_file::emit::flow` writes.

use serde::Deserialize;

use super::core::{
    flow::{Delay, FailurePolicy, Target},
    retry::Retry,
};

/// A process.
#[derive(Debug, Deserialize)]
pub(super) struct Process {
    pub name: String,
    pub title: String,
    pub trigger: Trigger,
    /// A condition on the row of the event.
    #[serde(default)]
    pub when: Option<Expr>,
    /// The fields that the process writes to the row of the event: an update of these alone does not start it again.
    #[serde(default)]
    pub own_fields: Vec<String>,
    pub input: Vec<Input>,
    pub output: Vec<Output>,
    pub timeout: Option<Delay>,
    pub overlap: Overlap,
    pub emits: Vec<Emitted>,
    pub steps: Vec<Step>,
    pub compensations: Vec<Step>,
}

/// What starts a process.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Trigger {
    /// A user or another process.
    Manual {
        /// The roles of the users; without them, administrators of the whole system.
        #[serde(default)]
        roles: Vec<String>,
    },
    /// An event of a row.
    Entity { entity: String, event: String },
    /// A change of a field.
    Change { entity: String, field: String, from: Option<String>, to: Option<String> },
    /// A signal.
    Signal { name: String },
    /// The completion of another process.
    Completed { process: String },
    /// Times.
    Cron { cron: String },
}

/// The treatment of a start while a run exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Overlap {
    /// It is dropped.
    Skip,
    /// It waits.
    Queue,
    /// It cancels the earlier run.
    CancelPrevious,
    /// Both run.
    Allow,
}

/// A signal that a process sends.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Emitted {
    pub event: EmitEvent,
    pub signal: String,
}

/// The event at which a signal is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EmitEvent {
    /// At the start.
    Start,
    /// At the completion.
    Complete,
    /// At the failure.
    Failure,
}

#[derive(Debug, Deserialize)]
pub(super) struct Input {
    pub field: Field,
    pub from_trigger: Option<Expr>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Output {
    pub field: Field,
    pub value: Option<Expr>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Field {
    pub name: String,
    pub title: String,
    #[serde(rename = "type")]
    pub ty: Type,
    pub required: bool,
    pub default: Option<Expr>,
}

/// The type of a value.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Type {
    Uuid,
    Str(u32),
    Text,
    Int,
    Float,
    Decimal(u8, u8),
    Bool,
    Date,
    Datetime,
    Enum(Enum),
    Json,
    Email,
    Url,
    Timezone,
    Slug,
    Money(Option<String>),
    Ref(String),
    List(Box<Type>),
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Enum {
    pub name: String,
    pub ordered: bool,
    pub values: Vec<(String, String)>,
}

/// A step, or a compensation without next steps.
#[derive(Debug, Deserialize)]
pub(super) struct Step {
    pub name: String,
    pub title: String,
    pub action: Action,
    pub parent: Option<usize>,
    pub inputs: Vec<(String, Expr)>,
    pub effects: Vec<Effect>,
    pub timeout: Option<Delay>,
    pub retry: Option<Retry>,
    #[serde(default = "complete")]
    pub next: Target,
    #[serde(default = "fail")]
    pub on_failure: Target,
    pub compensate: Option<usize>,
}

fn complete() -> Target {
    Target::Complete
}

fn fail() -> Target {
    Target::Fail
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Action {
    Service(String),
    Subprocess(String),
    LlmIntent(String),
    HumanTask(Task),
    WaitFor(Delay),
    WaitSignal(String),
    Condition { condition: Expr, on_true: Target, on_false: Target },
    Parallel { branches: Vec<usize>, on_any_failure: FailurePolicy },
    Effects,
}

#[derive(Debug, Deserialize)]
pub(super) struct Task {
    #[serde(default)]
    pub surface: Option<String>,
    pub entity: String,
    pub row: Option<Expr>,
    pub assignee_role: Option<String>,
    pub assignee: Option<Expr>,
    pub outcomes: Vec<Outcome>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Outcome {
    #[serde(default)]
    pub confirm: Option<String>,
    pub name: String,
    pub title: String,
    pub goto: Target,
    pub sets: Vec<(String, Expr)>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Effect {
    Create { entity: String, values: Vec<(String, Expr)> },
    Update { rows: Rows, values: Vec<(String, Expr)> },
    Delete(Rows),
    Emit(String),
}

#[derive(Debug, Deserialize)]
pub(super) struct Rows {
    pub entity: String,
    pub row: Option<Expr>,
    #[serde(rename = "where")]
    pub condition: Option<Expr>,
}

/// An expression.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Expr {
    Null,
    Bool(bool),
    Int(i64),
    Decimal(String),
    Float(f64),
    Text(String),
    Typed(ValueKind, String),
    Value { values: Vec<String>, at: usize, ordered: bool },
    Duration(i64, i64),
    Today,
    Now,
    Path(Vec<String>),
    This(Option<Vec<String>>),
    Data(Data),
    List(Vec<Expr>),
    Not(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Compare(String, Box<Expr>, Box<Expr>),
    In(Box<Expr>, Box<Expr>),
    Arithmetic(String, Box<Expr>, Box<Expr>, ValueKind),
    Negate(Box<Expr>),
    Call(String, Vec<Expr>, ValueKind),
    Aggregate { kind: String, relation: Vec<String>, value: Option<Vec<String>>, condition: Option<Box<Expr>> },
    If(Vec<(Expr, Expr)>, Box<Expr>),
}

/// The type of the value of an expression.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ValueKind {
    Bool,
    Int,
    Float,
    Decimal,
    Text,
    Date,
    DateTime,
    Duration,
    Uuid,
    Json,
    List,
    Null,
}

/// A value of a running process.
#[derive(Debug, Deserialize)]
pub(super) struct Data {
    pub root: Root,
    #[serde(rename = "type")]
    pub ty: Type,
    pub path: Option<Vec<String>>,
}

/// The root of a value of a running process.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Root {
    /// A reference to the row of the trigger.
    TriggerRow,
    /// The payload of the signal that started it.
    TriggerPayload,
    /// An output of the completed process.
    TriggerOutput(String),
    /// An input.
    Input(String),
    /// A member of the output of a step.
    Output(usize, String),
    /// The output of a step.
    Answer(usize),
}
