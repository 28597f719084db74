//! The kinds of nodes with their ids, and the types of relations.

/// A kind of node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `app`
    App,
    /// `module`
    Module,
    /// `entity`
    Entity,
    /// `enum`
    Enum,
    /// `archetype`
    Archetype,
    /// `surface`
    Surface,
    /// `workspace`
    Workspace,
    /// `persona`
    Persona,
    /// `story`
    Story,
    /// `experience`
    Experience,
    /// `service`
    Service,
    /// `process`
    Process,
    /// `schedule`
    Schedule,
    /// `llm_model`
    LlmModel,
    /// `llm_config`
    LlmConfig,
    /// `llm_intent`
    LlmIntent,
    /// `scenario`
    Scenario,
    /// The `demo` rows of one entity.
    Demo,
    /// A concept of the language or a pattern.
    Concept,
    /// An inference entry, which suggests a concept for a described need.
    Inference,
}

impl Kind {
    /// Every kind.
    pub const ALL: &[Kind] = &[
        Kind::App,
        Kind::Module,
        Kind::Entity,
        Kind::Enum,
        Kind::Archetype,
        Kind::Surface,
        Kind::Workspace,
        Kind::Persona,
        Kind::Story,
        Kind::Experience,
        Kind::Service,
        Kind::Process,
        Kind::Schedule,
        Kind::LlmModel,
        Kind::LlmConfig,
        Kind::LlmIntent,
        Kind::Scenario,
        Kind::Demo,
        Kind::Concept,
        Kind::Inference,
    ];

    /// The prefix of its ids, without the colon: the word of its construct.
    pub fn prefix(self) -> &'static str {
        match self {
            Kind::App => "app",
            Kind::Module => "module",
            Kind::Entity => "entity",
            Kind::Enum => "enum",
            Kind::Archetype => "archetype",
            Kind::Surface => "surface",
            Kind::Workspace => "workspace",
            Kind::Persona => "persona",
            Kind::Story => "story",
            Kind::Experience => "experience",
            Kind::Service => "service",
            Kind::Process => "process",
            Kind::Schedule => "schedule",
            Kind::LlmModel => "llm_model",
            Kind::LlmConfig => "llm_config",
            Kind::LlmIntent => "llm_intent",
            Kind::Scenario => "scenario",
            Kind::Demo => "demo",
            Kind::Concept => "concept",
            Kind::Inference => "inference",
        }
    }

    /// The type of its nodes, which is also the value of `entity_types`.
    pub fn word(self) -> &'static str {
        match self {
            Kind::App => "dsl_app",
            Kind::Module => "dsl_module",
            Kind::Entity => "dsl_entity",
            Kind::Enum => "dsl_enum",
            Kind::Archetype => "dsl_archetype",
            Kind::Surface => "dsl_surface",
            Kind::Workspace => "dsl_workspace",
            Kind::Persona => "dsl_persona",
            Kind::Story => "dsl_story",
            Kind::Experience => "dsl_experience",
            Kind::Service => "dsl_service",
            Kind::Process => "dsl_process",
            Kind::Schedule => "dsl_schedule",
            Kind::LlmModel => "dsl_llm_model",
            Kind::LlmConfig => "dsl_llm_config",
            Kind::LlmIntent => "dsl_llm_intent",
            Kind::Scenario => "dsl_scenario",
            Kind::Demo => "dsl_demo",
            Kind::Concept => "concept",
            Kind::Inference => "inference",
        }
    }

    /// The id of a node of this kind.
    pub fn id(self, name: &str) -> String {
        format!("{}:{name}", self.prefix())
    }
}

/// True for the id of a node that dz supplies and no project does.
pub(crate) fn is_framework(id: &str) -> bool {
    id.starts_with("concept:") || id.starts_with("inference:")
}

/// The types of relations, each with its meaning.
pub const RELATIONS: &[(&str, &str)] = &[
    ("uses", "surface or workspace uses an entity"),
    ("references", "a field of an entity refers to another entity"),
    ("acts_as", "story actor is a persona"),
    ("scopes", "story scopes to an entity"),
    ("process_implements", "process implements a story"),
    ("invokes", "process step invokes a service"),
    ("has_subprocess", "process step starts a subprocess"),
    ("human_task_on", "process step presents a surface"),
    ("navigates_to", "experience step navigates to a surface"),
    ("allows_persona", "workspace or surface allows a persona"),
    ("denies_persona", "workspace or surface denies a persona"),
    ("default_workspace", "a persona's default workspace"),
    ("region_source", "workspace region is sourced from an entity"),
    ("related_concept", "concept relates to another concept"),
    ("suggests_for", "inference entry suggests for a concept"),
];
