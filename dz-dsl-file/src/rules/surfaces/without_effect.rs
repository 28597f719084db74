//! A key that has no effect where it is written.

use crate::{
    Diagnostics, Severity,
    facts::hidden,
    model::Model,
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

fn check(model: &Model, out: &mut Diagnostics) {
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
