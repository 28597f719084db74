//! A key that has no effect where it is written.

use crate::{
    Diagnostics, Severity,
    facts::hidden,
    model::{Index, Model, StepAction},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "without-effect",
    severity: Severity::Warning,
    summary: "a key has no effect at this place",
    wrong: variant!("int", "      hide: id\n"),
    right: variant!("int", "      hide: pay\n"),
    reported_by: ReportedBy::Model(check),
};

/// Reports indexes of the key alone.
fn report_keys(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        let of_key = |index: &&Index| matches!(index.columns.as_slice(), [column] if column.field == entity.pk);
        for index in entity.indexes.iter().filter(of_key) {
            let key = &entity.fields[entity.pk.0].name;
            out.push(RULE.diagnostic(index.span, format!("`{key}` is the key, which is unique and has an index")).help("remove the line"));
        }
    }
}

/// Reports conditions after which a process continues at the same step in both cases.
fn report_conditions(model: &Model, out: &mut Diagnostics) {
    for step in model.processes.iter().flat_map(|process| &process.flow.steps) {
        let StepAction::Condition { on_true, on_false, .. } = &step.action else { continue };
        if let Some(span) = on_true.span.or(on_false.span).filter(|_| on_true.to == on_false.to) {
            let message = format!("`{}` continues at the same step in both cases", step.name);
            out.push(RULE.diagnostic(span, message).help("name another step for one of the two cases, or remove the condition"));
        }
    }
}

fn check(model: &Model, out: &mut Diagnostics) {
    report_keys(model, out);
    report_conditions(model, out);
    for surface in &model.surfaces {
        for variant in &surface.variants {
            for path in
                hidden::hidden_by_variant(model, surface, variant).iter().filter(|hidden| !hidden.is_shown).map(|hidden| hidden.path)
            {
                out.push(
                    RULE.diagnostic(path.span, format!("surface `{}` does not show this field", surface.name))
                        .help("hide a field that one of its sections, its filters or its search has, or remove it here"),
                );
            }
        }
    }
}
