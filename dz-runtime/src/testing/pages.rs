//! Variants of pages as the language defines them: which rows, fields and changes each leaves to whom.
//!
//! As everything here it shares no code with what serves pages: a path is compared by its written name.

use super::{
    ask::Reach,
    judge::{Judge, Place},
    world::Stored,
};
use crate::{
    Value,
    def::{Kind, Path, SurfaceDef, VariantDef},
};

impl Judge<'_> {
    /// The variants of the caller's personas; none when one of them has none, or there is no persona.
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

    /// Whether a page shows a row to the caller, who may see it.
    pub(super) fn is_on(&self, surface: &'static SurfaceDef, values: &[Value]) -> bool {
        let variants = self.variants(surface);
        let place = Place { entity: self.app().entity(surface.entity), values, outer: None };
        let shows = |variant: &&VariantDef| variant.scope.as_ref().is_none_or(|scope| self.truth(scope, place) == Some(true));
        variants.is_empty() || variants.iter().any(shows)
    }

    /// Whether a page lets the caller change nothing.
    pub(super) fn is_fixed(&self, surface: &'static SurfaceDef) -> bool {
        let variants = self.variants(surface);
        variants.iter().all(|variant| variant.read_only) && !variants.is_empty()
    }

    /// Whether a field of a page's rows, or one that refs lead to, is nowhere on the page.
    pub(super) fn is_hidden(&self, surface: &'static SurfaceDef, reach: &Reach) -> bool {
        let variants = self.variants(surface);
        let wanted = self.steps(surface, &reach.hops, reach.field);
        // A reference shows the name of its row, so that whoever hides that hides the reference.
        let covers = |hidden: &Path| {
            let hidden = self.written(surface, hidden);
            wanted.iter().any(|written| *written == hidden || written.starts_with(&format!("{hidden}.")))
        };
        !variants.is_empty() && variants.iter().all(|variant| variant.hide.iter().any(&covers))
    }

    /// The rows that a page shows of those that it is given.
    pub(super) fn of_page<'s>(&self, surface: &'static SurfaceDef, rows: Vec<&'s Stored>) -> Vec<&'s Stored> {
        rows.into_iter().filter(|row| self.is_on(surface, &row.values)).collect()
    }

    /// A dotted name, also as it is called from each later row of the page's own entity on its way; a reference with what names its
    /// row.
    fn steps(&self, surface: &'static SurfaceDef, hops: &[u16], field: u16) -> Vec<String> {
        let mut names: Vec<&'static str> = Vec::new();
        let mut starts = vec![0];
        let mut entity = self.app().entity(surface.entity);
        for (at, step) in hops.iter().copied().chain([field]).enumerate() {
            names.push(entity.field(step).name);
            let Kind::Ref(next) = entity.field(step).kind else { continue };
            entity = self.app().entity(next);
            if next == surface.entity {
                starts.push(at + 1);
            }
            if at == hops.len() {
                let (hops, field, end) = super::look::label(self.app(), entity);
                for hop in hops {
                    names.push(entity.field(hop).name);
                    if let Kind::Ref(next) = entity.field(hop).kind {
                        entity = self.app().entity(next);
                    }
                }
                names.push(end.field(field).name);
            }
        }
        starts.into_iter().filter_map(|from| names.get(from..)).filter(|rest| !rest.is_empty()).map(|rest| rest.join(".")).collect()
    }

    fn written(&self, surface: &'static SurfaceDef, path: &Path) -> String {
        let mut entity = self.app().entity(surface.entity);
        let mut names = Vec::new();
        for step in path.hops {
            names.push(entity.field(*step).name);
            if let Kind::Ref(next) = entity.field(*step).kind {
                entity = self.app().entity(next);
            }
        }
        names.push(entity.field(path.field).name);
        names.join(".")
    }
}
