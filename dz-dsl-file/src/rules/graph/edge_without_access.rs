//! An edge entity without access rules.

use crate::{
    Diagnostics, Severity,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "edge-without-access",
    severity: Severity::Warning,
    summary: "an edge entity has no access rules, so its graph is empty for every caller",
    wrong: graph!("  graph_edge:\n    source: a\n    target: b\n", "", "  graph_node:\n    edges: Road\n    display: name\n"),
    right: super::SOUND,
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        let Some(edge) = &entity.edge else { continue };
        if entity.access.permissions.is_empty() {
            out.push(
                RULE.diagnostic(edge.span, format!("the edges of `{}` have no access rules, so no caller sees one", entity.name))
                    .help("add a `permit:` block with `list` and `read`"),
            );
        }
    }
}
