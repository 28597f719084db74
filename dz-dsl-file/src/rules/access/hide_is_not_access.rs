//! A hidden field that the API still shows.

use crate::{
    Diagnostics, Severity,
    facts::hidden,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "hide-is-not-access",
    severity: Severity::Lint,
    summary: "the API still shows a field that a variant hides",
    wrong: variant!("int", "      hide: pay\n"),
    right: variant!("int sensitive", "      hide: pay\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for surface in &model.surfaces {
        for variant in &surface.variants {
            let named: Vec<String> = variant.personas.iter().map(|role| format!("`{}`", model.personas[role.it.0].name)).collect();
            let named = named.join(", ");
            // One diagnostic for each variant is enough.
            let hidden = hidden::hidden_by_variant(model, surface, variant);
            if let Some(first) = hidden.iter().find(|hidden| hidden.is_shown && !hidden.field.sensitive) {
                out.push(
                    RULE.diagnostic(
                        first.path.span,
                        format!("`{}` is hidden from {named} on this page only; the API still gives it to them", first.field.name),
                    )
                    .label(first.field.span, "declared here")
                    .help("if only its editors may see it, declare the field `sensitive`, or narrow the `permit:` of the entity"),
                );
            }
        }
    }
}
