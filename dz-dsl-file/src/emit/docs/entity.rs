//! The page of an entity: fields, rules, states, and links to everything that uses it.

use super::{
    Docs, Draft, bullets, entity_path,
    escape::{code, markdown},
    heading, link, mermaid, paragraph, states, table,
};
use crate::{
    emit::expression,
    model::{Auto, Effect, Entity, EntityId, Example, Field, SectionBody, StepAction, Unique},
};

impl Docs<'_> {
    pub(super) fn entity_page(&self, id: EntityId) -> Draft {
        let entity = self.model.entity(id);
        let path = entity_path(&entity.module);
        let mut text = heading(&entity.name);
        paragraph(&mut text, Some(&format!("{} ({})", entity.title, entity.title_plural)));
        paragraph(&mut text, entity.intent.as_deref());
        let up = |title: &str, page: &str| link(title, page, &path);
        text.push_str(&format!(
            "{} · {}\n\n",
            up("ER diagram", "er.md"),
            up("Access", &format!("access.md#{}", super::escape::anchor(&entity.name)))
        ));
        text.push_str("## Fields\n\n");
        let fields = entity.fields.iter().filter(|field| !field.secret);
        let rows: Vec<Vec<String>> = fields.map(|field| self.field_row(id, field, &path)).collect();
        table(&mut text, &["Field", "Title", "Type", "Rules"], &rows);
        self.examples(&mut text, id, entity);
        bullets(&mut text, "Invariants", &self.invariants(id, entity));
        bullets(&mut text, "Indexes", &self.indexes(id, entity));
        bullets(&mut text, "Behaviour", &self.behaviour(entity, &path));
        if let Some(machine) = &entity.states {
            text.push_str("## States\n\n");
            mermaid(&mut text, &states::diagram(self.model, id, machine));
            table(&mut text, &["From", "To", "Conditions"], &states::rows(self.model, id, machine));
        }
        bullets(&mut text, "Used by", &self.users(id, &path));
        Draft { title: entity.name.clone(), path, text }
    }

    fn field_row(&self, id: EntityId, field: &Field, path: &str) -> Vec<String> {
        let unique = match field.unique {
            Unique::No => None,
            Unique::Yes => Some("unique".to_owned()),
            Unique::WhereSet => Some("unique where set".to_owned()),
        };
        let auto = match field.auto {
            Auto::No => None,
            Auto::Add => Some("set when the row is created".to_owned()),
            Auto::Update => Some("set at every change".to_owned()),
        };
        let expression = |it| code(&expression::text(self.model, id, it));
        let flag = |on: bool, word: &str| on.then(|| word.to_owned());
        let rules: Vec<String> = [
            flag(field.required, "required"),
            unique,
            auto,
            field.default.as_ref().map(|it| format!("default {}", expression(it))),
            field.computed.as_ref().map(|it| format!("computed: {}", expression(it))),
            flag(field.sensitive, "sensitive"),
            flag(field.searchable, "searchable"),
            flag(field.identity, "written by system administrators"),
        ]
        .into_iter()
        .flatten()
        .collect();
        vec![markdown(&field.name), markdown(&field.title), self.type_text(field.ty, path), rules.join(", ")]
    }

    /// The rows of `examples:`, with a column for each field that one of them names.
    fn examples(&self, text: &mut String, id: EntityId, entity: &Entity) {
        if entity.examples.is_empty() {
            return;
        }
        let named = |at: usize| entity.examples.iter().any(|row| row.values.iter().any(|(field, _)| field.0 == at));
        let columns: Vec<usize> = (0..entity.fields.len()).filter(|at| !entity.fields[*at].secret && named(*at)).collect();
        let titles: Vec<String> = columns.iter().map(|at| markdown(&entity.fields[*at].name)).collect();
        let cell = |row: &Example, column: usize| {
            let value = row.values.iter().find(|(field, _)| field.0 == column);
            value.map(|(_, value)| code(&expression::text(self.model, id, value))).unwrap_or_default()
        };
        let rows: Vec<Vec<String>> = entity.examples.iter().map(|row| columns.iter().map(|column| cell(row, *column)).collect()).collect();
        text.push_str("## Examples\n\n");
        table(text, &titles.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
    }

    fn invariants(&self, id: EntityId, entity: &Entity) -> Vec<String> {
        let line = |it: &crate::model::Invariant| {
            let refusal = it.code.as_ref().map(|(refusal, _)| format!(" ({})", code(refusal))).unwrap_or_default();
            let message = it.message.as_ref().map(|message| format!(": {}", markdown(message))).unwrap_or_default();
            format!("{}{message}{refusal}", code(&expression::text(self.model, id, &it.condition)))
        };
        entity.invariants.iter().map(line).collect()
    }

    fn indexes(&self, id: EntityId, entity: &Entity) -> Vec<String> {
        let line = |it: &crate::model::Index| {
            let column = |column: &crate::model::IndexColumn| {
                let order = if column.descending { " descending" } else { "" };
                format!("{}{order}", markdown(&entity.fields[column.field.0].name))
            };
            let columns: Vec<String> = it.columns.iter().map(column).collect();
            let rows = it.rows.as_ref().map(|rows| format!(" where {}", code(&expression::text(self.model, id, rows)))).unwrap_or_default();
            format!("{}{}{rows}", if it.unique { "unique: " } else { "" }, columns.join(", "))
        };
        entity.indexes.iter().map(line).collect()
    }

    fn behaviour(&self, entity: &Entity, path: &str) -> Vec<String> {
        let name = |at: crate::model::FieldId| markdown(&entity.fields[at.0].name);
        let mut lines = Vec::new();
        if entity.account {
            lines.push("Its rows are accounts.".to_owned());
        }
        if let Some(tenant) = entity.tenant {
            lines.push(format!("Each row belongs to the tenant of {}.", name(tenant)));
        }
        if entity.soft_delete {
            lines.push("A deleted row is kept and hidden, and can be restored.".to_owned());
        }
        if let Some(period) = entity.temporal {
            lines.push(format!("A row is current from {} to {}.", name(period.start), name(period.end)));
        }
        if let Some(edge) = &entity.edge {
            lines.push(format!("Its rows are edges of a graph, from {} to {}.", name(edge.source), name(edge.target)));
        }
        if let Some(node) = &entity.node {
            lines.push(format!("Its rows are nodes of a graph with the edges {}.", self.entity_link(node.edges, path)));
        }
        lines
    }

    /// Links to what shows, changes or describes the entity.
    fn users(&self, id: EntityId, path: &str) -> Vec<String> {
        let model = self.model;
        let mut lines = Vec::new();
        for (at, other) in model.entities.iter().enumerate() {
            let refs: Vec<String> =
                other.fields.iter().filter(|field| field.ty.target() == Some(id)).map(|field| markdown(&field.name)).collect();
            if !refs.is_empty() {
                lines.push(format!("entity {} by {}", self.entity_link(EntityId(at), path), refs.join(", ")));
            }
        }
        for (at, surface) in model.surfaces.iter().enumerate() {
            let nested = surface.sections.iter().any(|section| match &section.body {
                SectionBody::Nested(list) => list.entity == id,
                SectionBody::Fields(_) => false,
            });
            let related = surface.related.iter().flat_map(|it| &it.lists).any(|list| list.entity == id);
            if surface.entity == id || nested || related {
                lines.push(format!("surface {}", self.surface_link(crate::model::SurfaceId(at), path)));
            }
        }
        for (at, workspace) in model.workspaces.iter().enumerate() {
            let shows = |region: &crate::model::Region| {
                region.sources.iter().any(|it| it.entity == id) || region.metrics.iter().any(|it| it.entities.contains(&id))
            };
            if workspace.regions.iter().any(shows) {
                lines.push(format!("workspace {}", self.workspace_link(crate::model::WorkspaceId(at), path)));
            }
        }
        for (at, process) in model.processes.iter().enumerate() {
            let is_started = process.trigger.entity_event().is_some_and(|(entity, _)| entity == id);
            let acts = process.flow.steps.iter().any(|step| {
                let tasks = match &step.action {
                    StepAction::HumanTask(task) => task.entity.it == id,
                    StepAction::Service(_)
                    | StepAction::Subprocess(_)
                    | StepAction::LlmIntent(_)
                    | StepAction::WaitFor(_)
                    | StepAction::WaitSignal(_)
                    | StepAction::Condition { .. }
                    | StepAction::Parallel { .. }
                    | StepAction::Effects => false,
                };
                tasks || step.effects.iter().any(|effect| changed(effect) == Some(id))
            });
            if is_started || acts {
                lines.push(format!("process {}", self.process_link(crate::model::ProcessId(at), path)));
            }
        }
        for story in model.stories.iter().filter(|story| story.scope.iter().any(|it| it.it == id)) {
            lines.push(format!("story {}", super::story::story_link(story, path)));
        }
        lines
    }
}

/// The entity whose rows an effect changes.
pub(super) fn changed(effect: &Effect) -> Option<EntityId> {
    match effect {
        Effect::Create { entity, .. } => Some(entity.it),
        Effect::Update { rows, .. } | Effect::Delete { rows } => Some(rows.entity.it),
        Effect::Emit(_) => None,
    }
}
