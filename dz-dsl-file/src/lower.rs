//! Turns syntax into the model: resolves every name, types every expression, adds every default.
//!
//! The passes run in the order of [`lower`]; each can use the results of earlier ones.

mod access;
mod account;
pub(crate) mod app;
mod archetype;
mod collect;
mod computed;
mod cron;
pub(crate) mod demo;
mod entities;
mod experience;
pub(crate) mod expr;
mod fields;
mod graph;
mod invariant;
mod label;
mod literal;
mod llm;
mod mentions;
mod modules;
mod opening;
mod page_names;
mod paths;
mod persona;
mod process;
mod roles;
mod scenario;
mod schedules;
mod services;
mod story;
mod surfaces;
mod temporal;
mod transitions;
mod unknown_names;
mod uses;
mod values;
mod workspaces;

use std::collections::{HashMap, HashSet};

use unknown_names::Unreadable;
pub use uses::Use;

use crate::{
    Diagnostics, Near, Span,
    diagnostic::near_word,
    model::{
        App, ContextValue, Entity, EntityId, EnumId, EnumType, FieldId, LlmConfig, LlmIntent, LlmModel, Model, Persona, Process, RoleId,
        Service, Surface, SurfaceId, Workspace, WorkspaceId,
    },
    syntax::{self, File},
};

/// The results of the passes so far.
pub(crate) struct Lowering<'a> {
    pub out: Diagnostics,
    /// The resolved uses of names.
    pub uses: Vec<Use>,
    pub app: App,
    pub personas: Vec<Persona>,
    pub roles: HashMap<String, RoleId>,
    pub roles_declared: bool,
    /// The places that use roles, if no persona is declared.
    pub by_use: roles::ByUse,
    pub enums: Vec<EnumType>,
    pub enum_names: HashMap<String, EnumId>,
    pub entities: Vec<Entity>,
    pub entity_names: HashMap<String, EntityId>,
    pub archetypes: HashMap<&'a str, &'a syntax::archetype::Archetype>,
    /// The declaration of each entity; `None` for an entity that dz supplies.
    pub declared: Vec<Option<&'a syntax::entity::Entity>>,
    /// The declared fields of each entity, those of archetypes first.
    pub written: Vec<Vec<&'a syntax::field::Field>>,
    pub account: EntityId,
    /// The entity whose rows are tenants.
    pub tenant: Option<EntityId>,
    /// The position of `multi_tenant: false`.
    pub one_tenant: Option<Span>,
    /// The state of typing each computed field.
    pub computed: HashMap<(EntityId, FieldId), computed::State>,
    pub surface_names: HashMap<String, SurfaceId>,
    /// Facts about each surface, by its id.
    pub surface_heads: Vec<page_names::SurfaceHead>,
    /// The complete surfaces. If there are errors, an id is not a position in this list.
    pub surfaces: Vec<Surface>,
    pub workspace_names: HashMap<String, WorkspaceId>,
    pub workspaces: Vec<Workspace>,
    /// Metrics by name: workspace, position of the region, position of the metric.
    pub metrics: HashMap<String, Vec<(WorkspaceId, usize, usize)>>,
    /// Names of metrics that could not be parsed, so that their uses are not reported.
    pub unread_metrics: HashSet<String>,
    /// Fields by name, per entity.
    pub field_names: Vec<HashMap<String, usize>>,
    /// Names whose declaration could not be understood.
    pub unreadable: Unreadable,
    pub services: Vec<Service>,
    pub processes: Vec<Process>,
    pub llm_models: Vec<LlmModel>,
    pub llm_config: Option<LlmConfig>,
    pub llm_intents: Vec<LlmIntent>,
    /// What processes can call by name.
    pub callable: process::Callable,
    /// The values in scope of the current process.
    pub data: Option<process::DataScope>,
    pub modules: modules::Modules,
    /// The values of the current experience's context.
    pub context: Vec<ContextValue>,
    /// True if the context may have more values than are known.
    pub context_broken: bool,
}

