//! Variants for personas: what they hide, and from whom.

use std::collections::HashSet;

use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{FieldId, FieldType, Model, Path, SectionBody, Surface, Variant},
};

macro_rules! app {
    ($pay:literal, $ux:literal) => {
        concat!(
            "persona desk\nentity Task:\n  id: uuid pk\n  name: str(80)\n  pay: ",
            $pay,
            "\n  permit:\n    list: role(desk)\n    read: role(desk)\nsurface tasks:\n  uses entity Task\n  mode: list\n",
            "  section main:\n    field name\n    field pay\n  ux:\n    sort: id asc\n    for desk:\n",
            $ux
        )
    };
}

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "hide-is-not-access",
        severity: Severity::Lint,
        summary: "a field that a variant hides is still there for programs",
        wrong: app!("int", "      hide: pay\n"),
        right: app!("int sensitive", "      hide: pay\n"),
    },
    Rule {
        name: "without-effect",
        severity: Severity::Warning,
        summary: "a key stands where it does nothing",
        wrong: app!("int", "      hide: id\n"),
        right: app!("int", "      hide: pay\n"),
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for surface in &model.surfaces {
        let columns = surface.sections.iter().flat_map(|section| match &section.body {
            SectionBody::Fields(columns) => columns.as_slice(),
            SectionBody::Nested(_) => &[],
        });
        let ux = &surface.ux;
        let listed = ux.show.iter().chain(&ux.filter).chain(&ux.search).map(|placed| &placed.it);
        let shown: HashSet<&Path> = columns.map(|column| &column.path).chain(listed).collect();
        for variant in &surface.variants {
            hidden(model, surface, &shown, variant, out);
        }
    }
}

fn hidden(model: &Model, surface: &Surface, shown: &HashSet<&Path>, variant: &Variant, out: &mut Diagnostics) {
    let named: Vec<String> = variant.personas.iter().map(|role| format!("`{}`", model.personas[role.it.0].name)).collect();
    let named = named.join(", ");
    let also: HashSet<&Path> = variant.show.iter().map(|placed| &placed.it).collect();
    let mut open = Vec::new();
    for path in &variant.hide {
        if !shown.iter().chain(&also).any(|shown| hides(model, &path.it, shown)) {
            out.push(
                Diagnostic::warning("without-effect", path.span, format!("surface `{}` does not show this field", surface.name))
                    .help("hide a field that one of its sections, its filters or its search has, or remove it here"),
            );
        } else if !end(model, &path.it).sensitive {
            open.push(path);
        }
    }
    // One word on the variant is enough, however much it hides.
    if let Some(first) = open.first() {
        let field = end(model, &first.it);
        out.push(
            Diagnostic::lint(
                "hide-is-not-access",
                first.span,
                format!("`{}` is hidden from {named} on this page only; the API still gives it to them", field.name),
            )
            .label(field.span, "declared here")
            .help("where nobody but its editors may know it, mark the field `sensitive`, or narrow the entity's `permit:`"),
        );
    }
}

/// True when what is hidden is the field at the end of a path, leads to it, or is what a reference there is shown by.
fn hides(model: &Model, hidden: &Path, shown: &Path) -> bool {
    let mut way: Vec<FieldId> = shown.hops.iter().copied().chain([shown.field]).collect();
    if let FieldType::Ref(target) = end(model, shown).ty {
        let label = &model.entities[target.0].label.path;
        way.extend(label.hops.iter().chain([&label.field]));
    }
    let hidden: Vec<FieldId> = hidden.hops.iter().copied().chain([hidden.field]).collect();
    way.starts_with(&hidden)
}

fn end<'m>(model: &'m Model, path: &Path) -> &'m crate::model::Field {
    let mut entity = path.from;
    for hop in &path.hops {
        if let FieldType::Ref(target) = model.field(entity, *hop).ty {
            entity = target;
        }
    }
    model.field(entity, path.field)
}
