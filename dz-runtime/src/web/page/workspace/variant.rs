//! The workspace that a caller sees: as declared, or with the differences for their personas.

use crate::{
    Tx,
    def::{PrimaryButtonDef, RegionDef, WorkspaceDef, WorkspaceVariantDef},
};

/// A workspace with the variants of the caller. A caller with several personas gets the union of their variants; if one persona has no
/// variant, the workspace is not restricted.
pub(crate) struct WorkspaceVariant {
    workspace: &'static WorkspaceDef,
    variants: Vec<&'static WorkspaceVariantDef>,
}

impl WorkspaceVariant {
    /// Determines the variants of the caller.
    pub fn resolve(tx: &Tx<'_>, workspace: &'static WorkspaceDef) -> WorkspaceVariant {
        let roles = tx.caller().roles;
        let named = workspace.variants.iter().fold(0, |named, variant| named | variant.roles);
        let matching = workspace.variants.iter().filter(|variant| variant.roles & roles != 0);
        WorkspaceVariant { workspace, variants: if roles & !named == 0 { matching.collect() } else { Vec::new() } }
    }

    /// The line below the title.
    pub fn purpose(&self) -> Option<&'static str> {
        self.variants.iter().find_map(|variant| variant.purpose).or(self.workspace.purpose)
    }

    /// The target of the primary button.
    pub fn primary(&self) -> Option<PrimaryButtonDef> {
        self.variants.iter().find_map(|variant| variant.primary)
    }

    /// True if nothing can be changed on the page.
    pub fn is_read_only(&self) -> bool {
        !self.variants.is_empty() && self.variants.iter().all(|variant| variant.read_only)
    }

    /// The regions that the caller sees, in their order.
    pub fn regions(&self, tx: &Tx<'_>) -> Vec<&'static RegionDef> {
        let all = (0..).zip(self.workspace.regions);
        let mut shown: Vec<(u16, &'static RegionDef)> =
            all.filter(|(at, region)| self.has_region(*at) && super::can_show(tx, region)).collect();
        let focus = self.variants.iter().map(|variant| variant.focus).find(|focus| !focus.is_empty()).unwrap_or_default();
        shown.sort_by_key(|(at, _)| focus.iter().position(|first| first == at).unwrap_or(focus.len()));
        shown.into_iter().map(|(_, region)| region).collect()
    }

    /// True if the caller sees a region.
    pub fn shows(&self, tx: &Tx<'_>, region: &'static RegionDef) -> bool {
        let at = (0..).zip(self.workspace.regions).find(|(_, other)| other.id == region.id);
        at.is_some_and(|(at, _)| self.has_region(at)) && super::can_show(tx, region)
    }

    fn has_region(&self, at: u16) -> bool {
        let shows = |variant: &&WorkspaceVariantDef| (variant.show.is_empty() || variant.show.contains(&at)) && !variant.hide.contains(&at);
        self.variants.is_empty() || self.variants.iter().any(shows)
    }

    /// The figures above the regions: the region, and the position of the figure.
    pub fn figures(&self) -> Vec<(&'static RegionDef, usize)> {
        let mut found: Vec<(&'static RegionDef, usize)> = Vec::new();
        for (region, figure) in self.variants.iter().flat_map(|variant| variant.figures) {
            let Some(region) = self.workspace.regions.get(usize::from(*region)) else { continue };
            let figure = usize::from(*figure);
            if !found.iter().any(|(other, at)| other.id == region.id && *at == figure) {
                found.push((region, figure));
            }
        }
        found
    }
}
