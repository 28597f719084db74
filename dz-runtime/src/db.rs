//! The database: connections, statements, SQL types, the schema, and expressions as SQL.

mod catalogue;
mod conn;
mod count;
pub mod emit;
mod encode;
mod failure;
pub(crate) mod fence;
#[cfg(feature = "sqlite")]
mod functions;
mod live;
pub mod migrate;
mod open;
mod ops;
mod pool;
pub(crate) mod probe;
pub mod schema;
mod signature;
mod statement;
#[cfg_attr(not(feature = "sqlite"), allow(dead_code, reason = "PostgreSQL has its own types for most of it"))]
pub(crate) mod storage;
pub(crate) mod watch;

pub use conn::Conn;
pub(crate) use count::count;
pub(crate) use live::{DELETED_AT, untenanted};
pub use pool::{Database, DatabaseConfig};
pub use statement::{BindKind, Statement};

/// The hidden column that says since when a row is in its state.
pub(crate) const STATE_SINCE: &str = "dz_state_since";

#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
pub(crate) mod testing;
#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
mod tests;
