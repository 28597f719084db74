//! A connection of the benchmark itself, for statements written by hand.

use std::time::Instant;

use diesel::{Connection as _, PgConnection, RunQueryDsl as _, SqliteConnection, connection::SimpleConnection};

use crate::requests::Outcome;

/// An open connection.
pub enum Bare {
    /// To a file of SQLite.
    Sqlite(SqliteConnection),
    /// To a server of PostgreSQL.
    Postgres(PgConnection),
}

/// A number of a statement.
#[derive(diesel::QueryableByName)]
struct Number {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    n: i64,
}

/// A text of a statement.
#[derive(diesel::QueryableByName)]
struct Text {
    #[diesel(sql_type = diesel::sql_types::Text)]
    t: String,
}

impl Bare {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn sqlite(file: &str) -> Outcome<Bare> {
        let mut conn = SqliteConnection::establish(file)?;
        conn.batch_execute("PRAGMA busy_timeout = 60000; PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 134217728")?;
        Ok(Bare::Sqlite(conn))
    }

    /// Connects to a server.
    ///
    /// # Errors
    /// If it refuses.
    pub fn postgres(url: &str) -> Outcome<Bare> {
        Ok(Bare::Postgres(PgConnection::establish(url)?))
    }

    /// Runs SQL to its end, the rows included, and returns the milliseconds that it took.
    ///
    /// # Errors
    /// Errors of the database.
    pub fn run(&mut self, sql: &str) -> Outcome<f64> {
        let start = Instant::now();
        match self {
            Bare::Sqlite(conn) => conn.batch_execute(sql)?,
            Bare::Postgres(conn) => conn.batch_execute(sql)?,
        }
        Ok(start.elapsed().as_secs_f64() * 1_000.0)
    }

    /// The number `n` of the first row of a statement.
    ///
    /// # Errors
    /// If there is none.
    pub fn number(&mut self, sql: &str) -> Outcome<i64> {
        let rows: Vec<Number> = match self {
            Bare::Sqlite(conn) => diesel::sql_query(sql).load(conn)?,
            Bare::Postgres(conn) => diesel::sql_query(sql).load(conn)?,
        };
        Ok(rows.first().ok_or("no row")?.n)
    }

    /// The text `t` of each row of a statement.
    ///
    /// # Errors
    /// Errors of the database.
    pub fn texts(&mut self, sql: &str) -> Outcome<Vec<String>> {
        let rows: Vec<Text> = match self {
            Bare::Sqlite(conn) => diesel::sql_query(sql).load(conn)?,
            Bare::Postgres(conn) => diesel::sql_query(sql).load(conn)?,
        };
        Ok(rows.into_iter().map(|row| row.t).collect())
    }
}
