//! Databases for tests: the same test runs on each engine, and the databases are removed afterwards.

pub(crate) mod schema;

use std::{
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
};

use diesel::connection::{Connection, SimpleConnection};

use super::{Database, DatabaseConfig};
use crate::Engine;

static COUNT: AtomicU32 = AtomicU32::new(0);

fn unique() -> String {
    format!("dz_test_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Runs a test on an empty database of each engine.
pub(crate) fn each_engine(test: impl Fn(&Database)) {
    let file = File(std::env::temp_dir().join(unique() + ".db"));
    test(&open(Engine::Sqlite, &file.url()));
    drop(file);
    let server = Server::new();
    test(&open(Engine::Postgres, &server.url()));
}

fn open(engine: Engine, url: &str) -> Database {
    Database::open(engine, &DatabaseConfig { url: url.to_owned(), size: 3, row_security: false, idle: DatabaseConfig::IDLE }).unwrap()
}

/// A file for SQLite, which is removed together with the files that SQLite creates beside it.
pub(crate) struct File(pub(crate) PathBuf);

impl File {
    pub(crate) fn new() -> File {
        File(std::env::temp_dir().join(unique() + ".db"))
    }

    pub(crate) fn url(&self) -> String {
        format!("sqlite://{}", self.0.display())
    }
}

impl Drop for File {
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{suffix}", self.0.display()));
        }
    }
}

/// A database on the PostgreSQL server, dropped at the end.
pub(crate) struct Server {
    server: String,
    name: String,
}

impl Server {
    pub(crate) fn new() -> Server {
        let server =
            std::env::var("DZ_TEST_POSTGRES").expect("set `DZ_TEST_POSTGRES` to the address of a PostgreSQL server, as ./test.sh does");
        let name = unique();
        let made = Server { server, name };
        made.run(&format!("CREATE DATABASE \"{}\"", made.name));
        made
    }

    pub(crate) fn url(&self) -> String {
        let (host, _) = self.server.rsplit_once('/').expect("the address of a server ends in a database");
        format!("{host}/{}", self.name)
    }

    fn run(&self, sql: &str) {
        diesel::pg::PgConnection::establish(&self.server).unwrap().batch_execute(sql).unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.run(&format!("DROP DATABASE \"{}\" WITH (FORCE)", self.name));
        // A test can have created a role that owned its database.
        self.run(&format!("DROP ROLE IF EXISTS \"{}_role\"", self.name));
    }
}
