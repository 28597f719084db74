//! Replicas of a PostgreSQL database, which serve reads while they are near enough to the primary.
//!
//! A read names a position in the write-ahead log, and only a replica that has replayed it serves the read. Any failure of a replica
//! gives the read back to the primary, so that no request fails because of a replica.

mod watch;

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use super::{
    BindKind, Conn, Database, PoolUse, Statement,
    open::{self, Target},
    pool::{Manager, ReplicaPool},
};
use crate::{Engine, Error, Result, Value, output::log_event};

/// The longest wait of a read for a connection to a replica; the primary serves the read afterwards.
const WAIT: Duration = Duration::from_secs(1);
/// The time between two checks of a replica.
pub(super) const CHECK: Duration = Duration::from_millis(500);
/// A replica whose last check is older is out of use, because the check itself does not end.
const STALE: Duration = Duration::from_secs(4);

/// The position in the write-ahead log, as SQL.
pub(super) const AS_NUMBER: &str = " - '0/0'::pg_lsn)::bigint";

/// The replicas of a database.
pub(crate) struct Replicas {
    all: Vec<Arc<Replica>>,
    /// A replica with a greater lag is out of use.
    lag_limit: Duration,
    next: AtomicUsize,
    fallbacks: [AtomicU64; 3],
}

/// A replica.
struct Replica {
    /// Host and port, for metrics and logs.
    name: String,
    target: Target,
    pool: ReplicaPool,
    reads: AtomicU64,
    status: Mutex<Status>,
}

/// The result of the last check.
#[derive(Debug, Clone, Default)]
struct Status {
    checked: Option<Instant>,
    lag: Option<Duration>,
    /// Why the replica is out of use; `None` if it is in use.
    refusal: Option<String>,
}

/// Why the primary served a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fallback {
    /// No replica is in use.
    Unused,
    /// The replica lacks a write that the read must see.
    Behind,
    /// The replica failed, or the result on it was a refusal.
    Failed,
}

impl Fallback {
    const ALL: [Fallback; 3] = [Fallback::Unused, Fallback::Behind, Fallback::Failed];

    fn name(self) -> &'static str {
        match self {
            Fallback::Unused => "unused",
            Fallback::Behind => "behind",
            Fallback::Failed => "failed",
        }
    }
}

/// A replica, for metrics and pages.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReplicaState {
    pub(crate) name: String,
    pub(crate) in_use: bool,
    /// The time since the primary was at the position that the replica has replayed; `None` if it is not known.
    pub(crate) lag: Option<Duration>,
    /// Served reads.
    pub(crate) reads: u64,
    /// Why it is out of use.
    pub(crate) refusal: Option<String>,
}

