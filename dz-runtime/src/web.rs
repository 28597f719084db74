//! The web layer: requests, responses, the JSON API, sign-in, files and pages.
//!
//! Rocket's side makes a [`Call`] of a request. A blocking thread makes a [`Reply`] of it in one job on one connection, which loads
//! session, rules and rows together.

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
