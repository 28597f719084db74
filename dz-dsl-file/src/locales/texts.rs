//! The texts of a model, with their keys.

use dz_vocabulary::text_key as key;

use super::quote;
use crate::model::{
    AggregateOf, Attention, Column, Entity, Event, Flow, Model, NestedList, Path, Persona, RoleId, Runs, Section, SectionBody, StepAction,
    Surface, Variant, Workspace,
};

/// The texts of a model that pages show, with their keys, in the order of the declaration and in the format of Fluent.
pub fn texts(model: &Model) -> Vec<(String, String)> {
    let mut all = Texts { model, found: Vec::new() };
    all.add(key::APP.to_owned(), &model.app.title);
    model.personas.iter().for_each(|it| all.add(key::role(&it.name), &it.title));
    model.entities.iter().for_each(|it| all.add_entity(it));
    for of in &model.enums {
        of.values.iter().for_each(|value| all.add(key::value(&of.name, &value.name), &value.title));
    }
    model.surfaces.iter().for_each(|it| all.add_surface(it));
    model.workspaces.iter().for_each(|it| all.add_workspace(it));
    for experience in &model.experiences {
        all.add(key::experience(&experience.name), &experience.title);
        experience.steps.iter().for_each(|step| all.add(key::step(&experience.name, &step.name), &step.title));
    }
    for process in &model.processes {
        process.input.iter().for_each(|it| all.add(key::process_input(&process.name, &it.field.name), &it.field.title));
        all.add_flow(&process.name, &process.title, &process.flow);
    }
    for schedule in &model.schedules {
        if let Runs::Flow(flow) = &schedule.runs {
            all.add_flow(&schedule.name, &schedule.title, flow);
        }
    }
    all.found
}

struct Texts<'m> {
    model: &'m Model,
    found: Vec<(String, String)>,
}

