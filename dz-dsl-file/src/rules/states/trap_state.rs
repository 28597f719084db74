//! A state without an outgoing transition that is not declared as final.

use crate::{
    Diagnostics, Severity,
    facts::machine,
    model::{Model, StateMachine},
    rules::{ReportedBy, Rule},
};

/// Words in the names of states that are usually final.
const ENDS: &[&str] = &[
    "accepted",
    "abandoned",
    "approved",
    "archived",
    "cancelled",
    "canceled",
    "closed",
    "complete",
    "completed",
    "deleted",
    "declined",
    "delivered",
    "denied",
    "discharged",
    "disposed",
    "done",
    "ended",
    "expired",
    "failed",
    "finished",
    "fulfilled",
    "lost",
    "merged",
    "obsolete",
    "paid",
    "published",
    "refunded",
    "rejected",
    "released",
    "removed",
    "resolved",
    "retired",
    "settled",
    "shipped",
    "signed",
    "sold",
    "solved",
    "terminated",
    "void",
    "withdrawn",
    "won",
];

pub(super) const RULE: Rule = Rule {
    name: "trap-state",
    severity: Severity::Lint,
    summary: "no transitions lead from a state to a final state",
    wrong: machine!("  status: enum[open, waiting, done]\n", "    open -> waiting\n    open -> done\n    final: done\n", "role(vet)"),
    right: machine!(
        "  status: enum[open, lost, done]\n",
        "    open -> lost\n    open -> done\n    final: done\n    failed: lost\n",
        "role(vet)"
    ),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    machine::state_machines(model).for_each(|found| report_traps(model, &found, out));
}

fn report_traps(model: &Model, found: &machine::Machine<'_>, out: &mut Diagnostics) {
    let machine = found.machine;
    let marked = machine.ends.is_some();
    for (at, value) in found.states.values.iter().enumerate().filter(|(at, _)| found.is_reached(*at)) {
        let name = &value.name;
        if marked && !reaches_an_end(model, found.at, machine, at) {
            out.push(
                RULE.diagnostic(value.span, format!("no transition leads from `{name}` to a final or failed state"))
                    .help(format!("add a transition that leaves it, or declare it: `final: {name}` or `failed: {name}`")),
            );
        } else if !marked && machine.is_end(at) && !looks_final(name) {
            out.push(RULE.diagnostic(value.span, format!("no transition leaves `{name}`")).help(format!(
                "add a transition that leaves it, or declare it under `transitions:` with `final: {name}` or `failed: {name}`"
            )));
        }
    }
}

/// True if rows in a state of this name are usually final.
pub(super) fn looks_final(name: &str) -> bool {
    name.split(['_', ' ', '-']).any(|word| ENDS.contains(&word.to_lowercase().as_str()))
}

/// True if a row in this state is final or can become final.
fn reaches_an_end(model: &Model, entity: usize, machine: &StateMachine, state: usize) -> bool {
    let mut seen = Vec::new();
    let mut open = vec![state];
    while let Some(state) = open.pop() {
        if machine.is_end(state) {
            return true;
        }
        if !seen.contains(&state) {
            seen.push(state);
            let taken = machine.from(state).filter(|it| machine::can_start(model, entity, machine, &machine.rows[it.row], state));
            open.extend(taken.map(|it| it.to));
        }
    }
    false
}
