//! A row of transitions that more specific rows replace.

use crate::{
    Diagnostics, Severity,
    facts::machine,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "shadowed-transition",
    severity: Severity::Warning,
    summary: "more specific rows replace every transition of a row",
    wrong: machine!("  status: enum[open, done]\n", "    open -> done: role(vet)\n    * -> done\n", "true"),
    right: machine!("  status: enum[open, done]\n", "    open -> done\n", "role(vet)"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for found in machine::state_machines(model) {
        for (_, row) in found.machine.rows.iter().enumerate().filter(|(at, _)| !machine::is_used(found.machine, *at)) {
            out.push(
                RULE.diagnostic(row.span, "this row is never used: more specific rows declare each of its transitions").help("remove it"),
            );
        }
    }
}
