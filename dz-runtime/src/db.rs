//! The database: connections, statements, SQL types, the schema, and expressions as SQL.

mod conn;
pub mod emit;
mod pool;
pub mod schema;
mod statement;

pub use conn::Conn;
pub use pool::{Database, DatabaseConfig};
pub use statement::Statement;
