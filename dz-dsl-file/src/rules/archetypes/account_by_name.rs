//! An entity that holds the accounts because of its name.

use crate::{
    Diagnostics, Severity,
    model::{Archetype, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "account-by-name",
    severity: Severity::Lint,
    summary: "an entity holds the accounts because its name is `User`",
    wrong: "entity User:\n  id: uuid pk\n  permit:\n    read: true\n",
    right: "entity User:\n  id: uuid pk\n  archetype: user\n  permit:\n    read: true\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let account = model.entity(model.account);
    if account.declared && account.kind != Some(Archetype::User) {
        out.push(
            RULE.diagnostic(account.span, format!("the rows of `{}` are the accounts because of its name", account.name))
                .help("add `archetype: user`, which also adds pages for administrators"),
        );
    }
}
