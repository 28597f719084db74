//! What every request needs: the description, the database, the hooks, the configuration.

use std::{cell::Cell, sync::Arc};

use chrono::{DateTime, Utc};

mod refused;

use super::{
    Call, idempotency, incoming::Bodies, limits::Limits, request_log::RequestLog, routes::Routes, slots::Threads, throttle::Throttle,
    upload::Desks,
};
use crate::{
    Caller, Clock, Error, Result, TokenScope, Tx, Value, access, accounts,
    audit::{self, Record, Refusals},
    config::Config,
    db::{Conn, Database},
    def::{AppDef, EntityIx},
    files::{Storage, sweep::Gone},
    hooks::Hooks,
    mail::Post,
    rows,
    worker::{Cleaned, Loops},
};

/// What every request needs.
pub(crate) struct State {
    pub app: &'static AppDef,
    /// The addresses that dz answers.
    pub routes: Routes,
    pub db: Database,
    pub hooks: Arc<Hooks>,
    pub config: Config,
    pub clock: Clock,
    pub throttle: Throttle,
    /// Slots for what takes a blocking thread.
    pub threads: Threads,
    /// The memory of bodies.
    pub bodies: Arc<Bodies>,
    /// When what has expired was cleaned up last.
    pub cleaned: Cleaned,
    /// The loops of the worker that run.
    pub loops: Loops,
    /// Writes with an `Idempotency-Key` that are being done.
    pub under_way: idempotency::UnderWay,
    pub post: Arc<Post>,
    pub limits: Limits,
    /// Where stored files are.
    pub storage: Storage,
    /// Uploads that are being read.
    pub desks: Desks,
    /// When the folder of files was gone through last.
    pub gone_through: Gone,
    #[cfg(feature = "oidc")]
    pub oidc: super::oidc::Providers,
    pub refusals: Refusals,
    /// Refusals are not written to the log: a proof of the rules makes thousands.
    pub quiet: bool,
}

/// Whether a job may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Job {
    /// On a reader.
    Read,
    /// In one write transaction.
    Write,
}

/// Who a job is for: the token of a session or of a program, which the job looks up on its own connection.
pub(crate) struct Asked<'c> {
    session: Option<&'c str>,
    bearer: Option<&'c str>,
    request_id: &'c str,
    /// The address is open to whoever has to set a second factor up first.
    open: bool,
    log: &'c RequestLog,
    /// True once the session's life has begun anew.
    pub renewed: Cell<bool>,
}

