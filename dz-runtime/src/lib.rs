//! What generated dz applications call: data access, access control, HTTP and pages.
//!
//! Generated code holds only descriptions ([`def`]) and thin typed shims; all behaviour is here, once.
//! Read in this order: [`def`], [`Value`], [`db`], [`access`], [`Tx`], [`rows`], [`App`], [`http`], [`page`].

pub mod access;
pub mod accounts;
mod app;
mod caller;
mod cx;
pub mod db;
pub mod def;
pub mod entity;
mod error;
pub mod field;
pub mod hooks;
pub mod http;
pub mod page;
pub mod rows;
pub mod scoped;
pub mod seed;
pub mod sql_types;
mod tx;
mod value;

pub use app::App;
pub use caller::{Account, Caller};
pub use cx::Cx;
pub use entity::{Draft, Entity, Given};
pub use error::{Category, Error, Result, Severity};
pub use scoped::{RowCondition, Scoped, scoped};
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
