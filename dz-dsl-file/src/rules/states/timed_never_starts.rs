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
    let starts = machine
        .transitions
        .iter()
        .filter(|it| it.row == index)
        .any(|it| found.is_reached(it.from) && machine::starts_by(model, found.at, machine, row, it.from, Caller::System));
    if !starts {
        out.push(
            RULE.diagnostic(row.span, "this timed transition never happens")
                .help("no row reaches its state, or its guard needs a caller; use only fields of the row in the guard"),
        );
    }
}
