//! What nothing refers to.

use std::collections::HashSet;

use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{FieldType, Model, ValueType},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "empty-app",
        severity: Severity::Warning,
        summary: "an application without entities",
        wrong: "app nothing\n",
        right: "app something\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
    },
    Rule {
        name: "dead-enum",
        severity: Severity::Lint,
        summary: "no field uses the enum",
        wrong: "enum Colour:\n  red\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
        right: "enum Colour:\n  red\nentity Task:\n  id: uuid pk\n  colour: Colour\n  permit:\n    read: true\n",
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    if model.entities.iter().all(|entity| !entity.declared) {
        let start = crate::Span { file: crate::FileId(0), start: 0, end: 0 };
        let span = model.app.span.unwrap_or(start);
        out.push(
            Diagnostic::warning("empty-app", span, "the application declares no entity")
                .help("add `entity NAME:` with at least `id: uuid pk`"),
        );
    }
    let values = enums_of_values(model);
    for (at, it) in model.enums.iter().enumerate().filter(|(_, it)| it.owner.is_none()) {
        let used =
            model.entities.iter().flat_map(|entity| &entity.fields).any(|field| matches!(field.ty, FieldType::Enum(id) if id.0 == at));
        if !used && !values.contains(&at) {
            out.push(
                Diagnostic::lint("dead-enum", it.span, format!("no field uses the enum `{}`", it.name))
                    .help("remove it, or use it as the type of a field"),
            );
        }
    }
}

/// The enums of what services, processes and language models take and give, and of what people decide.
fn enums_of_values(model: &Model) -> HashSet<usize> {
    let services = model.services.iter().flat_map(|service| service.input.iter().chain(&service.output));
    let processes = model.processes.iter().flat_map(|process| {
        let outputs = process.output.iter().map(|output| &output.field);
        process.input.iter().map(|input| &input.field).chain(outputs)
    });
    let fields = services.chain(processes).chain(model.llm_intents.iter().flat_map(|intent| &intent.input));
    let decided = super::flow::all(model).flat_map(|flow| &flow.steps).filter_map(|step| step.task()).map(|task| task.outcome_enum.0);
    fields.filter_map(|field| enum_of(&field.ty)).chain(decided).collect()
}

fn enum_of(ty: &ValueType) -> Option<usize> {
    match ty {
        ValueType::One(FieldType::Enum(id)) => Some(id.0),
        ValueType::List(inner) => enum_of(inner),
        _ => None,
    }
}
