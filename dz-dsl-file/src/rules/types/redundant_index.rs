//! A `unique` line with a condition whose fields are unique already.

use std::collections::BTreeSet;

use crate::{
    Diagnostics, Severity,
    emit::schema,
    model::{Entity, Index, Model, Unique},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "redundant-index",
    severity: Severity::Lint,
    summary: "another line or field ensures the same uniqueness",
    wrong: "entity Loan:\n  id: uuid pk\n  copy: int unique\n  days: int\n  permit:\n    list: true\n    read: true\n  unique copy where days > 1\n",
    right: "entity Loan:\n  id: uuid pk\n  copy: int\n  days: int\n  permit:\n    list: true\n    read: true\n  unique copy where days > 1\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        for (at, index) in entity.indexes.iter().enumerate().filter(|(_, index)| index.unique) {
            // A condition that the database cannot use has a diagnostic of its own.
            let conditional = index.rows.as_ref().is_some_and(|rows| schema::rows(model, entity, rows).is_some());
            if conditional && (is_alone(entity, index) || entity.indexes[..at].iter().any(|other| covers(other, index))) {
                out.push(
                    RULE.diagnostic(index.span, "these fields are unique among all rows, or under the same condition, already")
                        .help("remove this line, or the other one"),
                );
            }
        }
    }
}

/// True if the only field of an index is unique by itself.
fn is_alone(entity: &Entity, index: &Index) -> bool {
    let all = |other: &Index| other.rows.is_none() && covers(other, index);
    matches!(index.columns.as_slice(), [one] if entity.fields[one.field.0].unique != Unique::No || entity.pk == one.field)
        || entity.indexes.iter().any(all)
}

/// True if one index includes the uniqueness of the other one, for the same rows or for all.
fn covers(other: &Index, index: &Index) -> bool {
    let fields = |index: &Index| index.columns.iter().map(|column| column.field.0).collect::<BTreeSet<_>>();
    other.unique && (other.rows.is_none() || other.rows == index.rows) && fields(other).is_subset(&fields(index))
}
