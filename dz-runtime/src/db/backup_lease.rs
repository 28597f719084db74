//! Leases of running backups, facts about the database in `dz_meta`. While one is valid, the worker deletes no file, so that the backup
//! can copy every file that its copy of the database names.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use uuid::Uuid;

use super::{Conn, Database, Work, facts};
use crate::{Result, output::log_event};

/// The beginning of the keys in `dz_meta`. Each backup has a key of its own, because several can run at once.
const PREFIX: &str = "running backup ";
/// The duration of a lease. Nothing renews it while the database is copied, which must take less time. A backup that was killed delays
/// deletions by at most this time, the age at which unused uploads are deleted, too.
const LIFETIME: TimeDelta = TimeDelta::hours(24);
/// The interval between renewals while files are copied.
const RENEWAL: Duration = Duration::from_secs(3_600);

/// A lease, which ends when it is dropped.
pub(crate) struct BackupLease {
    db: Database,
    key: String,
    renewed: Cell<Instant>,
}

impl BackupLease {
    /// Takes a lease, and removes expired ones.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn take(db: &Database) -> Result<BackupLease> {
        let now = db.lease_time()?;
        let key = format!("{PREFIX}{}", Uuid::now_v7());
        db.write(&mut |conn| {
            for (old, _) in facts::read_all(conn, PREFIX)?.into_iter().filter(|(_, until)| !is_valid(until, now)) {
                facts::remove(conn, &old)?;
            }
            facts::write(conn, &key, &end_text(now))
        })?;
        Ok(BackupLease { db: db.clone(), key, renewed: Cell::new(Instant::now()) })
    }

    /// Renews the lease if the last renewal is long ago. After a failure the lease is still valid at the next attempts.
    pub(crate) fn renew(&self) {
        if self.renewed.get().elapsed() < RENEWAL {
            return;
        }
        self.renewed.set(Instant::now());
        let now = self.db.lease_time();
        if let Err(error) = now.and_then(|now| self.db.write(&mut |conn| facts::write(conn, &self.key, &end_text(now)))) {
            let why = error.internal.as_deref().unwrap_or(&error.detail);
            log_event!(warn, target: "dz", why, "the lease of a backup was not renewed; it is tried again in an hour");
        }
    }
}

impl Drop for BackupLease {
    fn drop(&mut self) {
        let removed = self.db.write(&mut |conn| {
            facts::remove(conn, &self.key)?;
            conn.request_wake(Work::Files);
            Ok(())
        });
        if let Err(error) = removed {
            let why = error.internal.as_deref().unwrap_or(&error.detail);
            log_event!(warn, target: "dz", why, "the lease of a backup was not removed; released files are deleted when it expires");
        }
    }
}

/// Removes all leases.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn remove_all(db: &Database) -> Result<()> {
    db.write(&mut |conn| facts::read_all(conn, PREFIX)?.iter().try_for_each(|(key, _)| facts::remove(conn, key)))
}

/// True while a backup has a valid lease.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn is_any_valid(db: &Database) -> Result<bool> {
    let now = db.lease_time()?;
    let leases = db.read(&mut |conn: &mut Conn| facts::read_all(conn, PREFIX))?;
    Ok(leases.iter().any(|(_, until)| is_valid(until, now)))
}

fn end_text(now: DateTime<Utc>) -> String {
    (now + LIFETIME).to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn is_valid(until: &str, now: DateTime<Utc>) -> bool {
    until.parse().is_ok_and(|until: DateTime<Utc>| until > now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_expires() {
        let now = DateTime::UNIX_EPOCH + TimeDelta::days(20_000);
        let until = end_text(now);
        assert!(is_valid(&until, now) && is_valid(&until, now + TimeDelta::hours(23)));
        assert!(!is_valid(&until, now + TimeDelta::hours(24)) && !is_valid("tomorrow", now));
    }
}
