//! Workspaces: pages of regions over several entities.

use super::{Audience, EntityId, Expr, Opening, Path, Placed, RoleId, SortKey, Type, words::words};
use crate::Span;

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
    /// Who may open it; `None` is every account.
    pub access: Option<Audience>,
    /// Regions in order.
    pub regions: Vec<Region>,
    /// What differs for some personas; each persona has at most one.
    pub variants: Vec<WorkspaceVariant>,
    /// The name in the declaration.
    pub span: Span,
}

/// A part of a workspace; `/app/<workspace>-<region>` by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// How it looks; everything that this kind needs is there.
    pub display: Display,
    /// The entities whose rows it shows, a tab each; empty for figures alone.
    pub sources: Vec<Source>,
    /// Rows shown, 1 to 100.
    pub limit: Option<u32>,
    /// Words for no rows.
    pub empty: Option<String>,
    /// A list or a form for a new row that opens as a button.
    pub button: Option<Opening>,
    /// Figures in order; with a source and a group, figures of each group.
    pub metrics: Vec<Metric>,
    /// The name in the declaration.
    pub span: Span,
}

/// One entity of a region, with every key of the region resolved against it.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The entity.
    pub entity: EntityId,
    /// Which of its rows.
    pub filter: Option<Placed<Expr>>,
    /// Order of the rows; the key is always the last one.
    pub sort: Vec<SortKey>,
    /// What opens from a row.
    pub action: Option<Opening>,
    /// What rows are put together by: columns of a board, bars of a chart.
    pub group_by: Option<GroupBy>,
    /// The date of a row.
    pub date: Option<Path>,
    /// What a row is called; `None` is the entity's label.
    pub title: Option<Placed<Path>>,
    /// The figure of a row or of a group; `None` counts rows.
    pub value: Option<Value>,
    /// The entity's name after `source:`.
    pub span: Span,
}

/// What rows are put together by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupBy {
    /// The field.
    pub path: Path,
    /// The unit of time for a date.
    pub bucket: Option<Bucket>,
    /// The path in the text; the display's word for one that follows from it.
    pub span: Span,
}

words! {
    /// A unit of time that dates are put together by.
    Bucket {
        Day = "day",
        Week = "week",
        Month = "month",
        Quarter = "quarter",
        Year = "year",
    }
}

/// The figure of a row or of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number field, added up over the group.
    Field(Placed<Path>),
    /// The metric at this position in the region.
    Metric(Placed<usize>),
}

/// A named figure, from rows the caller may list.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// Identifier.
    pub name: String,
    /// Label.
    pub title: String,
    /// What it is; [`Expr::Metric`] in it names one before it in the same region.
    pub expr: Expr,
    /// A number, a date or text.
    pub ty: Type,
    /// The entities whose rows it is made of, each once.
    pub entities: Vec<EntityId>,
    /// The name in the declaration.
    pub span: Span,
}

words! {
    /// How a region looks.
    Display {
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
        Detail = "detail",
        Calendar = "calendar",
        Queue = "queue",
        Tree = "tree",
        Progress = "progress",
        ActivityFeed = "activity_feed",
        Graph = "graph",
    }
}

impl Display {
    /// True when it shows figures and needs no rows.
    pub fn is_figures(self) -> bool {
        matches!(self, Display::Metrics | Display::Summary)
    }

    /// True when it draws groups of rows.
    pub fn is_chart(self) -> bool {
        matches!(self, Display::BarChart | Display::LineChart | Display::AreaChart)
    }
}

/// `for PERSONA:` what differs in a workspace for accounts that have one of the personas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceVariant {
    /// Whom it is for; at least one.
    pub personas: Vec<Placed<RoleId>>,
    /// `purpose:`
    pub purpose: Option<String>,
    /// Positions of the regions shown; empty for all.
    pub show: Vec<Placed<usize>>,
    /// Positions of the regions left out.
    pub hide: Vec<Placed<usize>>,
    /// Positions of the regions that come first, in this order.
    pub focus: Vec<Placed<usize>>,
    /// Figures at the top: position of the region, position of the metric.
    pub aggregates: Vec<Placed<(usize, usize)>>,
    /// The primary button.
    pub action_primary: Option<Opening>,
    /// True when nothing can be changed from here.
    pub read_only: bool,
    /// The word `for`.
    pub span: Span,
}
