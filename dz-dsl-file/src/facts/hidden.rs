//! The fields that variants hide from roles.

use std::collections::HashSet;

use crate::model::{Field, Model, Path, Placed, SectionBody, Surface, Variant};

/// A path of a `hide:` line.
pub(crate) struct Hidden<'m> {
    /// The path.
    pub path: &'m Placed<Path>,
    /// The field at its end.
    pub field: &'m Field,
    /// True if the surface would show the field without the line.
    pub is_shown: bool,
}

/// The paths that a variant of a surface hides.
pub(crate) fn hidden_by_variant<'m>(model: &'m Model, surface: &'m Surface, variant: &'m Variant) -> Vec<Hidden<'m>> {
    let columns = surface.sections.iter().flat_map(|section| match &section.body {
        SectionBody::Fields(columns) => columns.as_slice(),
        SectionBody::Nested(_) => &[],
    });
    let ux = &surface.ux;
    let listed = ux.show.iter().chain(&ux.filter).chain(&ux.search).chain(&variant.show).map(|placed| &placed.it);
    let shown: HashSet<&Path> = columns.map(|column| &column.path).chain(listed).collect();
    let hidden = |path: &'m Placed<Path>| {
        let is_shown = shown.iter().any(|shown| hides(model, &path.it, shown));
        Hidden { path, field: end(model, &path.it), is_shown }
    };
    variant.hide.iter().map(hidden).collect()
}

/// True if the hidden path is the shown one, a part of it, or the label of the reference at its end.
fn hides(model: &Model, hidden: &Path, shown: &Path) -> bool {
    let mut way = shown.steps(&model.entities);
    if let Some(target) = end(model, shown).ty.target() {
        way.extend(model.entities[target.0].label.path.steps(&model.entities));
    }
    way.starts_with(&hidden.steps(&model.entities))
}

fn end<'m>(model: &'m Model, path: &Path) -> &'m Field {
    let (entity, field) = path.end(&model.entities);
    model.field(entity, field)
}
