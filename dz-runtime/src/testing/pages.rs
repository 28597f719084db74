//! Variants of pages as the language defines them: the rows, fields and writes of each persona.
//!
//! It shares no code with the pages: paths are compared by their written names.

use super::{
    operation::FieldPath,
    oracle::{Oracle, Scope},
    world::Stored,
};
use crate::{
    Value,
    def::{Path, SurfaceDef, VariantDef},
};

impl Oracle<'_> {
    /// The variants of the caller's personas; empty if one persona has none, or there is no persona.
    fn variants(&self, surface: &'static SurfaceDef) -> Vec<&'static VariantDef> {
        let roles = self.who.roles_on(self.app().entity(surface.entity));
        let mut found: Vec<&'static VariantDef> = Vec::new();
        for bit in (0..64).filter(|bit| roles >> bit & 1 == 1) {
            match surface.variants.iter().find(|variant| variant.roles >> bit & 1 == 1) {
                Some(variant) => found.push(variant),
                None => return Vec::new(),
            }
        }
        found
    }

    /// True if the page shows a visible row.
    pub(super) fn is_on_page(&self, surface: &'static SurfaceDef, values: &[Value]) -> bool {
        let variants = self.variants(surface);
        let place = Scope { entity: self.app().entity(surface.entity), values, outer: None };
        let shows = |variant: &&VariantDef| variant.scope.as_ref().is_none_or(|scope| self.truth(scope, place) == Some(true));
        variants.is_empty() || variants.iter().any(shows)
    }

    /// True if the page is read-only for the caller.
    pub(super) fn is_read_only_page(&self, surface: &'static SurfaceDef) -> bool {
        let variants = self.variants(surface);
        variants.iter().all(|variant| variant.read_only) && !variants.is_empty()
    }

    /// True if a field of the page's rows, or of referenced rows, is hidden.
    pub(super) fn is_hidden(&self, surface: &'static SurfaceDef, reach: &FieldPath) -> bool {
        let variants = self.variants(surface);
        let wanted = self.display_names(surface, reach);
        // A reference shows the label of its target, so hiding the label hides the reference.
        let covers = |hidden: &Path| {
            let hidden = hidden.name(self.app());
            wanted.iter().any(|written| *written == hidden || written.starts_with(&format!("{hidden}.")))
        };
        !variants.is_empty() && variants.iter().all(|variant| variant.hide.iter().any(&covers))
    }

    /// The rows that are on the page.
    pub(super) fn rows_on_page<'s>(&self, surface: &'static SurfaceDef, rows: Vec<&'s Stored>) -> Vec<&'s Stored> {
        rows.into_iter().filter(|row| self.is_on_page(surface, &row.values)).collect()
    }

    /// All names of a path, also as seen from later rows of the page's own entity on it; for a reference, the path of the label.
    fn display_names(&self, surface: &'static SurfaceDef, reach: &FieldPath) -> Vec<String> {
        let app = self.app();
        let mut names: Vec<&'static str> = Vec::new();
        let mut starts = Vec::new();
        let name = reach.end.target(app).map(|target| super::check_reads::label_path(app, target));
        let name = name.iter().flat_map(FieldPath::steps);
        for (at, step) in reach.steps().chain(name).enumerate() {
            if step.entity_ix() == surface.entity {
                starts.push(at);
            }
            names.push(step.field(app).name);
        }
        starts.into_iter().filter_map(|from| names.get(from..)).filter(|rest| !rest.is_empty()).map(|rest| rest.join(".")).collect()
    }
}
