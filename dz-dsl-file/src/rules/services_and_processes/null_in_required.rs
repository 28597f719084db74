//! A step that writes null to a required field.

use crate::{
    Diagnostics, Severity,
    facts::effects,
    model::{Expr, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "null-in-required",
    severity: Severity::Error,
    summary: "a step writes null to a required field",
    wrong: noted_order!("process p:\n  trigger: entity Order created\n", "    - create Note:\n            text: null\n"),
    right: noted_order!("process p:\n  trigger: entity Order created\n", "    - create Note:\n            text: \"New\"\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for work in effects::works(model) {
        effects::writes(work.flow, &mut |write| {
            let entity = model.entity(write.entity.it);
            for (at, _) in write.values.iter().filter(|(_, value)| *value == Expr::Null) {
                let field = &entity.fields[at.it.0];
                if field.required {
                    let message = format!("`{}` is required, so it cannot be null, and this step always fails", field.name);
                    out.push(RULE.diagnostic(at.span, message).label(field.span, "required here").help("give it a value"));
                }
            }
        });
    }
}
