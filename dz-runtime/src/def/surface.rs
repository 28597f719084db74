//! Surfaces as static data.

use super::{EntityIx, Expr, FieldAt, Junction, Mode, Path, RelatedDisplay, VariantDef};
use crate::template::Templates;

/// A declared screen.
#[derive(Debug)]
pub struct SurfaceDef {
    /// Identifier: `/app/<name>`.
    pub name: &'static str,
    /// Title of the page.
    pub title: &'static str,
    /// The entity shown.
    pub entity: EntityIx,
    /// What it does.
    pub mode: Mode,
    /// One line under the title.
    pub purpose: Option<&'static str>,
    /// Sections; at least one.
    pub sections: &'static [SectionDef],
    /// Rows of other entities that belong to the row; on views only.
    pub related: &'static [RelatedDef],
    /// The list's behaviour.
    pub ux: ListUx,
    /// The templates of its page: the runtime's own unless the application replaces them.
    pub templates: Templates,
    /// Where its page is, and for whom besides what the rules of its entity say.
    pub place: PlaceDef,
    /// What differs for some personas; no persona has several.
    pub variants: &'static [VariantDef],
}

impl SurfaceDef {
    /// A screen that shows nothing yet.
    pub const fn new(name: &'static str, title: &'static str, entity: EntityIx, mode: Mode) -> SurfaceDef {
        SurfaceDef {
            name,
            title,
            entity,
            mode,
            purpose: None,
            sections: &[],
            related: &[],
            ux: ListUx::DEFAULT,
            templates: Templates::DEFAULT,
            place: PlaceDef::DEFAULT,
            variants: &[],
        }
    }
}

/// Where the page of a surface is, and for whom.
#[derive(Debug, Clone, Copy)]
pub struct PlaceDef {
    /// Its address, where that is not `/app/<name>`.
    pub route: Option<&'static str>,
    /// Who may open it.
    pub audience: Audience,
}

/// Who may open a page; it never widens what the rules of the entity permit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Everybody whom the rules let in.
    Rules,
    /// Administrators of the whole system.
    SystemAdmin,
    /// Administrators of the tenant where they are.
    TenantAdmin,
}

impl PlaceDef {
    /// `/app/<name>`, for everybody whom the rules let in.
    pub const DEFAULT: PlaceDef = PlaceDef { route: None, audience: Audience::Rules };
}

impl SurfaceDef {
    /// The address of its page; of one row, what its key is appended to.
    pub fn address(&self) -> String {
        self.place.route.map_or_else(|| format!("/app/{}", self.name), str::to_owned)
    }
}

/// A part of a surface.
#[derive(Debug)]
pub struct SectionDef {
    /// Identifier.
    pub name: &'static str,
    /// Title.
    pub title: Option<&'static str>,
    /// A sentence under the title.
    pub note: Option<&'static str>,
    /// What it shows.
    pub body: SectionBody,
}

/// What a section shows.
#[derive(Debug)]
pub enum SectionBody {
    /// Fields of the row.
    Fields(&'static [ColumnDef]),
    /// Rows of a child entity.
    Nested(NestedList),
}

/// A `field` line.
#[derive(Debug)]
pub struct ColumnDef {
    /// The field, possibly over refs (then it is shown, never written).
    pub path: Path,
    /// Its label.
    pub label: &'static str,
    /// Help under the control.
    pub help: Option<&'static str>,
    /// Shown, not written.
    pub read_only: bool,
}

impl ColumnDef {
    /// A field with its label.
    pub const fn new(path: Path, label: &'static str) -> ColumnDef {
        ColumnDef { path, label, help: None, read_only: false }
    }
}

/// The child rows of the page's row.
#[derive(Debug)]
pub struct NestedList {
    /// The child entity.
    pub entity: EntityIx,
    /// How it belongs to this row.
    pub via: Via,
    /// Further condition in the child's scope.
    pub filter: Option<Expr>,
    /// Columns.
    pub columns: &'static [ColumnDef],
}

/// How the rows of a list belong to the row of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// They refer to it.
    Ref(FieldAt),
    /// Rows of a third entity connect them with it.
    Junction(Junction),
}

/// `related`: one list for each entity whose rows belong to the row.
#[derive(Debug)]
pub struct RelatedDef {
    /// Identifier.
    pub name: &'static str,
    /// Title.
    pub title: &'static str,
    /// The lists; at least one.
    pub lists: &'static [NestedList],
    /// How their rows are shown.
    pub display: RelatedDisplay,
    /// Rows of each list on one page.
    pub limit: Option<u64>,
}

/// Behaviour of a list.
#[derive(Debug)]
pub struct ListUx {
    /// Order; the key comes last by itself.
    pub sort: &'static [SortDef],
    /// Filter controls.
    pub filter: &'static [Path],
    /// Fields that `search=` looks into.
    pub search: &'static [Path],
    /// Words for an empty list.
    pub empty: Option<&'static str>,
}

impl ListUx {
    /// In no order but the key's, with nothing to narrow it.
    pub const DEFAULT: ListUx = ListUx { sort: &[], filter: &[], search: &[], empty: None };
}

/// One key of an order.
#[derive(Debug, Clone, Copy)]
pub struct SortDef {
    /// The field.
    pub path: Path,
    /// Descending.
    pub descending: bool,
}
