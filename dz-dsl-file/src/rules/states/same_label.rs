//! Transitions of one state whose buttons cannot be distinguished.

use crate::{
    Diagnostics, Severity,
    facts::machine::{self, Machine},
    model::{Model, Transition},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "same-label",
    severity: Severity::Lint,
    summary: "two transitions of one state have the same label",
    wrong: machine!("  status: enum[open, done, gone]\n", "    open -> done \"End\"\n    open -> gone \"End\"\n", "role(vet)"),
    right: machine!("  status: enum[open, done, gone]\n", "    open -> done \"End\"\n    open -> gone \"Remove\"\n", "role(vet)"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for found in machine::state_machines(model) {
        let buttons: Vec<&Transition> = found.machine.in_order().into_iter().filter(|it| found.machine.rows[it.row].manual).collect();
        let mut reported = Vec::new();
        for (at, later) in buttons.iter().enumerate() {
            let same = |earlier: &&&Transition| earlier.from == later.from && label(&found, earlier) == label(&found, later);
            let Some(earlier) = buttons[..at].iter().find(same) else { continue };
            if earlier.row == later.row || reported.contains(&(earlier.row, later.row)) {
                continue;
            }
            reported.push((earlier.row, later.row));
            let state = &found.states.values[later.from].name;
            let message = format!("two buttons of `{state}` are called \"{}\"", label(&found, later));
            let first = found.machine.rows[earlier.row].span;
            let help = "give one of them another label, such as `a -> b \"Label\"`";
            out.push(RULE.diagnostic(found.machine.rows[later.row].span, message).label(first, "the other one").help(help));
        }
    }
}

fn label<'m>(machine: &Machine<'m>, transition: &Transition) -> &'m str {
    machine.machine.rows[transition.row].label.as_deref().unwrap_or(&machine.states.values[transition.to].title)
}
