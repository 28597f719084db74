//! Several final states, none of which is declared as a success or a failure.

use crate::{
    Diagnostics, Severity,
    facts::machine,
    model::{EnumValue, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "unmarked-ends",
    severity: Severity::Lint,
    summary: "a row can end in several states, and none is declared as a success or a failure",
    wrong: machine!("  status: enum[open, done, cancelled]\n", "    open -> done\n    open -> cancelled\n", "role(vet)"),
    right: machine!(
        "  status: enum[open, done, cancelled]\n",
        "    open -> done\n    open -> cancelled\n    final: done\n    failed: cancelled\n",
        "role(vet)"
    ),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    machine::state_machines(model).for_each(|found| report_unmarked(&found, out));
}

fn report_unmarked(found: &machine::Machine<'_>, out: &mut Diagnostics) {
    let (machine, states) = (found.machine, found.states);
    if machine.ends.is_some() {
        return;
    }
    let ends: Vec<&EnumValue> =
        (0..states.values.len()).filter(|at| found.is_reached(*at)).filter(|at| machine.is_end(*at)).map(|at| &states.values[at]).collect();
    let [_, .., last] = ends.as_slice() else { return };
    let names: Vec<String> = ends.iter().map(|value| format!("`{}`", value.name)).collect();
    let message = format!("rows end in {}, and none of them is declared as a success", names.join(", "));
    out.push(
        RULE.diagnostic(last.span, message)
            .help("declare them under `transitions:`: `final:` names the states that are a success, `failed:` the others"),
    );
}
