//! The database: connections, transactions, and the tables of a new database.

use std::time::Duration;

use diesel::{
    RunQueryDsl,
    connection::SimpleConnection,
    r2d2::{ConnectionManager, CustomizeConnection, Pool},
};

use crate::problem::{Problem, Result};

#[cfg(feature = "postgres")]
mod engine {
    /// The engine of the database.
    pub type Engine = diesel::pg::Pg;
    /// A connection to it.
    pub type Connection = diesel::PgConnection;
    /// The statements that create the tables.
    pub const SCHEMA: &str = include_str!("../schema/postgres.sql");
    /// What every connection begins with.
/*IF NO TENANTS*/    pub const SETTINGS: &str = "SET TIME ZONE 'UTC'";
/*END NO TENANTS*//*IF TENANTS*/    ///
    /// The policies of the tables show the rows of every tenant until a transaction names one, see `tenancy`.
    pub const SETTINGS: &str = "SET TIME ZONE 'UTC'; SET dz.tenant = '*'; SET dz.members = '*'";
/*END TENANTS*/
}

#[cfg(not(feature = "postgres"))]
mod engine {
    /// The engine of the database.
    pub type Engine = diesel::sqlite::Sqlite;
    /// A connection to it.
    pub type Connection = diesel::SqliteConnection;
    /// The statements that create the tables.
    pub const SCHEMA: &str = include_str!("../schema/sqlite.sql");
    /// What every connection begins with: readers do not wait for the writer, and references are checked.
    pub const SETTINGS: &str =
        "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;";
}

pub use engine::{Connection, Engine};

/// SQLite's own `lower` changes the letters A to Z only.
#[cfg(not(feature = "postgres"))]
#[diesel::declare_sql_function]
extern "SQL" {
    fn lower_unicode(text: diesel::sql_types::Nullable<diesel::sql_types::Text>) -> diesel::sql_types::Nullable<diesel::sql_types::Text>;
}

/// How long a request waits for a free connection.
const WAIT: Duration = Duration::from_secs(5);

/// The connections.
#[derive(Clone)]
pub struct Database {
    pool: Pool<ConnectionManager<Connection>>,
}

#[derive(Debug)]
struct Settings;

impl CustomizeConnection<Connection, diesel::r2d2::Error> for Settings {
    fn on_acquire(&self, connection: &mut Connection) -> Result<(), diesel::r2d2::Error> {
        #[cfg(not(feature = "postgres"))]
        lower_unicode_utils::register_impl(connection, |text: Option<String>| text.map(|text| text.to_lowercase()))
            .and_then(|()| crate::calculate::register(connection))
            .map_err(diesel::r2d2::Error::QueryError)?;
        connection.batch_execute(engine::SETTINGS).map_err(diesel::r2d2::Error::QueryError)
    }
}

impl Database {
    /// Opens the database of an address such as `sqlite://app.db` or `postgres://…`, and creates its tables if it has none.
    pub fn open(url: &str) -> Result<Database, String> {
        let is_postgres = url.starts_with("postgres://") || url.starts_with("postgresql://");
        if is_postgres != cfg!(feature = "postgres") {
            return Err(match is_postgres {
                true => "DATABASE_URL is a PostgreSQL server; build with `--features postgres`".to_owned(),
                false => "DATABASE_URL must begin with postgres://, because the program was built with `--features postgres`".to_owned(),
            });
        }
        let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:")).unwrap_or(url);
        let manager = ConnectionManager::new(path);
        let builder = Pool::builder().max_size(8).connection_timeout(WAIT).connection_customizer(Box::new(Settings));
        let pool = builder.build(manager).map_err(|error| format!("the database cannot be opened: {error}"))?;
        let database = Database { pool };
        database.create_tables().map_err(|problem| format!("the tables cannot be created: {}", problem.log_text()))?;
        Ok(database)
    }

    /// Creates the tables of an empty database, once also if several processes start at the same time.
    fn create_tables(&self) -> Result<()> {
        self.write(|connection| {
            if cfg!(feature = "postgres") {
                // The number only needs to be the same in every process of this application.
                connection.batch_execute("SELECT pg_advisory_xact_lock(7234298789364719981)")?;
            }
            let exists = diesel::sql_query(if cfg!(feature = "postgres") {
                "SELECT count(*) AS count FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'dz_meta'"
            } else {
                "SELECT count(*) AS count FROM sqlite_master WHERE type = 'table' AND name = 'dz_meta'"
            });
            let found: Count = exists.get_result(connection)?;
            if found.count == 0 {
                connection.batch_execute(engine::SCHEMA)?;
            }
            Ok(())
        })
    }

    /// Runs work that only reads.
    pub fn read<T>(&self, work: impl FnOnce(&mut Connection) -> Result<T>) -> Result<T> {
        let mut connection = self.pool.get().map_err(Problem::unavailable)?;
/*IF TENANTS*/        // The tenant is set for one transaction.
        #[cfg(feature = "postgres")]
        return diesel::Connection::transaction(&mut *connection, work);
        #[cfg(not(feature = "postgres"))]
/*END TENANTS*/        work(&mut connection)
    }

    /// Runs work in one transaction, which is kept only if the work succeeds.
    pub fn write<T>(&self, work: impl FnOnce(&mut Connection) -> Result<T>) -> Result<T> {
        let mut connection = self.pool.get().map_err(Problem::unavailable)?;
        #[cfg(feature = "postgres")]
        return diesel::Connection::transaction(&mut *connection, work);
        // SQLite has one writer. A transaction that begins by reading could not become a writer later.
        #[cfg(not(feature = "postgres"))]
        connection.immediate_transaction(work)
    }
}

#[derive(diesel::QueryableByName)]
struct Count {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    count: i64,
}
