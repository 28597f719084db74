//! Pages: plain functions from a request to HTML, the data they show, and the templates over it.
//!
//! Read in this order: [`ListPage`] and the other data, [`Cell`] (a value as people see it), [`Shell`] (the
//! frame), [`Region`] and [`Answer`] (what exchanges may carry), [`Pagination`], [`app`] (the addresses).

mod account;
mod acted;
mod admin;
mod asset;
mod bulk;
mod cell;
mod control;
mod data;
mod delete;
mod device;
mod envelope;
mod exchange;
mod factor;
mod failure;
mod form;
mod icon;
mod invitations;
mod list;
mod markup;
mod moved;
mod needed;
mod nested;
mod pagination;
mod pick;
mod present;
mod primary;
mod related;
mod routes;
mod selected;
mod sessions;
mod shell;
mod solo;
mod stale;
mod submit;
mod toolbar;
mod variant;
mod view;

#[cfg(test)]
mod contrast;
#[cfg(test)]
mod handling;
#[cfg(test)]
mod rendering;
#[cfg(test)]
pub(crate) mod sample;

pub use account::{SignIn, Way, sign_in};
pub use asset::Assets;
pub use cell::{Cell, Shape};
pub use data::{
    Acts, Choice, ClosedMove, Column, Conflict, Control, Empty, Fact, FieldError, Figure, FilterControl, FilterInput, FormField, FormPage,
    FormSection, Link, ListPage, ListRows, Moves, NestedTable, Role, RowLine, Sort, Toolbar, ViewBody, ViewPage, ViewSection,
};
pub(crate) use device::device;
pub use envelope::{Answer, BodyOnly, Document, Envelope, HostOwned, Nothing, Outer, Region};
pub use factor::recovery_codes;
pub use failure::error;
pub use icon::Icon;
pub(crate) use invitations::invitations;
pub use markup::Markup;
pub(crate) use needed::needed;
pub use pagination::{Pagination, Stop};
pub use primary::Primary;
pub(crate) use routes::{routes, routes_of};
pub use selected::{BulkBar, BulkPage, ConfirmPage, ImportPage, Refused};
pub use shell::{Frame, NavEntry, NavGroup, Shell, TenantChoice, Who};
pub use solo::{Solo, solo, solo_with};

use crate::{def::AppDef, http::Reply};

/// The asset at `/-/assets/{hash}/{name}`, kept by browsers for good; `None` is a 404.
pub fn asset(app: &'static AppDef, markup: Markup, hash: &str, name: &str) -> Option<Reply> {
    Assets::of(app.hue, &shell::mark(app), markup).get(hash, name)
}
