//! What nothing refers to.

use std::collections::HashSet;

use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{Effect, EntityId, EnumId, FieldType, Model, SectionBody, Type, ValueType},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "empty-app",
        severity: Severity::Warning,
        summary: "an application without entities",
        wrong: "app nothing\n",
        right: "app something\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
    },
    Rule {
        name: "dead-enum",
        severity: Severity::Lint,
        summary: "no field uses the enum",
        wrong: "enum Colour:\n  red\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
        right: "enum Colour:\n  red\nentity Task:\n  id: uuid pk\n  colour: Colour\n  permit:\n    read: true\n",
    },
    Rule {
        name: "dead-archetype",
        severity: Severity::Lint,
        summary: "no entity extends the archetype",
        wrong: "archetype Dated:\n  at: date\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
        right: "archetype Dated:\n  at: date\nentity Task:\n  extends: Dated\n  id: uuid pk\n  permit:\n    read: true\n",
    },
    Rule {
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
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    if model.entities.iter().all(|entity| !entity.declared) {
        let start = crate::Span { file: crate::FileId(0), start: 0, end: 0 };
        let span = model.app.span.unwrap_or(start);
        out.push(
            Diagnostic::warning("empty-app", span, "the application declares no entity")
                .help("add `entity NAME:` with at least `id: uuid pk`"),
        );
    }
    let used_enums = enums(model);
    for (at, it) in model.enums.iter().enumerate().filter(|(_, it)| it.owner.is_none()) {
        if !used_enums.contains(&EnumId(at)) {
            out.push(
                Diagnostic::lint("dead-enum", it.span, format!("no field uses the enum `{}`", it.name))
                    .help("remove it, or use it as the type of a field"),
            );
        }
    }
    for group in model.groups.iter().filter(|group| !group.extended) {
        out.push(
            Diagnostic::lint("dead-archetype", group.span, format!("no entity extends the archetype `{}`", group.name))
                .help(format!("remove it, or write `extends: {}` in an entity", group.name)),
        );
    }
    if model.surfaces.iter().any(|surface| surface.declared) {
        entities(model, out);
    }
}

/// The enums that fields and values are made of.
fn enums(model: &Model) -> HashSet<EnumId> {
    let fields = model.entities.iter().flat_map(|entity| &entity.fields).filter_map(|field| match field.ty {
        FieldType::Enum(id) => Some(id),
        _ => None,
    });
    let gathered = model.experiences.iter().flat_map(|it| &it.context).filter_map(|value| match value.ty {
        Type::Enum(id) => Some(id),
        _ => None,
    });
    let given = values(model).filter_map(|ty| match ty {
        FieldType::Enum(id) => Some(id),
        _ => None,
    });
    let decided = super::flow::all(model).flat_map(|flow| &flow.steps).filter_map(|step| step.task()).map(|task| task.outcome_enum);
    fields.chain(gathered).chain(given).chain(decided).collect()
}

fn entities(model: &Model, out: &mut Diagnostics) {
    let mut used = of_processes(model);
    used.extend(&model.kept.entities);
    for (at, entity) in model.entities.iter().enumerate() {
        for field in &entity.fields {
            match field.ty {
                FieldType::Ref(other) | FieldType::HasMany { entity: other, .. } | FieldType::HasOne { entity: other, .. }
                    if other.0 != at =>
                {
                    used.insert(other);
                }
                FieldType::ManyToMany { entity, through } => used.extend([entity, through.entity]),
                _ => {}
            }
        }
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
    used.extend(model.experiences.iter().flat_map(|it| &it.context).filter_map(|value| match value.ty {
        Type::Ref(entity) => Some(entity),
        _ => None,
    }));
    for (at, entity) in model.entities.iter().enumerate() {
        if entity.declared && !entity.account && entity.kind.is_none() && !used.contains(&EntityId(at)) {
            out.push(
                Diagnostic::lint("dead-entity", entity.span, format!("nothing refers to the entity `{}`", entity.name))
                    .help("give it a surface, or remove it"),
            );
        }
    }
}

/// What services, processes and language models take and give.
fn values(model: &Model) -> impl Iterator<Item = FieldType> {
    let services = model.services.iter().flat_map(|service| service.input.iter().chain(&service.output));
    let processes = model.processes.iter().flat_map(|process| {
        let outputs = process.output.iter().map(|output| &output.field);
        process.input.iter().map(|input| &input.field).chain(outputs)
    });
    let fields = services.chain(processes).chain(model.llm_intents.iter().flat_map(|intent| &intent.input));
    fields.filter_map(|field| one_of(&field.ty))
}

fn one_of(ty: &ValueType) -> Option<FieldType> {
    match ty {
        ValueType::One(ty) => Some(*ty),
        ValueType::List(inner) => one_of(inner),
        ValueType::Printable => None,
    }
}

/// The entities that processes, schedules and language models speak of.
fn of_processes(model: &Model) -> HashSet<EntityId> {
    let mut used: HashSet<EntityId> = HashSet::new();
    used.extend(values(model).filter_map(|ty| match ty {
        FieldType::Ref(entity) => Some(entity),
        _ => None,
    }));
    used.extend(model.processes.iter().filter_map(|process| process.trigger.entity_event()).map(|(entity, _)| entity));
    for flow in super::flow::all(model) {
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
