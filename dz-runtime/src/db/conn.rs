//! A connection to the database, for both engines.

mod ended;
mod notes;
mod slot;

use std::{
    borrow::Cow,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

#[cfg(feature = "postgres")]
use diesel::pg::PgConnection;
#[cfg(feature = "sqlite")]
use diesel::sqlite::SqliteConnection;
use diesel::{
    connection::{
        AnsiTransactionManager, CacheSize, Connection, DefaultLoadingMode, LoadConnection, SimpleConnection, TransactionManager,
        TransactionManagerStatus,
    },
    result::QueryResult,
};

use crate::{
    Caller, Engine, Error, Value,
    db::{
        DueWork, Statement,
        changes::{Announcer, NotedChanges},
        encode,
        failure::{self, Verb},
        row_security::{self, SessionSettings},
        slow_statement::{SlowStatements, StatementCaller},
        statement::BindKind,
        statement_count, statement_log,
    },
    metrics::Metrics,
    secrets::Secrets,
    trace::{self, Description, SpanKind},
};

/// How often a transaction is repeated after a serialization failure.
const RETRIES: u32 = 5;

/// A connection to the database, for both engines.
pub struct Conn {
    inner: Inner,
    pub(crate) statements: u64,
    broken: bool,
    /// The work for which the worker must be woken after the commit.
    wake_requested: DueWork,
    /// True if the transaction withdraws rows from a caller, so that replicas without it must not be read.
    withdraws: bool,
    /// The number of lost connections of the process when this one was opened or checked; a replica does not count them.
    seen_losses: Option<u64>,
    /// Changes of rows, which are announced after the commit.
    changes: NotedChanges,
    /// Whether row-level security applies; the settings for its policies, and those that were last applied in this transaction.
    row_security_enabled: bool,
    settings: SessionSettings,
    applied: Option<SessionSettings>,
    shared: Arc<Shared>,
    /// The caller, for the log of slow statements.
    caller: StatementCaller,
}

/// The data that all connections of a pool share.
#[derive(Default)]
pub(super) struct Shared {
    /// The columns of each constraint; empty until the schema was compared.
    constraints: OnceLock<Cow<'static, str>>,
    /// The keys for encryption at rest.
    pub(super) secrets: OnceLock<Secrets>,
    /// The metrics of the process.
    pub(super) metrics: Metrics,
    /// The log of slow statements, if it is configured.
    pub(super) slow: OnceLock<SlowStatements>,
    /// True if a pooler assigns another session of the server to each transaction.
    pub(super) pooled: OnceLock<bool>,
    /// True if the application reads from replicas.
    pub(super) is_replicated: OnceLock<bool>,
    /// The number of connections to the primary that were lost.
    losses: AtomicU64,
    /// The subscribers of changes of rows.
    pub(super) announcer: Announcer,
    /// The reports to other instances, if the process makes them.
    #[cfg(feature = "postgres")]
    pub(super) notices: OnceLock<super::notices::Notices>,
}

enum Inner {
    #[cfg(feature = "sqlite")]
    Sqlite(SqliteConnection),
    #[cfg(feature = "postgres")]
    Postgres(PgConnection),
}

/// Runs the same code with the connection of either engine.
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

/// The span of a statement. Its text contains no values.
fn describe(statement: &Statement, engine: Engine, failed: bool) -> Description {
    let text = statement.text();
    let operation = text.split_whitespace().next().unwrap_or_default().to_owned();
    let system = match engine {
        Engine::Sqlite => "sqlite",
        Engine::Postgres => "postgresql",
    };
    let attributes =
        vec![("db.system.name", system.into()), ("db.operation.name", operation.as_str().into()), ("db.query.text", text.as_str().into())];
    Description { error: failed.then(|| "the statement failed".to_owned()), ..Description::new(operation, attributes) }
}

impl Conn {
    fn new(inner: Inner) -> Conn {
        let settings = row_security::system_settings();
        Conn {
            inner,
            statements: 0,
            broken: false,
            wake_requested: DueWork::default(),
            withdraws: false,
            seen_losses: None,
            changes: NotedChanges::default(),
            row_security_enabled: false,
            settings,
            applied: None,
            shared: Arc::default(),
            caller: StatementCaller::default(),
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

    /// The diesel connection, if the engine is SQLite.
    #[cfg(feature = "sqlite")]
    pub fn sqlite(&mut self) -> Option<&mut SqliteConnection> {
        match &mut self.inner {
            Inner::Sqlite(conn) => Some(conn),
            #[cfg(feature = "postgres")]
            Inner::Postgres(_) => None,
        }
    }

    /// The diesel connection, if the engine is PostgreSQL.
    #[cfg(feature = "postgres")]
    pub fn postgres(&mut self) -> Option<&mut PgConnection> {
        match &mut self.inner {
            #[cfg(feature = "sqlite")]
            Inner::Sqlite(_) => None,
            Inner::Postgres(conn) => Some(conn),
        }
    }

    /// Counts a statement before it runs.
    pub(crate) fn count(&mut self) {
        self.statements += 1;
        statement_count::add();
    }

    /// The number of statements that ran on this connection since it was opened.
    pub fn statements(&self) -> u64 {
        self.statements
    }

    /// Enables the settings for row-level security on this connection.
    pub(crate) fn enable_row_security(&mut self) {
        self.row_security_enabled = self.engine() == Engine::Postgres;
    }

    /// Sets the data that the connections of the pool share.
    pub(super) fn share(&mut self, shared: &Arc<Shared>, is_replica: bool) {
        self.shared = Arc::clone(shared);
        self.seen_losses = (!is_replica).then(|| shared.losses.load(Ordering::Relaxed));
        if self.is_pooled() {
            self.forget_statements();
        }
    }

    /// True if each transaction can run in another session of the server.
    fn is_pooled(&self) -> bool {
        self.shared.pooled.get().is_some_and(|pooled| *pooled)
    }

    /// Keeps no prepared statement on this connection from now on.
    pub(super) fn forget_statements(&mut self) {
        either!(&mut self.inner, conn => conn.set_prepared_statement_cache_size(CacheSize::Disabled));
    }

    /// The keys for encryption at rest.
    pub(crate) fn secrets(&self) -> Secrets {
        self.shared.secrets.get().cloned().unwrap_or_default()
    }

    /// Sets the columns of each constraint, for all connections of the pool.
    pub(crate) fn set_constraints(&self, constraints: Cow<'static, str>) {
        self.shared.constraints.get_or_init(|| constraints);
    }

    /// Adds the columns of a violated constraint to an error.
    pub(crate) fn at_columns(&self, error: Error) -> Error {
        failure::at_columns(error, self.shared.constraints.get().map_or("", |it| it.as_ref()))
    }

    /// Sets the caller for the policies of row-level security, until the end of the transaction or the next call.
    pub(crate) fn set_caller(&mut self, caller: &Caller) {
        self.caller = StatementCaller::from(caller);
        if self.row_security_enabled {
            self.settings = row_security::settings_for(caller);
        }
    }

    /// Forgets the caller of the last use of the connection.
    pub(super) fn forget_caller(&mut self) {
        self.caller = StatementCaller::default();
    }

    /// Runs `work` as the system, and restores the caller afterwards.
    pub(crate) fn for_system<T>(&mut self, work: impl FnOnce(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        let own = std::mem::replace(&mut self.settings, row_security::system_settings());
        let done = work(self);
        self.settings = own;
        done
    }

    /// Applies the settings of the policies before a statement, if they have changed.
    pub(crate) fn apply_session_settings(&mut self) -> Result<(), Error> {
        // The settings are local to a transaction; without one, the policies show no row of a tenant.
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

    /// Runs a statement that returns rows; `columns` determines how each column is decoded.
    ///
    /// The errors are those of [`execute`](Conn::execute).
    pub fn rows(&mut self, statement: &Statement, columns: &[BindKind]) -> Result<Vec<Vec<Value>>, Error> {
        self.apply_session_settings()?;
        self.count();
        statement_log::note(statement);
        let started = Instant::now();
        let rows = match &mut self.inner {
            #[cfg(feature = "sqlite")]
            Inner::Sqlite(conn) => sqlite_rows(conn, statement, columns),
            #[cfg(feature = "postgres")]
            Inner::Postgres(conn) => postgres_rows(conn, statement, columns),
        };
        self.observe(statement, started, rows.is_err());
        self.translate_error(rows, statement)
    }

    /// Runs a statement and returns the number of affected rows.
    ///
    /// Violated constraints become 409 `UNIQUE` (with the column in `field_errors`), 422 `REFERENCE`, 409 `REFERENCED` and 422
    /// `VALIDATION`; an unavailable database becomes 503 `UNAVAILABLE`.
    pub fn execute(&mut self, statement: &Statement) -> Result<usize, Error> {
        self.apply_session_settings()?;
        self.count();
        statement_log::note(statement);
        let started = Instant::now();
        let touched = either!(&mut self.inner, conn => conn.execute_returning_count(statement));
        self.observe(statement, started, touched.is_err());
        self.translate_error(touched, statement)
    }

    /// Counts a statement, and logs it if it was slow.
    fn observe(&self, statement: &Statement, started: Instant, failed: bool) {
        let duration = started.elapsed();
        self.shared.metrics.count_statement(duration, failed, || statement.text());
        if let Some(slow) = self.shared.slow.get() {
            slow.log(statement, duration, self.caller);
        }
        trace::record(SpanKind::Client, started, || describe(statement, self.engine(), failed));
    }

    /// Runs statements without parameters, such as those of the schema.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<(), Error> {
        self.count();
        let done = either!(&mut self.inner, conn => conn.batch_execute(sql));
        self.note_disconnect(done).map_err(Error::from)
    }

    /// Runs the statements of a migration; the error is the text of the database.
    pub(crate) fn script(&mut self, sql: &str) -> Result<(), String> {
        self.count();
        let done = either!(&mut self.inner, conn => conn.batch_execute(sql));
        self.note_disconnect(done).map_err(|error| error.to_string())
    }

    /// Runs `work` in a transaction: `BEGIN IMMEDIATE` on SQLite, repeated after a serialization failure or deadlock on PostgreSQL.
    /// Repeated transactions run one after another. An error rolls it back. Inside a transaction it is a savepoint.
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
            (self.changes, self.withdraws) = (NotedChanges::default(), false);
            let result = self.finish(&mut |conn| match attempt {
                0 => work(conn),
                _ => conn.wait_for_slot().and_then(|()| work(conn)),
            });
            match result.unwrap_or_else(|panic| resume_unwind(panic)) {
                Err(error) if failure::is_collision(&error) && attempt < RETRIES => {
                    // Concurrent transactions wait for different times, so that they do not collide again.
                    let spread = u64::from(std::process::id()).wrapping_add(self.statements) % 7;
                    std::thread::sleep(std::time::Duration::from_millis((4 << attempt) + spread));
                    attempt += 1;
                }
                result => {
                    if result.is_ok() {
                        self.announce();
                    }
                    return result;
                }
            }
        }
    }

    /// Runs `work` in a savepoint of the transaction: an error rolls back its writes, and the transaction continues.
    pub fn savepoint<T>(&mut self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        let begun = either!(&mut self.inner, conn => AnsiTransactionManager::begin_transaction(conn));
        self.note_disconnect(begun)?;
        let before = self.changes.position();
        let result = self.finish(work);
        if !matches!(result, Ok(Ok(_))) {
            self.changes.revert(before);
        }
        result.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Runs `work` on a consistent state of the database: on SQLite, in a transaction that only reads.
    pub(crate) fn snapshot<T>(&mut self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        if self.needs_no_transaction() { work(self) } else { self.snapshot_in_transaction(work) }
    }

    /// Runs writes of which each is a unit of its own; on SQLite, in a transaction that waits for the writer.
    pub(crate) fn statements_alone<T>(&mut self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        if self.needs_no_transaction() { work(self) } else { self.transaction(work) }
    }

    /// True if a statement outside of a transaction sees the settings of the session.
    fn needs_no_transaction(&self) -> bool {
        self.engine() == Engine::Postgres && !self.row_security_enabled && !self.is_pooled()
    }

    /// Runs `work` in a transaction that only reads, whatever the engine is.
    pub(super) fn snapshot_in_transaction<T>(&mut self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        self.reset_settings();
        self.savepoint(work)
    }

    /// A transaction starts with the settings of the system.
    fn reset_settings(&mut self) {
        (self.settings, self.applied) = (row_security::system_settings(), None);
    }

    /// Runs `work`, and ends the transaction or the savepoint that has just begun. A panic rolls it back as an error does: callers
    /// catch panics of hooks and continue, and an open savepoint would take the place of theirs.
    fn finish<T>(&mut self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> std::thread::Result<Result<T, Error>> {
        let own = self.depth();
        match catch_unwind(AssertUnwindSafe(|| work(self))) {
            Ok(Ok(_)) if self.depth() > own => {
                // A commit would end another level.
                self.broken = true;
                Ok(Err(Error::internal("the unit of work has left a transaction open")))
            }
            Ok(Ok(value)) => {
                let committed = either!(&mut self.inner, conn => AnsiTransactionManager::commit_transaction(conn));
                Ok(self.note_disconnect(committed).map(|()| value).map_err(Error::from))
            }
            undone => {
                // The rollback also reverts the settings.
                self.applied = None;
                let rolled_back = either!(&mut self.inner, conn => AnsiTransactionManager::rollback_transaction(conn));
                // The first error is reported. A connection that cannot roll back is not used again.
                self.broken |= rolled_back.is_err();
                undone
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

    /// True if the connection must not be used again: it is closed, or a panic left a transaction open.
    pub(crate) fn is_broken(&mut self) -> bool {
        self.broken || self.depth() > 0 || either!(&mut self.inner, conn => AnsiTransactionManager::is_broken_transaction_manager(conn))
    }

    /// Closes the connection after its current use.
    pub(crate) fn discard(&mut self) {
        self.broken = true;
    }

    fn note_disconnect<T>(&mut self, result: QueryResult<T>) -> QueryResult<T> {
        if result.as_ref().is_err_and(failure::is_disconnect) {
            self.broken = true;
            if self.seen_losses.is_some() {
                self.shared.losses.fetch_add(1, Ordering::Relaxed);
            }
        }
        result
    }

    fn translate_error<T>(&mut self, result: QueryResult<T>, statement: &Statement) -> Result<T, Error> {
        self.note_disconnect(result).map_err(|error| {
            let delete = statement.starts_with("DELETE");
            let constraints = self.shared.constraints.get().map_or("", |it| it.as_ref());
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
