//! A state that no transition reaches.

use crate::{
    Diagnostics, Severity,
    facts::machine,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "unreachable-state",
    severity: Severity::Warning,
    summary: "no transition reaches a state",
    wrong: machine!("  status: enum[open, late, done]\n", "    open -> done\n    late -> done\n", "role(vet)"),
    right: machine!("  status: enum[open, late, done]\n", "    open -> late\n    late -> done\n", "role(vet)"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for found in machine::state_machines(model) {
        let (machine, states) = (found.machine, found.states);
        for (_, value) in states.values.iter().enumerate().filter(|(at, _)| !found.is_reached(*at)) {
            let initial = states.values.get(machine.initial).map_or("", |value| value.name.as_str());
            out.push(
                RULE.diagnostic(value.span, format!("no row can get from `{initial}` to `{}`", value.name))
                    .help(format!("add a transition to it, such as `{initial} -> {}`, or remove the value", value.name)),
            );
        }
    }
}
