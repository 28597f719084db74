//! Connection pools: for SQLite one writer and several readers, for PostgreSQL one pool with a limit.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use diesel::r2d2::{ManageConnection, NopErrorHandler, Pool, PooledConnection};

#[cfg(feature = "graphql")]
use super::changes::Changes;
use super::{
    Conn, ProcessLock, Wake, conn::Shared, facts, failure, lease_clock::LeaseClock, open, pooler, positions, process_lock::LockFiles,
    replicas::Replicas, slow_statement::SlowStatements,
};
use crate::{Engine, Error, config::POOL_IDLE, metrics::Metrics, output::log_event, secrets::Secrets};

/// The maximum time that a request waits for a connection, and on SQLite for the write lock.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);

/// The address of the database and the use of its connections.
#[derive(Debug, Clone)]
pub struct DatabaseConfig {
    /// `sqlite://path`, `postgres://…`
    pub url: String,
    /// The number of connections; on SQLite, of readers.
    pub size: u32,
    /// True for an application with tenants: on PostgreSQL each transaction sets the tenant for row-level security.
    pub row_security: bool,
    /// How long a connection to PostgreSQL stays open without use. Its server has memory and a limited number of connections for all
    /// of its clients; a connection to a file of SQLite stays open.
    pub idle: Duration,
}

impl DatabaseConfig {
    /// The default of `idle`.
    pub const IDLE: Duration = POOL_IDLE;
}

/// A pool of connections.
#[derive(Clone)]
pub struct Database {
    pub(super) pools: Arc<Pools>,
}

pub(super) struct Pools {
    engine: Engine,
    readers: Pool<Manager>,
    /// The single write connection of SQLite; PostgreSQL writes on all connections.
    writer: Option<Pool<Manager>>,
    /// An additional connection that requests do not use.
    reserved: Pool<Manager>,
    pub(super) wake: Arc<Wake>,
    pub(super) shared: Arc<Shared>,
    locks: LockFiles,
    lease_clock: LeaseClock,
    /// For connections outside the pools.
    pub(super) target: open::Target,
    /// The servers that serve reads beside this one.
    pub(super) replicas: OnceLock<Replicas>,
    /// The configuration, for the pools of replicas.
    pub(super) size: u32,
    pub(super) row_security: bool,
    pub(super) idle: Duration,
    #[cfg(feature = "postgres")]
    pub(super) notices_target: OnceLock<open::Target>,
    #[cfg(feature = "postgres")]
    pub(super) hearing: super::notices::Hearing,
    /// A random name of this process in its notifications.
    #[cfg(feature = "postgres")]
    pub(super) origin: uuid::Uuid,
}

/// The connections of a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PoolUse {
    /// The name of the pool.
    pub(crate) name: String,
    /// Connections in use.
    pub(crate) used: u32,
    /// Open connections that are not in use.
    pub(crate) idle: u32,
    /// The largest number of connections.
    pub(crate) max: u32,
}

impl Database {
    /// Opens the database. For SQLite, a missing file is created.
    ///
    /// # Errors
    /// One sentence with the cause and the correction: a missing directory, an unreadable file, a file of another format, an
    /// address for the other engine, a server that does not respond.
    pub fn open(engine: Engine, config: &DatabaseConfig) -> Result<Database, Error> {
        Database::open_with_timeout(engine, config, CONNECTION_TIMEOUT)
    }

    pub(crate) fn open_with_timeout(engine: Engine, config: &DatabaseConfig, timeout: Duration) -> Result<Database, Error> {
        let target = open::Target::parse(engine, &config.url)?;
        // One connection outside the pool, which would only report a timeout.
        let mut first = target.connect(open::Purpose::Write)?;
        let shared: Arc<Shared> = Arc::default();
        // A server without a second connection is used directly.
        let pooled = engine == Engine::Postgres
            && target.connect(open::Purpose::Write).and_then(|mut second| pooler::is_between(&mut first, &mut second)).unwrap_or(false);
        shared.pooled.get_or_init(|| pooled);
        drop(first);
        let pool = |purpose, size: u32| {
            Pool::builder()
                .max_size(size.max(1))
                .min_idle(Some(0))
                .connection_timeout(timeout)
                .idle_timeout((engine == Engine::Postgres).then_some(config.idle))
                .max_lifetime(None)
                .test_on_check_out(false)
                .error_handler(Box::new(NopErrorHandler))
                .build_unchecked(Manager {
                    target: target.clone(),
                    purpose,
                    row_security: config.row_security,
                    shared: Arc::clone(&shared),
                    is_replica: false,
                })
        };
        let (readers, writer) = match engine {
            Engine::Sqlite => (pool(open::Purpose::Read, config.size), Some(pool(open::Purpose::Write, 1))),
            Engine::Postgres => (pool(open::Purpose::Write, config.size), None),
        };
        let reserved = pool(open::Purpose::Write, 1);
        let locks = LockFiles::beside(target.file());
        let (wake, lease_clock) = (Arc::default(), LeaseClock::default());
        let pools = Pools {
            engine,
            readers,
            writer,
            reserved,
            wake,
            shared,
            locks,
            lease_clock,
            target,
            replicas: OnceLock::new(),
            size: config.size,
            row_security: config.row_security,
            idle: config.idle,
            #[cfg(feature = "postgres")]
            notices_target: OnceLock::new(),
            #[cfg(feature = "postgres")]
            hearing: Default::default(),
            #[cfg(feature = "postgres")]
            origin: uuid::Uuid::now_v7(),
        };
        Ok(Database { pools: Arc::new(pools) })
    }

