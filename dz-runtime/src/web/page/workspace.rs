//! Workspaces: pages of regions, each of which is loaded by a request of its own.
//!
//! A region is a page too (`/app/{workspace}-{region}`); for an htmx request it is its content alone. [`content`] chooses by the
//! display what is loaded and how it is rendered.

mod calendar;
mod chart;
mod content;
mod cross_table;
pub(crate) mod figures;
mod frame;
mod groups;
mod kanban;
mod network;
mod placeholder;
mod progress;
mod rows;
mod sparkline;
mod tree;
pub(crate) mod variant;

use askama::Template;

pub(crate) use frame::show_region;
pub(crate) use kanban::submit as submit_move;

use crate::{
    Error, Result, Tx,
    access::{self, List},
    def::{AppDef, RegionDef, WorkspaceDef},
    web::{
        Call, Reply,
        page::{
            Answer, Document, Metric, PrimaryButton, columns,
            primary_button::PrimaryTarget,
            shell::{CurrentPage, PageKind, Shell},
            workspace::{
                frame::{Body, Frame, Span},
                variant::WorkspaceVariant,
            },
        },
    },
};

/// A workspace, and the region that a path names.
#[derive(Clone, Copy)]
pub(crate) struct WorkspaceAt {
    /// The workspace.
    pub workspace: &'static WorkspaceDef,
    /// The region; `None` for the page of the workspace.
    pub region: Option<&'static RegionDef>,
}

impl WorkspaceAt {
    /// The workspace and the region in the language of `app`.
    pub fn translated(self, app: &'static AppDef) -> WorkspaceAt {
        let workspace = app.translated_workspace(self.workspace);
        let region = self.region.map(|region| workspace.regions.iter().find(|own| own.id == region.id).unwrap_or(region));
        WorkspaceAt { workspace, region }
    }
}

#[derive(Template)]
#[template(path = "workspace.html")]
struct WorkspaceHtml<'a> {
    title: &'a str,
    purpose: Option<&'a str>,
    primary: &'a Option<PrimaryButton>,
    notice: Option<&'a str>,
    figures: &'a [Metric],
    regions: &'a [Frame],
}

/// `GET /app/{workspace}`: the page with its regions, which load afterwards.
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call, at: WorkspaceAt) -> Result<Reply> {
    let variant = WorkspaceVariant::resolve(tx, at.workspace);
    let regions = variant.regions(tx);
    let figures = figures::load_shown(tx, &variant)?;
    let mut frames = Vec::new();
    for region in regions {
        frames.push(Frame::waiting(tx, &variant, region)?);
    }
    frame::pair_halves(&mut frames);
    let target = variant.primary().and_then(|opening| PrimaryTarget::open(tx, opening, variant.is_read_only()));
    let primary = target.and_then(|target| target.page_button(tx.app));
    let page = WorkspaceHtml {
        title: at.workspace.title,
        purpose: variant.purpose(),
        primary: &primary,
        notice: columns::notice(&call.query),
        figures: &figures,
        regions: &frames,
    };
    let content = page.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, at.workspace.title, PageKind::Workspace, CurrentPage::Workspace(at.workspace));
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(200, call.markup))
}

/// True if the caller can open the page of a workspace.
pub(crate) fn can_open(tx: &Tx<'_>, workspace: &WorkspaceDef) -> bool {
    access::check_audience(tx.caller(), workspace.audience).is_ok()
}

/// True if the caller may list rows of an entity that the region shows.
fn can_show(tx: &Tx<'_>, region: &'static RegionDef) -> bool {
    let may_list = |entity| tx.ask::<List>(tx.app.entity(entity)).is_ok();
    match region.sources.is_empty() {
        false => region.sources.iter().any(|source| may_list(source.entity)),
        true => figures::entities(region).into_iter().any(may_list),
    }
}
