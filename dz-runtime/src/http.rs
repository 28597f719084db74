//! HTTP: one handler for all of dz's routes, over the static description.
//!
//! A request becomes a [`Call`] on Rocket's side, and a [`Reply`] on a blocking thread, in one job on one
//! connection: session, rules and rows together.

mod actions;
pub(crate) mod answer;
mod api;
mod auth;
mod body;
pub(crate) mod bulk;
mod call;
mod csrf;
pub(crate) mod csv;
mod dispatch;
mod expand;
pub(crate) mod factor;
pub(crate) mod fairing;
pub(crate) mod files;
pub(crate) mod handler;
mod headers;
mod health;
pub(crate) mod idempotency;
pub(crate) mod incoming;
pub(crate) mod invitations;
pub(crate) mod limits;
mod needed;
#[cfg(feature = "oidc")]
mod oidc;
mod openapi;
pub mod params;
mod problem;
mod recovery;
pub(crate) mod refusal;
pub(crate) mod repeated;
mod reports;
pub(crate) mod request_log;
pub(crate) mod routes;
pub(crate) mod sessions;
pub(crate) mod slots;
pub(crate) mod state;
pub(crate) mod tenant;
pub(crate) mod throttle;
pub(crate) mod upload;

pub(crate) use actions::perform;
pub use call::{Call, Reply};
