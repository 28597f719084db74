//! Access rules that say less, or more, than they seem to.

use super::{
    decide::{Asker, Question},
    walk,
};
use crate::{
    Diagnostic, Diagnostics, Span,
    diagnostic::{Rule, Severity},
    model::{Action, Entity, Expr, Model, Permission},
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
        name: "redundant-forbid",
        severity: Severity::Warning,
        summary: "a forbid stands on an action that nothing permits",
        wrong: "persona desk\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n  forbid:\n    delete: role(desk)\n",
        right: "persona desk\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n    delete: true\n  forbid:\n    delete: role(desk)\n",
    },
    Rule {
        name: "dead-permit",
        severity: Severity::Warning,
        summary: "a permit lets nobody in, because a forbid always keeps them out",
        wrong: "persona desk\nentity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: role(desk)\n  forbid:\n    read: role(desk)\n",
        right: "persona desk\npersona boss\nentity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: role(desk)\n  forbid:\n    read: role(boss)\n",
    },
    Rule {
        name: "permit-without-scope",
        severity: Severity::Lint,
        summary: "some actions have row filters, and a permitted one has none",
        wrong: "entity Task:\n  id: uuid pk\n  who: ref User\n  permit:\n    list: true\n    read: true\n  scope:\n    list: who = current_user\n",
        right: "entity Task:\n  id: uuid pk\n  who: ref User\n  permit:\n    list: true\n    read: true\n  scope:\n    list: who = current_user\n    read: who = current_user\n",
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        no_rules(entity, out);
        for permission in &entity.access.permissions {
            open_writes(entity, permission, out);
            forbids(model, entity, permission, out);
        }
        unscoped(entity, out);
    }
}

fn no_rules(entity: &Entity, out: &mut Diagnostics) {
    let permits = |action: &Action| entity.access.permissions.iter().any(|it| it.action == *action && it.permit.is_some());
    if permits_nothing(entity) && entity.declared && !entity.account {
        let why = if entity.access.permissions.is_empty() { "it has no access rules" } else { "it permits nothing" };
        out.push(
            Diagnostic::warning("no-access-rules", entity.span, format!("nobody may use `{}`: {why}", entity.name))
                .help("add a `permit:` block; `list: true` lets every signed-in account list it"),
        );
    }
    if permits(&Action::List) && !permits(&Action::Read) {
        let span = place(entity, &Action::List);
        out.push(
            Diagnostic::lint("list-without-read", span, format!("rows of `{}` can be listed but not opened", entity.name))
                .help("add a `read:` line beside it"),
        );
    }
}

fn permits_nothing(entity: &Entity) -> bool {
    entity.access.permissions.iter().all(|it| it.permit.is_none())
}

/// Where the first permit of an action stands.
fn place(entity: &Entity, action: &Action) -> Span {
    let rule = entity.access.permissions.iter().find(|it| it.action == *action);
    rule.and_then(|it| it.lines.iter().find(|line| !line.forbids)).map_or(entity.span, |line| line.span)
}

fn open_writes(entity: &Entity, permission: &Permission, out: &mut Diagnostics) {
    if !matches!(permission.action, Action::Create | Action::Update | Action::Delete) {
        return;
    }
    for line in permission.lines.iter().filter(|line| !line.forbids) {
        let mut open = false;
        walk(&line.condition, &mut |it| open |= *it == Expr::Anyone);
        if open {
            let verb = verb(&permission.action);
            out.push(
                Diagnostic::warning(
                    "anonymous-write",
                    line.span,
                    format!("callers without an account may {verb} rows of `{}`", entity.name),
                )
                .help("name a role instead, or put `# dz: allow(anonymous-write) because …` above it"),
            );
        }
    }
}

fn forbids(model: &Model, entity: &Entity, permission: &Permission, out: &mut Diagnostics) {
    let Some(forbid) = &permission.forbid else { return };
    let verb = verb(&permission.action);
    let line = |forbids: bool| permission.lines.iter().find(|line| line.forbids == forbids).map_or(entity.span, |line| line.span);
    let Some(permit) = &permission.permit else {
        if permits_nothing(entity) {
            return;
        }
        out.push(
            Diagnostic::warning("redundant-forbid", line(true), format!("nothing permits to {verb} `{}`", entity.name))
                .help("remove the line, or permit the action to some"),
        );
        return;
    };
    let question = Question::new(model, Asker::Account);
    let allowed = Expr::Not(Box::new(forbid.clone()));
    if question.can_hold(&[permit]) && !question.can_hold(&[permit, &allowed]) {
        out.push(
            Diagnostic::warning("dead-permit", line(false), format!("this permit lets nobody {verb}: whoever it lets in is forbidden to"))
                .label(line(true), "forbidden here")
                .help("narrow the forbid, or remove the permit"),
        );
    }
}

/// Row filters for some actions make a reader believe that all are filtered.
fn unscoped(entity: &Entity, out: &mut Diagnostics) {
    let Some(first) = entity.access.scopes.first() else { return };
    for permission in entity.access.permissions.iter().filter(|it| it.permit.is_some()) {
        let rows = matches!(permission.action, Action::List | Action::Read | Action::Update | Action::Delete);
        if rows && !entity.access.scopes.iter().any(|scope| scope.action == permission.action) {
            let verb = verb(&permission.action);
            out.push(
                Diagnostic::lint(
                    "permit-without-scope",
                    place(entity, &permission.action),
                    format!("no scope says which rows one may {verb}"),
                )
                .label(first.span, "other actions are scoped")
                .help(format!("add `{verb}: …` under `scope:`, or `{verb}: all` to say that it is meant")),
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
