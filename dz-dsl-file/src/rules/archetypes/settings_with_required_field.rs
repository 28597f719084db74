//! A singleton with a required field that has no default.

use crate::{
    Diagnostics, Severity,
    model::{Archetype, Auto, Entity, FieldId, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "settings-with-required-field",
    severity: Severity::Error,
    summary: "dz cannot create a singleton, because a required field has no default",
    wrong: "entity Limits:\n  archetype: settings\n  id: uuid pk\n  most: int required\n",
    right: "entity Limits:\n  archetype: settings\n  id: uuid pk\n  most: int = 10\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    model.entities.iter().for_each(|entity| report_required(entity, out));
}

fn report_required(entity: &Entity, out: &mut Diagnostics) {
    if !entity.kind.is_some_and(Archetype::is_singleton) {
        return;
    }
    for (at, field) in entity.fields.iter().enumerate() {
        let generated = FieldId(at) == entity.pk && field.ty.is_generated_key();
        let given = field.default.is_some() || field.auto != Auto::No || generated || entity.tenant == Some(FieldId(at));
        let beside = field.ty.amount().is_some();
        if field.required && field.is_stored() && !given && !beside {
            out.push(
                RULE.diagnostic(field.span, format!("dz creates the single row of `{}`, and `{}` has no default", entity.name, field.name))
                    .help("give it a default, or make it optional"),
            );
        }
    }
}
