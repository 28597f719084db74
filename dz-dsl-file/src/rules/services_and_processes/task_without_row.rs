//! A human task about a row that the process does not have.

use crate::{
    Diagnostics, Severity,
    facts::flow,
    model::{EntityId, HumanTask, Mode, Model, Step, ValueType},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "task-without-row",
    severity: Severity::Warning,
    summary: "a human task is about a row that the process does not have",
    wrong: asked_order!(
        "surface one:\n  uses entity Order\n  mode: view\nprocess p:\n",
        "          surface: one\n          assignee_role: clerk\n"
    ),
    right: asked_order!(
        "surface one:\n  uses entity Order\n  mode: view\nprocess p:\n  trigger: entity Order created\n",
        "          surface: one\n          assignee_role: clerk\n"
    ),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for flow in flow::flows(model) {
        let process = model.processes.iter().find(|process| std::ptr::eq(&process.flow, flow));
        // A task shows the row that an input of its entity references.
        let inputs: Vec<_> = process.iter().flat_map(|it| &it.input).filter_map(|input| referenced(&input.field.ty)).collect();
        let tasks = flow.steps.iter().filter_map(Step::task).filter(|task| needs_row(model, task));
        for task in tasks.filter(|task| task.row.is_none() && !inputs.contains(&task.entity.it)) {
            let entity = &model.entity(task.entity.it).name;
            let found = RULE.diagnostic(task.entity.span, format!("the task is about a row of `{entity}`, and no such row is known"));
            out.push(found.help(match process {
                Some(_) => format!("start the process by a row of `{entity}`, or declare an input such as `row: ref {entity} required`"),
                None => format!("declare a process with an input such as `row: ref {entity} required`; a schedule has no row"),
            }));
        }
    }
}

fn referenced(ty: &ValueType) -> Option<EntityId> {
    if let ValueType::One(ty) = ty { ty.target() } else { None }
}

/// True for a task with a page about a row, or with outcomes that change it.
fn needs_row(model: &Model, task: &HumanTask) -> bool {
    task.surface.is_some_and(|surface| matches!(model.surfaces[surface.it.0].mode, Mode::View | Mode::Edit))
        || task.outcomes.iter().any(|outcome| !outcome.sets.is_empty())
}
