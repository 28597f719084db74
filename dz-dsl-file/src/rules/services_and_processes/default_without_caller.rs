//! A new row that gets a required value from the caller, where no caller is present.

use crate::{
    Diagnostics, Severity, Span,
    facts::{
        demo_rows::DemoRows,
        effects::{self, WrittenRows},
    },
    model::{Entity, Expr, Field, FieldId, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "default-without-caller",
    severity: Severity::Error,
    summary: "a new row needs a value, its default is a value of the caller, and no caller is present",
    wrong: signed_note!("          - create Note:\n              text: \"New\"\n"),
    right: signed_note!("          - create Note:\n              text: \"New\"\n              author: trigger.entity.owner\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for work in effects::works(model) {
        effects::writes(work.flow, &mut |write| {
            if matches!(write.rows, WrittenRows::New) {
                let given = |at: FieldId| write.values.iter().any(|(field, _)| field.it == at);
                report_row(model.entity(write.entity.it), write.entity.span, "a run has none", given, out);
            }
        });
    }
    for rows in DemoRows::sets(model) {
        for row in rows.new_rows() {
            let entity = model.entity(row.entity);
            let given = |at: FieldId| row.values.iter().any(|(field, _)| *field == at);
            // The rows of accounts are made like those of new users.
            if !entity.account {
                report_row(entity, row.span, "demo rows have none", given, out);
            }
        }
    }
}

fn report_row(entity: &Entity, span: Span, why: &str, given: impl Fn(FieldId) -> bool, out: &mut Diagnostics) {
    let needed = |field: &&Field| field.required && field.is_stored() && field.default.as_ref().is_some_and(is_of_caller);
    let absent = entity.fields.iter().enumerate().filter(|(at, field)| needed(field) && entity.tenant != Some(FieldId(*at)));
    for (_, field) in absent.filter(|(at, _)| !given(FieldId(*at))) {
        let message = format!("a new `{}` needs `{}`: its default is a value of the caller, and {why}", entity.name, field.name);
        let found = RULE.diagnostic(span, message).help(format!("give `{}` a value", field.name));
        out.push(if entity.has_written(field) { found.label(field.span, "required here") } else { found });
    }
}

/// True for the caller's account and for values of it.
fn is_of_caller(value: &Expr) -> bool {
    matches!(value, Expr::CurrentUser | Expr::CurrentUserPath(_))
}
