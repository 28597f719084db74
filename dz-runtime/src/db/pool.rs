//! The pool: SQLite with one writer and several readers, PostgreSQL with a bounded pool.

use super::Conn;
use crate::{Engine, Error};

/// Where the database is and how it is used.
#[derive(Debug, Clone)]
pub struct DatabaseConfig {
    /// `sqlite://path`, `postgres://…`
    pub url: String,
    /// Connections in all (readers on SQLite).
    pub size: u32,
}

/// A pool of connections.
#[derive(Clone)]
pub struct Database {}

impl Database {
    /// Opens the database. Errors name the culprit and the way out in one sentence.
    pub fn open(engine: Engine, config: &DatabaseConfig) -> Result<Database, Error> {
        let _ = (engine, config);
        todo!()
    }

    /// Runs `work` on a connection for reading.
    pub fn read<T>(&self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        let _ = work;
        todo!()
    }

    /// Runs `work` on a connection for writing, inside a transaction.
    pub fn write<T>(&self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        let _ = work;
        todo!()
    }
}
