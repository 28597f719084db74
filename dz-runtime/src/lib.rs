//! What generated dz applications call: data access, access control, HTTP and pages.
//!
//! Generated code holds only descriptions ([`def`]) and thin typed shims; all behaviour is here, once.
//! Read in this order: [`def`], [`Value`], [`db`], [`access`], [`Tx`], [`rows`], [`App`], [`http`], [`page`].

pub mod access;
pub mod accounts;
mod app;
pub(crate) mod audit;
mod blocking;
mod caller;
mod clock;
mod config;
mod cx;
pub mod db;
pub mod def;
pub mod entity;
mod enumeration;
mod error;
mod event;
pub mod field;
mod files;
pub mod hooks;
pub mod http;
mod label;
mod mail;
mod outbox;
mod output;
pub mod page;
mod plan;
mod record;
#[doc(hidden)]
pub mod reexport;
pub mod rows;
pub mod scoped;
mod secrets;
pub mod seed;
pub mod sql_types;
mod state;
mod suggest;
#[doc(hidden)]
pub mod table;
mod template;
pub(crate) mod tenancy;
#[cfg(feature = "testing")]
pub mod testing;
mod tx;
mod value;
mod worker;
#[doc(hidden)]
pub mod written;

pub use app::{App, log_to_stderr};
pub use caller::{Account, Caller, Membership, TokenScope};
pub use clock::Clock;
pub use cx::{Cx, Role, RoleName, SignedIn};
pub use error::{Category, Error, Result, Severity};
pub use event::{Event, Happened, SystemCx};
pub use field::File;
pub use hooks::Hooks;
pub use mail::{Mail, MailKind};
pub use plan::{Plan, Reading};
pub use record::{Draft, Entity, Given};
pub use scoped::{Scoped, ScopedRows, scoped};
#[doc(hidden)]
pub use serde as __serde;
pub use tx::Tx;
pub use value::{FromValue, IntoValue, Value};

/// The database engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// SQLite, compiled in.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

/// The engine of an application: the one that is compiled in, or the one that `dz.toml` names. Generated code
/// calls this in a constant, so that a missing choice is a compile error.
pub const fn engine(choice: Option<&str>) -> Engine {
    let both = cfg!(feature = "sqlite") && cfg!(feature = "postgres");
    match choice {
        Some(name) if both => match name.as_bytes() {
            b"postgres" => Engine::Postgres,
            _ => Engine::Sqlite,
        },
        None if both => panic!(
            "both engines are compiled in; say which one this application uses: `database = \"sqlite\"` under `[project]` in dz.toml"
        ),
        _ if cfg!(feature = "postgres") => Engine::Postgres,
        _ if cfg!(feature = "sqlite") => Engine::Sqlite,
        _ => panic!("no database engine is compiled in; turn on the feature `sqlite` or `postgres` of dz"),
    }
}
