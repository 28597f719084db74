//! An entity that nothing uses, in an application with surfaces.

use std::collections::HashSet;

use crate::{
    Diagnostics, Severity,
    facts::{flow, values},
    model::{Effect, EntityId, FieldType, Model, SectionBody, Type},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "dead-entity",
    severity: Severity::Lint,
    summary: "in an application with surfaces, nothing refers to the entity",
    wrong: concat!(
        "entity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\n",
        "entity Note:\n  id: uuid pk\n  permit:\n    read: true\n",
        "surface tasks:\n  uses entity Task\n  mode: list\n",
    ),
    right: concat!(
        "entity Task:\n  id: uuid pk\n  note: ref Note\n  permit:\n    list: true\n    read: true\n",
        "entity Note:\n  id: uuid pk\n  permit:\n    read: true\n",
        "surface tasks:\n  uses entity Task\n  mode: list\n",
    ),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    if !model.surfaces.iter().any(|surface| surface.declared) {
        return;
    }
    let used = used_entities(model);
    for (at, entity) in model.entities.iter().enumerate() {
        if entity.declared && !entity.account && entity.kind.is_none() && !used.contains(&EntityId(at)) {
            out.push(
                RULE.diagnostic(entity.span, format!("nothing refers to the entity `{}`", entity.name))
                    .help("give it a surface, or remove it"),
            );
        }
    }
}

/// The entities that are used.
fn used_entities(model: &Model) -> HashSet<EntityId> {
    let mut used = entities_of_processes(model);
    used.extend(&model.mentions.entities);
    for (at, entity) in model.entities.iter().enumerate() {
        for field in &entity.fields {
            let others =
                field.ty.target().into_iter().chain(field.ty.children()).filter(|other| other.0 != at || field.ty.junction().is_some());
            used.extend(others.chain(field.ty.junction().map(|through| through.entity)));
        }
    }
    for entity in &model.entities {
        used.extend(entity.node.iter().map(|node| node.edges));
    }
    for surface in &model.surfaces {
        used.insert(surface.entity);
        used.extend(surface.sections.iter().filter_map(|section| match &section.body {
            SectionBody::Nested(list) => Some(list.entity),
            SectionBody::Fields(_) => None,
        }));
    }
    used.extend(model.surfaces.iter().flat_map(|surface| &surface.related).flat_map(|it| &it.lists).map(|list| list.entity));
    for region in model.workspaces.iter().flat_map(|workspace| &workspace.regions) {
        used.extend(region.sources.iter().map(|source| source.entity));
        used.extend(region.metrics.iter().flat_map(|metric| metric.entities.iter().copied()));
    }
    used.extend(model.stories.iter().flat_map(|story| &story.scope).map(|entity| entity.it));
    used.extend(
        model
            .experiences
            .iter()
            .flat_map(|it| &it.context)
            .filter_map(|value| if let Type::Ref(entity) = value.ty { Some(entity) } else { None }),
    );
    used
}

/// The entities that processes, schedules and language models use.
fn entities_of_processes(model: &Model) -> HashSet<EntityId> {
    let mut used: HashSet<EntityId> = HashSet::new();
    used.extend(values::field_types(model).filter_map(FieldType::target));
    used.extend(model.processes.iter().filter_map(|process| process.trigger.entity_event()).map(|(entity, _)| entity));
    for flow in flow::flows(model) {
        used.extend(flow.steps.iter().filter_map(|step| step.task()).map(|task| task.entity.it));
        let undoing = flow.compensations.iter().flat_map(|compensation| &compensation.effects);
        used.extend(flow.steps.iter().flat_map(|step| &step.effects).chain(undoing).filter_map(|effect| match effect {
            Effect::Create { entity, .. } => Some(entity.it),
            Effect::Update { rows, .. } | Effect::Delete { rows } => Some(rows.entity.it),
            Effect::Emit(_) => None,
        }));
    }
    for intent in &model.llm_intents {
        used.extend(intent.output_schema.map(|entity| entity.it));
        used.extend(intent.trigger.as_ref().map(|trigger| trigger.entity.it));
    }
    used
}
