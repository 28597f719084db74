//! Jobs: background work of the application, stored in the transaction that requests it, and run by the worker.

pub(crate) mod handlers;
pub(crate) mod leases;
pub(crate) mod queue;
pub(crate) mod schedule;
mod spawn;
mod times;

use std::{
    fmt,
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use chrono::TimeDelta;
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;

pub use spawn::{JobOptions, SpawnedJob};

use crate::{Error, Result, SystemCx, Tx};

/// The payload of a job, which names the job and says how it is run.
///
/// The handler is registered with [`App::job`](crate::App::job), and [`Tx::spawn_job`](crate::Tx::spawn_job) stores a job. The payload
/// is stored as JSON: after a change of the type, it must still accept the JSON of jobs that are queued.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a job: write `impl dz::Job for {Self} {{ const NAME: &'static str = \"…\"; }}`",
    label = "not the payload of a job"
)]
pub trait Job: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The name of the job. It is stored with each job, so it must not change while jobs are queued.
    const NAME: &'static str;

    /// The number of attempts; a job whose last attempt fails is a dead letter.
    const MAX_ATTEMPTS: u32 = 16;

    /// Of the jobs that are due, those with a higher priority run first.
    const PRIORITY: i32 = 0;

    /// The delay after a number of failed attempts.
    fn retry_delay(failures: u32) -> TimeDelta {
        default_delay(failures)
    }

    /// A second job with the key of a queued or running one of the same tenant is not stored.
    fn unique_key(&self) -> Option<String> {
        None
    }
}

/// The delay after the first failure, in seconds; it doubles with each further failure,
const FIRST_DELAY: i64 = 5;
/// up to this maximum.
const MAX_DELAY: i64 = 3_600;

/// The default delay: from five seconds up to an hour.
pub(crate) fn default_delay(failures: u32) -> TimeDelta {
    TimeDelta::seconds(FIRST_DELAY.saturating_mul(1 << failures.saturating_sub(1).min(20)).min(MAX_DELAY))
}

/// The argument of the handler of a job: the interface of the system, on the rows of the tenant in which the job was stored.
///
/// A job runs at least once: an attempt that a crash interrupts is repeated. Use [`id`](JobCx::id) to detect a repetition where it does
/// harm.
pub struct JobCx {
    system: SystemCx,
    id: Uuid,
    runner: Uuid,
    attempt: u32,
    lost: Arc<AtomicBool>,
    /// True if the handler has removed the job together with its writes.
    removed: AtomicBool,
}

impl fmt::Debug for JobCx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobCx").field("id", &self.id).field("attempt", &self.attempt).finish()
    }
}

impl Deref for JobCx {
    type Target = SystemCx;

    fn deref(&self) -> &SystemCx {
        &self.system
    }
}

impl JobCx {
    pub(crate) fn new(system: SystemCx, job: &queue::ClaimedJob, lost: Arc<AtomicBool>) -> JobCx {
        JobCx { system, id: job.id, runner: job.runner, attempt: job.attempt, lost, removed: AtomicBool::default() }
    }

    /// The identifier of the job, equal for all attempts.
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// The number of the attempt, from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// True if the job was cancelled, or if another instance has taken it over. Its result is then ignored.
    pub fn is_cancelled(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Runs the last transaction of the handler, and removes the job in it: the writes and the end of the job are one commit, and a job
    /// that another instance has taken over writes nothing.
    ///
    /// # Errors
    /// 409 `CANCELLED` if the job was cancelled or taken over; those of `work`.
    pub(crate) fn run_last(&self, mut work: impl FnMut(&mut Tx<'_>) -> Result<()>) -> Result<()> {
        self.system.run(|tx| {
            work(tx)?;
            if queue::remove(tx.conn, (self.id, self.runner))? { Ok(()) } else { Err(cancelled()) }
        })?;
        self.removed.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// True if [`run_last`](JobCx::run_last) has removed the job.
    pub(crate) fn is_removed(&self) -> bool {
        self.removed.load(Ordering::Relaxed)
    }

    /// Stores the progress, which `/app/-/jobs` shows.
    ///
    /// # Errors
    /// 409 `CANCELLED` if the job was cancelled, so that `?` ends the handler; 503 if the database is unavailable.
    pub fn progress(&self, done: u32, total: u32, note: &str) -> Result<()> {
        let held = !self.is_cancelled()
            && self.system.database().write(&mut |conn| queue::store_progress(conn, (self.id, self.runner), (done, total), note))?;
        if held {
            return Ok(());
        }
        self.lost.store(true, Ordering::Relaxed);
        Err(cancelled())
    }
}

fn cancelled() -> Error {
    Error::new(409, "CANCELLED", "The job was cancelled")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_an_hour() {
        let seconds: Vec<i64> = [1, 2, 3, 10, 15, u32::MAX].map(|failures| default_delay(failures).num_seconds()).to_vec();
        assert_eq!(seconds, [5, 10, 20, 2_560, 3_600, 3_600]);
    }
}
