//! `acyclic`, which the database does not enforce.

use crate::{
    Diagnostics, Severity,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "acyclic-not-enforced",
    severity: Severity::Warning,
    summary: "the database does not enforce `acyclic`",
    wrong: graph!(
        "  graph_edge:\n    source: a\n    target: b\n    acyclic: true\n",
        "  permit:\n    read: true\n",
        "  graph_node:\n    edges: Road\n    display: name\n"
    ),
    right: super::SOUND,
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for edge in model.entities.iter().filter_map(|entity| entity.edge.as_ref()) {
        if let Some(span) = edge.acyclic {
            out.push(
                RULE.diagnostic(span, "dz does not prevent cycles: only demo data is checked")
                    .help("check for a cycle in a hook before an edge is created, if one would do harm"),
            );
        }
    }
}
