//! What every request needs: the description, the database, the hooks, the configuration.

use std::sync::Arc;

use chrono::Utc;

use super::throttle::Throttle;
use crate::{
    Caller, Error, Result, Tx, accounts,
    config::Config,
    db::{Conn, Database},
    def::AppDef,
    hooks::Hooks,
};

/// What every request needs.
pub(crate) struct State {
    pub app: &'static AppDef,
    pub db: Database,
    pub hooks: Arc<Hooks>,
    pub config: Config,
    pub throttle: Throttle,
}

/// Whether a job may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Job {
    /// On a reader.
    Read,
    /// In one write transaction.
    Write,
}

impl State {
    /// Who asks with this session token, on a connection at hand; the flag says that its use is to be noted.
    pub fn caller(&self, conn: &mut Conn, token: Option<&str>, request_id: &str) -> Result<(Caller, bool)> {
        let anonymous = Caller::anonymous(self.app, Utc::now(), request_id);
        let Some(token) = token else { return Ok((anonymous, false)) };
        let Some(session) = accounts::session(conn, self.app, token, anonymous.now)? else { return Ok((anonymous, false)) };
        let caller = Caller { request_id: request_id.to_owned(), ..session.caller };
        Ok((caller, session.due))
    }

    /// Runs `work` for the caller with this session, on one connection.
    pub fn job<T>(&self, job: Job, token: Option<&str>, request_id: &str, work: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        let mut note = false;
        let mut run = |conn: &mut Conn| {
            let (caller, due) = self.caller(conn, token, request_id)?;
            note = due;
            work(&mut Tx::new(conn, self.app, self.hooks.clone(), caller))
        };
        let result = match job {
            Job::Read => self.db.read(&mut run),
            Job::Write => self.db.write(&mut run),
        };
        if let (true, Some(token)) = (note, token) {
            // Not noting the use of a session costs an hour of its life, not the answer.
            let _ = self.db.write(&mut |conn| accounts::renew(conn, token, Utc::now()));
        }
        result
    }

    /// Runs `work` for a caller who is already known.
    pub fn job_of<T>(&self, job: Job, caller: &Caller, work: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        let mut run = |conn: &mut Conn| work(&mut Tx::new(conn, self.app, self.hooks.clone(), caller.clone()));
        match job {
            Job::Read => self.db.read(&mut run),
            Job::Write => self.db.write(&mut run),
        }
    }
}

/// Turns a panic of a job into an error that is logged and tells nothing.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(Error::internal(format_args!("panic: {}", text.unwrap_or_default())))
        }
    }
}
