//! The names that an application declares, with their uses.

use dz_dsl_file::{
    FileId, Readable, Span,
    lower::Use,
    model::{EntityId, EnumId, FieldId, Model, ProcessId, RoleId, ServiceId, StepId, SurfaceId, WorkspaceId},
};
use lsp_types::SymbolKind;

/// What a name declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declares {
    /// `app`
    App,
    /// `entity`
    Entity(EntityId),
    /// A field of an entity; one of an archetype is a field of the first entity that extends it.
    Field(EntityId, FieldId),
    /// `enum`
    Enum(EnumId),
    /// A value of an enum.
    Value(EnumId, usize),
    /// `archetype`
    Archetype(usize),
    /// `persona`
    Persona(RoleId),
    /// `surface`
    Surface(SurfaceId),
    /// `section`
    Section(SurfaceId, usize),
    /// `workspace`
    Workspace(WorkspaceId),
    /// A region of a workspace.
    Region(WorkspaceId, usize),
    /// `service`
    Service(ServiceId),
    /// `process`
    Process(ProcessId),
    /// A step of a process.
    Step(ProcessId, StepId),
    /// `schedule`
    Schedule(usize),
    /// `llm_model`
    LlmModel(usize),
    /// `llm_intent`
    LlmIntent(usize),
    /// `story`
    Story(usize),
    /// `experience`
    Experience(usize),
    /// A step of an experience.
    ExperienceStep(usize, usize),
    /// `scenario`
    Scenario(usize),
    /// An input or output of a service or process, and other names.
    Other,
}

impl Declares {
    /// The word for it in the language.
    pub fn word(self) -> &'static str {
        match self {
            Declares::App => "app",
            Declares::Entity(_) => "entity",
            Declares::Field(..) => "field",
            Declares::Enum(_) => "enum",
            Declares::Value(..) => "value",
            Declares::Archetype(_) => "archetype",
            Declares::Persona(_) => "persona",
            Declares::Surface(_) => "surface",
            Declares::Section(..) => "section",
            Declares::Workspace(_) => "workspace",
            Declares::Region(..) => "region",
            Declares::Service(_) => "service",
            Declares::Process(_) => "process",
            Declares::Step(..) | Declares::ExperienceStep(..) => "step",
            Declares::Schedule(_) => "schedule",
            Declares::LlmModel(_) => "llm_model",
            Declares::LlmIntent(_) => "llm_intent",
            Declares::Story(_) => "story",
            Declares::Experience(_) => "experience",
            Declares::Scenario(_) => "scenario",
            Declares::Other => "name",
        }
    }

    /// Its kind in the protocol.
    pub fn symbol(self) -> SymbolKind {
        match self {
            Declares::App => SymbolKind::PACKAGE,
            Declares::Entity(_) => SymbolKind::CLASS,
            Declares::Field(..) => SymbolKind::FIELD,
            Declares::Enum(_) => SymbolKind::ENUM,
            Declares::Value(..) => SymbolKind::ENUM_MEMBER,
            Declares::Archetype(_) => SymbolKind::INTERFACE,
            Declares::Persona(_) => SymbolKind::CONSTANT,
            Declares::Surface(_) | Declares::Workspace(_) => SymbolKind::MODULE,
            Declares::Section(..) | Declares::Region(..) => SymbolKind::NAMESPACE,
            Declares::Service(_) | Declares::Process(_) | Declares::LlmIntent(_) => SymbolKind::FUNCTION,
            Declares::Step(..) | Declares::ExperienceStep(..) => SymbolKind::METHOD,
            Declares::Schedule(_) | Declares::Story(_) | Declares::Scenario(_) => SymbolKind::EVENT,
            Declares::LlmModel(_) | Declares::Experience(_) => SymbolKind::OBJECT,
            Declares::Other => SymbolKind::VARIABLE,
        }
    }
}

/// A declared name.
#[derive(Debug, Clone)]
pub struct Name<'m> {
    /// The name.
    pub name: &'m str,
    /// Its title, or an empty text.
    pub title: &'m str,
    /// What it declares.
    pub declares: Declares,
    /// Its place.
    pub span: Span,
}

/// The names of an application.
pub struct Names<'m> {
    read: &'m Readable,
    /// Every declared name, by place.
    pub all: Vec<Name<'m>>,
}