    /// The engine.
    pub fn engine(&self) -> Engine {
        self.pools.engine
    }

    /// True if a pooler assigns another session of the server to each transaction.
    pub(crate) fn is_pooled(&self) -> bool {
        self.pools.shared.pooled.get().is_some_and(|pooled| *pooled)
    }

    /// True if the application reads from replicas.
    pub(super) fn is_replicated(&self) -> bool {
        self.pools.shared.is_replicated.get().is_some_and(|replicated| *replicated)
    }

    /// Sets the keys for encryption at rest, for all connections.
    pub(crate) fn set_secrets(&self, secrets: Secrets) {
        self.pools.shared.secrets.get_or_init(|| secrets);
    }

    /// Logs statements that take long, on all connections.
    pub(crate) fn log_slow_statements(&self, slow: SlowStatements) {
        self.pools.shared.slow.get_or_init(|| slow);
    }

    pub(super) fn lease_clock(&self) -> &LeaseClock {
        &self.pools.lease_clock
    }

    /// The metrics of this process.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.pools.shared.metrics
    }

    /// The changes of the rows of an entity from now on, by transactions of this process, and of others whose notifications it receives.
    #[cfg(feature = "graphql")]
    pub(crate) fn changes(&self, entity: crate::def::EntityIx) -> Changes {
        self.pools.shared.announcer.listen(entity)
    }

    /// The use of each pool.
    pub(crate) fn pools(&self) -> Vec<PoolUse> {
        let main = if self.pools.writer.is_some() { "readers" } else { "main" };
        let writer = self.pools.writer.as_ref().map(|writer| ("writer", writer));
        let all = [(main, &self.pools.readers)].into_iter().chain(writer).chain([("reserved", &self.pools.reserved)]);
        all.map(|(name, pool)| pool_use(name.to_owned(), pool)).chain(self.replica_pools()).collect()
    }

    /// Runs `work` on a connection for reading; on SQLite it reads one consistent state of the database.
    ///
    /// # Errors
    /// 503 `UNAVAILABLE` if the database is unavailable or all connections stay busy.
    pub fn read<T>(&self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        take_connection(&self.pools.readers)?.snapshot(work)
    }

    /// Runs `work` in a transaction on a connection for writing, and commits if it succeeds. On PostgreSQL it can run again after a
    /// serialization failure.
    ///
    /// # Errors
    /// 503 `UNAVAILABLE` if the database is unavailable or all connections stay busy.
    pub fn write<T>(&self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        self.run_transaction(take_connection(self.pools.writer.as_ref().unwrap_or(&self.pools.readers))?, work)
    }

    /// Runs statements of which each is a unit of its own: on PostgreSQL without `BEGIN` and `COMMIT` around them.
    ///
    /// # Errors
    /// 503 `UNAVAILABLE` if the database is unavailable or all connections stay busy.
    pub(crate) fn write_statements<T>(&self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        take_connection(self.pools.writer.as_ref().unwrap_or(&self.pools.readers))?.statements_alone(work)
    }

    /// As [`write`](Database::write), on the reserved connection, which can be held for a long time.
    ///
    /// # Errors
    /// 503 `UNAVAILABLE` if the database is unavailable.
    pub(crate) fn write_reserved<T>(&self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        self.run_transaction(take_connection(&self.pools.reserved)?, work)
    }

    /// Runs `work` in a transaction and wakes the worker if requested.
    fn run_transaction<T>(
        &self,
        mut conn: PooledConnection<Manager>,
        work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let done = conn.transaction(work);
        let due = conn.take_wake_request();
        if done.is_ok() {
            self.pools.wake.notify(due);
        }
        // Before the write is acknowledged, so that no replica shows afterwards what the write has withdrawn.
        if conn.take_withdrawal()
            && done.is_ok()
            && self.is_replicated()
            && let Err(error) = conn.snapshot(&mut positions::note_withdrawal)
        {
            let why = error.internal.as_deref().unwrap_or(&error.detail);
            log_event!(error, target: "dz", why, "replicas can show withdrawn rows until they have replayed the write");
        }
        done
    }

    /// The lock for the delivery of events on SQLite; `None` while another process delivers.
    ///
    /// # Errors
    /// 500 if the file of the lock cannot be opened.
    pub(crate) fn lock_delivery(&self) -> Result<Option<ProcessLock>, Error> {
        self.pools.locks.try_lock("delivery")
    }

    /// Runs `first` if no other process serves this file of SQLite. The lock shows other processes that this one does.
    ///
    /// # Errors
    /// 500 if the file of the lock cannot be opened; those of `first`.
    pub(crate) fn enter(&self, first: impl FnOnce() -> Result<(), Error>) -> Result<ProcessLock, Error> {
        if let Some(_alone) = self.pools.locks.try_lock("instances")? {
            first()?;
        }
        self.pools.locks.lock_shared("instances")
    }

    /// The signal that wakes the worker.
    pub(crate) fn wake(&self) -> Arc<Wake> {
        self.pools.wake.clone()
    }

    /// Runs `work` on a connection for writing, without a transaction.
    pub(crate) fn run_without_transaction<T>(&self, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
        work(&mut *take_connection(self.pools.writer.as_ref().unwrap_or(&self.pools.readers))?)
    }
}

