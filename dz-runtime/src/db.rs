//! The database: connections, statements, SQL types, the schema, and expressions as SQL.

mod catalogue;
mod conn;
mod count;
pub mod emit;
mod encode;
mod failure;
#[cfg(feature = "sqlite")]
mod functions;
pub mod migrate;
mod open;
mod ops;
mod pool;
pub(crate) mod probe;
pub(crate) mod row_security;
pub mod schema;
mod signature;
mod statement;
mod visible_rows;
mod wake;
pub(crate) mod watch;

pub use conn::Conn;
pub(crate) use count::count;
pub use pool::{Database, DatabaseConfig};
pub use statement::{BindKind, Statement};
pub(crate) use visible_rows::{DELETED_AT, untenanted};
pub(crate) use wake::Wake;

/// The hidden column that says since when a row is in its state.
pub(crate) const STATE_SINCE: &str = "dz_state_since";

#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
pub(crate) mod testing;
#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
mod tests;
