//! An entity with two refs to one entity, which resembles an edge.

use crate::{
    Diagnostics, Severity,
    model::{Entity, EntityId, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "suggest-graph-edge",
    severity: Severity::Lint,
    summary: "an entity with two refs to one entity looks like an edge",
    wrong: graph!("", "  permit:\n    read: true\n", ""),
    right: graph!("  graph_edge:\n    source: a\n    target: b\n", "  permit:\n    read: true\n", ""),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    model.entities.iter().filter(|entity| entity.edge.is_none()).for_each(|entity| suggest_edge(model, entity, out));
}

fn suggest_edge(model: &Model, entity: &Entity, out: &mut Diagnostics) {
    let mut seen: Vec<(EntityId, &str)> = Vec::new();
    // Fields that dz adds have the place of their entity.
    for field in entity.fields.iter().filter(|field| field.is_stored() && entity.has_written(field)) {
        let Some(id) = field.ty.target() else { continue };
        if let Some((_, first)) = seen.iter().find(|(other, _)| *other == id && Some(id) != model.tenant) {
            let message = format!("`{}` refers to `{}` twice, as the edges of a graph do", entity.name, model.entity(id).name);
            let help = format!("if it is one, add `graph_edge:` with `source: {first}` and `target: {}`", field.name);
            out.push(RULE.diagnostic(entity.span, message).help(help));
            return;
        }
        seen.push((id, &field.name));
    }
}
