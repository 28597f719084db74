//! The web layer: requests, responses, the JSON API, sign-in, files and pages.
//!
//! The Rocket handler converts a request to a [`Call`]. One job on a blocking thread and one connection loads the session, checks the
//! rules, reads or writes rows, and returns a [`Reply`].

pub mod api;
pub(crate) mod auth;
mod call;
pub(crate) mod cookies;
pub(crate) mod cx;
mod dispatch;
pub(crate) mod files;
#[cfg(all(feature = "graphql", debug_assertions))]
mod graphiql;
#[cfg(feature = "graphql")]
mod graphql;
mod health;
pub mod page;
pub(crate) mod request;
pub(crate) mod response;
pub(crate) mod routes;
pub(crate) mod server;
mod typed_key;

pub use call::{Call, Reply};
