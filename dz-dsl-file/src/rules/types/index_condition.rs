//! A condition that the database cannot use for an index.

use crate::{
    Diagnostics, Severity,
    emit::schema,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "index-condition",
    severity: Severity::Error,
    summary: "the database cannot index rows by this condition",
    wrong: "entity Loan:\n  id: uuid pk\n  copy: int\n  days: int\n  permit:\n    list: true\n    read: true\n  unique copy where days + 1 > 2\n",
    right: "entity Loan:\n  id: uuid pk\n  copy: int\n  days: int\n  permit:\n    list: true\n    read: true\n  unique copy where days > 1\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        for index in &entity.indexes {
            let unusable = index.rows.as_ref().is_some_and(|rows| schema::rows(model, entity, rows).is_none());
            if unusable {
                out.push(
                    RULE.diagnostic(index.span, "the database cannot use this condition in an index")
                        .help("compare stored fields with each other, with literals or with null, by `=`, `<`, `in` and the like"),
                );
            }
        }
    }
}
