//! A permitted action without a row filter, where other actions of the entity have one.

use crate::{
    Diagnostics, Severity,
    facts::access,
    model::{Action, Entity, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "permit-without-scope",
    severity: Severity::Lint,
    summary: "a permitted action has no row filter, and other actions have one",
    wrong: "entity Task:\n  id: uuid pk\n  who: ref User\n  permit:\n    list: true\n    read: true\n  scope:\n    list: who = current_user\n",
    right: "entity Task:\n  id: uuid pk\n  who: ref User\n  permit:\n    list: true\n    read: true\n  scope:\n    list: who = current_user\n    read: who = current_user\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    model.entities.iter().for_each(|entity| report_unscoped(entity, out));
}

/// A reader of row filters for some actions may assume that all actions are filtered.
fn report_unscoped(entity: &Entity, out: &mut Diagnostics) {
    let Some(first) = entity.access.scopes.first() else { return };
    for permission in entity.access.permissions.iter().filter(|it| it.permit.is_some()) {
        let rows = matches!(permission.action, Action::List | Action::Read | Action::Update | Action::Delete);
        if rows && !entity.access.scopes.iter().any(|scope| scope.action == permission.action) {
            let verb = permission.action.name();
            out.push(
                RULE.diagnostic(
                    access::permit_span(entity, &permission.action),
                    format!("no scope limits the rows that a caller may {verb}"),
                )
                .label(first.span, "other actions are scoped")
                .help(format!("add `{verb}: …` under `scope:`, or `{verb}: all` if no filter is intended")),
            );
        }
    }
}
