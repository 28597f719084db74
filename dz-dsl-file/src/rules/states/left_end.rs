//! A final state that rows of `*` leave.

use crate::{
    Diagnostics, Severity,
    emit::expression::enum_word,
    facts::machine::{self, Machine},
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "left-end",
    severity: Severity::Lint,
    summary: "a transition from `*` also leaves a final state",
    wrong: machine!(
        "  status: enum[open, done, cancelled]\n",
        "    open -> done\n    * -> cancelled\n    final: done\n    failed: cancelled\n",
        "role(vet)"
    ),
    right: machine!(
        "  status: enum[open, done, cancelled]\n",
        "    open -> done\n    open -> cancelled\n    final: done\n    failed: cancelled\n",
        "role(vet)"
    ),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    machine::state_machines(model).for_each(|found| report_left(&found, out));
}

fn report_left(found: &Machine<'_>, out: &mut Diagnostics) {
    let (machine, values) = (found.machine, &found.states.values);
    for (at, row) in machine.rows.iter().enumerate().filter(|(_, row)| row.from.is_none()) {
        let is_final = |state: usize| match machine.ends {
            Some(_) => machine.is_end(state),
            // Without declared final states, a name such as `done` with no other transition was meant to be one.
            None => {
                super::trap_state::looks_final(&values[state].name) && machine.from(state).all(|it| machine.rows[it.row].from.is_none())
            }
        };
        let left: Vec<usize> =
            machine.transitions.iter().filter(|it| it.row == at).map(|it| it.from).filter(|from| is_final(*from)).collect();
        if left.is_empty() {
            continue;
        }
        let quoted = |states: &[usize]| states.iter().map(|state| format!("`{}`", values[*state].name)).collect::<Vec<_>>().join(", ");
        let others: Vec<String> =
            (0..values.len()).filter(|state| *state != row.to && !is_final(*state)).map(|state| enum_word(&values[state].name)).collect();
        let to = enum_word(&values[row.to].name);
        let message = format!("`* -> {to}` also leaves {}, where rows end", quoted(&left));
        out.push(RULE.diagnostic(row.span, message).help(match others.as_slice() {
            [] => "name the states that it leaves in place of `*`".to_owned(),
            others => format!("name the states that it leaves: `{} -> {to}`", others.join(", ")),
        }));
    }
}