/// Takes a connection that its server has not ended. After a connection was lost, those that were opened before are checked: their server
/// can have ended without a message, or can have become read-only by a failover.
fn take_connection(pool: &Pool<Manager>) -> Result<PooledConnection<Manager>, Error> {
    for _ in 0..pool.max_size() {
        let mut conn = pool.get().map_err(failure::unavailable)?;
        // Nothing has run on the connection, so that another one can take its place.
        if conn.has_ended() {
            conn.discard();
            continue;
        }
        if !conn.is_suspect() || !facts::is_read_only(&mut conn).unwrap_or(true) {
            conn.trust();
            conn.forget_caller();
            return Ok(conn);
        }
        conn.discard();
    }
    let mut conn = pool.get().map_err(failure::unavailable)?;
    conn.forget_caller();
    Ok(conn)
}

fn pool_use(name: String, pool: &Pool<Manager>) -> PoolUse {
    let state = pool.state();
    let used = state.connections.saturating_sub(state.idle_connections);
    PoolUse { name, used, idle: state.idle_connections, max: pool.max_size() }
}

/// The connections to a replica.
pub(super) struct ReplicaPool(Pool<Manager>);

impl ReplicaPool {
    pub(super) fn new(manager: Manager, size: u32, timeout: Duration, idle: Duration) -> ReplicaPool {
        let pool = Pool::builder().max_size(size.max(1)).min_idle(Some(0)).connection_timeout(timeout).idle_timeout(Some(idle));
        let pool = pool.max_lifetime(None).test_on_check_out(false).error_handler(Box::new(NopErrorHandler));
        ReplicaPool(pool.build_unchecked(manager))
    }

    /// # Errors
    /// 503 if the replica does not answer in time, or all connections stay busy.
    pub(super) fn take(&self) -> Result<PooledConnection<Manager>, Error> {
        for _ in 0..self.0.max_size() {
            let mut conn = self.0.get().map_err(failure::unavailable)?;
            if !conn.has_ended() {
                conn.forget_caller();
                return Ok(conn);
            }
            conn.discard();
        }
        let mut conn = self.0.get().map_err(failure::unavailable)?;
        conn.forget_caller();
        Ok(conn)
    }

    pub(super) fn state(&self, name: String) -> PoolUse {
        pool_use(name, &self.0)
    }
}

/// Creates the connections of a pool.
pub(super) struct Manager {
    pub(super) target: open::Target,
    pub(super) purpose: open::Purpose,
    pub(super) row_security: bool,
    pub(super) shared: Arc<Shared>,
    pub(super) is_replica: bool,
}

impl ManageConnection for Manager {
    type Connection = Conn;
    type Error = Error;

    fn connect(&self) -> Result<Conn, Error> {
        let mut conn = self.target.connect(self.purpose)?;
        if self.row_security {
            conn.enable_row_security();
        }
        conn.share(&self.shared, self.is_replica);
        Ok(conn)
    }

    fn is_valid(&self, conn: &mut Conn) -> Result<(), Error> {
        conn.batch("SELECT 1")
    }

    fn has_broken(&self, conn: &mut Conn) -> bool {
        std::thread::panicking() || conn.is_broken()
    }
}
