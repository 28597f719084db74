//! A hidden field that the API still shows.

use crate::{
    Diagnostics, Severity,
    facts::{access, hidden},
    model::{Action, EntityId, Model, Path, RoleId, Variant},
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
            // One diagnostic for each variant is enough.
            let hidden = hidden::hidden_by_variant(model, surface, variant);
            let shown = hidden.iter().filter(|hidden| hidden.is_shown && !hidden.field.sensitive);
            let read = shown.map(|hidden| (hidden, readers(model, variant, &hidden.path.it))).filter(|it| !it.1.is_empty());
            let read: Vec<_> = read.collect();
            let Some((first, named)) = read.first() else { continue };
            let fields: Vec<String> = read.iter().filter(|it| it.1 == *named).map(|it| format!("`{}`", it.0.field.name)).collect();
            let (fields, named) = (fields.join(", "), named.join(", "));
            let (verb, them) =
                if read.len() > 1 && fields.contains(',') { ("are", "them to these personas") } else { ("is", "it to them") };
            out.push(
                RULE.diagnostic(
                    first.path.span,
                    format!("{fields} {verb} hidden from {named} on this page only; the API still gives {them}"),
                )
                .label(first.field.span, "declared here")
                .help("if only its editors may see it, declare the field `sensitive`, or narrow the `permit:` of the entity"),
            );
        }
    }
}

/// The personas of a variant that can read every row along a path. A value of a row that the caller cannot read is null everywhere.
fn readers(model: &Model, variant: &Variant, path: &Path) -> Vec<String> {
    let others: Vec<EntityId> = path.steps(&model.entities).into_iter().skip(1).map(|(entity, _)| entity).collect();
    let reads = |entity: &EntityId, role: RoleId| {
        [Action::Read, Action::List].iter().any(|action| access::permits_role(model, *entity, action, role))
    };
    let personas = variant.personas.iter().filter(|role| others.iter().all(|entity| reads(entity, role.it)));
    personas.map(|role| format!("`{}`", model.personas[role.it.0].name)).collect()
}
