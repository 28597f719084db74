//! An entity that edges connect and that is not declared as a node.

use crate::{
    Diagnostics, Severity,
    model::{Entity, EntityId, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "suggest-graph-node",
    severity: Severity::Lint,
    summary: "edges connect an entity that is not declared as a node",
    wrong: graph!("  graph_edge:\n    source: a\n    target: b\n", "  permit:\n    read: true\n", ""),
    right: super::SOUND,
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for (at, entity) in model.entities.iter().enumerate().filter(|(_, entity)| entity.node.is_none() && entity.declared) {
        let leads_here = |edges: &&Entity| {
            edges
                .edge
                .as_ref()
                .is_some_and(|edge| [edge.source, edge.target].iter().any(|end| super::ref_target(edges, *end) == Some(EntityId(at))))
        };
        if let Some(edges) = model.entities.iter().find(leads_here) {
            out.push(
                RULE.diagnostic(entity.span, format!("edges of `{}` lead to `{}`, which is not a node", edges.name, entity.name))
                    .help(format!("add `graph_node:` with `edges: {}` to reach its graph", edges.name)),
            );
        }
    }
}
