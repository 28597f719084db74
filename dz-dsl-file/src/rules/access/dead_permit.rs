//! A `permit` line whose callers a `forbid` line always excludes.

use crate::{
    Diagnostics, Severity,
    facts::{
        access,
        decide::{Caller, Question},
    },
    model::{Expr, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "dead-permit",
    severity: Severity::Warning,
    summary: "a `forbid` line excludes every caller of a `permit` line",
    wrong: "persona clerk\nentity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: role(clerk)\n  forbid:\n    read: role(clerk)\n",
    right: "persona clerk\npersona boss\nentity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: role(clerk)\n  forbid:\n    read: role(boss)\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        for permission in &entity.access.permissions {
            let (Some(permit), Some(forbid)) = (&permission.permit, &permission.forbid) else { continue };
            let question = Question::new(model, Caller::Account);
            let allowed = Expr::Not(Box::new(forbid.clone()));
            if question.can_hold(&[permit]) && !question.can_hold(&[permit, &allowed]) {
                let verb = permission.action.name();
                let message = format!("this `permit` allows no caller to {verb}: a `forbid` excludes each of them");
                out.push(
                    RULE.diagnostic(access::line_span(entity, permission, false), message)
                        .label(access::line_span(entity, permission, true), "forbidden here")
                        .help("narrow the forbid, or remove the permit"),
                );
            }
        }
    }
}
