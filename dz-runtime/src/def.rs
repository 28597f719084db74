//! The static description of an application, which the macros generate and every handler reads.
//!
//! All of it is `const` and `'static`. Entities, fields and roles are referred to by index (`EntityIx`, `FieldIx`, a bit of a
//! `u64`), so that descriptions can refer to each other in cycles.

#[cfg(test)]
mod empty;
mod entity;
mod experience;
mod expr;
mod graph;
mod kind;
mod llm;
mod path;
mod schedule;
mod schema;
mod service;
mod states;
mod surface;
mod tenancy;
mod theme;
mod variant;
mod workspace;

pub use crate::template::Templates;
pub use dz_vocabulary::{
    Aggregate, Archetype, Arithmetic, AuthKind, Auto, Backoff, Bucket, Comparison, Display, Format, Function, Level, Mode, OnDelete,
    PiiAction, Priority, Provider, RelatedDisplay, Stage, StepEvent, Widget,
};
pub(crate) use entity::reads_behind;
pub use entity::{ActionRule, AuditDef, EntityDef, EnumDef, EnumValueDef, FieldDef, IndexColumn, IndexDef, LabelDef, RowsDef, TemporalDef};
pub use experience::{ContextRead, ExperienceDef, ScenarioDef, StepDef, StepScreen};
pub(crate) use expr::Reads;
pub use expr::{Expr, Type};
pub use graph::{EdgeDef, NodeDef};
pub use kind::{Family, Junction, Kind, Relation, SortOrder};
pub use llm::{LlmDef, LlmIntentDef, LlmModelDef, PromptPart, RetryDef};
pub use path::{FieldAt, Path};
pub use schedule::{ScheduleDef, ScheduledAt};
pub use schema::{MigrationDef, SchemaDef, Schemas};
pub use service::{ExternalDef, ServiceDef, StubLanguage, ValueDef};
pub use states::{Delay, InvariantDef, StatesDef, TransitionDef};
pub use surface::{
    ActionDef, AttentionDef, Audience, ColumnDef, ListUx, NestedList, PlaceDef, RelatedDef, SectionBody, SectionDef, SortDef, SurfaceDef,
    Via,
};
pub(crate) use tenancy::Members;
pub use tenancy::TenancyDef;
pub use theme::ThemeDef;
pub use variant::{MetricDef, PrimaryButtonDef, VariantDef};
pub use workspace::{FigureDef, GroupDef, RegionDef, RegionValue, SourceDef, WorkspaceDef, WorkspaceVariantDef};

/// In scope of generated descriptions, so that an entity can have the name `Some`.
#[doc(hidden)]
pub use ::core::option::Option::{None, Some};

use crate::Engine;

/// Position of an entity in [`AppDef::entities`].
pub type EntityIx = u16;
/// Position of a field in [`EntityDef::fields`] of the entity of the context; without such a context, a [`FieldAt`] is used.
pub type FieldIx = u16;

/// A whole application.
#[derive(Debug, Clone)]
pub struct AppDef {
    /// Identifier, e.g. `clinic`; names the default database file.
    pub name: &'static str,
    /// Title shown to people.
    pub title: &'static str,
    /// One sentence about the application.
    pub description: Option<&'static str>,
    /// IANA zone of `today` and of form times.
    pub timezone: &'static str,
    /// Language of the pages.
    pub locale: &'static str,
    /// Its texts in further languages.
    pub languages: LanguagesDef,
    /// Hue of the accent colour.
    pub hue: u16,
    /// The look of the pages.
    pub theme: ThemeDef,
    /// The engine this application is compiled for.
    pub engine: Engine,
    /// Roles; bit `n` of a role mask is `roles[n]`.
    pub roles: &'static [RoleDef],
    /// Entities.
    pub entities: &'static [&'static EntityDef],
    /// The account entity.
    pub account: EntityIx,
    /// Surfaces.
    pub surfaces: &'static [&'static SurfaceDef],
    /// Workspaces.
    pub workspaces: &'static [WorkspaceDef],
    /// Services.
    pub services: &'static [ServiceDef],
    /// The descriptions of processes as JSON.
    pub processes: &'static [&'static str],
    /// Language models and intents.
    pub llm: LlmDef,
    /// Schedules, and processes with a `cron` trigger.
    pub schedules: &'static [ScheduleDef],
    /// Experiences.
    pub experiences: &'static [ExperienceDef],
    /// Demo rows, in the order of their creation.
    pub demo: &'static [DemoRow],
    /// Scenarios.
    pub scenarios: &'static [ScenarioDef],
    /// Whether users can register themselves; `None` leaves the decision to the configuration, which has precedence.
    pub registration: Option<bool>,
    /// The access matrix as JSON: what `dz access` writes.
    pub access: &'static str,
    /// The schema of the database.
    pub schema: Schemas,
}