impl<'m> Names<'m> {
    /// The names of an application.
    pub fn collect(read: &'m Readable) -> Names<'m> {
        let mut names = Names { read, all: Vec::new() };
        names.add_data(&read.model);
        names.add_pages(&read.model);
        names.add_flows(&read.model);
        names.all.sort_by_key(|it| it.span);
        // The fields of an archetype are fields of every entity that extends it.
        names.all.dedup_by_key(|it| it.span);
        names
    }

    /// Adds a name that is written at its place; what dz supplies is not.
    fn add(&mut self, declares: Declares, name: &'m str, title: &'m str, span: Span) {
        if self.read.files.text(span).trim_matches(['"', '\'']) == name {
            self.all.push(Name { name, title, declares, span });
        }
    }

    fn add_data(&mut self, model: &'m Model) {
        if let Some(span) = model.app.span {
            self.add(Declares::App, &model.app.name, &model.app.title, span);
        }
        for (at, entity) in model.entities.iter().enumerate() {
            let id = EntityId(at);
            self.add(Declares::Entity(id), &entity.name, &entity.title, entity.span);
            for (at, field) in entity.fields.iter().enumerate() {
                self.add(Declares::Field(id, FieldId(at)), &field.name, &field.title, field.span);
            }
        }
        for (at, values) in model.enums.iter().enumerate() {
            let id = EnumId(at);
            if values.owner.is_none() {
                self.add(Declares::Enum(id), &values.name, values.title.as_deref().unwrap_or_default(), values.span);
            }
            for (at, value) in values.values.iter().enumerate() {
                self.add(Declares::Value(id, at), &value.name, &value.title, value.span);
            }
        }
        for (at, group) in model.groups.iter().enumerate() {
            self.add(Declares::Archetype(at), &group.name, "", group.span);
        }
        for (at, persona) in model.personas.iter().enumerate() {
            if let Some(span) = persona.span {
                self.add(Declares::Persona(RoleId(at)), &persona.name, &persona.title, span);
            }
        }
    }

    fn add_pages(&mut self, model: &'m Model) {
        for (at, surface) in model.surfaces.iter().enumerate() {
            let id = SurfaceId(at);
            self.add(Declares::Surface(id), &surface.name, &surface.title, surface.span);
            for (at, section) in surface.sections.iter().enumerate() {
                self.add(Declares::Section(id, at), &section.name, section.title.as_deref().unwrap_or_default(), section.span);
            }
        }
        for (at, workspace) in model.workspaces.iter().enumerate() {
            let id = WorkspaceId(at);
            self.add(Declares::Workspace(id), &workspace.name, &workspace.title, workspace.span);
            for (at, region) in workspace.regions.iter().enumerate() {
                self.add(Declares::Region(id, at), &region.name, &region.title, region.span);
            }
        }
        for (at, experience) in model.experiences.iter().enumerate() {
            self.add(Declares::Experience(at), &experience.name, &experience.title, experience.span);
            for (step_at, step) in experience.steps.iter().enumerate() {
                self.add(Declares::ExperienceStep(at, step_at), &step.name, &step.title, step.span);
            }
        }
    }

    fn add_flows(&mut self, model: &'m Model) {
        for (at, service) in model.services.iter().enumerate() {
            self.add(Declares::Service(ServiceId(at)), &service.name, &service.title, service.span);
            for value in service.input.iter().chain(&service.output) {
                self.add(Declares::Other, &value.name, &value.title, value.span);
            }
        }
        for (at, process) in model.processes.iter().enumerate() {
            let id = ProcessId(at);
            self.add(Declares::Process(id), &process.name, &process.title, process.span);
            for value in process.input.iter().map(|it| &it.field).chain(process.output.iter().map(|it| &it.field)) {
                self.add(Declares::Other, &value.name, &value.title, value.span);
            }
            for (at, step) in process.flow.steps.iter().enumerate() {
                self.add(Declares::Step(id, StepId(at)), &step.name, &step.title, step.span);
            }
        }
        for (at, it) in model.schedules.iter().enumerate() {
            self.add(Declares::Schedule(at), &it.name, &it.title, it.span);
        }
        for (at, it) in model.llm_models.iter().enumerate() {
            self.add(Declares::LlmModel(at), &it.name, &it.title, it.span);
        }
        for (at, it) in model.llm_intents.iter().enumerate() {
            self.add(Declares::LlmIntent(at), &it.name, &it.title, it.span);
        }
        for (at, it) in model.stories.iter().enumerate() {
            self.add(Declares::Story(at), &it.name, &it.title, it.span);
        }
        for (at, it) in model.scenarios.iter().enumerate() {
            self.add(Declares::Scenario(at), &it.name, &it.title, it.span);
        }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        &self.read.model
    }

    /// The declared names of a file.
    pub fn in_file(&self, file: FileId) -> impl Iterator<Item = &Name<'m>> {
        self.all.iter().filter(move |it| it.span.file == file)
    }

    /// The place of the name at a byte, and the place of its declaration.
    pub fn at(&self, file: FileId, byte: u32) -> Option<Use> {
        let holds = |span: Span| span.file == file && span.start <= byte && byte <= span.end;
        let used = self.read.uses.iter().filter(|it| holds(it.at)).min_by_key(|it| it.at.end - it.at.start);
        let declared = || self.all.iter().find(|it| holds(it.span)).map(|it| Use { at: it.span, declared: it.span });
        // A declaration without a kind of its own is known by its uses.
        let other = || self.read.uses.iter().find(|it| holds(it.declared)).map(|it| Use { at: it.declared, declared: it.declared });
        used.copied().or_else(declared).or_else(other)
    }

    /// The declared name at a place.
    pub fn declared_at(&self, span: Span) -> Option<&Name<'m>> {
        self.all.iter().find(|it| it.span == span)
    }

    /// Every use of a declaration, by place.
    pub fn uses_of(&self, declared: Span) -> impl Iterator<Item = Span> + use<'_, 'm> {
        self.read.uses.iter().filter(move |it| it.declared == declared).map(|it| it.at)
    }

    /// The line of a place with its block.
    pub fn whole(&self, span: Span) -> Span {
        let lines = &self.read.lines[span.file.0 as usize];
        let holds = |line: Span| line.start <= span.start && span.end <= line.end;
        lines.iter().filter(|it| holds(it.line)).map(|it| it.whole).next_back().unwrap_or(span)
    }
}
