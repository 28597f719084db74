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
    wrong: concat!(
        "entity Place:\n  id: uuid pk\n  town: str(40)\n  graph_node:\n    edges: Road\n  permit:\n    list: true\n    read: true\n",
        "entity Road:\n  id: uuid pk\n  a: ref Place required\n  b: ref Place required\n",
        "  graph_edge:\n    source: a\n    target: b\n  permit:\n    read: true\n"
    ),
    right: super::SOUND,
    reported_by: ReportedBy::Model(check),
};

/// The fields that label a node without `display`.
const LABELS: &[&str] = &["title", "name", "label"];

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        let has_label = entity.fields.iter().any(|field| LABELS.contains(&field.name.as_str()));
        if let Some(node) = entity.node.as_ref().filter(|node| node.display.is_none() && !has_label) {
            out.push(
                RULE.diagnostic(node.span, format!("nodes of `{}` are labelled by their keys", entity.name))
                    .help("add `display: field` with the field that labels them"),
            );
        }
    }
}
