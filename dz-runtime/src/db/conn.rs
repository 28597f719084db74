//! One connection, to either engine.

use std::sync::{Arc, OnceLock};

#[cfg(feature = "postgres")]
use diesel::pg::PgConnection;
#[cfg(feature = "sqlite")]
use diesel::sqlite::SqliteConnection;
use diesel::{
    connection::{
        AnsiTransactionManager, Connection, DefaultLoadingMode, LoadConnection, SimpleConnection, TransactionManager,
        TransactionManagerStatus,
    },
    result::QueryResult,
};

use crate::{
    Caller, Engine, Error, Value,
    db::{
        Statement, encode,
        failure::{self, Verb},
        row_security::{self, SessionSettings},
        statement::BindKind,
        statement_count, statement_log,
    },
    secrets::Secrets,
};

/// How often a transaction runs again after a collision with another one.
const RETRIES: u32 = 5;

/// One connection, to either engine. Counts its statements, so that tests can hold pages to a budget.
pub struct Conn {
    inner: Inner,
    pub(crate) statements: u64,
    broken: bool,
    /// True when the loops of the worker have to look once this is committed.
    wake_requested: bool,
    /// What policies are to be told, where there are some; what they were told last in this transaction.
    row_security_enabled: bool,
    settings: SessionSettings,
    applied: Option<SessionSettings>,
    shared: Arc<Shared>,
}

/// What all connections of a pool know.
#[derive(Default)]
pub(super) struct Shared {
    /// Which columns each constraint is about; not known before the schema was looked at.
    constraints: OnceLock<&'static str>,
    /// The keys for what is encrypted at rest.
    pub(super) secrets: OnceLock<Secrets>,
}

enum Inner {
    #[cfg(feature = "sqlite")]
    Sqlite(SqliteConnection),
    #[cfg(feature = "postgres")]
    Postgres(PgConnection),
}

/// Runs the same code with the connection of whichever engine it is.
macro_rules! either {
    ($inner:expr, $conn:ident => $body:expr) => {
        match $inner {
            #[cfg(feature = "sqlite")]
            Inner::Sqlite($conn) => $body,
            #[cfg(feature = "postgres")]
            Inner::Postgres($conn) => $body,
        }
    };
}

impl Conn {
    fn new(inner: Inner) -> Conn {
        let settings = row_security::system_settings();
        Conn {
            inner,
            statements: 0,
            broken: false,
            wake_requested: false,
            row_security_enabled: false,
            settings,
            applied: None,
            shared: Arc::default(),
        }
    }

    #[cfg(feature = "sqlite")]
    pub(crate) fn from_sqlite(conn: SqliteConnection) -> Conn {
        Conn::new(Inner::Sqlite(conn))
    }

    #[cfg(feature = "postgres")]
    pub(crate) fn from_postgres(conn: PgConnection) -> Conn {
        Conn::new(Inner::Postgres(conn))
    }

    /// The engine.
    pub fn engine(&self) -> Engine {
        match self.inner {
            #[cfg(feature = "sqlite")]
            Inner::Sqlite(_) => Engine::Sqlite,
            #[cfg(feature = "postgres")]
            Inner::Postgres(_) => Engine::Postgres,
        }
    }

    /// diesel's connection, when the engine is SQLite.
    #[cfg(feature = "sqlite")]
    pub fn sqlite(&mut self) -> Option<&mut SqliteConnection> {
        match &mut self.inner {
            Inner::Sqlite(conn) => Some(conn),
            #[cfg(feature = "postgres")]
            Inner::Postgres(_) => None,
        }
    }

    /// diesel's connection, when the engine is PostgreSQL.
    #[cfg(feature = "postgres")]
    pub fn postgres(&mut self) -> Option<&mut PgConnection> {
        match &mut self.inner {
            #[cfg(feature = "sqlite")]
            Inner::Sqlite(_) => None,
            Inner::Postgres(conn) => Some(conn),
        }
    }

    /// Notes that there is something for the worker to look at, once the transaction is committed.
    pub(crate) fn request_wake(&mut self) {
        self.wake_requested = true;
    }

    /// Whether there was something to look at since the last time.
    pub(crate) fn take_wake_request(&mut self) -> bool {
        std::mem::take(&mut self.wake_requested)
    }

    /// Counts a statement that is about to run.
    pub(crate) fn count(&mut self) {
        self.statements += 1;
        statement_count::add();
    }

