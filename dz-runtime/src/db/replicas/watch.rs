//! The check of a replica, on a thread of its own: whether it answers, is a replica of this primary, and how far it is behind.
//!
//! The lag is measured by one clock, that of this process: positions of the primary are noted with their time, and the lag is the age of
//! the oldest one that the replica has not replayed. A replica whose connection to the primary is lost, or whose replay is paused, has a
//! growing lag as soon as the primary writes; an idle primary gives no lag.

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
    samples: VecDeque<Sample>,
}

/// Begins the checks of a replica, which end with the database.
///
/// # Errors
/// 500 if no thread is left.
pub(super) fn start(db: &Database, replica: &Arc<Replica>) -> Result<()> {
    let (pools, replica) = (Arc::downgrade(&db.pools), Arc::clone(replica));
    let (primary, is_pooled) = (db.pools.target.clone(), db.is_pooled());
    let watch = Watch { primary, is_pooled, to_primary: None, to_replica: None, samples: VecDeque::new() };
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
        let now = Instant::now();
        self.samples.push_back((now, current));
        Ok(Found::Replica(lag(&mut self.samples, position, now)))
    }
}

/// The age of the oldest position that is not replayed; removes the others.
fn lag(samples: &mut VecDeque<Sample>, replayed: i64, now: Instant) -> Duration {
    while samples.front().is_some_and(|(_, position)| *position <= replayed) {
        samples.pop_front();
    }
    // Of equal positions only the oldest counts, so that a replica that stops needs little memory.
    if let Some((_, last)) = samples.back().copied() {
        while samples.len() > 1 && samples.iter().nth_back(1).is_some_and(|(_, before)| *before == last) {
            samples.pop_back();
        }
    }
    // The position of a replica that is far behind is older than all of these.
    samples.truncate(MOST_SAMPLES);
    samples.front().map_or(Duration::ZERO, |(at, _)| now.saturating_duration_since(*at))
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
    fn the_lag_is_the_age_of_the_oldest_position_that_is_not_replayed() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut samples = VecDeque::new();
        let mut check = |now: u64, current: i64, replayed: i64| {
            samples.push_back((at(now), current));
            lag(&mut samples, replayed, at(now)).as_secs()
        };
        assert_eq!(check(0, 100, 100), 0);
        assert_eq!(check(1, 100, 100), 0, "an idle primary");
        assert_eq!(check(2, 150, 120), 0, "the position was reached now");
        assert_eq!(check(3, 200, 120), 1);
        assert_eq!(check(9, 200, 120), 7, "the replay stands still");
        assert_eq!(check(10, 300, 150), 7, "the second position is older than the newest one");
        assert_eq!(check(11, 300, 300), 0);
    }
}
