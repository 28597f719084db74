//! A `forbid` line on an action that nothing permits.

use crate::{
    Diagnostics, Severity,
    facts::access,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "redundant-forbid",
    severity: Severity::Warning,
    summary: "a `forbid` line names an action that nothing permits",
    wrong: "persona clerk\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n  forbid:\n    delete: role(clerk)\n",
    right: "persona clerk\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n    delete: true\n  forbid:\n    delete: role(clerk)\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in model.entities.iter().filter(|entity| !access::permits_nothing(entity)) {
        for permission in entity.access.permissions.iter().filter(|it| it.permit.is_none() && it.forbid.is_some()) {
            let verb = permission.action.name();
            let span = access::line_span(entity, permission, true);
            out.push(
                RULE.diagnostic(span, format!("no rule permits the action `{verb}` of `{}`", entity.name))
                    .help("remove the line, or permit the action for some callers"),
            );
        }
    }
}