/// The texts of an application in further languages.
#[derive(Debug, Clone, Copy)]
pub struct LanguagesDef {
    /// The language and the text of each file in `locales/`.
    pub files: &'static [(&'static str, &'static str)],
    /// The description in the language of the declaration, of which this one is a translation.
    pub(crate) original: Option<&'static AppDef>,
}

impl LanguagesDef {
    /// No further language.
    pub const NONE: LanguagesDef = LanguagesDef::new(&[]);

    /// The files of `locales/`.
    pub const fn new(files: &'static [(&'static str, &'static str)]) -> LanguagesDef {
        LanguagesDef { files, original: None }
    }
}

/// A role.
#[derive(Debug, Clone)]
pub struct RoleDef {
    /// Identifier.
    pub name: &'static str,
    /// Title shown to people.
    pub title: &'static str,
    /// True if the application declares the persona.
    pub declared: bool,
    /// The address of the start page of accounts with the role.
    pub start: Option<&'static str>,
}

/// A row of demo data.
#[derive(Debug)]
pub struct DemoRow {
    /// The entity.
    pub entity: EntityIx,
    /// The values of fields.
    pub values: &'static [(FieldIx, DemoValue)],
    /// The credentials, for rows of the account entity.
    pub account: Option<DemoAccount>,
}

/// The credentials of a demo account.
#[derive(Debug)]
pub struct DemoAccount {
    /// The password; an account without one cannot sign in.
    pub password: Option<&'static str>,
    /// Mask of the roles granted to it.
    pub roles: u64,
}

/// A value of a demo row.
#[derive(Debug)]
pub enum DemoValue {
    /// A literal or a constant expression.
    Literal(Expr),
    /// The row at this position in [`AppDef::demo`], always an earlier one; the rows of a scenario follow them.
    Row(u16),
}

impl AppDef {
    /// The surface in the language of this description: routes have the surfaces of the original.
    pub(crate) fn translated_surface(&self, surface: &'static SurfaceDef) -> &'static SurfaceDef {
        match self.languages.original {
            Some(_) => self.surfaces.iter().copied().find(|own| own.name == surface.name).unwrap_or(surface),
            None => surface,
        }
    }

    /// The workspace in the language of this description.
    pub(crate) fn translated_workspace(&self, workspace: &'static WorkspaceDef) -> &'static WorkspaceDef {
        match self.languages.original {
            Some(_) => self.workspaces.iter().find(|own| own.name == workspace.name).unwrap_or(workspace),
            None => workspace,
        }
    }

    /// True for an entity of this description, or of the one that it translates.
    pub(crate) fn owns(&self, entity: &'static EntityDef) -> bool {
        let has = |app: &AppDef| app.entities.get(usize::from(entity.ix)).is_some_and(|own| std::ptr::eq(*own, entity));
        has(self) || self.languages.original.is_some_and(has)
    }

    /// The entity at `ix`.
    pub fn entity(&self, ix: EntityIx) -> &'static EntityDef {
        self.entities[usize::from(ix)]
    }

    /// The account entity.
    pub fn account(&self) -> &'static EntityDef {
        self.entity(self.account)
    }
}