    /// How many statements ran on this connection since it was opened.
    pub fn statements(&self) -> u64 {
        self.statements
    }

    /// Lets policies hold for what runs on this connection.
    pub(crate) fn enable_row_security(&mut self) {
        self.row_security_enabled = self.engine() == Engine::Postgres;
    }

    /// Lets this connection know what the others of its pool know.
    pub(super) fn share(&mut self, shared: &Arc<Shared>) {
        self.shared = Arc::clone(shared);
    }

    /// The keys for what is encrypted at rest.
    pub(crate) fn secrets(&self) -> Secrets {
        self.shared.secrets.get().cloned().unwrap_or_default()
    }

    /// Notes which columns each constraint is about, for every connection of the pool.
    pub(crate) fn set_constraints(&self, constraints: &'static str) {
        self.shared.constraints.get_or_init(|| constraints);
    }

    /// An error of diesel's, with the columns that it is about.
    pub(crate) fn at_columns(&self, error: Error) -> Error {
        failure::at_columns(error, self.shared.constraints.get().copied().unwrap_or_default())
    }

    /// Says for whom what follows runs, until the transaction ends or this is said again.
    pub(crate) fn set_caller(&mut self, caller: &Caller) {
        if self.row_security_enabled {
            self.settings = row_security::settings_for(caller);
        }
    }

    /// Runs `work` as the system itself, and goes on for whom it was.
    pub(crate) fn for_system<T>(&mut self, work: impl FnOnce(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        let own = std::mem::replace(&mut self.settings, row_security::system_settings());
        let done = work(self);
        self.settings = own;
        done
    }

    /// Tells the policies for whom a statement is, where that has changed.
    pub(crate) fn apply_session_settings(&mut self) -> Result<(), Error> {
        // Outside a transaction nothing that is said stays, and no row of a tenant's is seen.
        if !self.row_security_enabled || self.applied.as_ref() == Some(&self.settings) || self.depth() == 0 {
            return Ok(());
        }
        self.count();
        let statement = row_security::statement(&self.settings);
        let touched = either!(&mut self.inner, conn => conn.execute_returning_count(&statement));
        self.translate_error(touched, &statement)?;
        self.applied = Some(self.settings.clone());
        Ok(())
    }

    /// Runs a statement that answers with rows; `columns` says how to read each.
    ///
    /// Errors are those of [`execute`](Conn::execute).
    pub fn rows(&mut self, statement: &Statement, columns: &[BindKind]) -> Result<Vec<Vec<Value>>, Error> {
        self.apply_session_settings()?;
        self.count();
        statement_log::note(statement);
        let rows = match &mut self.inner {
            #[cfg(feature = "sqlite")]
            Inner::Sqlite(conn) => sqlite_rows(conn, statement, columns),
            #[cfg(feature = "postgres")]
            Inner::Postgres(conn) => postgres_rows(conn, statement, columns),
        };
        self.translate_error(rows, statement)
    }

    /// Runs a statement; answers with the number of rows it touched.
    ///
    /// Constraint violations come back as 409 `UNIQUE` (with the column in `field_errors`),
    /// 422 `REFERENCE`, 409 `REFERENCED`, 422 `VALIDATION`; an unreachable database as 503 `UNAVAILABLE`.
    pub fn execute(&mut self, statement: &Statement) -> Result<usize, Error> {
        self.apply_session_settings()?;
        self.count();
        statement_log::note(statement);
        let touched = either!(&mut self.inner, conn => conn.execute_returning_count(statement));
        self.translate_error(touched, statement)
    }

    /// Runs statements that have no parameters, as the schema's.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<(), Error> {
        self.count();
        let done = either!(&mut self.inner, conn => conn.batch_execute(sql));
        self.note_disconnect(done).map_err(Error::from)
    }

    /// Runs statements that have no parameters, as a migration's; an error is what the database says.
    pub(crate) fn script(&mut self, sql: &str) -> Result<(), String> {
        self.count();
        let done = either!(&mut self.inner, conn => conn.batch_execute(sql));
        self.note_disconnect(done).map_err(|error| error.to_string())
    }

