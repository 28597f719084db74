//! A `scope` line for personas that no `permit` line names.

use std::collections::HashSet;

use crate::{
    Diagnostics, Severity, Span,
    facts::access,
    model::{EntityId, Model, RoleId, Scope},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "dead-scope",
    severity: Severity::Lint,
    summary: "a `scope` line names a persona that is not permitted the action",
    wrong: "persona clerk\npersona boss\nentity Task:\n  id: uuid pk\n  permit:\n    list: role(boss)\n    read: role(boss)\n  scope:\n    list: all\n      for: clerk\n    read: all\n      for: boss\n",
    right: "persona clerk\npersona boss\nentity Task:\n  id: uuid pk\n  permit:\n    list: role(boss)\n    read: role(boss)\n  scope:\n    list: all\n      for: boss\n    read: all\n      for: boss\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    // A line of `update` is also one of `transition`, and a line of an archetype is one of several entities.
    let mut reported: HashSet<Span> = HashSet::new();
    for at in (0..model.entities.len()).map(EntityId) {
        for scope in &model.entity(at).access.scopes {
            let denied = denied_personas(model, at, scope);
            if !denied.is_empty() && reported.insert(scope.span) {
                report(model, at, scope, &denied, out);
            }
        }
    }
}

/// The personas of a line that are not permitted its action.
fn denied_personas(model: &Model, at: EntityId, scope: &Scope) -> Vec<RoleId> {
    let personas = scope.personas.iter().flatten().copied();
    personas.filter(|role| !access::permits_role(model, at, &scope.action, *role)).collect()
}

fn report(model: &Model, at: EntityId, scope: &Scope, denied: &[RoleId], out: &mut Diagnostics) {
    let entity = model.entity(at);
    let verb = scope.action.name();
    let name = |role: &RoleId| model.personas[role.0].name.as_str();
    let quoted: Vec<String> = denied.iter().map(|role| format!("`{}`", name(role))).collect();
    let quoted = quoted.join(", ");
    let mut scopes = entity.access.scopes.iter().filter(|other| other.action == scope.action);
    let closes = scopes.all(|other| {
        let count = other.personas.as_ref().map(Vec::len);
        count.is_some_and(|count| denied_personas(model, at, other).len() == count)
    });
    let message = match closes {
        true => format!("the scopes deny `{verb}` to every role: this one is for {quoted}, to whom the access rules do not permit it"),
        false => format!("this scope has no effect for {quoted}: the access rules do not permit `{verb}` to them"),
    };
    let roles: Vec<&str> = denied.iter().map(name).collect();
    let permission = entity.access.permissions.iter().find(|it| it.action == scope.action && it.permit.is_some());
    let forbids = permission.is_some_and(|permission| permission.forbid.is_some());
    let narrow = if forbids { " and narrow the `forbid:`" } else { "" };
    let roles = roles.join(", ");
    let found = RULE
        .diagnostic(scope.span, message)
        .help(format!("add `{verb}: role({roles})` under `permit:`{narrow}, or name only personas here that may {verb}"));
    out.push(match permission {
        Some(permission) => found.label(access::line_span(entity, permission, false), "permitted here"),
        None => found,
    });
}
