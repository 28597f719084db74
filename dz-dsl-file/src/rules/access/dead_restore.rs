//! A rule about restoring rows that are deleted for ever.

use crate::{
    Diagnostics, Severity,
    facts::access,
    model::{Action, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "dead-restore",
    severity: Severity::Warning,
    summary: "`restore` is permitted, but deleted rows are not kept",
    wrong: entity!("  name: str(80)\n", "true\n    restore: role(admin)"),
    right: entity!("  name: str(80)\n  soft_delete\n", "true\n    restore: role(admin)"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let restore = Action::Custom("restore".to_owned());
    for entity in model.entities.iter().filter(|entity| !entity.soft_delete) {
        let Some(permission) = entity.access.permissions.iter().find(|it| it.action == restore && it.permit.is_some()) else { continue };
        let message = format!("a deleted `{}` is gone, so no row can be restored", entity.name);
        let found = RULE.diagnostic(access::line_span(entity, permission, false), message);
        out.push(found.help(format!("add `soft_delete` to `{}`, or remove the line", entity.name)));
    }
}