impl Replicas {
    fn count_fallback(&self, why: Fallback) {
        self.fallbacks[why as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// The next replica in use, in turn.
    fn choose(&self) -> Option<&Arc<Replica>> {
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        (0..self.all.len()).map(|n| &self.all[(first.wrapping_add(n)) % self.all.len()]).find(|replica| replica.is_in_use())
    }
}

impl Replica {
    fn status(&self) -> Status {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn is_in_use(&self) -> bool {
        let status = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        status.refusal.is_none() && status.checked.is_some_and(|at| at.elapsed() < STALE)
    }

    /// Stores the result of a check, and logs a change.
    fn note(&self, lag: Option<Duration>, refusal: Option<String>) {
        let mut status = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *status, Status { checked: Some(Instant::now()), lag, refusal: refusal.clone() });
        drop(status);
        let replica = self.name.as_str();
        match refusal {
            Some(why) if before.checked.is_none() || before.refusal.is_none() => {
                log_event!(warn, target: "dz", replica, "a replica is out of use, and the primary serves its reads: {why}");
            }
            None if before.checked.is_none() || before.refusal.is_some() => log_event!(info, target: "dz", replica, "a replica is in use"),
            Some(_) | None => {}
        }
    }
}

/// Host and port of an address; never its user and password.
fn name_of(url: &str, at: usize) -> String {
    let authority = url.split_once("://").map_or(url, |(_, rest)| rest).split(['/', '?']).next().unwrap_or_default();
    let hosts = authority.rsplit_once('@').map_or(authority, |(_, hosts)| hosts);
    if hosts.is_empty() { format!("replica {}", at + 1) } else { hosts.to_owned() }
}

impl Database {
    /// Serves reads with these replicas from now on; a replica is used after its first check.
    ///
    /// # Errors
    /// One sentence about an address that is not of PostgreSQL.
    pub(crate) fn follow_replicas(&self, urls: &[String], lag_limit: Duration) -> Result<()> {
        if urls.is_empty() {
            return Ok(());
        }
        let mut all = Vec::new();
        for (at, url) in urls.iter().enumerate() {
            let target = Target::parse(self.engine(), url)?;
            let pool = self.replica_pool(target.clone(), WAIT);
            let (reads, status) = Default::default();
            all.push(Arc::new(Replica { name: name_of(url, at), target, pool, reads, status }));
        }
        let replicas = Replicas { all, lag_limit, next: AtomicUsize::default(), fallbacks: Default::default() };
        self.pools.shared.is_replicated.get_or_init(|| true);
        self.pools.replicas.get_or_init(|| replicas).all.iter().try_for_each(|replica| watch::start(self, replica))
    }

    /// The number of replicas.
    pub(crate) fn count_replicas(&self) -> usize {
        self.pools.replicas.get().map_or(0, |replicas| replicas.all.len())
    }

    /// True if the database has replicas, of which some can be out of use.
    pub(crate) fn has_replicas(&self) -> bool {
        self.count_replicas() > 0
    }

    /// A time after which each replica in use has a write.
    pub(crate) fn longest_lag(&self) -> Duration {
        self.pools.replicas.get().map_or(Duration::ZERO, |replicas| replicas.lag_limit + STALE)
    }

    /// Runs `work` on a replica that has replayed `position`; `None` if the primary must serve it, because no replica can, or because
    /// the result on the replica was an error: the row can be on the primary only.
    pub(crate) fn read_replica<T>(&self, position: i64, work: &mut dyn FnMut(&mut Conn) -> Result<T>) -> Option<T> {
        let replicas = self.pools.replicas.get()?;
        let Some(replica) = replicas.choose() else {
            replicas.count_fallback(Fallback::Unused);
            return None;
        };
        let mut why = Fallback::Failed;
        let done = replica.pool.take().and_then(|mut conn| {
            let done = conn.snapshot_in_transaction(&mut |conn| {
                if replayed(conn)?.is_none_or(|replayed| replayed < position) {
                    why = Fallback::Behind;
                    return Err(Error::not_found());
                }
                work(conn)
            });
            if conn.is_broken() {
                replica.note(None, Some("a connection was lost".to_owned()));
            }
            done
        });
        match done {
            Ok(done) => {
                replica.reads.fetch_add(1, Ordering::Relaxed);
                Some(done)
            }
            Err(_) => {
                replicas.count_fallback(why);
                None
            }
        }
    }

    /// The replicas with their states.
    pub(crate) fn replicas(&self) -> Vec<ReplicaState> {
        let state = |replica: &Arc<Replica>| {
            let status = replica.status();
            let in_use = replica.is_in_use();
            let late = || "it does not answer".to_owned();
            let refusal = if in_use { None } else { Some(status.refusal.unwrap_or_else(late)) };
            ReplicaState { name: replica.name.clone(), in_use, lag: status.lag, reads: replica.reads.load(Ordering::Relaxed), refusal }
        };
        self.pools.replicas.get().map(|replicas| replicas.all.iter().map(state).collect()).unwrap_or_default()
    }

    /// The reads that the primary served in place of a replica, by their reason.
    pub(crate) fn replica_fallbacks(&self) -> Vec<(&'static str, u64)> {
        let Some(replicas) = self.pools.replicas.get() else { return Vec::new() };
        Fallback::ALL.iter().map(|why| (why.name(), replicas.fallbacks[*why as usize].load(Ordering::Relaxed))).collect()
    }

    /// The use of the connections to replicas.
    pub(super) fn replica_pools(&self) -> Vec<PoolUse> {
        let replicas = self.pools.replicas.get().map(|replicas| replicas.all.as_slice()).unwrap_or_default();
        replicas.iter().map(|replica| replica.pool.state(format!("replica {}", replica.name))).collect()
    }

    fn replica_pool(&self, target: Target, timeout: Duration) -> ReplicaPool {
        let manager = Manager {
            target,
            purpose: open::Purpose::Read,
            row_security: self.pools.row_security,
            shared: Arc::clone(&self.pools.shared),
            is_replica: true,
        };
        ReplicaPool::new(manager, self.pools.size, timeout, self.pools.idle)
    }
}

/// The position that a server has replayed; `None` for a server that is not a replica, or no longer one.
fn replayed(conn: &mut Conn) -> Result<Option<i64>> {
    if conn.engine() == Engine::Sqlite {
        return Ok(None);
    }
    let mut select = Statement::new();
    select.push("SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn()").push(AS_NUMBER).push(" END");
    match conn.rows(&select, &[BindKind::Int])?.into_iter().flatten().next() {
        Some(Value::Int(position)) => Ok(Some(position)),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_contain_no_password() {
        let cases = [
            ("postgres://me:secret@copy.example:5433/tasks", "copy.example:5433"),
            ("postgresql://copy.example", "copy.example"),
            ("postgres://me:secret@one:1,two:2/tasks?connect_timeout=3", "one:1,two:2"),
            ("postgres:///tasks?host=/run/postgresql", "replica 2"),
        ];
        for (url, name) in cases {
            assert_eq!(name_of(url, 1), name);
        }
    }
}
