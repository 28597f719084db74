//! A guard that is false in every state from which its transition starts.

use crate::{
    Diagnostics, Severity,
    facts::machine,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "guard-contradiction",
    severity: Severity::Warning,
    summary: "a guard is never true in the states from which its transition starts",
    wrong: machine!("  status: enum[open, done]\n", "    open -> done:\n      guard: status = done\n", "true"),
    right: machine!("  status: enum[open, done]\n  text: text\n", "    open -> done:\n      guard: text != null\n", "true"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for found in machine::state_machines(model) {
        for (index, row) in found.machine.rows.iter().enumerate().filter(|(at, _)| machine::is_used(found.machine, *at)) {
            if machine::contradicts_its_guard(model, found.at, found.machine, index) {
                out.push(
                    RULE.diagnostic(row.span, "the guard of this transition can never hold in the state where it starts")
                        .help("change the guard, or remove the row"),
                );
            }
        }
    }
}