impl Texts<'_> {
    fn add(&mut self, key: String, text: &str) {
        self.found.push((key, quote(text)));
    }

    fn add_option(&mut self, key: String, text: Option<&String>) {
        if let Some(text) = text {
            self.add(key, text);
        }
    }

    fn add_entity(&mut self, entity: &Entity) {
        self.add(key::entity(&entity.name), &entity.title);
        self.add(key::plural(&entity.name), &entity.title_plural);
        // No page shows a secret field.
        let shown = entity.fields.iter().filter(|field| !field.secret);
        shown.for_each(|field| self.add(key::field(&entity.name, &field.name), &field.title));
        for (at, invariant) in entity.invariants.iter().enumerate() {
            self.add_option(key::invariant(&entity.name, at + 1), invariant.message.as_ref());
        }
        let Some(machine) = &entity.states else { return };
        let Some(of) = entity.fields.get(machine.field.0).and_then(|field| field.ty.enumeration()).map(|of| &self.model.enums[of.0]) else {
            return;
        };
        let name = |state: usize| of.values.get(state).map_or("", |value| value.name.as_str());
        for (at, row) in machine.rows.iter().enumerate() {
            let Some(first) = machine.transitions.iter().find(|it| it.row == at) else { continue };
            let key = key::transition(&entity.name, name(first.from), name(first.to));
            self.add_option(key.clone(), row.label.as_ref());
            self.add_option(key::part(&key, "message"), row.message.as_ref());
        }
    }

    fn add_surface(&mut self, surface: &Surface) {
        let own = key::surface(&surface.name);
        self.add(own.clone(), &surface.title);
        self.add_option(key::part(&own, "purpose"), surface.purpose.as_ref());
        self.add_option(key::part(&own, "empty"), surface.ux.empty.as_ref());
        surface.sections.iter().for_each(|section| self.add_section(surface, section));
        for related in &surface.related {
            let key = key::related(&surface.name, &related.name);
            self.add(key.clone(), &related.title);
            related.lists.iter().for_each(|list| self.add_nested(&key, list));
        }
        for event in [Event::Click, Event::Submit] {
            let actions = surface.actions.iter().filter(|action| action.event == event);
            actions.for_each(|action| self.add(key::action(&surface.name, &action.name), &action.title));
        }
        let mut signals: Vec<&Attention> = surface.attention.iter().collect();
        // The most urgent first, as the application shows them.
        signals.sort_by_key(|it| it.level);
        signals.iter().enumerate().for_each(|(at, it)| self.add(key::attention(&surface.name, at + 1), &it.message));
        surface.variants.iter().for_each(|variant| self.add_variant(surface, variant));
    }

    fn add_section(&mut self, surface: &Surface, section: &Section) {
        let own = key::section(&surface.name, &section.name);
        self.add_option(own.clone(), section.title.as_ref());
        self.add_option(key::part(&own, "note"), section.note.as_ref());
        match &section.body {
            SectionBody::Fields(columns) => columns.iter().for_each(|column| self.add_column(&key::surface(&surface.name), column)),
            SectionBody::Nested(nested) => self.add_nested(&own, nested),
        }
    }

    fn add_nested(&mut self, owner: &str, nested: &NestedList) {
        nested.columns.iter().for_each(|column| self.add_column(owner, column));
    }

    fn add_flow(&mut self, process: &str, title: &str, flow: &Flow) {
        self.add(key::process(process), title);
        for step in &flow.steps {
            self.add(key::process_step(process, &step.name), &step.title);
            let StepAction::HumanTask(task) = &step.action else { continue };
            for outcome in &task.outcomes {
                let key = key::outcome(process, &step.name, &outcome.name);
                self.add(key.clone(), &outcome.title);
                self.add_option(key::part(&key, "confirm"), outcome.confirm.as_ref());
            }
        }
    }

    /// A label that is the title of its field has no key of its own.
    fn add_column(&mut self, owner: &str, column: &Column) {
        let names = self.names(&column.path);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (entity, field) = column.path.end(&self.model.entities);
        if self.model.field(entity, field).title != column.label {
            self.add(key::label(owner, &names), &column.label);
        }
        self.add_option(key::help(owner, &names), column.help.as_ref());
    }

    fn names(&self, path: &Path) -> Vec<String> {
        path.fields(&self.model.entities).map(|field| field.name.clone()).collect()
    }

    fn persona(&self, personas: impl Iterator<Item = RoleId>) -> &str {
        personas.min().and_then(|role| self.model.personas.get(role.0)).map_or("", |persona: &Persona| &persona.name)
    }

    fn add_variant(&mut self, surface: &Surface, variant: &Variant) {
        let own = key::variant(&key::surface(&surface.name), self.persona(variant.personas.iter().map(|role| role.it)));
        self.add_option(key::part(&own, "purpose"), variant.purpose.as_ref());
        self.add_option(key::part(&own, "empty"), variant.empty.as_ref());
        let metrics = variant.aggregates.iter().filter(|it| !matches!(it.of, AggregateOf::Metric(..)));
        metrics.enumerate().for_each(|(at, it)| self.add(key::metric(&own, at + 1), &it.title));
    }

    fn add_workspace(&mut self, workspace: &Workspace) {
        let own = key::workspace(&workspace.name);
        self.add(own.clone(), &workspace.title);
        self.add_option(key::part(&own, "purpose"), workspace.purpose.as_ref());
        for region in &workspace.regions {
            let id = format!("{}-{}", workspace.name, region.name);
            self.add(key::region(&id), &region.title);
            self.add_option(key::part(&key::region(&id), "empty"), region.empty.as_ref());
            region.metrics.iter().for_each(|metric| self.add(key::figure(&id, &metric.name), &metric.title));
        }
        for variant in &workspace.variants {
            let key = key::variant(&own, self.persona(variant.personas.iter().map(|role| role.it)));
            self.add_option(key::part(&key, "purpose"), variant.purpose.as_ref());
        }
    }
}
