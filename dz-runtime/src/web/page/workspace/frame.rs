//! The frame of a region: its title, its button, and the element of its content.

use askama::Template;

use super::{
    WorkspaceAt,
    content::{self, Content},
    placeholder::Placeholder,
    rows::SourceRows,
    variant::WorkspaceVariant,
};
use crate::{
    Error, Result, Tx,
    access::{self, List},
    def::{Display, PrimaryButtonDef, RegionDef},
    template::Column,
    web::{
        Call, Reply,
        page::{
            Answer, BodyOnly, Document, Link, PrimaryButton, Region,
            primary_button::PrimaryTarget,
            shell::{CurrentPage, PageKind, Shell},
        },
    },
};

/// The element that contains the content of a region.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Body {
    /// The body of a table, with its columns.
    Table(Vec<Column>),
    /// A list with this class.
    Items(&'static str),
    /// An ordered list with this class.
    Ordered(&'static str),
    /// Any content.
    Block,
}

/// A region on a page.
pub(super) struct Frame {
    /// The ids of its elements.
    pub region: Region,
    /// Its title.
    pub title: &'static str,
    /// Its address.
    pub address: String,
    /// Its button.
    pub button: Option<PrimaryButton>,
    /// Its share of the width of the page.
    pub span: Span,
    /// The element of the content.
    pub body: Body,
    /// True for figures, which have no border around them.
    pub bare: bool,
    /// The place of the content until it is loaded.
    pub placeholder: Placeholder,
    /// The seconds after which the content is loaded again; 0 for never.
    pub refresh: u32,
    /// The content and the footer; `None` if the page loads them afterwards.
    pub loaded: Option<(String, String)>,
}

/// The share of a region of the width of a wide page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Span {
    /// All of it.
    Full,
    /// The half.
    Half,
}

#[derive(Template)]
#[template(path = "workspace_region.html")]
struct RegionHtml<'a> {
    workspace: Link,
    frame: &'a Frame,
}

impl Frame {
    /// A region whose content is loaded by a request of its own.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn waiting(tx: &mut Tx<'_>, variant: &WorkspaceVariant, region: &'static RegionDef) -> Result<Frame> {
        let placeholder = Placeholder::load(tx, region)?;
        Ok(Frame { placeholder, ..Frame::new(tx, variant, region) })
    }

    /// The events at which it loads its content; empty for none.
    pub fn triggers(&self) -> &'static str {
        match (self.loaded.is_none(), self.refresh > 0) {
            (true, false) => "load",
            (true, true) => "load, dz:poll",
            (false, true) => "dz:poll",
            (false, false) => "",
        }
    }

    /// Its placeholder.
    pub fn waits(&self) -> &Placeholder {
        &self.placeholder
    }

    /// A region without its content.
    fn new(tx: &Tx<'_>, variant: &WorkspaceVariant, region: &'static RegionDef) -> Frame {
        Frame {
            region: Region::new(region.id),
            title: region.title,
            address: region.address(),
            button: button(tx, variant, region),
            span: span(region),
            body: body(tx, region),
            bare: region.display == Display::Metrics,
            placeholder: Placeholder::NONE,
            // A drawing that was zoomed or dragged is not drawn again.
            refresh: if region.display == Display::Graph { 0 } else { tx.hooks.region_refresh },
            loaded: None,
        }
    }
}

/// The button of a region: a list, or a form for a new row.
fn button(tx: &Tx<'_>, variant: &WorkspaceVariant, region: &RegionDef) -> Option<PrimaryButton> {
    let opening = PrimaryButtonDef { surface: region.button?, via: None };
    PrimaryTarget::open(tx, opening, variant.is_read_only())?.page_button(tx.app)
}

fn span(region: &RegionDef) -> Span {
    match region.display {
        Display::List
        | Display::Queue
        | Display::Timeline
        | Display::BarChart
        | Display::LineChart
        | Display::AreaChart
        | Display::PieChart
        | Display::Funnel
        | Display::Summary
        | Display::Detail
        | Display::Tree
        | Display::Progress
        | Display::ActivityFeed => Span::Half,
        Display::Table
        | Display::Grid
        | Display::Kanban
        | Display::Metrics
        | Display::Heatmap
        | Display::Pivot
        | Display::Calendar
        | Display::Graph => Span::Full,
    }
}

