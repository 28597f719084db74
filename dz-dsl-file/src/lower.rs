//! Syntax into model: resolves every name, types every expression, fills every default.
//!
//! The passes run in the order of [`lower`]; each may use what those before it built.

mod access;
mod account;
mod archetype;
mod collect;
mod computed;
mod demo;
mod entities;
mod expr;
mod fields;
mod graph;
mod invariant;
mod literal;
mod opening;
mod paths;
mod surfaces;
mod temporal;
mod transitions;
mod words;
mod workspaces;

use std::collections::{HashMap, HashSet};

use crate::{
    Diagnostics, Span,
    model::{App, Entity, EntityId, EnumId, EnumType, FieldId, Model, Persona, RoleId, Surface, SurfaceId, Workspace, WorkspaceId},
    syntax::{self, File},
};

/// Everything known so far; the passes fill it.
pub(crate) struct Lowering<'a> {
    pub out: Diagnostics,
    pub app: App,
    pub personas: Vec<Persona>,
    pub roles: HashMap<String, RoleId>,
    pub roles_declared: bool,
    pub enums: Vec<EnumType>,
    pub enum_names: HashMap<String, EnumId>,
    pub entities: Vec<Entity>,
    pub entity_names: HashMap<String, EntityId>,
    pub archetypes: HashMap<&'a str, &'a syntax::archetype::Archetype>,
    /// The declaration behind each entity; `None` for the one dz supplies.
    pub declared: Vec<Option<&'a syntax::entity::Entity>>,
    /// Fields of each entity as written, those of archetypes first.
    pub written: Vec<Vec<&'a syntax::field::Field>>,
    pub account: EntityId,
    /// The entity whose rows are tenants.
    pub tenant: Option<EntityId>,
    /// How far typing each computed field has come.
    pub computed: HashMap<(EntityId, FieldId), computed::State>,
    pub surface_names: HashMap<String, SurfaceId>,
    /// What is known of each surface, by its id.
    pub surface_heads: Vec<words::SurfaceHead>,
    /// The whole ones among the surfaces: as long as there are errors, an id is no position in here.
    pub surfaces: Vec<Surface>,
    pub workspace_names: HashMap<String, WorkspaceId>,
    pub workspaces: Vec<Workspace>,
    /// Metrics by name: workspace, position of the region, position of the metric.
    pub metrics: HashMap<String, Vec<(WorkspaceId, usize, usize)>>,
    /// Names of metrics that could not be read, so that nothing is said of their use.
    pub unread_metrics: HashSet<String>,
    /// Fields by name, per entity.
    pub field_names: Vec<HashMap<String, usize>>,
}

/// Lowers parsed files. The model is whole only when there are no errors.
pub fn lower(files: &[File]) -> (Model, Diagnostics) {
    let mut it = Lowering {
        out: Diagnostics::default(),
        app: collect::default_app(),
        personas: Vec::new(),
        roles: HashMap::new(),
        roles_declared: false,
        enums: Vec::new(),
        enum_names: HashMap::new(),
        entities: Vec::new(),
        entity_names: HashMap::new(),
        archetypes: HashMap::new(),
        declared: Vec::new(),
        written: Vec::new(),
        account: EntityId(0),
        tenant: None,
        computed: HashMap::new(),
        surface_names: HashMap::new(),
        surface_heads: Vec::new(),
        surfaces: Vec::new(),
        workspace_names: HashMap::new(),
        workspaces: Vec::new(),
        metrics: HashMap::new(),
        unread_metrics: HashSet::new(),
        field_names: Vec::new(),
    };
    // Names come first: everything refers to them.
    collect::modules(&mut it, files);
    collect::app_and_personas(&mut it, files);
    collect::enums(&mut it, files);
    collect::archetypes(&mut it, files);
    collect::entities(&mut it, files);
    archetype::kinds(&mut it);
    // The account entity must exist before fields refer to it.
    account::supply(&mut it);
    surfaces::collect(&mut it, files);
    workspaces::collect(&mut it, files);
    // Types before relations, since a relation looks for the ref that points back.
    fields::lower(&mut it);
    account::inject(&mut it);
    archetype::inject(&mut it);
    fields::relations(&mut it);
    // Expressions need every field.
    fields::defaults(&mut it);
    computed::lower(&mut it);
    entities::lower(&mut it);
    access::lower(&mut it);
    transitions::lower(&mut it);
    invariant::lower(&mut it);
    temporal::lower(&mut it);
    graph::lower(&mut it);
    // Variants of surfaces show metrics of workspaces.
    workspaces::lower(&mut it, files);
    surfaces::lower(&mut it, files);
    temporal::examples(&mut it);
    let demo = demo::lower(&mut it, files);
    let model = Model {
        app: it.app,
        personas: it.personas,
        enums: it.enums,
        entities: it.entities,
        account: it.account,
        tenant: it.tenant,
        surfaces: it.surfaces,
        workspaces: it.workspaces,
        demo,
    };
    (model, it.out)
}

impl Lowering<'_> {
    /// The entity called `name`, or a report with the nearest one.
    pub fn entity(&mut self, name: &crate::cursor::Name) -> Option<EntityId> {
        if let Some(id) = self.entity_names.get(&name.text) {
            return Some(*id);
        }
        let near = crate::diagnostic::nearest(&name.text, self.entity_names.keys().map(String::as_str)).map(str::to_owned);
        self.unknown("unknown-entity", "entity", name.span, &name.text, near);
        None
    }

    /// Reports an unknown name with the nearest known one.
    pub fn unknown(&mut self, rule: &'static str, what: &str, span: Span, name: &str, near: Option<String>) {
        let mut found = crate::Diagnostic::error(rule, span, format!("unknown {what} `{name}`"));
        if let Some(near) = near {
            found = found.help(format!("did you mean `{near}`?")).replace(span, near);
        }
        self.out.push(found);
    }
}
