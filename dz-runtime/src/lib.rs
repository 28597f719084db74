//! What generated dz applications call: data access, access control, HTTP and pages.
//!
//! Generated code holds only descriptions ([`def`]) and thin typed shims; all behaviour is here, once.
//! Read in this order: [`def`], [`Value`], [`db`], [`access`], [`Tx`], [`rows`], [`App`], [`http`], [`page`].

pub mod access;
mod app;
mod caller;
mod cx;
pub mod db;
pub mod def;
mod error;
pub mod field;
pub mod http;
pub mod page;
pub mod rows;
pub mod sql_types;
mod tx;
mod value;

pub use app::App;
pub use caller::{Account, Caller};
pub use cx::Cx;
pub use error::{Category, Error, Result, Severity};
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
