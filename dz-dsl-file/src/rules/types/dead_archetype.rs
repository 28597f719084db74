//! An archetype that no entity extends.

use crate::{
    Diagnostics, Severity,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "dead-archetype",
    severity: Severity::Lint,
    summary: "no entity extends the archetype",
    wrong: "archetype Dated:\n  at: date\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
    right: "archetype Dated:\n  at: date\nentity Task:\n  extends: Dated\n  id: uuid pk\n  permit:\n    read: true\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for group in model.groups.iter().filter(|group| !group.extended) {
        out.push(
            RULE.diagnostic(group.span, format!("no entity extends the archetype `{}`", group.name))
                .help(format!("remove it, or write `extends: {}` in an entity", group.name)),
        );
    }
}
