//! An entity with more than forty fields.

use crate::{
    Diagnostics, Severity,
    model::Model,
    rules::{ReportedBy, Rule},
};

/// The largest number of fields without a lint.
const MOST: usize = 40;

const MANY: &str = "entity Task:\n  id: uuid pk\n  a0: int\n  a1: int\n  a2: int\n  a3: int\n  a4: int\n  a5: int\n  a6: int\n  a7: int\n  a8: int\n  a9: int\n  b0: int\n  b1: int\n  b2: int\n  b3: int\n  b4: int\n  b5: int\n  b6: int\n  b7: int\n  b8: int\n  b9: int\n  c0: int\n  c1: int\n  c2: int\n  c3: int\n  c4: int\n  c5: int\n  c6: int\n  c7: int\n  c8: int\n  c9: int\n  d0: int\n  d1: int\n  d2: int\n  d3: int\n  d4: int\n  d5: int\n  d6: int\n  d7: int\n  d8: int\n  d9: int\n  permit:\n    list: true\n    read: true\n";

pub(super) const RULE: Rule = Rule {
    name: "too-many-fields",
    severity: Severity::Lint,
    summary: "an entity has more than forty fields",
    wrong: MANY,
    right: "entity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        let declared = entity.fields.iter().filter(|field| entity.has_written(field)).count();
        if declared > MOST {
            out.push(
                RULE.diagnostic(entity.span, format!("`{}` has {declared} fields", entity.name))
                    .help("group what belongs together in an entity of its own, and refer to it"),
            );
        }
    }
}
