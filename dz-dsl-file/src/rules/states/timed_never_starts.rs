//! A timed transition that never starts.

use crate::{
    Diagnostics, Severity,
    facts::{decide::Caller, machine},
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "timed-never-starts",
    severity: Severity::Warning,
    summary: "a timed transition never happens",
    wrong: machine!("  status: enum[open, done]\n", "    open -> done: auto after 2 days\n      guard: role(vet)\n", "true"),
    right: machine!("  status: enum[open, done]\n", "    open -> done: auto after 2 days\n", "true"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    machine::checked_rows(model, |found, row| report_row(model, found, row, out));
}

fn report_row(model: &Model, found: &machine::Machine<'_>, index: usize, out: &mut Diagnostics) {
    let machine = found.machine;
    let row = &machine.rows[index];
    if row.after.is_none() {
        return;
    }
    let mut reached = machine.transitions.iter().filter(|it| it.row == index && found.is_reached(it.from)).peekable();
    let is_reached = reached.peek().is_some();
    let starts = reached.any(|it| machine::starts_by(model, found.at, machine, row, it.from, Caller::System));
    if !starts {
        out.push(RULE.diagnostic(row.span, "this timed transition never happens").help(match is_reached {
            true => {
                "its guard is never true without a caller: use only fields of the row in it, and write a condition on the caller as \
                     `transition:` under `permit:`"
            }
            false => "no row reaches its state: add a transition to the state, or remove this one",
        }));
    }
}
