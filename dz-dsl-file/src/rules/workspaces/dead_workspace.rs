//! A workspace that shows nothing to any role.

use crate::{
    Diagnostics, Severity,
    facts::access,
    model::{Action, Audience, Model, Region},
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
        let shown = |audience: Option<&Audience>| workspace.regions.iter().any(|region| shows(model, region, audience));
        if !shown(workspace.access.as_ref()) {
            let why = match (workspace.regions.is_empty(), shown(None)) {
                (true, _) => "it has no region",
                (_, false) => "no caller is permitted to list the rows of its regions",
                (_, true) => "no persona of its `access:` is permitted to list the rows of its regions",
            };
            out.push(
                RULE.diagnostic(workspace.span, format!("workspace `{}` shows nothing: {why}", workspace.name))
                    .help("add a region with a `source:` whose rows one of its callers is permitted to list"),
            );
        }
    }
}

/// True if a caller of the audience can see something in the region.
fn shows(model: &Model, region: &Region, audience: Option<&Audience>) -> bool {
    let sources = region.sources.iter().map(|source| source.entity);
    let mut entities = sources.chain(region.metrics.iter().flat_map(|metric| metric.entities.iter().copied())).peekable();
    entities.peek().is_none() || entities.any(|entity| access::permits_audience(model, entity, &Action::List, audience))
}
