//! A rule of the accounts that names a role of members: accounts belong to no tenant, so that roles of memberships do not count.

use crate::{
    Diagnostics, Severity,
    model::{Archetype, Entity, Expr, Model, RoleId},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "membership-role",
    severity: Severity::Lint,
    summary: "a rule of the account names a role that members of tenants have, and roles of memberships do not count there",
    wrong: "persona clerk\nentity User:\n  archetype: user\n  id: uuid pk\n  permit:\n    list: role(clerk)\nentity Firm:\n  archetype: tenant\n  id: uuid pk\nentity Member:\n  archetype: user_membership\n  id: uuid pk\nentity Task:\n  id: uuid pk\n  permit:\n    read: role(clerk)\n",
    right: "persona clerk\npersona support\nentity User:\n  archetype: user\n  id: uuid pk\n  permit:\n    list: role(support)\nentity Firm:\n  archetype: tenant\n  id: uuid pk\nentity Member:\n  archetype: user_membership\n  id: uuid pk\nentity Task:\n  id: uuid pk\n  permit:\n    read: role(clerk)\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let has_members = model.entities.iter().any(|entity| entity.kind == Some(Archetype::UserMembership));
    let account = model.entity(model.account);
    // An account with a role of its own has it in the whole system.
    let has_role = account.fields.iter().any(|field| matches!(field.name.as_str(), "role" | "roles"));
    if model.tenant.is_none() || !has_members || !account.declared || has_role {
        return;
    }
    let mut of_members: Vec<RoleId> = Vec::new();
    model.entities.iter().filter(|entity| !entity.asks_system_roles()).for_each(|entity| of_members.extend(roles_of(entity)));
    let demo = model.demo.iter().chain(model.scenarios.iter().flat_map(|scenario| &scenario.demo));
    let granted: Vec<RoleId> = demo.filter_map(|row| row.account.as_ref()).flat_map(|account| account.roles.clone()).collect();
    let mut reported: Vec<RoleId> = Vec::new();
    for permission in &account.access.permissions {
        for line in permission.lines.iter().filter(|line| !line.forbids && line.span != account.span) {
            for role in roles_in(&line.condition) {
                let name = &model.personas[role.0].name;
                if name == "admin" || granted.contains(&role) || reported.contains(&role) || !of_members.contains(&role) {
                    continue;
                }
                reported.push(role);
                let message = format!(
                    "`{name}` counts here only if it is granted for the whole system: accounts belong to no tenant, so a membership with \
                     `{name}` permits nothing here"
                );
                out.push(RULE.diagnostic(line.condition_span, message).help(format!(
                    "let another persona do this and grant it for the whole system, or show members the rows of `{}` instead",
                    members(model)
                )));
            }
        }
    }
}

fn members(model: &Model) -> &str {
    let members = model.entities.iter().find(|entity| entity.kind == Some(Archetype::UserMembership));
    members.map_or("", |entity| entity.name.as_str())
}

/// The roles that the permissions of an entity name.
fn roles_of(entity: &Entity) -> Vec<RoleId> {
    let lines = entity.access.permissions.iter().flat_map(|permission| &permission.lines).filter(|line| !line.forbids);
    lines.flat_map(|line| roles_in(&line.condition)).collect()
}

fn roles_in(condition: &Expr) -> Vec<RoleId> {
    let mut found = Vec::new();
    let mut is_negated = false;
    condition.visit(&mut |part| match part {
        Expr::Role(roles) => found.extend(roles),
        Expr::Not(_) => is_negated = true,
        _ => {}
    });
    if is_negated { Vec::new() } else { found }
}
