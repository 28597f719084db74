//! Rows that could never be made.

use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{Auto, EntityId, FieldId, FieldType, Mode, Model, SectionBody, Surface},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "missing-required-field",
        severity: Severity::Error,
        summary: "a create form lacks a field without which no row can be made",
        wrong: "entity Task:\n  id: uuid pk\n  title: str(80) required\n  due: date\n  permit:\n    create: true\n    read: true\nsurface task_new:\n  uses entity Task\n  mode: create\n  section main:\n    field due\n",
        right: "entity Task:\n  id: uuid pk\n  title: str(80) required\n  due: date\n  permit:\n    create: true\n    read: true\nsurface task_new:\n  uses entity Task\n  mode: create\n  section main:\n    field title\n    field due\n",
    },
    Rule {
        name: "required-ref-cycle",
        severity: Severity::Warning,
        summary: "entities that require each other can never have a first row",
        wrong: "entity Egg:\n  id: uuid pk\n  hen: ref Hen required\n  permit:\n    read: true\nentity Hen:\n  id: uuid pk\n  egg: ref Egg required\n  permit:\n    read: true\n",
        right: "entity Egg:\n  id: uuid pk\n  hen: ref Hen required\n  permit:\n    read: true\nentity Hen:\n  id: uuid pk\n  egg: ref Egg\n  permit:\n    read: true\n",
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for surface in model.surfaces.iter().filter(|surface| surface.mode == Mode::Create) {
        form(model, surface, out);
    }
    for start in 0..model.entities.len() {
        if reaches_itself(model, EntityId(start)) {
            let entity = &model.entities[start];
            out.push(
                Diagnostic::warning(
                    "required-ref-cycle",
                    entity.span,
                    format!("a `{}` needs rows that need a `{}` first, so none can ever be made", entity.name, entity.name),
                )
                .help("make one of the references optional"),
            );
        }
    }
}

fn form(model: &Model, surface: &Surface, out: &mut Diagnostics) {
    let entity = model.entity(surface.entity);
    let written: Vec<FieldId> = surface
        .sections
        .iter()
        .filter_map(|section| match &section.body {
            SectionBody::Fields(columns) => Some(columns),
            SectionBody::Nested(_) => None,
        })
        .flatten()
        .filter(|column| column.path.hops.is_empty() && !column.read_only)
        .map(|column| column.path.field)
        .collect();
    for (at, field) in entity.fields.iter().enumerate() {
        let generated = FieldId(at) == entity.pk && matches!(field.ty, FieldType::Uuid | FieldType::Int { .. });
        let needed =
            field.required && field.is_stored() && field.default.is_none() && field.auto == Auto::No && !generated && !field.secret;
        if needed && !written.contains(&FieldId(at)) {
            out.push(
                Diagnostic::error(
                    "missing-required-field",
                    surface.span,
                    format!("the form `{}` lacks `{}`, which is required and has no default", surface.name, field.name),
                )
                .label(field.span, "required here")
                .help(format!("add `field {}`, or give it a default", field.name)),
            );
        }
    }
}

fn reaches_itself(model: &Model, start: EntityId) -> bool {
    let mut open = vec![start];
    let mut seen = vec![false; model.entities.len()];
    while let Some(at) = open.pop() {
        for field in model.entity(at).fields.iter().filter(|field| field.required && field.default.is_none()) {
            if let FieldType::Ref(target) = field.ty {
                if target == start {
                    return true;
                }
                if !std::mem::replace(&mut seen[target.0], true) {
                    open.push(target);
                }
            }
        }
    }
    false
}
