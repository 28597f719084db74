//! A tenant without an entity for its members.

use crate::{
    Diagnostics, Severity,
    model::{Archetype, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "no-members",
    severity: Severity::Warning,
    summary: "rows belong to a tenant, and there is no entity of its members",
    wrong: "entity Firm:\n  id: uuid pk\n  archetype: tenant\nentity Note:\n  id: uuid pk\n  permit:\n    read: true\n",
    right: concat!(
        "entity Firm:\n  id: uuid pk\n  archetype: tenant\nentity Member:\n  id: uuid pk\n  archetype: user_membership\n",
        "entity Note:\n  id: uuid pk\n  permit:\n    read: true\n",
    ),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let Some(tenant) = model.tenant.map(|tenant| model.entity(tenant)) else { return };
    if model.entities.iter().any(|entity| entity.kind == Some(Archetype::UserMembership)) {
        return;
    }
    let closed =
        model.entities.iter().find(|entity| entity.tenant.is_some() && entity.kind.is_none() && !entity.access.permissions.is_empty());
    if let Some(closed) = closed {
        out.push(
            RULE.diagnostic(tenant.span, format!("no account can be a member of a `{}`, so no account sees its rows", tenant.name))
                .label(closed.span, "rows of this entity belong to a tenant")
                .help("add an entity with `archetype: user_membership`"),
        );
    }
}
