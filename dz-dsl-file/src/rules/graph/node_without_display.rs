//! A node without a field that labels it.

use crate::{
    Diagnostics, Severity,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "node-without-display",
    severity: Severity::Lint,
    summary: "a node has no field that labels it",
    wrong: graph!("  graph_edge:\n    source: a\n    target: b\n", "  permit:\n    read: true\n", "  graph_node:\n    edges: Road\n"),
    right: super::SOUND,
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        if let Some(node) = entity.node.as_ref().filter(|node| node.display.is_none()) {
            out.push(
                RULE.diagnostic(node.span, format!("nodes of `{}` are labelled by their keys", entity.name))
                    .help("add `display: field` with the field that labels them"),
            );
        }
    }
}