impl<'c> Asked<'c> {
    /// By whoever sent a request.
    pub fn by(call: &'c Call) -> Asked<'c> {
        let Call { session, bearer, request_id, log, .. } = call;
        let open = call.found.route().is_some_and(|route| route.before_factor);
        Asked { session: session.as_deref(), bearer: bearer.as_deref(), request_id, open, log, renewed: Cell::new(false) }
    }

    /// By nobody in particular.
    pub fn by_nobody(call: &'c Call) -> Asked<'c> {
        Asked { session: None, bearer: None, request_id: &call.request_id, open: false, log: &call.log, renewed: Cell::new(false) }
    }
}

impl State {
    /// This moment.
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Who asks, on a connection at hand; the flag says that the use of the session or token is to be noted.
    fn caller(&self, conn: &mut Conn, asked: &Asked<'_>) -> Result<(Caller, bool)> {
        let anonymous = Caller::anonymous(self.app, self.now(), asked.request_id);
        let found = match (asked.bearer, asked.session) {
            // A program that shows a token means to be somebody.
            (Some(token), _) => {
                let unknown = || Error::new(401, "AUTHENTICATION_REQUIRED", "This API token is unknown, has expired or was revoked");
                Some(accounts::bearer(conn, self.app, token, anonymous.now)?.ok_or_else(unknown)?)
            }
            (None, Some(token)) => accounts::session(conn, self.app, token, anonymous.now)?,
            (None, None) => None,
        };
        let Some(session) = found else { return Ok((anonymous, false)) };
        let caller = Caller { request_id: asked.request_id.to_owned(), ..session.caller };
        if let Some(account) = &caller.account {
            asked.log.note_account(&account.id);
        }
        if asked.bearer.is_none() && !asked.open && caller.roles & self.config.second_factor != 0 {
            let account = caller.account.as_ref().map(|account| account.id.clone()).unwrap_or_default();
            if !accounts::factor::has(conn, self.app, &account)? {
                return Err(super::factor::missing());
            }
        }
        Ok((caller, session.due))
    }

    /// Runs `work` for the caller with this session or token, on one connection.
    pub fn job<T>(&self, job: Job, asked: &Asked<'_>, work: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        let (mut due, mut left) = (false, Left::default());
        let result = self.with_only_rows(job, &mut left, &mut |conn, left| {
            let (caller, is_due) = self.caller(conn, asked)?;
            due = is_due;
            may_run(job, &caller)?;
            self.unit(job, conn, caller, left, work)
        });
        let result = self.recorded(result, left);
        if due {
            // Not noting the use of a session costs an hour of its life, not the answer.
            let noted = self.db.write(&mut |conn| match (asked.bearer, asked.session) {
                (Some(token), _) => accounts::seen(conn, token, self.now()),
                (None, Some(token)) => accounts::renew(conn, token, self.now()),
                (None, None) => Ok(()),
            });
            asked.renewed.set(noted.is_ok() && asked.bearer.is_none());
        }
        result
    }

    /// Runs `work` for a caller who is already known.
    pub fn job_of<T>(&self, job: Job, caller: &Caller, work: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        may_run(job, caller)?;
        let mut left = Left::default();
        let result = self.with_only_rows(job, &mut left, &mut |conn, left| self.unit(job, conn, caller.clone(), left, work));
        self.recorded(result, left)
    }

    /// One unit of work; what it is to write down waits where the connection only reads, and who was refused is told.
    fn unit<T>(
        &self,
        job: Job,
        conn: &mut Conn,
        caller: Caller,
        left: &mut Left,
        work: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut tx = Tx::new(conn, self.app, self.hooks.clone(), caller);
        tx.records = (job == Job::Read).then(Vec::new);
        tx.lists = Some(Vec::new());
        let done = work(&mut tx).and_then(|done| audit::keep_lists(&mut tx).map(|()| done));
        let waiting = tx.records.take().unwrap_or_default();
        // An attempt that is repeated begins anew.
        let (items, moved) = (std::mem::take(&mut tx.refused), std::mem::take(&mut tx.moved));
        let missing = done.as_ref().err().and_then(|error| error.missing);
        let missing = missing.map(|entity| (entity, tx.caller.tenant().cloned(), tx.caller.request_id.clone()));
        *left = Left { waiting, items, moved, missing, caller: None };
        if !left.items.is_empty() || done.as_ref().is_err_and(|error| error.denied.is_some()) {
            left.caller = Some(tx.caller);
        }
        done
    }

    /// Runs `work`. Where it lacks the only row of an entity, which its connection cannot make, the system makes that row, and `work`
    /// runs again.
    fn with_only_rows<T>(&self, job: Job, left: &mut Left, work: &mut dyn FnMut(&mut Conn, &mut Left) -> Result<T>) -> Result<T> {
        // An application has so many at most, so that this ends.
        for _ in 0..self.app.entities.len() {
            let result = self.on(job, &mut |conn| work(conn, left));
            let Some((entity, tenant, request_id)) = left.missing.take() else { return result };
            let entity = self.app.entity(entity);
            self.db.write(&mut |conn| rows::only::only(&mut self.system(conn, &request_id, tenant.as_ref()), entity).map(drop))?;
        }
        self.on(job, &mut |conn| work(conn, left))
    }

    /// Keeps what waited to be written down, before the answer leaves; and what was refused, now that it is undone.
    fn recorded<T>(&self, result: Result<T>, left: Left) -> Result<T> {
        let Left { waiting, items, moved, caller, .. } = left;
        if result.is_ok() {
            moved.into_iter().for_each(|old| super::recovery::tell_of_move(self, old));
        }
        if result.is_ok() && !waiting.is_empty() {
            self.db.write(&mut |conn| waiting.iter().try_for_each(|record| audit::insert(conn, self.app, record)))?;
        }
        for item in items {
            caller.iter().for_each(|caller| drop(self.refused(item.clone(), caller)));
        }
        match (result, caller) {
            (Err(error), Some(caller)) => Err(self.refused(error, &caller)),
            (result, _) => result,
        }
    }

    /// A unit of work of the system itself, on the rows of one tenant, or of all.
    pub fn system<'c>(&self, conn: &'c mut Conn, request_id: &str, tenant: Option<&Value>) -> Tx<'c> {
        let caller = Caller { request_id: request_id.to_owned(), ..Caller::system(self.app, self.clock.now()) };
        Tx::new(conn, self.app, self.hooks.clone(), caller.for_tenant(tenant.cloned()))
    }

    fn on<T>(&self, job: Job, work: &mut dyn FnMut(&mut Conn) -> Result<T>) -> Result<T> {
        match job {
            Job::Read => self.db.read(work),
            Job::Write => self.db.write(work),
        }
    }
}

/// What a unit of work leaves to be written down when it is over.
#[derive(Default)]
struct Left {
    /// Records that a connection which only reads could not keep.
    waiting: Vec<Record>,
    /// Refusals of single rows.
    items: Vec<Error>,
    /// Addresses that accounts had until now.
    moved: Vec<String>,
    /// The only row of an entity that is not there, the tenant that it belongs to, and the request that asks for it.
    missing: Option<(EntityIx, Option<Value>, String)>,
    /// Who was refused something.
    caller: Option<Caller>,
}

/// Refuses to write for a token that may only read.
fn may_run(job: Job, caller: &Caller) -> Result<()> {
    if job == Job::Write && caller.token == Some(TokenScope::Read) { Err(access::read_only()) } else { Ok(()) }
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
