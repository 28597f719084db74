//! A step that sets a state to which no transition leads from the states that the row can have.

use crate::{
    Diagnostics, Severity,
    facts::{
        decide::{Caller, Fact, Question, own_path},
        effects::{self, Work, Write, WrittenRows},
        machine::{self, Machine},
    },
    model::{Expr, Model, Trigger},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "impossible-state",
    severity: Severity::Error,
    summary: "a step sets a state to which no transition leads from the states that the row can have",
    wrong: state_order!(
        "process p:\n  trigger: entity Order status open -> done\n  steps:\n    - step a:\n        effects:\n          - update trigger.entity:\n              status: open\n"
    ),
    right: state_order!(
        "process p:\n  trigger: entity Order status open -> done\n  steps:\n    - step a:\n        effects:\n          - update trigger.entity:\n              status: filed\n"
    ),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let machines: Vec<Machine<'_>> = machine::state_machines(model).collect();
    for work in effects::works(model) {
        effects::writes(work.flow, &mut |write| {
            if let Some(machine) = machines.iter().find(|machine| machine.at == write.entity.it.0) {
                report_write(model, machine, &work, &write, out);
            }
        });
    }
}

fn report_write(model: &Model, machine: &Machine<'_>, work: &Work<'_>, write: &Write<'_>, out: &mut Diagnostics) {
    let states = machine.machine;
    let Some((at, Expr::EnumValue(_, to))) = write.values.iter().find(|(at, _)| at.it == states.field) else { return };
    let Some(before) = states_before(model, machine, work, write).filter(|before| !before.is_empty()) else { return };
    let leads = |from: &usize| from == to || states.from(*from).any(|it| it.to == *to);
    if before.iter().any(leads) {
        return;
    }
    let name = |state: usize| machine.states.values[state].name.as_str();
    let names: Vec<String> = before.iter().map(|state| format!("`{}`", name(*state))).collect();
    let message = format!(
        "`{}` cannot become `{}`: the row is {} here, and no transition leads from there",
        at_name(machine),
        name(*to),
        names.join(" or ")
    );
    let first = before.first().map_or("…", |state| name(*state));
    out.push(RULE.diagnostic(at.span, message).label(machine.entity.fields[states.field.0].span, "the states").help(format!(
        "set another state, or add `{first} -> {}` to the transitions of `{}`",
        name(*to),
        machine.entity.name
    )));
}

fn at_name<'m>(machine: &Machine<'m>) -> &'m str {
    &machine.entity.fields[machine.machine.field.0].name
}

/// The states that the rows can have before the write; `None` if they are unknown.
fn states_before(model: &Model, machine: &Machine<'_>, work: &Work<'_>, write: &Write<'_>) -> Option<Vec<usize>> {
    let states = machine.machine;
    match (write.rows, work.trigger) {
        (WrittenRows::Where(condition), _) => {
            let can_be = |state: &usize| {
                let question = Question::new(model, Caller::System);
                question.with_fact(own_path(machine.at, states.field), Fact::Value(*state)).can_hold(&[condition])
            };
            Some((0..machine.states.values.len()).filter(can_be).collect())
        }
        (WrittenRows::Row(row), Some(Trigger::Change { entity, field, to, .. }))
            if effects::is_trigger_row(row) && entity.it.0 == machine.at && field.it == states.field =>
        {
            Some(later_states(machine, to.it))
        }
        (WrittenRows::Row(_) | WrittenRows::New | WrittenRows::Unknown, _) => None,
    }
}

/// The states that a row can have after it had one: that state, and each to which transitions lead from it.
fn later_states(machine: &Machine<'_>, first: usize) -> Vec<usize> {
    let mut later = vec![first];
    let mut at = 0;
    while let Some(state) = later.get(at).copied() {
        for it in machine.machine.from(state) {
            if !later.contains(&it.to) {
                later.push(it.to);
            }
        }
        at += 1;
    }
    later
}
