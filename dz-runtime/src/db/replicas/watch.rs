//! The check of a replica, on a thread of its own: whether it answers, is a replica of this primary, and how far it is behind.
//!
//! The lag is measured by one clock, that of this process: positions of the primary are noted with their time, and the lag is the age of
//! the newest one that the replica has replayed, unless it has replayed all of them. A replica whose connection to the primary is lost, or
//! whose replay is paused, has a growing lag as soon as the primary writes; an idle primary gives no lag. A replica that has not replayed
//! any noted position is not used: after a start, or an outage of the replica, it can be far behind.

use std::{
    collections::VecDeque,
    sync::{Arc, Weak},
    thread,
    time::{Duration, Instant},
};

use super::{AS_NUMBER, CHECK, Replica, replayed};
use crate::{
    Error, Result, Value,
    db::{
        BindKind, Conn, Database, Statement,
        open::{Purpose, Target},
        pool::Pools,
    },
};

/// A position of the primary, and when it was read.
type Sample = (Instant, i64);

/// The connections of a check, and what it knows of the primary.
struct Watch {
    primary: Target,
    is_pooled: bool,
    to_primary: Option<Conn>,
    to_replica: Option<Conn>,
    positions: Positions,
}

/// The noted positions of the primary that the replica has not replayed, the oldest first.
#[derive(Default)]
struct Positions {
    waiting: VecDeque<Sample>,
    /// When the newest replayed one was read.
    reached: Option<Instant>,
}

/// Begins the checks of a replica, which end with the database.
///
/// # Errors
/// 500 if no thread is left.
pub(super) fn start(db: &Database, replica: &Arc<Replica>) -> Result<()> {
    let (pools, replica) = (Arc::downgrade(&db.pools), Arc::clone(replica));
    let (primary, is_pooled) = (db.pools.target.clone(), db.is_pooled());
    let watch = Watch { primary, is_pooled, to_primary: None, to_replica: None, positions: Positions::default() };
    thread::Builder::new().name("dz replica".to_owned()).spawn(move || run(&pools, &replica, watch)).map(drop).map_err(Error::internal)
}

fn run(pools: &Weak<Pools>, replica: &Replica, mut watch: Watch) {
    loop {
        let Some(limit) = pools.upgrade().and_then(|pools| pools.replicas.get().map(|replicas| replicas.lag_limit)) else { return };
        match watch.check(&replica.target) {
            Ok(Found::Replica(lag)) => {
                let behind = || format!("it is {:.1} s behind the primary", lag.as_secs_f64());
                replica.note(Some(lag), (lag > limit).then(behind));
            }
            Ok(Found::Refused(why)) => replica.note(None, Some(why.to_owned())),
            Err(error) => replica.note(None, Some(error.internal.map_or(error.detail, String::from))),
        }
        thread::sleep(CHECK);
    }
}

