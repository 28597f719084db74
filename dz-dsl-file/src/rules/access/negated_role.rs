//! A permission for everybody without a role.

use crate::{
    Diagnostics, Severity,
    model::{Expr, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "negated-role",
    severity: Severity::Lint,
    summary: "a permission excludes a role, so it includes every account without roles",
    wrong: "persona clerk\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n    delete: not role(clerk)\n",
    right: "persona clerk\npersona boss\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n    delete: role(boss)\n    create: role(clerk)\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let permissions = model.entities.iter().flat_map(|entity| &entity.access.permissions);
    for line in permissions.flat_map(|permission| &permission.lines).filter(|line| !line.forbids) {
        let mut roles = Roles::default();
        roles.note(&line.condition, false);
        if roles.excluded && !roles.required {
            out.push(
                RULE.diagnostic(line.condition_span, "this includes every account without roles, also one that has just registered")
                    .help("name the roles that may do this, and exclude the other one with `forbid:`"),
            );
        }
    }
}

/// How a condition names roles.
#[derive(Default)]
struct Roles {
    required: bool,
    excluded: bool,
}

impl Roles {
    fn note(&mut self, condition: &Expr, is_negated: bool) {
        if let Expr::Role(_) = condition {
            let named = if is_negated { &mut self.excluded } else { &mut self.required };
            *named = true;
        } else if let Expr::Not(inner) = condition {
            self.note(inner, !is_negated);
        } else if let Expr::And(parts) | Expr::Or(parts) = condition {
            parts.iter().for_each(|part| self.note(part, is_negated));
        }
    }
}