/// Widens each region of half the width that has no neighbour.
pub(super) fn pair_halves(frames: &mut [Frame]) {
    let mut at = 0;
    while at < frames.len() {
        let next = frames.get(at + 1).map(|next| next.span);
        match (frames[at].span, next) {
            (Span::Half, Some(Span::Half)) => at += 2,
            (Span::Half, _) => {
                frames[at].span = Span::Full;
                at += 1;
            }
            (Span::Full, _) => at += 1,
        }
    }
}

/// The element of the content; with tabs or figures it also contains these.
fn body(tx: &Tx<'_>, region: &'static RegionDef) -> Body {
    match region.sources {
        [source] if region.figures.is_empty() => element(region.display, || SourceRows::resolve(tx, region, source, true).heads()),
        _ => Body::Block,
    }
}

/// The element of the rows of a display.
pub(super) fn element(display: Display, heads: impl FnOnce() -> Vec<Column>) -> Body {
    match display {
        Display::Table => Body::Table(heads()),
        Display::List => Body::Items("dz-items"),
        Display::Grid => Body::Items("dz-grid dz-region-body"),
        Display::Queue => Body::Ordered("dz-items dz-queue"),
        Display::Timeline => Body::Ordered("dz-timeline dz-region-body"),
        Display::ActivityFeed => Body::Ordered("dz-log dz-region-body"),
        Display::Kanban
        | Display::Metrics
        | Display::Summary
        | Display::BarChart
        | Display::LineChart
        | Display::AreaChart
        | Display::PieChart
        | Display::Funnel
        | Display::Heatmap
        | Display::Pivot
        | Display::Detail
        | Display::Calendar
        | Display::Tree
        | Display::Progress
        | Display::Graph => Body::Block,
    }
}

/// `GET /app/{workspace}-{region}`: the region as a page, or for an htmx request its content.
pub(crate) fn show_region(tx: &mut Tx<'_>, call: &Call, at: WorkspaceAt) -> Result<Reply> {
    show_after(tx, call, at, None)
}

/// As [`show_region`], after a refused change.
pub(super) fn show_after(tx: &mut Tx<'_>, call: &Call, at: WorkspaceAt, refused: Option<&Error>) -> Result<Reply> {
    let region = at.region.ok_or_else(Error::not_found)?;
    let variant = WorkspaceVariant::resolve(tx, at.workspace);
    if !variant.shows(tx, region) {
        return Err(refusal(tx, region));
    }
    let status = refused.map_or(200, |error| error.status);
    let Content { html, footer } = content::load(tx, call, &variant, region, refused)?;
    let own = Region::new(region.id);
    if call.htmx {
        let mut reply = Answer::<BodyOnly>::rows(&own, html, footer.as_ref())?.reply(status, call.markup);
        if refused.is_some() {
            // With this header the script shows the content, although the status is that of an error.
            reply.headers.push(("HX-Retarget", format!("#{}", own.body_id())));
        }
        return Ok(reply);
    }
    let footer = match footer {
        Some(footer) => footer.slot_html().map_err(Error::internal)?,
        None => format!(r#"<div id="{}"></div>"#, own.footer_id()),
    };
    let frame = Frame { loaded: Some((html, footer)), span: Span::Full, ..Frame::new(tx, &variant, region) };
    let page = RegionHtml { workspace: Link::new(at.workspace.address(), at.workspace.title), frame: &frame };
    let content = page.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, region.title, PageKind::Workspace, CurrentPage::Workspace(at.workspace));
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(status, call.markup))
}

/// The error for a region that the caller does not see: that of its entity, if the rules refuse it.
fn refusal(tx: &Tx<'_>, region: &RegionDef) -> Error {
    let entity = region.sources.first().map(|source| tx.app.entity(source.entity));
    entity.and_then(|entity| access::ask::<List>(tx.app, tx.engine(), tx.caller(), entity).err()).unwrap_or_else(Error::not_found)
}
