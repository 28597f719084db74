//! Surfaces as static data.

use super::{
    AppDef, EntityDef, EntityIx, Expr, FieldAt, Format, Junction, Level, Mode, Path, PrimaryButtonDef, Priority, RelatedDisplay,
    VariantDef, Widget,
};
use crate::template::Templates;

/// A declared screen.
#[derive(Debug, Clone)]
pub struct SurfaceDef {
    /// Identifier: `/app/<name>`.
    pub name: &'static str,
    /// Title of the page.
    pub title: &'static str,
    /// The entity of the page.
    pub entity: EntityIx,
    /// The mode of the page.
    pub mode: Mode,
    /// One line under the title.
    pub purpose: Option<&'static str>,
    /// Sections; at least one.
    pub sections: &'static [SectionDef],
    /// Child rows of other entities; only on views.
    pub related: &'static [RelatedDef],
    /// Buttons that open another surface.
    pub clicks: &'static [ActionDef],
    /// The buttons that save a form, each with the surface that opens afterwards; empty for the default one.
    pub submits: &'static [ActionDef],
    /// The behaviour of the list.
    pub ux: ListUx,
    /// The templates of its page: those of the runtime, unless the application replaces them.
    pub templates: Templates,
    /// The address of its page, and who can open it in addition to the access rules.
    pub place: PlaceDef,
    /// Signals on rows, the most urgent first.
    pub attention: &'static [AttentionDef],
    /// The priority in the navigation.
    pub priority: Priority,
    /// The variants for personas, at most one for each persona.
    pub variants: &'static [VariantDef],
}

impl SurfaceDef {
    /// A surface without sections.
    pub const fn new(name: &'static str, title: &'static str, entity: EntityIx, mode: Mode) -> SurfaceDef {
        SurfaceDef {
            name,
            title,
            entity,
            mode,
            purpose: None,
            sections: &[],
            related: &[],
            clicks: &[],
            submits: &[],
            ux: ListUx::DEFAULT,
            templates: Templates::DEFAULT,
            place: PlaceDef::DEFAULT,
            attention: &[],
            priority: Priority::Medium,
            variants: &[],
        }
    }
}

/// A button of a surface, and the surface that it opens.
#[derive(Debug, Clone, Copy)]
pub struct ActionDef {
    /// Identifier.
    pub name: &'static str,
    /// The text of the button.
    pub title: &'static str,
    /// The surface that opens.
    pub opens: PrimaryButtonDef,
}

/// A signal on rows that require action.
#[derive(Debug, Clone)]
pub struct AttentionDef {
    /// The urgency.
    pub level: Level,
    /// The condition on the row.
    pub when: Expr,
    /// The text of the signal.
    pub message: &'static str,
    /// The surface that it opens.
    pub action: Option<PrimaryButtonDef>,
}

/// The address of the page of a surface, and its audience.
#[derive(Debug, Clone, Copy)]
pub struct PlaceDef {
    /// The address, if it is not `/app/<name>`.
    pub route: Option<&'static str>,
    /// Who may open it.
    pub audience: Audience,
}

/// Who may open a page. It never extends the permissions of the access rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Every caller whom the access rules permit.
    Rules,
    /// Every account.
    Authenticated,
    /// Accounts with one of the roles of the mask.
    Roles(u64),
    /// Administrators of the whole system.
    SystemAdmin,
    /// Administrators of the current tenant.
    TenantAdmin,
}

impl PlaceDef {
    /// `/app/<name>`, for every caller whom the access rules permit.
    pub const DEFAULT: PlaceDef = PlaceDef { route: None, audience: Audience::Rules };
}

impl AppDef {
    /// The list surface that determines the order and the searched fields of an entity.
    pub fn list_surface(&self, entity: &EntityDef) -> Option<&'static SurfaceDef> {
        self.surfaces.iter().copied().find(|surface| surface.entity == entity.ix && surface.mode == Mode::List)
    }
}

impl SurfaceDef {
    /// The address of the page; the key is appended for a row.
    pub fn address(&self) -> String {
        self.place.route.map_or_else(|| format!("/app/{}", self.name), str::to_owned)
    }
}

/// A part of a surface.
#[derive(Debug, Clone)]
pub struct SectionDef {
    /// Identifier.
    pub name: &'static str,
    /// Title.
    pub title: Option<&'static str>,
    /// A sentence under the title.
    pub note: Option<&'static str>,
    /// The content.
    pub body: SectionBody,
}

/// The content of a section.
#[derive(Debug, Clone)]
pub enum SectionBody {
    /// Fields of the row.
    Fields(&'static [ColumnDef]),
    /// Rows of a child entity.
    Nested(NestedList),
}

/// A `field` line.
#[derive(Debug, Clone, Copy)]
pub struct ColumnDef {
    /// The path of the field; a path over references is read-only.
    pub path: Path,
    /// Its label.
    pub label: &'static str,
    /// Help under the control.
    pub help: Option<&'static str>,
    /// True if it is read-only.
    pub read_only: bool,
    /// The control in forms, if it is not the default of the type.
    pub widget: Option<Widget>,
    /// The format of the value, if it is not the default of the type.
    pub format: Option<Format>,
    /// The condition on the row under which the field is shown; `None` means always.
    pub when: Option<&'static Expr>,
}

impl ColumnDef {
    /// A field with its label.
    pub const fn new(path: Path, label: &'static str) -> ColumnDef {
        ColumnDef { path, label, help: None, read_only: false, widget: None, format: None, when: None }
    }
}

/// A list of child rows of the row of the page.
#[derive(Debug, Clone)]
pub struct NestedList {
    /// The child entity.
    pub entity: EntityIx,
    /// The relation to the row.
    pub via: Via,
    /// A further condition on the child rows.
    pub filter: Option<Expr>,
    /// Columns.
    pub columns: &'static [ColumnDef],
}

/// The relation between the rows of a list and the row of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// A reference of the child rows.
    Ref(FieldAt),
    /// A junction entity.
    Junction(Junction),
}

/// `related`: one list for each entity with child rows.
#[derive(Debug, Clone)]
pub struct RelatedDef {
    /// Identifier.
    pub name: &'static str,
    /// Title.
    pub title: &'static str,
    /// The lists; at least one.
    pub lists: &'static [NestedList],
    /// The display mode of the rows.
    pub display: RelatedDisplay,
    /// The number of rows of each list on one page.
    pub limit: Option<u64>,
}

/// Behaviour of a list.
#[derive(Debug, Clone)]
pub struct ListUx {
    /// The sort order; the primary key is always the last sort key.
    pub sort: &'static [SortDef],
    /// Filter controls.
    pub filter: &'static [Path],
    /// The fields that `search=` searches.
    pub search: &'static [Path],
    /// The text of an empty list.
    pub empty: Option<&'static str>,
}

impl ListUx {
    /// Sorted by the key, without filters and search.
    pub const DEFAULT: ListUx = ListUx { sort: &[], filter: &[], search: &[], empty: None };
}

/// A sort key.
#[derive(Debug, Clone, Copy)]
pub struct SortDef {
    /// The field.
    pub path: Path,
    /// Descending.
    pub descending: bool,
}
