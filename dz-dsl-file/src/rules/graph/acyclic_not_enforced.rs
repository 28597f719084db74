//! `acyclic`, which dz enforces and the database does not.

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
                RULE.diagnostic(
                    span,
                    "the database does not prevent cycles: dz refuses a write that closes one, and checks no other program",
                )
                .help("write edges through dz only, or check them where they are written"),
            );
        }
    }
}
