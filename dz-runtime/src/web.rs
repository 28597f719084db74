//! The web layer: requests, responses, the JSON API, sign-in, files and pages.
//!
//! A request becomes a [`Call`] on Rocket's side, and a [`Reply`] on a blocking thread, in one job on one
//! connection: session, rules and rows together.

pub mod api;
pub(crate) mod auth;
mod call;
pub(crate) mod cx;
mod dispatch;
pub(crate) mod files;
mod health;
pub mod page;
pub(crate) mod request;
pub(crate) mod response;
pub(crate) mod routes;
pub(crate) mod server;

pub(crate) use api::actions::perform;
pub use call::{Call, Reply};