/// What a check found.
enum Found {
    /// A replica, with its lag.
    Replica(Duration),
    /// Another server; the text completes "it is out of use: ".
    Refused(&'static str),
}

impl Watch {
    fn check(&mut self, replica: &Target) -> Result<Found> {
        let of_replica = ask(&mut self.to_replica, replica, self.is_pooled, |conn| Ok((replayed(conn)?, identity(conn)?)))?;
        let (Some(position), copied) = of_replica else {
            self.to_replica = None;
            return Ok(Found::Refused("the server is not a replica"));
        };
        let (current, own) = ask(&mut self.to_primary, &self.primary, self.is_pooled, |conn| Ok((current(conn)?, identity(conn)?)))?;
        if copied != own {
            self.to_replica = None;
            return Ok(Found::Refused("the server is a replica of another database"));
        }
        let Some(current) = current else {
            // The other side of a failover: a new connection finds the new primary.
            self.to_primary = None;
            return Ok(Found::Refused("the primary is read-only"));
        };
        if position > current {
            return Ok(Found::Refused("it has writes that the primary does not have"));
        }
        Ok(match self.positions.note(position, current, Instant::now()) {
            Some(lag) => Found::Replica(lag),
            None => Found::Refused("it has not reached a known position of the primary yet"),
        })
    }
}

impl Positions {
    /// Notes the position of the primary. The result is the age of the newest noted position that is replayed, zero if all are;
    /// `None` if no noted position is replayed.
    fn note(&mut self, replayed: i64, current: i64, now: Instant) -> Option<Duration> {
        // Of equal positions only the newest counts, so that a replica that stops needs little memory.
        self.waiting.pop_back_if(|(_, position)| *position == current);
        // The position of a replica that is so far behind is older than all of these.
        if self.waiting.len() < MOST_SAMPLES {
            self.waiting.push_back((now, current));
        }
        while let Some((at, _)) = self.waiting.pop_front_if(|(_, position)| *position <= replayed) {
            self.reached = Some(at);
        }
        if self.waiting.is_empty() {
            self.reached.map(|_| Duration::ZERO)
        } else {
            self.reached.map(|at| now.saturating_duration_since(at))
        }
    }
}

/// The largest number of positions: their ages grow beyond every limit before the last is reached.
const MOST_SAMPLES: usize = 4_096;

/// Asks a server on a connection that stays open.
fn ask<T>(open: &mut Option<Conn>, target: &Target, is_pooled: bool, question: impl Fn(&mut Conn) -> Result<T>) -> Result<T> {
    let mut conn = match open.take() {
        Some(conn) => conn,
        None => {
            let mut conn = target.connect(Purpose::Read)?;
            if is_pooled {
                conn.forget_statements();
            }
            conn
        }
    };
    let answer = conn.savepoint(&mut |conn| question(conn))?;
    *open = Some(conn);
    Ok(answer)
}

/// The position up to which the primary has written its log; `None` if it is a replica.
fn current(conn: &mut Conn) -> Result<Option<i64>> {
    let mut select = Statement::new();
    select.push("SELECT CASE WHEN NOT pg_is_in_recovery() THEN (pg_current_wal_flush_lsn()").push(AS_NUMBER).push(" END");
    match conn.rows(&select, &[BindKind::Int])?.into_iter().flatten().next() {
        Some(Value::Int(position)) => Ok(Some(position)),
        _ => Ok(None),
    }
}

/// The cluster and the database, which a replica shares with its primary.
fn identity(conn: &mut Conn) -> Result<Vec<Vec<Value>>> {
    let mut select = Statement::new();
    select.push("SELECT system_identifier, current_database()::text FROM pg_control_system()");
    conn.rows(&select, &[BindKind::Int, BindKind::Text])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lag_is_the_age_of_the_newest_position_that_is_replayed() {
        let start = Instant::now();
        let mut positions = Positions::default();
        let mut check = |now: u64, current: i64, replayed: i64| {
            let lag = positions.note(replayed, current, start + Duration::from_secs(now));
            lag.map(|lag| lag.as_secs())
        };
        assert_eq!(check(0, 100, 50), None, "nobody knows when the primary was at 50");
        assert_eq!(check(1, 120, 100), Some(1));
        assert_eq!(check(2, 120, 120), Some(0));
        assert_eq!(check(60, 120, 120), Some(0), "an idle primary");
        assert_eq!(check(61, 150, 130), Some(1));
        assert_eq!(check(62, 200, 130), Some(2));
        assert_eq!(check(69, 200, 130), Some(9), "the replay stands still");
        assert_eq!(check(70, 300, 150), Some(9));
        assert_eq!(check(71, 300, 200), Some(2), "200 was the position of the primary until 69");
        assert_eq!(check(72, 300, 300), Some(0));
        // The replica was out of reach for an hour, without a check.
        assert_eq!(check(3_672, 900, 300), Some(3_600));
    }
}
