//! An entity that permits no action.

use crate::{
    Diagnostics, Severity,
    facts::access,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "no-access-rules",
    severity: Severity::Warning,
    summary: "no caller can use an entity without access rules",
    wrong: "entity Task:\n  id: uuid pk\n",
    right: "entity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        if access::permits_nothing(entity) && entity.declared && !entity.account {
            let why = if entity.access.permissions.is_empty() { "it has no access rules" } else { "it permits nothing" };
            out.push(
                RULE.diagnostic(entity.span, format!("no caller can use `{}`: {why}", entity.name))
                    .help("add a `permit:` block; `list: true` lets every signed-in account list it"),
            );
        }
    }
}
