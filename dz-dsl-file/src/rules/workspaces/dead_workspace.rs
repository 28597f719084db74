//! A workspace that shows nothing to any role.

use crate::{
    Diagnostics, Severity,
    facts::access,
    model::{Action, Model, Region},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "dead-workspace",
    severity: Severity::Lint,
    summary: "a workspace shows nothing to any caller",
    wrong: pages!("    read: true\n", "workspace home:\n  recent:\n    source: Task\n"),
    right: pages!("    list: true\n    read: true\n", "workspace home:\n  recent:\n    source: Task\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for workspace in &model.workspaces {
        if !workspace.regions.iter().any(|region| shows(model, region)) {
            let why =
                if workspace.regions.is_empty() { "it has no region" } else { "no caller is permitted to list the rows of its regions" };
            out.push(
                RULE.diagnostic(workspace.span, format!("workspace `{}` shows nothing: {why}", workspace.name))
                    .help("add a region with a `source:` whose rows some caller is permitted to list"),
            );
        }
    }
}

fn shows(model: &Model, region: &Region) -> bool {
    let sources = region.sources.iter().map(|source| source.entity);
    let mut entities = sources.chain(region.metrics.iter().flat_map(|metric| metric.entities.iter().copied())).peekable();
    entities.peek().is_none() || entities.any(|entity| access::permits(model, entity, &Action::List))
}
