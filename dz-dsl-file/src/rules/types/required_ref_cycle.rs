//! Entities whose required refs form a cycle, so that no first row is possible.

use std::{collections::HashMap, collections::VecDeque, collections::hash_map::Entry};

use crate::{
    Diagnostics, Severity,
    model::{EntityId, FieldId, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "required-ref-cycle",
    severity: Severity::Warning,
    summary: "entities that require each other can never have a first row",
    wrong: "entity Egg:\n  id: uuid pk\n  hen: ref Hen required\n  permit:\n    read: true\nentity Hen:\n  id: uuid pk\n  egg: ref Egg required\n  permit:\n    read: true\n",
    right: "entity Egg:\n  id: uuid pk\n  hen: ref Hen required\n  permit:\n    read: true\nentity Hen:\n  id: uuid pk\n  egg: ref Egg\n  permit:\n    read: true\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let mut reported = vec![false; model.entities.len()];
    for start in 0..model.entities.len() {
        let Some(cycle) = cycle(model, EntityId(start)).filter(|_| !reported[start]) else { continue };
        cycle.iter().for_each(|(entity, _)| reported[entity.0] = true);
        ref_cycle(model, &cycle, out);
    }
}

/// Reports a cycle once, at its first reference.
fn ref_cycle(model: &Model, cycle: &[(EntityId, FieldId)], out: &mut Diagnostics) {
    let name = |(entity, field): (EntityId, FieldId)| format!("{}.{}", model.entity(entity).name, model.field(entity, field).name);
    let (Some(first), names) = (cycle.first(), cycle.iter().map(|it| format!("`{}`", name(*it))).collect::<Vec<_>>()) else { return };
    let entity = &model.entity(first.0).name;
    let message = match names.len() {
        1 => format!("a row of `{entity}` needs another row of `{entity}` first, so no row can be created"),
        _ => format!("rows of `{entity}` need rows that need rows of `{entity}` first, so no row can be created"),
    };
    let mut found =
        RULE.diagnostic(model.field(first.0, first.1).span, message).help(format!("remove `required` from {}", names.join(" or ")));
    for (entity, field) in cycle.iter().skip(1) {
        found = found.label(model.field(*entity, *field).span, "required here");
    }
    out.push(found);
}

/// The shortest path of required references from an entity back to it.
fn cycle(model: &Model, start: EntityId) -> Option<Vec<(EntityId, FieldId)>> {
    let mut open = VecDeque::from([start]);
    let mut from: HashMap<EntityId, (EntityId, FieldId)> = HashMap::new();
    while let Some(at) = open.pop_front() {
        for (field, it) in model.entity(at).fields.iter().enumerate().filter(|(_, it)| it.required && it.default.is_none()) {
            let Some(target) = it.ty.target() else { continue };
            let step = (at, FieldId(field));
            if target == start {
                let mut way = vec![step];
                while let Some(before) = way.last().filter(|(entity, _)| *entity != start).and_then(|(entity, _)| from.get(entity)) {
                    way.push(*before);
                }
                way.reverse();
                return Some(way);
            }
            if let Entry::Vacant(unseen) = from.entry(target) {
                unseen.insert(step);
                open.push_back(target);
            }
        }
    }
    None
}
