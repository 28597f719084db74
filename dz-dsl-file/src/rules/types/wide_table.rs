//! An entity with more columns than diesel supports by default.

use crate::{
    Diagnostics, Severity,
    model::Model,
    rules::{ReportedBy, Rule},
};

const WIDE: &str = "entity Wide:\n  id: uuid pk\n  a1: int\n  a2: int\n  a3: int\n  a4: int\n  a5: int\n  a6: int\n  a7: int\n  a8: int\n  a9: int\n  b1: int\n  b2: int\n  b3: int\n  b4: int\n  b5: int\n  b6: int\n  b7: int\n  b8: int\n  b9: int\n  c1: int\n  c2: int\n  c3: int\n  c4: int\n  c5: int\n  c6: int\n  c7: int\n  c8: int\n  c9: int\n  d1: int\n  d2: int\n  d3: int\n  d4: int\n  d5: int\n  d6: int\n  permit:\n    read: true\n";

pub(super) const RULE: Rule = Rule {
    name: "wide-table",
    severity: Severity::Warning,
    summary: "diesel's tables have 32 columns unless a cargo feature allows more",
    wrong: WIDE,
    right: "entity Note:\n  id: uuid pk\n  permit:\n    read: true\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        let columns = entity.fields.iter().filter(|field| field.is_stored()).count();
        if columns > 32 {
            out.push(
                RULE.diagnostic(entity.span, format!("`{}` has {columns} columns, and diesel's tables have 32 by default", entity.name))
                    .help("turn on diesel's feature `64-column-tables` in Cargo.toml (it costs compile time), or put fields into an entity of their own"),
            );
        }
    }
}
