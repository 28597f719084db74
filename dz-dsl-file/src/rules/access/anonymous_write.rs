//! Actions that change rows, permitted to callers without an account.

use crate::{
    Diagnostics, Severity,
    model::{Action, Entity, Expr, Model, Permission},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "anonymous-write",
    severity: Severity::Warning,
    summary: "callers without an account can change rows",
    wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\n    create: anonymous\n",
    right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\n    create: true\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        for permission in &entity.access.permissions {
            report_open_lines(entity, permission, out);
        }
    }
}

fn report_open_lines(entity: &Entity, permission: &Permission, out: &mut Diagnostics) {
    if !matches!(permission.action, Action::Create | Action::Update | Action::Delete) {
        return;
    }
    for line in permission.lines.iter().filter(|line| !line.forbids) {
        let mut open = false;
        line.condition.visit(&mut |it| open |= *it == Expr::Anyone);
        if open {
            let verb = permission.action.name();
            out.push(
                RULE.diagnostic(line.span, format!("callers without an account can {verb} rows of `{}`", entity.name))
                    .help("name a role instead, or put `# dz: allow(anonymous-write) because …` above it"),
            );
        }
    }
}
