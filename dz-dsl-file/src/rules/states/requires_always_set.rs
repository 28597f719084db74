//! A transition that requires a field which is always set.

use crate::{
    Diagnostics, Severity,
    facts::machine,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "requires-always-set",
    severity: Severity::Warning,
    summary: "a transition requires a field that is always set",
    wrong: machine!("  status: enum[open, done]\n  name: str(9) required\n", "    open -> done: requires name\n", "true"),
    right: machine!("  status: enum[open, done]\n  name: str(9)\n", "    open -> done: requires name\n", "true"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for found in machine::state_machines(model) {
        let entity = found.entity;
        for (_, row) in found.machine.rows.iter().enumerate().filter(|(at, _)| machine::is_used(found.machine, *at)) {
            for (field, span) in &row.requires {
                let field = &entity.fields[field.0];
                if field.required {
                    out.push(
                        RULE.diagnostic(*span, format!("`{}` is always set, so requiring it changes nothing", field.name))
                            .label(field.span, "required here")
                            .help("remove it from the row, or make the field optional"),
                    );
                }
            }
        }
    }
}
