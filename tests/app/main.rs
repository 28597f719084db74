//! The example application over real HTTP, on SQLite and on PostgreSQL from one source.

mod access;
mod accounts;
mod api;
mod auth;
mod client;
mod clock;
mod moves;
mod pages;
mod replaced;
mod server;
mod start;
mod timed;

#[path = "../../examples/tasks/fieldwork.rs"]
mod fieldwork;

pub(crate) use server::on_both_engines;
