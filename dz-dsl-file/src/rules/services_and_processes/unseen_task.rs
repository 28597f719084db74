//! A human task for a persona that cannot see its row.

use crate::{
    Diagnostics, Severity,
    facts::{access, flow},
    model::{Action, Model, Step},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "unseen-task",
    severity: Severity::Warning,
    summary: "a human task is for a persona that is not permitted to read its row",
    wrong: asked_order!("process p:\n  trigger: entity Order created\n", "          assignee_role: cook\n"),
    right: asked_order!("process p:\n  trigger: entity Order created\n", "          assignee_role: clerk\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for task in flow::flows(model).flat_map(|flow| &flow.steps).filter_map(Step::task) {
        let Some(role) = task.assignee_role else { continue };
        if !access::permits_role(model, task.entity.it, &Action::Read, role.it) {
            let (entity, persona) = (&model.entity(task.entity.it).name, &model.personas[role.it.0].name);
            let message = format!("`{persona}` never sees this task: the access rules do not permit it to read rows of `{entity}`");
            let help = format!("add `read: role({persona})` to `permit:` of `{entity}`, or name a persona that may read the rows");
            out.push(RULE.diagnostic(role.span, message).help(help));
        }
    }
}
