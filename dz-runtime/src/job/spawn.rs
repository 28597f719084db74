//! Stores jobs for the worker.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{Job, queue};
use crate::{Error, Result, SystemCx, Tx, value::storage};

/// How a job differs from what its type says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JobOptions {
    /// The time before which the job does not run.
    pub run_at: Option<DateTime<Utc>>,
    /// The priority in place of [`Job::PRIORITY`].
    pub priority: Option<i32>,
    /// The key in place of [`Job::unique_key`].
    pub unique_key: Option<String>,
}

/// A stored job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpawnedJob {
    /// The identifier of the job, or of the earlier one with its key.
    pub id: Uuid,
    /// False if a queued or running job has the same key, so that no job was stored.
    pub is_new: bool,
}

impl Tx<'_> {
    /// Stores a job in this transaction; it runs after the commit, on any instance, and does not exist after a rollback.
    ///
    /// # Errors
    /// 500 if the application has no handler for the job, or its payload cannot be written as JSON.
    pub fn spawn_job<J: Job>(&mut self, job: &J) -> Result<SpawnedJob> {
        self.spawn_job_with(job, JobOptions::default())
    }

    /// As [`spawn_job`](Tx::spawn_job), with a time, a priority or a key.
    ///
    /// # Errors
    /// As for [`spawn_job`](Tx::spawn_job).
    pub fn spawn_job_with<J: Job>(&mut self, job: &J, options: JobOptions) -> Result<SpawnedJob> {
        let hooks = self.hooks.clone();
        let handler = hooks.jobs.find(J::NAME).map_err(|error| Error::internal(error.internal.unwrap_or_default()))?;
        let payload = serde_json::to_string(job).map_err(Error::internal)?;
        let new = queue::NewJob {
            name: &handler.name,
            payload: &payload,
            priority: options.priority.unwrap_or(handler.priority),
            unique_key: options.unique_key.or_else(|| job.unique_key()),
            max_attempts: handler.max_attempts,
            run_at: storage::nearest_storable(options.run_at.unwrap_or(self.caller.now)),
            tenant: self.caller.tenant().cloned(),
        };
        let (app, now) = (self.app, self.caller.now);
        queue::insert(self.conn, app, &new, now)
    }
}

impl SystemCx {
    /// Stores a job in a transaction of its own.
    ///
    /// # Errors
    /// As for [`Tx::spawn_job`]; 503 if the database is unavailable.
    pub fn spawn_job<J: Job>(&self, job: &J) -> Result<SpawnedJob> {
        self.run(|tx| tx.spawn_job(job))
    }
}
