//! The placeholder of a region until its content is loaded: as large as the content, so that the layout does not shift.

use super::{
    calendar,
    chart::shapes,
    content, figures, rows as region_rows,
    rows::{PAGE_SIZE, SourceRows},
};
use crate::{
    Result, Tx,
    access::List,
    def::{Display, RegionDef, SourceDef},
    rows::{self, Query},
};

/// The number of rows of a display whose rows are counted only when they are loaded.
const UNCOUNTED_ROWS: u64 = 6;
/// The number of groups that a placeholder of a chart has, if the values of the field are not known.
const UNKNOWN_GROUPS: usize = 8;
/// The height of a row of a placeholder of other content, in pixels.
const LINE: usize = 28;

/// The content of a region that is not loaded yet.
#[derive(Debug)]
pub(super) struct Placeholder {
    /// The number of rows.
    pub rows: u64,
    /// True if the rows have a second line.
    pub details: bool,
    /// The text of a region without rows.
    pub empty: Option<String>,
    /// True if pages of rows have a footer.
    pub footer: bool,
    /// True if tabs are above the content.
    pub tabs: bool,
    /// The titles of figures, if the region has no rows, or above its rows.
    pub figures: Vec<&'static str>,
    /// True for figures with their values over time.
    pub spark: bool,
    /// True for figures as a list.
    pub summary: bool,
    /// The value of `data-kind`, which determines the height of other content.
    pub kind: &'static str,
    /// The number of lines of other content whose height depends on them.
    pub lines: usize,
}

impl Placeholder {
    /// A region whose content is part of the page.
    pub const NONE: Placeholder = Placeholder {
        rows: 0,
        details: false,
        empty: None,
        footer: false,
        tabs: false,
        figures: Vec::new(),
        spark: false,
        summary: false,
        kind: "rows",
        lines: 0,
    };

    /// Determines the size of the content. Rows are counted, at most those of a page.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn load(tx: &mut Tx<'_>, region: &'static RegionDef) -> Result<Placeholder> {
        let mut placeholder = Placeholder { kind: kind(region.display), ..Placeholder::NONE };
        let source = region.sources.iter().find(|source| tx.ask::<List>(tx.app.entity(source.entity)).is_ok());
        let Some(source) = source.filter(|_| !region.display.is_figures()) else {
            placeholder.figures = figures::titles(tx, region);
            (placeholder.kind, placeholder.summary) = ("figures", region.display == Display::Summary);
            let dated = |source: &SourceDef| source.group_by.is_some_and(|group| group.unit(tx.app).is_some());
            placeholder.spark = region.display == Display::Metrics && region.sources.iter().any(dated);
            return Ok(placeholder);
        };
        placeholder.tabs = region.sources.len() > 1;
        if !region.display.is_chart() && source.group_by.is_none() {
            placeholder.figures = figures::titles(tx, region);
        }
        placeholder.lines = lines(tx, region, source);
        if placeholder.kind != "rows" && region.display != Display::Detail {
            return Ok(placeholder);
        }
        let single = region.display == Display::Detail;
        let limit = if single { 1 } else { region.limit.unwrap_or(PAGE_SIZE) };
        let grant = region_rows::grant(tx, region, source)?;
        let query = Query { limit, ..region_rows::first_query(tx, source) };
        placeholder.rows = rows::keys(tx, &grant, &query)?.len() as u64;
        placeholder.empty = (placeholder.rows == 0).then(|| content::empty_text_of(tx, region, source));
        placeholder.footer = region.limit.is_none() && !single;
        placeholder.details = SourceRows::resolve(tx, region, source, true).has_details(tx.app);
        Ok(placeholder)
    }
}

fn kind(display: Display) -> &'static str {
    match display {
        Display::Kanban => "board",
        Display::Calendar => "calendar",
        Display::Graph => "graph",
        Display::Heatmap | Display::Pivot => "cross",
        Display::Progress => "bars",
        Display::Tree => "tree",
        Display::Detail => "detail",
        Display::BarChart | Display::LineChart | Display::AreaChart | Display::PieChart | Display::Funnel => "chart",
        Display::List
        | Display::Queue
        | Display::Table
        | Display::Grid
        | Display::Timeline
        | Display::ActivityFeed
        | Display::Metrics
        | Display::Summary => "rows",
    }
}

/// The number of lines of a display: the groups of a chart, the weeks of a calendar, the facts of a row.
fn lines(tx: &Tx<'_>, region: &'static RegionDef, source: &'static SourceDef) -> usize {
    let limit = region.limit.and_then(|limit| usize::try_from(limit).ok());
    let groups = || {
        let values = source.group_by.and_then(|group| {
            let kind = group.path.end(tx.app).field(tx.app).kind;
            kind.enumeration().map(|of| of.values.len()).or(kind.is_bool().then_some(2))
        });
        let known = values.unwrap_or(UNKNOWN_GROUPS);
        limit.map_or(known, |limit| limit.min(known))
    };
    match region.display {
        Display::BarChart | Display::Funnel => {
            let dated = source.group_by.is_some_and(|group| group.unit(tx.app).is_some());
            let series = region.figures.len().max(1);
            if dated && region.display == Display::BarChart { 0 } else { shapes::rows_height(groups() * series).div_ceil(LINE) }
        }
        Display::Heatmap | Display::Pivot => groups() + 2,
        Display::Progress => match source.group_by {
            Some(_) => groups() + 1,
            None if region.figures.is_empty() => limit.unwrap_or(PAGE_SIZE as usize),
            None => region.figures.len(),
        },
        Display::Calendar => calendar::weeks_of_month(tx.caller().today),
        Display::Tree => limit.unwrap_or(UNCOUNTED_ROWS as usize),
        Display::Detail => SourceRows::resolve(tx, region, source, true).fact_count(),
        Display::List
        | Display::Queue
        | Display::Table
        | Display::Grid
        | Display::Timeline
        | Display::ActivityFeed
        | Display::Kanban
        | Display::Graph
        | Display::LineChart
        | Display::AreaChart
        | Display::PieChart
        | Display::Metrics
        | Display::Summary => 0,
    }
}
