//! The content of a region, by its display.

use askama::Template;

use super::{
    calendar, chart, cross_table, figures,
    frame::{self, Body},
    kanban, network, progress, rows, sparkline, tree,
    variant::WorkspaceVariant,
};
use crate::{
    Error, Result, Tx,
    access::List,
    def::{Display, RegionDef, SourceDef},
    rows::temporal,
    web::{
        Call,
        page::{Icon, Metric, Pagination, columns, list::bulk},
    },
};

/// The content of a region.
pub(super) struct Content {
    /// Its HTML.
    pub html: String,
    /// The footer of pages of rows.
    pub footer: Option<Pagination>,
}

impl Content {
    /// Content without pages.
    pub fn block(template: &impl Template) -> Result<Content> {
        Ok(Content { html: template.render().map_err(Error::internal)?, footer: None })
    }
}

/// A request for one source of a region.
#[derive(Clone, Copy)]
pub(super) struct SourceRequest<'a> {
    /// The request.
    pub call: &'a Call,
    /// The region.
    pub region: &'static RegionDef,
    /// The source.
    pub source: &'static SourceDef,
    /// True if nothing can be changed on the page.
    pub read_only: bool,
    /// The position of the tab, if there are several.
    pub tab: Option<usize>,
}

impl SourceRequest<'_> {
    /// The value of a parameter that fulfils its purpose; anything else is ignored.
    pub fn parameter<T>(&self, name: &str, parse: impl FnMut(&str) -> Option<T>) -> Option<T> {
        let values = self.call.query.iter().filter(|(given, _)| given == name).map(|(_, value)| value.as_str());
        values.filter_map(parse).next()
    }

    /// True if the region is the page, and not a part of the page of its workspace.
    pub fn is_own_page(&self) -> bool {
        let is_region = |address: &str| {
            let path = url::Url::parse(address).map(|address| address.path().to_owned());
            path.is_ok_and(|path| path == self.region.address())
        };
        !self.call.htmx || self.call.referer.as_deref().is_some_and(is_region)
    }

    /// The parameters that links inside the region preserve.
    pub fn preserved(&self, tx: &Tx<'_>) -> Vec<(String, String)> {
        let entity = tx.app.entity(self.source.entity);
        let mut pairs: Vec<(String, String)> = self.tab.map(|at| ("tab".to_owned(), (at + 1).to_string())).into_iter().collect();
        if entity.temporal.is_some() {
            let closed = self.parameter("include_closed", |text| temporal::parse_include_closed(text).ok().filter(|closed| *closed));
            pairs.extend(closed.map(|_| ("include_closed".to_owned(), "true".to_owned())));
            let as_of = self.parameter("as_of", |text| temporal::parse_as_of(tx.app, entity, text).ok().flatten().map(|_| text.to_owned()));
            pairs.extend(as_of.map(|text| ("as_of".to_owned(), text)));
        }
        pairs
    }
}

#[derive(Template)]
#[template(path = "region_tabs.html")]
struct TabsHtml<'a> {
    region: &'a crate::template::Region,
    tabs: &'a [Tab],
    figures: &'a [Metric],
    problem: Option<String>,
    body: &'a Body,
    caption: &'a str,
    html: &'a str,
}

/// A tab of a region with several entities.
struct Tab {
    label: &'static str,
    href: String,
    current: bool,
}

/// Loads the content of a region.
pub(super) fn load(
    tx: &mut Tx<'_>,
    call: &Call,
    variant: &WorkspaceVariant,
    region: &'static RegionDef,
    refused: Option<&Error>,
) -> Result<Content> {
    if region.sources.is_empty() {
        return sparkline::load_figures(tx, region);
    }
    let listed: Vec<(usize, &'static SourceDef)> =
        region.sources.iter().enumerate().filter(|(_, source)| tx.ask::<List>(tx.app.entity(source.entity)).is_ok()).collect();
    let wanted = call.query.iter().chain(&call.form).find(|(name, _)| name == "tab").and_then(|(_, value)| value.parse::<usize>().ok());
    let several = region.sources.len() > 1;
    let chosen = listed.iter().find(|(at, _)| Some(at + 1) == wanted).or(listed.first());
    let (at, source) = *chosen.ok_or_else(Error::not_found)?;
    let asked = SourceRequest { call, region, source, read_only: variant.is_read_only(), tab: several.then_some(at) };
    let strip = if region.figures.is_empty() || region.display.is_chart() || source.group_by.is_some() || region.display.is_figures() {
        Vec::new()
    } else {
        figures::evaluate(tx, region)?
    };
    let content = load_source(tx, asked)?;
    let wraps = several || !region.figures.is_empty() && region.display != Display::Metrics;
    if !wraps && refused.is_none() {
        return Ok(content);
    }
    let tab = |(at, source): &(usize, &'static SourceDef)| Tab {
        label: tx.app.entity(source.entity).title_plural,
        href: format!("{}?tab={}", region.address(), at + 1),
        current: std::ptr::eq(*source, asked.source),
    };
    let tabs: Vec<Tab> = if several { listed.iter().map(tab).collect() } else { Vec::new() };
    let body =
        if wraps { frame::element(region.display, || rows::SourceRows::resolve(tx, region, source, true).heads()) } else { Body::Block };
    let html = TabsHtml {
        region: &crate::template::Region::new(region.id),
        tabs: &tabs,
        figures: &strip,
        problem: refused.map(|error| bulk::refusal_text(tx.app.entity(asked.source.entity), error)),
        body: &body,
        caption: region.title,
        html: &content.html,
    };
    Ok(Content { html: html.render().map_err(Error::internal)?, footer: content.footer })
}

fn load_source(tx: &mut Tx<'_>, asked: SourceRequest<'_>) -> Result<Content> {
    match asked.region.display {
        Display::List | Display::Table | Display::Grid | Display::Queue | Display::Timeline | Display::ActivityFeed | Display::Detail => {
            rows::load(tx, asked)
        }
        Display::Graph => network::load(tx, asked),
        Display::Kanban => kanban::load(tx, asked),
        Display::Metrics | Display::Summary => sparkline::load(tx, asked),
        Display::BarChart | Display::LineChart | Display::AreaChart | Display::PieChart | Display::Funnel => chart::load(tx, asked),
        Display::Heatmap | Display::Pivot => cross_table::load(tx, asked),
        Display::Calendar => calendar::load(tx, asked),
        Display::Tree => tree::load(tx, asked),
        Display::Progress => progress::load(tx, asked),
    }
}

/// The text of a region without rows.
pub(super) fn empty_text(tx: &Tx<'_>, asked: &SourceRequest<'_>) -> String {
    empty_text_of(tx, asked.region, asked.source)
}

/// As [`empty_text`], without a request.
pub(super) fn empty_text_of(tx: &Tx<'_>, region: &RegionDef, source: &SourceDef) -> String {
    let many = columns::lower_title(tx.app.entity(source.entity).title_plural);
    match (region.empty, &source.filter) {
        (Some(text), _) => text.to_owned(),
        (None, Some(_)) => say!("dz-no-many-match", "No {many} match", many = many),
        (None, None) => say!("dz-no-many-yet", "No {many} yet", many = many),
    }
}
