//! Use of the application in headless Chromium, on SQLite and on PostgreSQL from one source.

mod accessibility;
mod actions;
mod boards;
mod browser;
mod examples;
mod forms;
mod injection;
mod invitations;
mod layout;
mod lists;
mod markup;
mod new_rows;
#[cfg(feature = "oidc")]
mod oidc;
mod orchard;
mod palette;
mod refresh;
mod screenshots;
mod selection;
mod sign_in;
mod without_script;

#[path = "../app/client.rs"]
#[allow(dead_code, reason = "the tests over HTTP use more of it")]
mod client;
#[path = "../../examples/tasks/fieldwork.rs"]
mod fieldwork;
#[cfg(feature = "oidc")]
#[path = "../app/oidc/provider.rs"]
#[allow(dead_code, reason = "the tests over HTTP use more of it")]
mod provider;
#[path = "../app/workspaces/depot.rs"]
#[allow(dead_code, reason = "the tests over HTTP use more of it")]
mod regions;
#[path = "../app/server.rs"]
#[allow(dead_code, reason = "the tests over HTTP use more of it")]
mod server;
#[path = "../../examples/shop/shop.rs"]
mod shop;
#[path = "../../examples/clinic/clinic.rs"]
mod vets;

pub(crate) use server::on_both_engines;
