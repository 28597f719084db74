//! A database for one proof, which is deleted at its end.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
};

#[cfg(feature = "sqlite")]
use std::sync::Mutex;

use super::environment;
#[cfg(feature = "sqlite")]
use crate::db::{
    Conn,
    open::{self, Purpose, Target},
};
use crate::{Engine, Error, Result};

static COUNT: AtomicU32 = AtomicU32::new(0);

/// The location of the database.
pub(super) enum TestDatabase {
    File(PathBuf),
    /// A database in memory, which exists until its last connection is closed.
    #[cfg(feature = "sqlite")]
    Memory {
        url: String,
        _connection: Box<Mutex<Conn>>,
    },
    Server {
        server: String,
        name: String,
    },
}

impl TestDatabase {
    /// # Errors
    /// If the server of `DZ_TEST_POSTGRES` cannot create one.
    pub fn new(engine: Engine) -> Result<TestDatabase> {
        let name = format!("dz_proof_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        match engine {
            Engine::Sqlite => Ok(TestDatabase::File(std::env::temp_dir().join(name + ".db"))),
            Engine::Postgres => {
                let server = environment::read_process().server.ok_or_else(|| {
                    Error::internal("set `DZ_TEST_POSTGRES` to the address of a PostgreSQL server on which the test may create databases")
                })?;
                execute(&server, &format!("CREATE DATABASE \"{name}\""))?;
                Ok(TestDatabase::Server { server, name })
            }
        }
    }

    /// A database in memory.
    #[cfg(feature = "sqlite")]
    fn in_memory() -> Result<TestDatabase> {
        let url = format!("{}dz_test_{}_{}", open::MEMORY, std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let connection = Target::parse(Engine::Sqlite, &url)?.connect(Purpose::Write)?;
        Ok(TestDatabase::Memory { url, _connection: Box::new(Mutex::new(connection)) })
    }

    /// A database in memory, or on the server of `DZ_TEST_POSTGRES` if SQLite is not compiled in.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn usual() -> Result<(Engine, TestDatabase)> {
        #[cfg(feature = "sqlite")]
        return Ok((Engine::Sqlite, TestDatabase::in_memory()?));
        #[cfg(not(feature = "sqlite"))]
        return Ok((Engine::Postgres, TestDatabase::new(Engine::Postgres)?));
    }

    /// A new database on a server of PostgreSQL.
    ///
    /// # Errors
    /// If the server cannot create one.
    pub fn on_server(server: &str) -> Result<TestDatabase> {
        let name = format!("dz_test_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        execute(server, &format!("CREATE DATABASE \"{name}\""))?;
        Ok(TestDatabase::Server { server: server.to_owned(), name })
    }

    pub fn url(&self) -> String {
        match self {
            #[cfg(feature = "sqlite")]
            TestDatabase::Memory { url, .. } => url.clone(),
            TestDatabase::File(path) => format!("sqlite://{}", path.display()),
            TestDatabase::Server { server, name } => {
                let host = server.rsplit_once('/').map_or(server.as_str(), |(host, _)| host);
                format!("{host}/{name}")
            }
        }
    }
}

#[cfg(feature = "postgres")]
fn execute(server: &str, sql: &str) -> Result<()> {
    use diesel::connection::{Connection as _, SimpleConnection as _};
    let mut conn = diesel::pg::PgConnection::establish(server).map_err(Error::internal)?;
    conn.batch_execute(sql).map_err(Error::internal)
}

#[cfg(not(feature = "postgres"))]
fn execute(_: &str, _: &str) -> Result<()> {
    Err(Error::internal("PostgreSQL is not compiled in"))
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        match self {
            #[cfg(feature = "sqlite")]
            TestDatabase::Memory { .. } => {}
            TestDatabase::File(path) => {
                for suffix in ["", "-wal", "-shm"] {
                    let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
                }
            }
            TestDatabase::Server { server, name } => {
                let _ = execute(server, &format!("DROP DATABASE IF EXISTS \"{name}\" WITH (FORCE)"));
            }
        }
    }
}