    /// Runs `work` in a transaction: `BEGIN IMMEDIATE` on SQLite, retried on PostgreSQL when it was a
    /// serialization failure or deadlock. Rolls back on an error. Inside a transaction it is a savepoint.
    pub fn transaction<T>(&mut self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth() > 0 {
            return self.savepoint(work);
        }
        let mut attempt = 0;
        loop {
            let begun = match &mut self.inner {
                #[cfg(feature = "sqlite")]
                Inner::Sqlite(conn) => AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE"),
                #[cfg(feature = "postgres")]
                Inner::Postgres(conn) => AnsiTransactionManager::begin_transaction(conn),
            };
            self.note_disconnect(begun)?;
            self.reset_settings();
            let result = self.finish(work);
            match result {
                Err(error) if failure::is_collision(&error) && attempt < RETRIES => {
                    // Twins that collided wait for different times, so that they do not collide again.
                    let spread = u64::from(std::process::id()).wrapping_add(self.statements) % 7;
                    std::thread::sleep(std::time::Duration::from_millis((4 << attempt) + spread));
                    attempt += 1;
                }
                result => return result,
            }
        }
    }

    /// Runs `work` in a savepoint of the transaction: what it wrote is undone on an error, and the
    /// transaction stays usable.
    pub fn savepoint<T>(&mut self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        let begun = either!(&mut self.inner, conn => AnsiTransactionManager::begin_transaction(conn));
        self.note_disconnect(begun)?;
        self.finish(work)
    }

    /// Runs `work` on one state of the database: on SQLite in a transaction that only reads.
    pub(crate) fn snapshot<T>(&mut self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        match self.engine() {
            Engine::Postgres if !self.row_security_enabled => work(self),
            _ => {
                self.reset_settings();
                self.savepoint(work)
            }
        }
    }

    /// A transaction begins as the work of the system.
    fn reset_settings(&mut self) {
        (self.settings, self.applied) = (row_security::system_settings(), None);
    }

    fn finish<T>(&mut self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        match work(self) {
            Ok(value) => {
                let committed = either!(&mut self.inner, conn => AnsiTransactionManager::commit_transaction(conn));
                self.note_disconnect(committed)?;
                Ok(value)
            }
            Err(error) => {
                // What was said since then is undone too.
                self.applied = None;
                let undone = either!(&mut self.inner, conn => AnsiTransactionManager::rollback_transaction(conn));
                // The first error is the one that matters; a connection that cannot roll back is not used again.
                self.broken |= undone.is_err();
                Err(error)
            }
        }
    }

    fn depth(&mut self) -> u32 {
        let status = either!(&mut self.inner, conn => AnsiTransactionManager::transaction_manager_status_mut(conn));
        match status {
            TransactionManagerStatus::Valid(status) => status.transaction_depth().map_or(0, u32::from),
            TransactionManagerStatus::InError => 0,
        }
    }

    /// True when the connection must not be used again: it is gone, or a panic left it in a transaction.
    pub(crate) fn is_broken(&mut self) -> bool {
        self.broken || self.depth() > 0 || either!(&mut self.inner, conn => AnsiTransactionManager::is_broken_transaction_manager(conn))
    }

    fn note_disconnect<T>(&mut self, result: QueryResult<T>) -> QueryResult<T> {
        self.broken |= result.as_ref().is_err_and(failure::is_disconnect);
        result
    }

    fn translate_error<T>(&mut self, result: QueryResult<T>, statement: &Statement) -> Result<T, Error> {
        self.note_disconnect(result).map_err(|error| {
            let delete = statement.starts_with("DELETE");
            let constraints = self.shared.constraints.get().copied().unwrap_or_default();
            failure::translate(error, if delete { Verb::Delete } else { Verb::Other }, constraints)
        })
    }
}

#[cfg(feature = "sqlite")]
fn sqlite_rows(conn: &mut SqliteConnection, statement: &Statement, columns: &[BindKind]) -> QueryResult<Vec<Vec<Value>>> {
    let rows = LoadConnection::<DefaultLoadingMode>::load(conn, statement)?;
    rows.map(|row| {
        let row = row?;
        columns.iter().enumerate().map(|(at, kind)| encode::sqlite::read(&row, at, *kind)).collect()
    })
    .collect()
}

#[cfg(feature = "postgres")]
fn postgres_rows(conn: &mut PgConnection, statement: &Statement, columns: &[BindKind]) -> QueryResult<Vec<Vec<Value>>> {
    let rows = LoadConnection::<DefaultLoadingMode>::load(conn, statement)?;
    rows.map(|row| {
        let row = row?;
        columns.iter().enumerate().map(|(at, kind)| encode::postgres::read(&row, at, *kind)).collect()
    })
    .collect()
}
