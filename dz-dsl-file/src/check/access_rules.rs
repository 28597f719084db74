//! Access rules that say less, or more, than they seem to.

use super::walk;
use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{Action, Expr, Model},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "no-access-rules",
        severity: Severity::Warning,
        summary: "an entity without access rules can be used by nobody",
        wrong: "entity Task:\n  id: uuid pk\n",
        right: "entity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\n",
    },
    Rule {
        name: "list-without-read",
        severity: Severity::Lint,
        summary: "rows can be listed but not opened",
        wrong: "entity Task:\n  id: uuid pk\n  permit:\n    list: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
        right: "entity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
    },
    Rule {
        name: "anonymous-write",
        severity: Severity::Warning,
        summary: "callers without an account may change rows",
        wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\n    create: anonymous\n",
        right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\n    create: true\n",
    },
    Rule {
        name: "unused-persona",
        severity: Severity::Lint,
        summary: "no rule mentions the persona",
        wrong: "persona desk\nentity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
        right: "persona desk\nentity Task:\n  id: uuid pk\n  permit:\n    list: role(desk)\n    read: role(desk)\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
    },
    Rule {
        name: "redundant-forbid",
        severity: Severity::Warning,
        summary: "a forbid stands on an action that nothing permits",
        wrong: "persona desk\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n  forbid:\n    delete: role(desk)\n",
        right: "persona desk\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n    delete: true\n  forbid:\n    delete: role(desk)\n",
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    let mut used = vec![false; model.personas.len()];
    for entity in &model.entities {
        let permissions = &entity.access.permissions;
        if permissions.is_empty() && entity.declared && !entity.account {
            out.push(
                Diagnostic::warning("no-access-rules", entity.span, format!("nobody may use `{}`: it has no access rules", entity.name))
                    .help("add a `permit:` block; `list: true` lets every signed-in account list it"),
            );
        }
        let permits = |action: &Action| permissions.iter().any(|it| it.action == *action && it.permit.is_some());
        if permits(&Action::List) && !permits(&Action::Read) {
            out.push(
                Diagnostic::lint("list-without-read", entity.span, format!("rows of `{}` can be listed but not opened", entity.name))
                    .help("add a `read:` line under `permit:`"),
            );
        }
        for permission in permissions {
            for expr in permission.permit.iter().chain(&permission.forbid) {
                walk(expr, &mut |it| {
                    if let Expr::Role(roles) = it {
                        roles.iter().for_each(|role| used[role.0] = true);
                    }
                });
            }
            let writes = matches!(permission.action, Action::Create | Action::Update | Action::Delete);
            let mut open = false;
            if let Some(permit) = &permission.permit {
                walk(permit, &mut |it| open |= *it == Expr::Anyone);
            }
            if writes && open {
                out.push(
                    Diagnostic::warning(
                        "anonymous-write",
                        entity.span,
                        format!("callers without an account may {} rows of `{}`", verb(&permission.action), entity.name),
                    )
                    .help("name a role instead, or silence this if it is meant"),
                );
            }
            if permission.permit.is_none() && permission.forbid.is_some() {
                out.push(
                    Diagnostic::warning(
                        "redundant-forbid",
                        entity.span,
                        format!("`{}` forbids to {} what nothing permits", entity.name, verb(&permission.action)),
                    )
                    .help("remove the line, or add a permit for the same action"),
                );
            }
        }
    }
    for (at, persona) in model.personas.iter().enumerate() {
        if persona.declared
            && !used[at]
            && let Some(entity) = model.entities.first()
        {
            out.push(
                Diagnostic::lint("unused-persona", entity.span, format!("no rule mentions the persona `{}`", persona.name))
                    .help(format!("use it: `role({})`", persona.name)),
            );
        }
    }
}

fn verb(action: &Action) -> &str {
    match action {
        Action::List => "list",
        Action::Read => "read",
        Action::Create => "create",
        Action::Update => "update",
        Action::Delete => "delete",
        Action::Custom(name) => name,
    }
}
