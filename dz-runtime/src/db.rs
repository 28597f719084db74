//! The database: connections, statements, SQL types, the schema, and expressions as SQL.

mod catalogue;
mod conn;
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
mod wake;
pub(crate) mod watch;

pub use conn::Conn;
pub(crate) use live::{DELETED_AT, untenanted};
pub use pool::{Database, DatabaseConfig};
pub use statement::{BindKind, Statement};
pub(crate) use wake::Wake;

/// The hidden column that says since when a row is in its state.
pub(crate) const STATE_SINCE: &str = "dz_state_since";

#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
pub(crate) mod testing;
#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
mod tests;
