//! What every request needs: the description, the database, the hooks, the configuration.

use std::{cell::Cell, sync::Arc};

use super::{throttle::Throttle, turns::Turns};
use crate::{
    Caller, Clock, Error, Result, Tx, accounts,
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
    pub clock: Clock,
    pub throttle: Throttle,
    /// Passwords that are being hashed.
    pub hashing: Turns,
}

/// Whether a job may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Job {
    /// On a reader.
    Read,
    /// In one write transaction.
    Write,
}

/// Who a job is for: a session's token, which the job looks up on its own connection.
pub(crate) struct Asked<'c> {
    token: Option<&'c str>,
    request_id: &'c str,
    /// True once the session's life has begun anew.
    pub renewed: Cell<bool>,
}

impl<'c> Asked<'c> {
    /// By the session with this token, or by nobody in particular.
    pub fn by(token: Option<&'c str>, request_id: &'c str) -> Asked<'c> {
        Asked { token, request_id, renewed: Cell::new(false) }
    }
}

impl State {
    /// Who asks, on a connection at hand; the flag says that the use of the session is to be noted.
    fn caller(&self, conn: &mut Conn, asked: &Asked<'_>) -> Result<(Caller, bool)> {
        let anonymous = Caller::anonymous(self.app, self.clock.now(), asked.request_id);
        let Some(token) = asked.token else { return Ok((anonymous, false)) };
        let Some(session) = accounts::session(conn, self.app, token, anonymous.now)? else { return Ok((anonymous, false)) };
        let caller = Caller { request_id: asked.request_id.to_owned(), ..session.caller };
        Ok((caller, session.due))
    }

    /// Runs `work` for the caller with this session, on one connection.
    pub fn job<T>(&self, job: Job, asked: &Asked<'_>, work: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        let mut due = false;
        let result = self.on(job, &mut |conn| {
            let (caller, is_due) = self.caller(conn, asked)?;
            due = is_due;
            work(&mut Tx::new(conn, self.app, self.hooks.clone(), caller))
        });
        if let (true, Some(token)) = (due, asked.token) {
            // Not noting the use of a session costs an hour of its life, not the answer.
            asked.renewed.set(self.db.write(&mut |conn| accounts::renew(conn, token, self.clock.now())).is_ok());
        }
        result
    }

    /// Runs `work` for a caller who is already known.
    pub fn job_of<T>(&self, job: Job, caller: &Caller, work: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.on(job, &mut |conn| work(&mut Tx::new(conn, self.app, self.hooks.clone(), caller.clone())))
    }

    fn on<T>(&self, job: Job, work: &mut dyn FnMut(&mut Conn) -> Result<T>) -> Result<T> {
        match job {
            Job::Read => self.db.read(work),
            Job::Write => self.db.write(work),
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