/// Lowers parsed files. The model is complete only if there are no errors; the uses are those that were resolved.
pub fn lower(files: &[File]) -> (Model, Vec<Use>, Diagnostics) {
    let mut it = Lowering::new();
    // Names come first, because everything refers to them.
    let modules = modules::lower(&mut it, files);
    app::lower(&mut it, files);
    persona::lower(&mut it, files);
    collect::enums(&mut it, files);
    collect::archetypes(&mut it, files);
    collect::entities(&mut it, files);
    let groups = collect::groups(&mut it, files);
    archetype::kinds(&mut it);
    // The account entity must exist before fields refer to it.
    account::supply(&mut it);
    surfaces::collect(&mut it, files);
    workspaces::collect(&mut it, files);
    // Types come before relations, because a relation needs the ref that points back.
    fields::lower(&mut it);
    account::inject(&mut it);
    archetype::inject(&mut it);
    fields::relations(&mut it);
    // Expressions need every field.
    fields::defaults(&mut it);
    computed::lower(&mut it);
    entities::lower(&mut it);
    label::lower(&mut it);
    access::lower(&mut it);
    transitions::lower(&mut it);
    invariant::lower(&mut it);
    temporal::lower(&mut it);
    graph::lower(&mut it);
    // Variants of surfaces show metrics of workspaces.
    workspaces::lower(&mut it, files);
    surfaces::lower(&mut it, files);
    temporal::examples(&mut it);
    persona::beginnings(&mut it, files);
    let demo = demo::lower(&mut it, files);
    // Steps call services, intents and other processes, show surfaces, and implement stories.
    modules::places(&mut it, files);
    story::collect(&mut it, files);
    services::lower(&mut it, files);
    llm::lower(&mut it, files);
    process::lower(&mut it, files);
    let schedules = schedules::lower(&mut it, files);
    let scenarios = scenario::lower(&mut it, files, &demo);
    let stories = story::lower(&mut it, files);
    let experiences = experience::lower(&mut it, files);
    let mentions = mentions::lower(&mut it, files);
    roles::report(&mut it);
    let model = Model {
        app: it.app,
        personas: it.personas,
        enums: it.enums,
        entities: it.entities,
        account: it.account,
        tenant: it.tenant,
        surfaces: it.surfaces,
        workspaces: it.workspaces,
        services: it.services,
        processes: it.processes,
        schedules,
        llm_models: it.llm_models,
        llm_config: it.llm_config,
        llm_intents: it.llm_intents,
        demo: demo.into_rows(),
        stories,
        experiences,
        scenarios,
        groups,
        modules,
        imports: it.modules.imports,
        mentions,
    };
    (model, uses::sorted(it.uses), it.out)
}

impl Lowering<'_> {
    /// The state before the first pass.
    fn new() -> Self {
        Lowering {
            out: Diagnostics::default(),
            uses: Vec::new(),
            app: app::without(),
            personas: Vec::new(),
            roles: HashMap::new(),
            roles_declared: false,
            by_use: roles::ByUse::default(),
            enums: Vec::new(),
            enum_names: HashMap::new(),
            entities: Vec::new(),
            entity_names: HashMap::new(),
            archetypes: HashMap::new(),
            declared: Vec::new(),
            written: Vec::new(),
            account: EntityId(0),
            tenant: None,
            one_tenant: None,
            computed: HashMap::new(),
            surface_names: HashMap::new(),
            surface_heads: Vec::new(),
            surfaces: Vec::new(),
            workspace_names: HashMap::new(),
            workspaces: Vec::new(),
            metrics: HashMap::new(),
            unread_metrics: HashSet::new(),
            field_names: Vec::new(),
            unreadable: Unreadable::default(),
            services: Vec::new(),
            processes: Vec::new(),
            llm_models: Vec::new(),
            llm_config: None,
            llm_intents: Vec::new(),
            callable: process::Callable::default(),
            data: None,
            modules: modules::Modules::default(),
            context: Vec::new(),
            context_broken: false,
        }
    }

    /// Resolves the name of an entity, or reports it with the nearest one.
    pub fn entity(&mut self, name: &crate::cursor::Name) -> Option<EntityId> {
        if let Some(id) = self.entity_names.get(&name.text).copied() {
            self.refer(name, self.entities[id.0].span);
            return Some(id);
        }
        if syntax::field::is_modifier(&name.text) {
            let found = crate::Diagnostic::error("unknown-entity", name.span, format!("expected an entity, but found `{}`", name.text));
            let known: Vec<&str> = self.entities.iter().map(|it| it.name.as_str()).collect();
            self.out.push(found.help(format!("name the entity before it: {}", crate::diagnostic::list_first(&known))));
            return None;
        }
        let known = || self.entities.iter().map(|it| it.name.as_str());
        match near_word(&name.text, known()).map(Near::into_owned) {
            Some(near) => self.unknown("unknown-entity", "entity", name.span, &name.text, Some(near)),
            None => {
                let found = crate::Diagnostic::error("unknown-entity", name.span, format!("unknown entity `{}`", name.text))
                    .suggest(name.span, &name.text, known())
                    .or_else_help(&format!("declare `entity {}:`", name.text));
                self.out.push(found);
            }
        }
        None
    }

    /// Resolves a role. Where no persona is declared, a role is declared by its use.
    pub fn role(&mut self, word: &crate::cursor::Name) -> Option<RoleId> {
        self.role_or("unknown-role", word)
    }
}
