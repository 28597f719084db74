//! Workspaces as static data.

use super::{AppDef, Audience, Bucket, ColumnDef, Display, EntityIx, Expr, Path, PrimaryButtonDef, SortDef, Type};

/// A page of regions.
#[derive(Debug, Clone)]
pub struct WorkspaceDef {
    /// Identifier: `/app/<name>`.
    pub name: &'static str,
    /// Title of the page.
    pub title: &'static str,
    /// One line under the title.
    pub purpose: Option<&'static str>,
    /// Who may open it.
    pub audience: Audience,
    /// Regions in order.
    pub regions: &'static [RegionDef],
    /// The variants for personas, at most one for each persona.
    pub variants: &'static [WorkspaceVariantDef],
}

impl WorkspaceDef {
    /// The address of the page.
    pub fn address(&self) -> String {
        format!("/app/{}", self.name)
    }
}

/// A part of a workspace.
#[derive(Debug, Clone)]
pub struct RegionDef {
    /// `<workspace>-<region>`: the name in requests, and the id of its element.
    pub id: &'static str,
    /// Title.
    pub title: &'static str,
    /// The display.
    pub display: Display,
    /// The entities whose rows it shows, one tab for each; empty if it shows only figures.
    pub sources: &'static [SourceDef],
    /// The number of shown rows.
    pub limit: Option<u64>,
    /// The text without rows.
    pub empty: Option<&'static str>,
    /// The position of the surface that a button opens: a list, or a form for a new row.
    pub button: Option<u16>,
    /// Figures in order; in a region with groups, figures of each group.
    pub figures: &'static [FigureDef],
}

impl RegionDef {
    /// A region without rows and figures.
    pub const fn new(id: &'static str, title: &'static str, display: Display) -> RegionDef {
        RegionDef { id, title, display, sources: &[], limit: None, empty: None, button: None, figures: &[] }
    }

    /// The address of the region alone.
    pub fn address(&self) -> String {
        format!("/app/{}", self.id)
    }
}

/// One entity of a region.
#[derive(Debug, Clone)]
pub struct SourceDef {
    /// The entity.
    pub entity: EntityIx,
    /// The condition on its rows.
    pub filter: Option<Expr>,
    /// The order of the rows; the key is always the last sort key.
    pub sort: &'static [SortDef],
    /// The surface that a row opens.
    pub action: Option<PrimaryButtonDef>,
    /// The grouping of rows.
    pub group_by: Option<GroupDef>,
    /// The second grouping, whose groups are columns.
    pub across: Option<GroupDef>,
    /// The date of a row.
    pub date: Option<Path>,
    /// The label of a row; `None` is the label of the entity.
    pub title: Option<Path>,
    /// The value of a row or of a group; `None` counts rows.
    pub value: Option<RegionValue>,
    /// The columns of rows, if the entity has no list surface.
    pub columns: &'static [ColumnDef],
    /// True if the list surface of the entity names its columns, so that a table of the region has all of them.
    pub has_named_columns: bool,
}

impl SourceDef {
    /// All rows of an entity.
    pub const fn new(entity: EntityIx) -> SourceDef {
        SourceDef {
            entity,
            filter: None,
            sort: &[],
            action: None,
            group_by: None,
            across: None,
            date: None,
            title: None,
            value: None,
            columns: &[],
            has_named_columns: false,
        }
    }
}

/// A grouping of rows.
#[derive(Debug, Clone, Copy)]
pub struct GroupDef {
    /// The field.
    pub path: Path,
    /// The unit of time for a date.
    pub bucket: Option<Bucket>,
}

impl GroupDef {
    /// The unit of time, which is a day for a date without one; `None` for other fields.
    pub fn unit(&self, app: &'static AppDef) -> Option<Bucket> {
        let is_time = self.path.end(app).field(app).kind.is_time();
        is_time.then(|| self.bucket.unwrap_or(Bucket::Day))
    }
}

/// The value of a row or of a group.
#[derive(Debug, Clone, Copy)]
pub enum RegionValue {
    /// A number field, added over a group.
    Field(Path),
    /// The figure at this position of the region.
    Figure(u16),
}

/// A figure: an expression over aggregates of entities.
#[derive(Debug, Clone)]
pub struct FigureDef {
    /// Identifier.
    pub name: &'static str,
    /// The label.
    pub title: &'static str,
    /// Its expression.
    pub expr: Expr,
    /// The type of its value.
    pub ty: Type,
    /// The currency of its value.
    pub currency: Option<&'static str>,
}

/// `for PERSONA:` the differences of a workspace for callers with one of some roles. It is not access control.
#[derive(Debug, Clone)]
pub struct WorkspaceVariantDef {
    /// The mask of the roles.
    pub roles: u64,
    /// One line under the title.
    pub purpose: Option<&'static str>,
    /// Positions of the shown regions; empty for all.
    pub show: &'static [u16],
    /// Positions of the hidden regions.
    pub hide: &'static [u16],
    /// Positions of the regions that are first.
    pub focus: &'static [u16],
    /// Figures above the regions: the position of the region, and that of the figure.
    pub figures: &'static [(u16, u16)],
    /// The target of the primary button.
    pub primary: Option<PrimaryButtonDef>,
    /// True if nothing can be changed on the page.
    pub read_only: bool,
}

impl WorkspaceVariantDef {
    /// A variant without differences.
    pub const fn new(roles: u64) -> WorkspaceVariantDef {
        WorkspaceVariantDef { roles, purpose: None, show: &[], hide: &[], focus: &[], figures: &[], primary: None, read_only: false }
    }
}
