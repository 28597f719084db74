//! Property graphs over HTTP, on SQLite and on PostgreSQL from one source.

#[path = "../app/client.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod client;
#[path = "../app/server.rs"]
#[allow(dead_code, unused_imports, unused_macros, reason = "other tests use the rest")]
mod server;

#[path = "../../examples/tasks/fieldwork.rs"]
#[allow(dead_code, reason = "the server of other tests names it")]
mod fieldwork;

mod acyclic;
mod answers;
#[path = "../browser/browser.rs"]
#[allow(dead_code, reason = "the tests of other pages use the rest")]
mod browser;
mod changes;
mod drawing;
mod figures;
mod kinds;
mod limits;
mod memory;
mod pages;
mod paths;
mod proof;
mod random;
mod readers;

pub(crate) use server::served_on_both;
