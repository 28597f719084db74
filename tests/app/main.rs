//! The example application over real HTTP, on SQLite and on PostgreSQL from one source.

mod access;
mod accounts;
mod addresses;
mod api;
mod attacks;
mod audit;
mod auth;
mod bulk;
mod client;
mod clinic;
mod clock;
mod computed;
mod conditional;
mod csv;
mod currencies;
mod depot;
mod factor;
mod files;
mod floods;
mod idempotency;
mod instances;
mod jobs;
mod kept;
mod labels;
mod library;
mod money;
mod moves;
#[cfg(feature = "oidc")]
mod oidc;
mod openapi;
mod output;
mod pages;
mod plan;
mod proof;
mod proxy;
mod relations;
mod replaced;
mod routes;
mod scoped;
mod server;
mod sessions;
mod start;
mod steady;
mod tenants;
mod timed;
mod values;
mod variants;

#[path = "../../examples/tasks/fieldwork.rs"]
mod fieldwork;
#[path = "../../examples/clinic/clinic.rs"]
mod vets;

pub(crate) use server::{on_both_engines, served_on_both};
