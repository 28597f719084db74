//! The database: connections, statements, SQL types, the schema, and expressions as SQL.

pub(crate) mod backup_lease;
pub(crate) mod backup_time;
pub(crate) mod batch;
mod catalogue;
mod changes;
mod conn;
pub(crate) mod deadline;
pub mod emit;
mod encode;
pub(crate) mod facts;
mod failure;
#[cfg(feature = "sqlite")]
mod functions;
pub(crate) mod graph_version;
mod lease_clock;
pub mod migrate;
#[cfg(feature = "postgres")]
mod notices;
pub(crate) mod open;
mod ops;
pub(crate) mod partitions;
mod pool;
pub(crate) mod pooler;
mod positions;
pub(crate) mod probe;
mod process_lock;
pub(crate) mod replicas;
pub(crate) mod row_security;
pub mod schema;
pub(crate) mod shared_limits;
mod signature;
pub(crate) mod slow_statement;
mod statement;
mod statement_count;
pub(crate) mod statement_log;
mod visible_rows;
mod wake;

pub(crate) use changes::Change;
#[cfg(feature = "graphql")]
pub(crate) use changes::{Changes, Next};
pub use conn::Conn;
pub(crate) use failure::{accepts_no_changes, is_collision};
pub(crate) use pool::PoolUse;
pub use pool::{Database, DatabaseConfig};
pub(crate) use process_lock::ProcessLock;
pub(crate) use replicas::ReplicaState;
pub use statement::{BindKind, Statement};
pub(crate) use statement_count::count_statements;
pub(crate) use visible_rows::{DELETED_AT, rows_without_tenant};
pub(crate) use wake::{DueWork, Wake, Work};

/// The hidden column with the time at which a row entered its state.
pub(crate) const STATE_SINCE: &str = "dz_state_since";

#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
pub(crate) mod testing;
#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
mod tests;
