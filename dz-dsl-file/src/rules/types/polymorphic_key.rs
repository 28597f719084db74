//! A type and an id that together reference rows of several entities.

use crate::{
    Diagnostics, Severity,
    model::{Entity, Field, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "polymorphic-key",
    severity: Severity::Lint,
    summary: "a type and an id refer to rows of several entities, without a foreign key",
    wrong: "entity Note:\n  id: uuid pk\n  subject_type: str(40)\n  subject_id: uuid\n  permit:\n    list: true\n    read: true\n",
    right: "entity Note:\n  id: uuid pk\n  task: ref Note\n  permit:\n    list: true\n    read: true\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    model.entities.iter().for_each(|entity| report_keys(entity, out));
}

fn report_keys(entity: &Entity, out: &mut Diagnostics) {
    for field in &entity.fields {
        let Some(stem) = field.name.strip_suffix("_type").filter(|_| field.ty.is_str() || field.ty.enumeration().is_some()) else {
            continue;
        };
        let key = format!("{stem}_id");
        let is_key = |other: &&Field| other.name == key && (other.ty.is_generated_key() || other.ty.is_str());
        if let Some(id) = entity.fields.iter().find(is_key) {
            out.push(
                RULE.diagnostic(id.span, format!("`{}` and `{}` refer to rows that no foreign key guards", field.name, id.name))
                    .label(field.span, "the type that goes with it")
                    .help("use one optional `ref` for each entity it may refer to, and an invariant that exactly one is set"),
            );
        }
    }
}
