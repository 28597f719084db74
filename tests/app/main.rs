//! The example application over real HTTP, on SQLite and on PostgreSQL from one source.

mod access;
mod api;
mod auth;
mod client;
mod pages;
mod server;
mod start;

#[path = "../../examples/tasks/fieldwork.rs"]
mod fieldwork;

/// One test per engine from one function.
macro_rules! on_both_engines {
    ($($(#[$meta:meta])* $name:ident;)*) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name(crate::server::sqlite()); })*
        }
        mod postgres {
            $(#[test] fn $name() { super::$name(crate::server::postgres()); })*
        }
    };
}
pub(crate) use on_both_engines;
