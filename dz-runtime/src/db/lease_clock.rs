//! The clock that decides. On PostgreSQL it is that of the server, so that instances agree although the clocks of their machines differ: the
//! clock of the application is corrected by it, and leases are measured by it alone. On SQLite all processes share a machine.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};

use super::{BindKind, Conn, Database, Statement};
use crate::{Clock, Engine, Error, Result, Value, output::log_event};

/// The time after which the clock of the server is read again; after a failover, another server answers.
const LIFETIME: Duration = Duration::from_secs(30);
/// A difference between the clocks that is reported.
const TOLERANCE: TimeDelta = TimeDelta::seconds(5);
/// A smaller difference is not corrected, so that the time does not jump by the duration of a statement.
const PRECISION: TimeDelta = TimeDelta::milliseconds(250);

/// The last time of the server.
#[derive(Default)]
pub(super) struct LeaseClock(Mutex<Last>);

#[derive(Default)]
struct Last {
    read: Option<(DateTime<Utc>, Instant)>,
    /// True after a difference was reported.
    differs: bool,
}

impl LeaseClock {
    /// The time after the last reading, if it is not too old. A change of the clock of this machine has no effect on it.
    fn current(&self) -> Option<DateTime<Utc>> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, since) = last.read.filter(|(_, since)| since.elapsed() < LIFETIME)?;
        at.checked_add_signed(TimeDelta::from_std(since.elapsed()).ok()?)
    }

    /// Notes the time of the server; the result is a difference to `own` that was not reported yet.
    fn note(&self, server: DateTime<Utc>, own: DateTime<Utc>) -> Option<TimeDelta> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.read = Some((server, Instant::now()));
        let difference = own - server;
        let differs = difference.abs() > TOLERANCE;
        let is_new = differs && !last.differs;
        last.differs = differs;
        is_new.then_some(difference)
    }
}

impl Database {
    /// The time by which leases are measured.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn lease_time(&self) -> Result<DateTime<Utc>> {
        if self.engine() == Engine::Sqlite {
            return Ok(Clock::system().now());
        }
        match self.lease_clock().current() {
            Some(now) => Ok(now),
            None => self.read_server_time(&Clock::system()).map(|(server, _)| server),
        }
    }

    /// Corrects the clock of the application by that of the server. A stopped clock and SQLite need no correction.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn correct_clock(&self, clock: &Clock) -> Result<()> {
        if self.engine() == Engine::Sqlite || clock.stopped_micros().is_some() {
            return Ok(());
        }
        let (server, uncertainty) = self.read_server_time(clock)?;
        if let Some(correction) = find_correction(server, clock.machine_now(), clock.now(), uncertainty) {
            clock.correct(correction);
        }
        Ok(())
    }

    /// The time of the server, and the duration of the statement that read it. A new difference to the clock of the machine is logged.
    fn read_server_time(&self, clock: &Clock) -> Result<(DateTime<Utc>, TimeDelta)> {
        let mut took = Duration::ZERO;
        let server = self.read(&mut |conn| {
            let started = Instant::now();
            let server = server_time(conn)?;
            took = started.elapsed();
            Ok(server)
        })?;
        if let Some(difference) = self.lease_clock().note(server, clock.machine_now()) {
            let seconds = difference.num_seconds();
            log_event!(
                warn, target: "dz", seconds,
                "the clock of this machine differs from that of the database by the number of seconds, and the time of the database is used; \
                 synchronise both, for example by NTP"
            );
        }
        Ok((server, TimeDelta::from_std(took).unwrap_or(TimeDelta::MAX)))
    }
}

/// What must be added to the time of the machine, if the time of the application differs from that of the server by more than the reading
/// of the server is uncertain.
fn find_correction(server: DateTime<Utc>, machine: DateTime<Utc>, now: DateTime<Utc>, uncertainty: TimeDelta) -> Option<TimeDelta> {
    ((now - server).abs() > PRECISION + uncertainty).then(|| server - machine)
}

fn server_time(conn: &mut Conn) -> Result<DateTime<Utc>> {
    let mut select = Statement::new();
    // The columns of dz have the times of UTC without a zone.
    select.push("SELECT clock_timestamp() AT TIME ZONE 'UTC'");
    match conn.rows(&select, &[BindKind::DateTime])?.into_iter().flatten().next() {
        Some(Value::DateTime(at)) => Ok(at),
        _ => Err(Error::internal("the database has no time")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_differences_are_not_corrected() {
        let server = DateTime::UNIX_EPOCH + TimeDelta::days(20_000);
        let (fast, slow) = (TimeDelta::milliseconds(1), TimeDelta::seconds(2));
        let after = |seconds: i64| server + TimeDelta::seconds(seconds);
        assert_eq!(find_correction(server, after(60), after(60), fast), Some(TimeDelta::seconds(-60)));
        assert_eq!(find_correction(server, after(-60), after(-60), fast), Some(TimeDelta::seconds(60)));
        assert_eq!(find_correction(server, after(60), server + TimeDelta::milliseconds(200), fast), None, "it was corrected");
        assert_eq!(find_correction(server, after(1), after(1), slow), None, "the server took longer to answer");
        // The clock of the machine was set to the right time.
        assert_eq!(find_correction(server, server, after(-60), fast), Some(TimeDelta::zero()));
    }

    #[test]
    fn a_difference_is_reported_once_until_it_ends() {
        let (clock, server) = (LeaseClock::default(), DateTime::UNIX_EPOCH + TimeDelta::days(20_000));
        let late = server + TimeDelta::seconds(61);
        assert_eq!(clock.current(), None);
        assert_eq!(clock.note(server, server + TimeDelta::seconds(2)), None);
        assert_eq!(clock.note(server, late), Some(TimeDelta::seconds(61)));
        assert_eq!(clock.note(server, late), None, "it was reported");
        assert_eq!(clock.note(server, server), None);
        assert_eq!(clock.note(server, server - TimeDelta::seconds(61)), Some(TimeDelta::seconds(-61)));
        // The time of the server counts, however late the clock of the machine is.
        assert!(clock.current().is_some_and(|now| now >= server && now < late));
    }
}
