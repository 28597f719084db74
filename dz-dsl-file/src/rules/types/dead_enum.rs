//! An enum that no field uses.

use std::collections::HashSet;

use crate::{
    Diagnostics, Severity,
    facts::{flow, values},
    model::{EnumId, FieldType, Model, Type},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "dead-enum",
    severity: Severity::Lint,
    summary: "no field uses the enum",
    wrong: "enum Colour:\n  red\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
    right: "enum Colour:\n  red\nentity Task:\n  id: uuid pk\n  colour: Colour\n  permit:\n    read: true\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let used = used_enums(model);
    for (at, it) in model.enums.iter().enumerate().filter(|(_, it)| it.owner.is_none()) {
        if !used.contains(&EnumId(at)) {
            out.push(
                RULE.diagnostic(it.span, format!("no field uses the enum `{}`", it.name))
                    .help("remove it, or use it as the type of a field"),
            );
        }
    }
}

/// The enums of fields and values.
fn used_enums(model: &Model) -> HashSet<EnumId> {
    let fields = model.entities.iter().flat_map(|entity| &entity.fields).filter_map(|field| field.ty.enumeration());
    let gathered =
        model.experiences.iter().flat_map(|it| &it.context).filter_map(|value| if let Type::Enum(id) = value.ty { Some(id) } else { None });
    let given = values::field_types(model).filter_map(FieldType::enumeration);
    let decided = flow::flows(model).flat_map(|flow| &flow.steps).filter_map(|step| step.task()).map(|task| task.outcome_enum);
    fields.chain(gathered).chain(given).chain(decided).collect()
}
