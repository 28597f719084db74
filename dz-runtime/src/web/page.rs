//! Pages: functions from a request to HTML, the data of the pages, and their templates.
//!
//! Read in this order: [`ListPage`] and the other data, [`Cell`] (a displayed value), [`Shell`] (the frame), [`Region`] and [`Answer`]
//! (contents of htmx responses), [`Pagination`], `routes` (the addresses).

pub(crate) mod admin;
pub(crate) mod cell;
pub(crate) mod columns;
mod envelope;
pub(crate) mod experience;
pub(crate) mod form;
pub(crate) mod graph;
pub(crate) mod identity;
pub(crate) mod inbox;
pub(crate) mod list;
pub(crate) mod primary_button;
mod routes;
pub(crate) mod search;
pub(crate) mod shell;
mod shortcuts;
mod start;
pub(crate) mod surface_actions;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod variant;
pub(crate) mod view;
pub(crate) mod workspace;

pub use crate::config::Markup;
pub use crate::template::{
    ActionButtons, AttentionMark, Badge, Banner, BulkBar, BulkPage, Cell, Choice, ClosedTransition, Column, ConfirmPage, Conflict, Control,
    Empty, Fact, Field, FieldError, FilterControl, FilterInput, FilterLink, FormField, FormPage, FormRow, FormRows, FormSection,
    HistoryChange, HistoryEntry, Icon, ImportPage, LevelCount, Link, ListPage, ListRows, Metric, Neighbours, NestedTable, Preset,
    PrimaryButton, Refused, Region, Role, RowLine, SavedFilters, Shape, Sort, Step, Table, Tone, Toolbar, TransitionButtons, VERSION,
    ViewBody, ViewPage, ViewSection,
};
pub use envelope::{Answer, BodyOnly, Document, Envelope, HostOwned, Nothing, Outer};
pub(crate) use form::additional_fields::build_controls;
pub use identity::account::{SignIn, SignInProvider, render_sign_in};
pub(crate) use identity::device::describe_device;
pub(crate) use identity::invitations::show_invitations;
pub use identity::second_factor::show_recovery_codes;
pub use list::pagination::{PageLink, Pagination};
pub(crate) use routes::{routes, routes_of, routes_of_workspace};
pub use shell::assets::Assets;
pub use shell::failure::failure_page;
pub use shell::standalone::{StandalonePage, render, render_with};
pub use shell::{CurrentUser, Frame, NavEntry, NavGroup, Shell, TenantChoice};

use crate::{def::AppDef, web::Reply};

/// The asset at `/-/assets/{hash}/{name}`, which browsers cache permanently; `None` is a 404.
pub fn asset(app: &'static AppDef, markup: Markup, hash: &str, name: &str, gzip: bool) -> Option<Reply> {
    Assets::for_app(app.hue, app.theme, &shell::app_initial(app), markup).get(hash, name, gzip)
}
