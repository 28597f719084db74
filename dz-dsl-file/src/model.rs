//! The model: an application with every name resolved and every default added. It is immutable.
//!
//! Lowering builds it once; rules, the macros and the command line only read it. It contains no incomplete parts: a construct
//! that could not be understood is absent, and a diagnostic gives the reason.

mod app;
mod archetype;
mod demo;
mod entity;
mod experience;
mod expr;
mod field_type;
mod graph;
mod invariant;
mod llm;
mod mentions;
mod module;
mod page;
mod persona;
mod process;
mod scenario;
mod schedule;
mod service;
mod story;
mod surface;
mod totals;
mod transitions;
mod value;
mod words;
mod workspace;

pub use app::App;
pub(crate) use demo::TODAY;
pub use demo::{DemoAccount, DemoRow, DemoValue};
pub use dz_vocabulary::{
    Aggregate, Archetype, Arithmetic, AuthKind, Auto, Backoff, Bucket, Comparison, Display, Format, Function, Level, Mode, OnDelete,
    PiiAction, Priority, Provider, RelatedDisplay, Stage, StepEvent, Widget,
};
pub use entity::{
    Access, Action, Audit, Entity, EnumType, EnumValue, Example, Field, Index, IndexColumn, Label, Permission, RuleLine, Scope, Temporal,
    Unique,
};
pub use experience::{ContextValue, Experience, ExperienceStep, ExperienceStepId, StepKind, StepTransition};
pub use expr::{Duration, Expr, Path, Reads, Type};
pub use field_type::{Currency, FieldType, Junction};
pub use graph::{GraphEdge, GraphNode};
pub use invariant::Invariant;
pub use llm::{Answer, IntentTrigger, LlmConfig, LlmIntent, LlmModel, PromptPart, Tier};
pub use mentions::Mentions;
pub use module::{FieldGroup, Import, Module};
pub use page::{Audience, Opening, Placed, SortKey};
pub use persona::{Persona, Proficiency};
pub use process::{
    Argument, Callee, Compensation, Cron, DataPath, DataRoot, Effect, EmitEvent, Emitted, EntityEvent, FailurePolicy, Flow, HumanTask,
    Outcome, Overlap, Process, ProcessInput, ProcessOutput, Retry, Rows, Step, StepAction, Target, TargetKind, Trigger, WhichRows,
};
pub use scenario::{Scenario, ScenarioPersona};
pub use schedule::{Runs, Schedule, When};
pub use service::{Adapter, AuthProfile, Service, ServiceKind, Spec, SpecForm, StubLanguage};
pub use story::{Exception, QuotedState, Sentence, Story, StoryStatus, StoryTrigger};
pub use surface::{
    AggregateOf, Attention, Column, Event, ListUx, NestedList, Related, Section, SectionBody, ShownAggregate, Surface, SurfaceAction,
    Variant, Via,
};
pub use transitions::{Ends, StateMachine, Transition, TransitionRow};
pub use value::{NameUse, ValueField, ValueType};
pub use words::Word;
pub use workspace::{GroupBy, Metric, Region, Source, Value, Workspace, WorkspaceVariant};

/// Index of an entity in [`Model::entities`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(pub usize);

/// Index of a field in [`Entity::fields`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId(pub usize);

/// Index of an enumeration in [`Model::enums`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(pub usize);

/// Index of a surface in [`Model::surfaces`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SurfaceId(pub usize);

/// Index of a workspace in [`Model::workspaces`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkspaceId(pub usize);

/// Index of a role in [`Model::personas`]; at most 64 exist, so that a set of roles is one `u64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoleId(pub usize);

/// Index of a service in [`Model::services`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ServiceId(pub usize);

/// Index of a process in [`Model::processes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessId(pub usize);

/// Index of a step in [`Flow::steps`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub usize);

/// Index of a compensation in [`Flow::compensations`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CompensationId(pub usize);

/// Index of a schedule in [`Model::schedules`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScheduleId(pub usize);

/// Index of a language model in [`Model::llm_models`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LlmModelId(pub usize);

/// Index of an LLM intent in [`Model::llm_intents`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LlmIntentId(pub usize);

/// Index of a story in [`Model::stories`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StoryId(pub usize);

/// A whole application.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The `app` construct, or its defaults.
    pub app: App,
    /// The roles: declared personas in file order, then `admin` and `tenant_admin` unless declared, then (if no persona is declared)
    /// roles that are declared by their use.
    pub personas: Vec<Persona>,
    /// Named enums and the anonymous `enum[…]` of fields, without duplicates.
    pub enums: Vec<EnumType>,
    /// Declared entities in file order, then the account entity if the application declares none.
    pub entities: Vec<Entity>,
    /// The entity whose rows are accounts. Always present.
    pub account: EntityId,
    /// The entity whose rows are tenants.
    pub tenant: Option<EntityId>,
    /// Declared surfaces in file order, then those of archetypes, in the order of their entities.
    pub surfaces: Vec<Surface>,
    /// Declared workspaces in file order.
    pub workspaces: Vec<Workspace>,
    /// Demo rows in file order.
    pub demo: Vec<DemoRow>,
    /// Declared services in file order.
    pub services: Vec<Service>,
    /// Declared processes in file order.
    pub processes: Vec<Process>,
    /// Declared schedules in file order.
    pub schedules: Vec<Schedule>,
    /// Declared language models in file order.
    pub llm_models: Vec<LlmModel>,
    /// The configuration of all language models.
    pub llm_config: Option<LlmConfig>,
    /// Declared LLM intents in file order.
    pub llm_intents: Vec<LlmIntent>,
    /// Stories in file order.
    pub stories: Vec<Story>,
    /// Experiences in file order.
    pub experiences: Vec<Experience>,
    /// Scenarios in file order.
    pub scenarios: Vec<Scenario>,
    /// `archetype` blocks in file order.
    pub groups: Vec<FieldGroup>,
    /// Modules in file order.
    pub modules: Vec<Module>,
    /// `use` lines in file order.
    pub imports: Vec<Import>,
    /// The names in constructs without a meaning.
    pub mentions: Mentions,
}

impl Model {
    /// True if the application has the tables of runs and calls: it declares a service, a process, a schedule or an LLM intent.
    pub fn has_runs(&self) -> bool {
        let calls = !self.services.is_empty() || !self.llm_intents.is_empty();
        calls || !self.processes.is_empty() || !self.schedules.is_empty()
    }

    /// The entity with this id.
    pub fn entity(&self, id: EntityId) -> &Entity {
        &self.entities[id.0]
    }

    /// The field `field` of the entity `entity`.
    pub fn field(&self, entity: EntityId, field: FieldId) -> &Field {
        &self.entities[entity.0].fields[field.0]
    }
}
