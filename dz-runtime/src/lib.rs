//! The runtime that generated applications call: data access, access control, HTTP and pages.
//!
//! Generated code contains only descriptions ([`def`]) and thin typed wrappers; all behaviour is in this crate.
//! The modules are in layers, the lowest first; `tests/layers/runtime.rs` lists them in order. Read in this order: [`def`], [`Value`],
//! [`db`], [`access`], [`Tx`], [`rows`], [`web`], [`App`].

// The layer `base`.
#[macro_use]
mod texts;
mod blocking;
mod clock;
mod error;
mod metrics;
#[cfg(feature = "adapters")]
mod otlp;
mod output;
mod secrets;
pub mod sql_types;
mod suggest;
mod trace;
mod value;

// The layer `definition`.
mod caller;
mod config;
pub mod def;
pub mod field;
mod label;
mod languages;
mod preferences;
#[doc(hidden)]
pub mod record;
mod role;
mod template;

// The layer `store`.
pub mod db;
#[doc(hidden)]
pub mod draft;
mod enumeration;
#[doc(hidden)]
pub mod signature;
#[doc(hidden)]
pub mod table;

// The layer `rules`.
pub mod access;
pub(crate) mod tenancy;

// The layer `rows`.
pub(crate) mod audit;
mod event;
mod experience;
mod files;
pub mod hooks;
mod job;
mod outbox;
pub mod rows;
pub mod scoped;
mod service;
mod tx;
pub mod typed_rows;

// The layer `identity`.
pub mod accounts;
mod mail;
pub mod seed;
mod state;

// The layer `jobs`.
mod process;
mod worker;

// The layer `features`.
#[cfg(feature = "adapters")]
pub mod adapter;
mod graph;
#[cfg(feature = "graphql")]
pub(crate) mod graphql;
mod llm;

// The layer `web`.
pub mod web;

// The layer `app`.
mod app;
mod plan;

// The layer `testing`.
#[cfg(feature = "testing")]
pub mod testing;

// Names of other crates, for applications.
#[doc(hidden)]
pub mod reexport;

pub use app::{App, log_to_stderr};
pub use caller::{Account, Caller, Membership, TokenScope};
pub use clock::Clock;
pub use error::{Category, Error, NormalizedError, Result, Severity};
pub use event::{
    Event, Happened, SystemCx,
    run::{RunError, RunEvent, RunHappened},
};
pub use field::File;
pub use hooks::Hooks;
pub use job::{Job, JobCx, JobOptions, SpawnedJob};
pub use llm::{LlmFailure, LlmMessage, LlmProvider, LlmRequest, LlmResponse};
pub use mail::{Mail, MailKind};
pub use plan::{Plan, Reading};
pub use record::{Change, Draft, Entity, FieldValues, Id, InvalidId, NewRow, RawKey};
pub use role::DeclaredRole;
pub use scoped::{Scoped, ScopedRows, scoped};
#[doc(hidden)]
pub use serde as __serde;
#[doc(hidden)]
pub use serde_json as __serde_json;
pub use service::{CallIntent, CallService, IntentCall, Service, ServiceCall, ServiceCx, Services};
pub use trace::traceparent;
pub use tx::Tx;
pub use value::{FromValue, IntoValue, Value};
#[doc(hidden)]
pub use web::cx::resolve_role;
pub use web::cx::{Cx, Role, RoleName, SignedIn};
pub use web::page;

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
        None if both => {
            panic!("both engines are compiled in; select the one of this application: `database = \"sqlite\"` under `[project]` in dz.toml")
        }
        _ if cfg!(feature = "postgres") => Engine::Postgres,
        _ if cfg!(feature = "sqlite") => Engine::Sqlite,
        _ => panic!("no database engine is compiled in; turn on the feature `sqlite` or `postgres` of dz"),
    }
}

/// Only builds with the feature `testing` have examples of new rows.
#[cfg(not(feature = "testing"))]
#[doc(hidden)]
#[macro_export]
macro_rules! fake {
    ($new:ident) => {};
}
