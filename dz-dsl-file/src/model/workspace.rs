//! Workspaces: pages of regions over several entities.

use super::{Audience, EntityId, Expr, Opening, Path, Placed, RoleId, SortKey, Type, words::words};
use crate::Span;
use dz_vocabulary::{Bucket, Display};

/// A page of regions.
#[derive(Debug, Clone, PartialEq)]
pub struct Workspace {
    /// Identifier: `/app/<name>`.
    pub name: String,
    /// Title of the page.
    pub title: String,
    /// `purpose:`
    pub purpose: Option<String>,
    /// `stage:`, descriptive.
    pub stage: Option<String>,
    /// Who can open it; `None` is every account.
    pub access: Option<Audience>,
    /// Regions in order.
    pub regions: Vec<Region>,
    /// Differences for some personas; each persona has at most one.
    pub variants: Vec<WorkspaceVariant>,
    /// The name in the declaration.
    pub span: Span,
}

/// A part of a workspace; its own page is `/app/<workspace>-<region>`.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// Its display; everything that this display needs is set.
    pub display: Display,
    /// The entities whose rows it shows, one tab for each; empty if it shows only metrics.
    pub sources: Vec<Source>,
    /// Rows shown, 1 to 100.
    pub limit: Option<u32>,
    /// The text for an empty region.
    pub empty: Option<String>,
    /// A button that opens a list or a form for a new row.
    pub button: Option<Opening>,
    /// Metrics in order; with a source and a group, metrics of each group.
    pub metrics: Vec<Metric>,
    /// The name in the declaration.
    pub span: Span,
}

/// One entity of a region, with every key of the region resolved against it.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The entity.
    pub entity: EntityId,
    /// The condition on its rows.
    pub filter: Option<Placed<Expr>>,
    /// The order of the rows; the key is always the last sort key.
    pub sort: Vec<SortKey>,
    /// The surface that a row opens.
    pub action: Option<Opening>,
    /// The grouping of rows: columns of a board, bars of a chart.
    pub group_by: Option<GroupBy>,
    /// The second grouping of a heatmap or pivot, whose groups are the columns.
    pub across: Option<GroupBy>,
    /// The date of a row.
    pub date: Option<Path>,
    /// The label of a row; `None` is the entity's label.
    pub title: Option<Placed<Path>>,
    /// The value of a row or of a group; `None` counts rows.
    pub value: Option<Value>,
    /// The entity's name after `source:`.
    pub span: Span,
}

/// A grouping of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupBy {
    /// The field.
    pub path: Path,
    /// The unit of time for a date.
    pub bucket: Option<Bucket>,
    /// The path in the text; the word of the display if it is a default.
    pub span: Span,
}

words! {
    for Bucket {
        Day = "day",
        Week = "week",
        Month = "month",
        Quarter = "quarter",
        Year = "year",
    }
}

/// The value of a row or of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number field, added over the group.
    Field(Placed<Path>),
    /// The metric at this position in the region.
    Metric(Placed<usize>),
}

/// A named figure, over rows that the caller can list.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// Identifier.
    pub name: String,
    /// Label.
    pub title: String,
    /// Its expression; [`Expr::Metric`] in it is an earlier metric of the same region.
    pub expr: Expr,
    /// A number, a date or text.
    pub ty: Type,
    /// The entities whose rows it counts, without duplicates.
    pub entities: Vec<EntityId>,
    /// The name in the declaration.
    pub span: Span,
}

words! {
    for Display {
        List = "list",
        Table = "table",
        Grid = "grid",
        Timeline = "timeline",
        Kanban = "kanban",
        Metrics = "metrics",
        Summary = "summary",
        BarChart = "bar_chart",
        LineChart = "line_chart",
        AreaChart = "area_chart",
        PieChart = "pie_chart",
        Funnel = "funnel",
        Heatmap = "heatmap",
        Pivot = "pivot",
        Detail = "detail",
        Calendar = "calendar",
        Queue = "queue",
        Tree = "tree",
        Progress = "progress",
        ActivityFeed = "activity_feed",
        Graph = "graph",
    }
}

/// `for PERSONA:` the differences of a workspace for accounts with one of the personas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceVariant {
    /// The personas; at least one.
    pub personas: Vec<Placed<RoleId>>,
    /// `purpose:`
    pub purpose: Option<String>,
    /// Positions of the shown regions; empty for all.
    pub show: Vec<Placed<usize>>,
    /// Positions of the hidden regions.
    pub hide: Vec<Placed<usize>>,
    /// Positions of the regions that come first, in this order.
    pub focus: Vec<Placed<usize>>,
    /// Metrics at the top: position of the region, position of the metric.
    pub aggregates: Vec<Placed<(usize, usize)>>,
    /// The primary button.
    pub action_primary: Option<Opening>,
    /// True if nothing can be changed on this page.
    pub read_only: bool,
    /// The word `for`.
    pub span: Span,
}
