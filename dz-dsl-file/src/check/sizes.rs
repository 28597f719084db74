//! What is larger than it should be.

use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::Model,
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "too-many-roles",
        severity: Severity::Error,
        summary: "an application has at most 64 roles",
        wrong: MANY,
        right: "entity Note:\n  id: uuid pk\n  permit:\n    read: role(r1, r2, r3)\n",
    },
    Rule {
        name: "wide-table",
        severity: Severity::Warning,
        summary: "diesel's tables have 32 columns unless a cargo feature says otherwise",
        wrong: WIDE,
        right: "entity Note:\n  id: uuid pk\n  permit:\n    read: true\n",
    },
];

const MANY: &str = "entity Note:\n  id: uuid pk\n  permit:\n    read: role(r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r18, r19, r20, r21, r22, r23, r24, r25, r26, r27, r28, r29, r30, r31, r32, r33, r34, r35, r36, r37, r38, r39, r40, r41, r42, r43, r44, r45, r46, r47, r48, r49, r50, r51, r52, r53, r54, r55, r56, r57, r58, r59, r60, r61, r62, r63)\n";

const WIDE: &str = "entity Wide:\n  id: uuid pk\n  a1: int\n  a2: int\n  a3: int\n  a4: int\n  a5: int\n  a6: int\n  a7: int\n  a8: int\n  a9: int\n  b1: int\n  b2: int\n  b3: int\n  b4: int\n  b5: int\n  b6: int\n  b7: int\n  b8: int\n  b9: int\n  c1: int\n  c2: int\n  c3: int\n  c4: int\n  c5: int\n  c6: int\n  c7: int\n  c8: int\n  c9: int\n  d1: int\n  d2: int\n  d3: int\n  d4: int\n  d5: int\n  d6: int\n  permit:\n    read: true\n";

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    if let (true, Some(entity)) = (model.personas.len() > 64, model.entities.first()) {
        out.push(
            Diagnostic::error(
                "too-many-roles",
                entity.span,
                format!("the application has {} roles; 64 are the most", model.personas.len()),
            )
            .help("merge personas that may do the same"),
        );
    }
    for entity in &model.entities {
        let columns = entity.fields.iter().filter(|field| field.is_stored()).count();
        if columns > 32 {
            out.push(
                Diagnostic::warning("wide-table", entity.span, format!("`{}` has {columns} columns, and diesel's tables have 32 by default", entity.name))
                    .help("turn on diesel's feature `64-column-tables` in Cargo.toml (it costs compile time), or move fields to an entity of their own"),
            );
        }
    }
}
